import { assign, emit, fromPromise, setup } from 'xstate';

export interface ProfileFieldContext {
  /** The value when editing started. */
  original: string;
  draft: string;
  /** Error of the last save, cleared by the next change. */
  failure: unknown;
}

/** `draft`: the stored unsaved input; `null` if there is none. */
interface ProfileFieldInput {
  value: string;
  draft: string | null;
}

export type ProfileFieldEvent =
  | { type: 'edit.open'; value: string }
  | { type: 'draft.change'; text: string }
  | { type: 'edit.save' }
  | { type: 'edit.cancel' };

/** Notices that the view shows as toasts. */
export type ProfileFieldNotice = { type: 'field.saved' } | { type: 'save.failed'; error: unknown };

/**
 * Edits one field of the profile. Saving an unchanged value closes the field without a request, a failure keeps the
 * draft, and Cancel restores the saved value. A stored draft reopens the field.
 */
export const profileFieldMachine = setup({
  types: {
    context: {} as ProfileFieldContext,
    input: {} as ProfileFieldInput,
    events: {} as ProfileFieldEvent,
    emitted: {} as ProfileFieldNotice,
    tags: {} as 'busy',
  },
  actors: {
    saveField: fromPromise<void, { value: string }>(() => {
      throw new Error('profileField: saveField is not provided');
    }),
  },
  guards: {
    isUnchanged: ({ context }) => context.draft.trim() === context.original.trim(),
  },
}).createMachine({
  id: 'profileField',
  context: ({ input: { value, draft } }) => ({ original: value, draft: draft ?? value, failure: null }),
  initial: 'opening',
  states: {
    opening: { always: [{ guard: 'isUnchanged', target: 'viewing' }, { target: 'editing' }] },
    viewing: {
      on: {
        'edit.open': {
          target: 'editing',
          actions: assign(({ event }) => ({ original: event.value, draft: event.value, failure: null })),
        },
      },
    },
    editing: {
      on: {
        'draft.change': { actions: assign({ draft: ({ event }) => event.text, failure: null }) },
        'edit.cancel': { target: 'viewing' },
        'edit.save': [{ guard: 'isUnchanged', target: 'viewing' }, { target: 'saving' }],
      },
    },
    saving: {
      tags: 'busy',
      invoke: {
        src: 'saveField',
        input: ({ context }) => ({ value: context.draft.trim() }),
        onDone: { target: 'viewing', actions: emit({ type: 'field.saved' }) },
        onError: {
          target: 'editing',
          actions: [
            assign({ failure: ({ event }) => event.error }),
            emit(({ event }) => ({ type: 'save.failed', error: event.error })),
          ],
        },
      },
    },
  },
});
