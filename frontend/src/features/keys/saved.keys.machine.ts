import { createKey, type SavedKey } from '@orange-id/contract/keys.schema';
import { assign, emit, enqueueActions, fromPromise, setup } from 'xstate';
import { answerPatienceMs, NoAnswerError } from '../../api/no.answer';

interface SavedKeysContext {
  name: string;
  /** What is wrong with the name, after a failed submit. */
  nameError: string | null;
  creationFailure: unknown;
  /** The last created key, which the page shows revealed. */
  created: SavedKey | null;
  /** The key to delete; kept while the dialog closes, so that its text stays. */
  chosen: SavedKey | null;
  deletionFailure: unknown;
}

type SavedKeysEvent =
  | { type: 'name.change'; name: string }
  | { type: 'key.create' }
  | { type: 'key.delete'; key: SavedKey }
  | { type: 'deletion.confirm' }
  | { type: 'deletion.cancel' }
  | { type: 'key.vanish' };

export type SavedKeysNotice =
  | { type: 'name.refused' }
  | { type: 'key.created'; key: SavedKey }
  | { type: 'creation.failed'; error: unknown }
  | { type: 'key.deleted'; key: SavedKey }
  | { type: 'deletion.failed'; error: unknown };

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
  },
  actors: {
    createKey: fromPromise<SavedKey, string>(() => {
      throw new Error('savedKeys: createKey is not provided');
    }),
    deleteKey: fromPromise<void, SavedKey>(() => {
      throw new Error('savedKeys: deleteKey is not provided');
    }),
  },
  actions: {
    failCreation: enqueueActions(({ enqueue }, { error }: { error: unknown }) => {
      enqueue.assign({ creationFailure: error });
      enqueue.emit({ type: 'creation.failed', error });
    }),
    failDeletion: enqueueActions(({ enqueue }, { error }: { error: unknown }) => {
      enqueue.assign({ deletionFailure: error });
      enqueue.emit({ type: 'deletion.failed', error });
    }),
  },
  guards: { hasValidName: ({ context }) => nameRefusal(context.name) === null },
  delays: { answerPatience: answerPatienceMs },
});

/** A user's API keys that belong to no project: creates one with a name, and deletes one after confirmation. */
export const savedKeysMachine = savedKeysSetup.createMachine({
  id: 'savedKeys',
  context: ({ input: { name } }) => ({
    ...{ name, nameError: null, creationFailure: null, created: null },
    ...{ chosen: null, deletionFailure: null },
  }),
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
        'key.delete': {
          target: 'confirming',
          actions: assign({ chosen: ({ event }) => event.key, deletionFailure: null }),
        },
      },
    },
    creating: {
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
      after: {
        answerPatience: {
          target: 'listing',
          actions: { type: 'failCreation', params: () => ({ error: new NoAnswerError() }) },
        },
      },
    },
    confirming: {
      on: { 'deletion.confirm': 'deleting', 'deletion.cancel': 'listing', 'key.vanish': 'vanished' },
    },
    deleting: {
      entry: assign({ deletionFailure: null }),
      invoke: {
        src: 'deleteKey',
        input: ({ context }) => chosen(context),
        onDone: {
          target: 'listing',
          actions: [
            // There may now be room for the key that couldn't be created.
            assign(({ context }) => ({
              creationFailure: null,
              created: context.created?.id === context.chosen?.id ? null : context.created,
            })),
            emit(({ context }) => ({ type: 'key.deleted', key: chosen(context) })),
          ],
        },
        onError: {
          target: 'confirming',
          actions: { type: 'failDeletion', params: ({ event }) => ({ error: event.error }) },
        },
      },
      after: {
        answerPatience: {
          target: 'confirming',
          actions: { type: 'failDeletion', params: () => ({ error: new NoAnswerError() }) },
        },
      },
    },
    vanished: { on: { 'deletion.cancel': 'listing' } },
  },
});

function chosen({ chosen: key }: SavedKeysContext): SavedKey {
  if (!key) throw new Error('savedKeys: nothing was chosen');
  return key;
}
