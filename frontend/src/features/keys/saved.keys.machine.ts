import { createKey, type SavedKey } from '@orange-id/contract/keys.schema';
import { assign, emit, enqueueActions, fromPromise, setup } from 'xstate';

interface SavedKeysContext {
  name: string;
  /** What is wrong with the name, after a failed submit. */
  nameError: string | null;
  creationFailure: unknown;
  /** The last key created, also by rotation, which the page shows revealed. */
  created: SavedKey | null;
}

type SavedKeysEvent =
  | { type: 'name.change'; name: string }
  | { type: 'key.create' }
  | { type: 'key.deleted'; key: SavedKey }
  | { type: 'key.rotated'; key: SavedKey };

export type SavedKeysNotice =
  | { type: 'name.refused' }
  | { type: 'key.created'; key: SavedKey }
  | { type: 'creation.failed'; error: unknown };

/** Why a key can't have this name; `null` if it can. */
const nameRefusal = (name: string): string | null =>
  createKey.shape.name.safeParse(name).error?.issues[0]?.message ?? null;

const savedKeysSetup = setup({
  types: {
    context: {} as SavedKeysContext,
    /** `name`: the stored draft. */
    input: {} as { name: string },
    events: {} as SavedKeysEvent,
    emitted: {} as SavedKeysNotice,
    tags: {} as 'busy',
  },
  actors: {
    createKey: fromPromise<SavedKey, string>(() => {
      throw new Error('savedKeys: createKey is not provided');
    }),
  },
  actions: {
    failCreation: enqueueActions(({ enqueue }, { error }: { error: unknown }) => {
      enqueue.assign({ creationFailure: error });
      enqueue.emit({ type: 'creation.failed', error });
    }),
  },
  guards: { hasValidName: ({ context }) => nameRefusal(context.name) === null },
});

/** Creates an API key that belongs to no project, with a name. */
export const savedKeysMachine = savedKeysSetup.createMachine({
  id: 'savedKeys',
  context: ({ input: { name } }) => ({ name, nameError: null, creationFailure: null, created: null }),
  on: {
    'key.deleted': {
      actions: assign(({ context: { created }, event: { key } }) => ({
        // There may now be room for the key that couldn't be created.
        creationFailure: null,
        created: created?.id === key.id ? null : created,
      })),
    },
    'key.rotated': { actions: assign({ created: ({ event }) => event.key }) },
  },
  initial: 'listing',
  states: {
    listing: {
      on: {
        'name.change': { actions: assign({ name: ({ event }) => event.name, nameError: null }) },
        'key.create': [
          { guard: 'hasValidName', target: 'creating' },
          {
            actions: [
              assign({ nameError: ({ context }) => nameRefusal(context.name) }),
              emit({ type: 'name.refused' }),
            ],
          },
        ],
      },
    },
    creating: {
      tags: 'busy',
      entry: assign({ nameError: null, creationFailure: null }),
      invoke: {
        src: 'createKey',
        input: ({ context }) => context.name.trim(),
        onDone: {
          target: 'listing',
          actions: [
            assign({ name: '', created: ({ event }) => event.output }),
            emit(({ event }) => ({ type: 'key.created', key: event.output })),
          ],
        },
        onError: {
          target: 'listing',
          actions: { type: 'failCreation', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
  },
});
