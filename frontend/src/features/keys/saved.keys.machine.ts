import { createKey, type ChangeKey, type SavedKey } from '@orange-id/contract/keys.schema';
import { assign, emit, enqueueActions, fromPromise, setup } from 'xstate';

/** The expiry and the limit of a key to create. */
export type KeyTerms = Pick<ChangeKey, 'expiresAt' | 'rateLimit'>;

/** A created key; `termsFailure` is why it has no expiry and limit, or null. */
export interface MadeKey {
  key: SavedKey;
  termsFailure: unknown;
}

interface SavedKeysContext {
  name: string;
  terms: KeyTerms;
  /** What is wrong with the name, after a failed submit. */
  nameError: string | null;
  creationFailure: unknown;
  /** The last key that was created without its expiry and limit, and why. */
  incomplete: MadeKey | null;
  /** The last key created, also by rotation, which the page shows revealed. */
  created: SavedKey | null;
}

type SavedKeysEvent =
  | { type: 'name.change'; name: string }
  | { type: 'key.create'; terms?: KeyTerms }
  | { type: 'key.deleted'; key: SavedKey }
  | { type: 'key.saved'; key: SavedKey }
  | { type: 'key.rotated'; key: SavedKey };

export type SavedKeysNotice =
  | { type: 'name.refused' }
  | { type: 'key.created'; key: SavedKey }
  | { type: 'terms.failed'; key: SavedKey; error: unknown }
  | { type: 'creation.failed'; error: unknown };

/** Why a key can't have this name; `null` if it can. */
export const nameRefusal = (name: string): string | null =>
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
    createKey: fromPromise<MadeKey, { name: string; terms: KeyTerms }>(() => {
      throw new Error('savedKeys: createKey is not provided');
    }),
  },
  actions: {
    complete: enqueueActions(({ enqueue }, made: MadeKey) => {
      const { key, termsFailure } = made;
      enqueue.assign({ name: '', created: key, incomplete: termsFailure === null ? null : made });
      enqueue.emit(
        termsFailure === null
          ? { type: 'key.created', key }
          : { type: 'terms.failed', key, error: termsFailure },
      );
    }),
    failCreation: enqueueActions(({ enqueue }, { error }: { error: unknown }) => {
      enqueue.assign({ creationFailure: error });
      enqueue.emit({ type: 'creation.failed', error });
    }),
  },
  guards: { hasValidName: ({ context }) => nameRefusal(context.name) === null },
});

/** Creates an API key that belongs to no project, with a name and, if given, an expiry and a limit. */
export const savedKeysMachine = savedKeysSetup.createMachine({
  id: 'savedKeys',
  context: ({ input: { name } }) => ({
    name,
    terms: {},
    nameError: null,
    creationFailure: null,
    incomplete: null,
    created: null,
  }),
  on: {
    'key.deleted': {
      actions: assign(({ context: { created, incomplete }, event: { key } }) => ({
        // There may now be room for the key that couldn't be created.
        creationFailure: null,
        created: created?.id === key.id ? null : created,
        incomplete: incomplete?.key.id === key.id ? null : incomplete,
      })),
    },
    'key.saved': {
      actions: assign(({ context: { incomplete }, event: { key } }) => ({
        incomplete: incomplete?.key.id === key.id ? null : incomplete,
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
          {
            guard: 'hasValidName',
            target: 'creating',
            actions: assign({ terms: ({ event }) => event.terms ?? {} }),
          },
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
      entry: assign({ nameError: null, creationFailure: null, incomplete: null }),
      invoke: {
        src: 'createKey',
        input: ({ context: { name, terms } }) => ({ name: name.trim(), terms }),
        onDone: {
          target: 'listing',
          actions: { type: 'complete', params: ({ event }) => event.output },
        },
        onError: {
          target: 'listing',
          actions: { type: 'failCreation', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
  },
});
