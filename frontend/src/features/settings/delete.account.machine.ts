import { deletionWord } from '@orange-id/contract/leaving.schema';
import { assign, emit, fromPromise, setup } from 'xstate';
import { HttpError } from '../../api/http';
import { failureOf } from '../../ui/submission';

type DeleteAccountEvent =
  { type: 'deletion.open' } | { type: 'deletion.confirm'; word: string } | { type: 'deletion.cancel' };

/**
 * Deletes the account. It checks first whether the user confirmed the account recently in this browser; if the check
 * fails, the server decides. Then the user types the word. A failure keeps the dialog open for another attempt.
 */
export const deleteAccountMachine = setup({
  types: {
    context: {} as { failure: unknown; isWordWrong: boolean },
    events: {} as DeleteAccountEvent,
    emitted: {} as { type: 'account.deleted' },
    tags: {} as 'open' | 'busy',
  },
  actors: {
    readProof: fromPromise<boolean>(() => {
      throw new Error('deleteAccount: readProof is not provided');
    }),
    deleteAccount: fromPromise<void>(() => {
      throw new Error('deleteAccount: deleteAccount is not provided');
    }),
  },
  actions: {
    clear: assign({ failure: null, isWordWrong: false }),
    refuseWord: assign({ failure: null, isWordWrong: true }),
    reportDeleted: emit({ type: 'account.deleted' }),
    takeFailure: assign((_, failure: unknown) => ({ failure })),
  },
  guards: {
    isFresh: (_, isFresh: boolean) => isFresh,
    isWord: (_, word: string) => word.trim().toLowerCase() === deletionWord,
    isUnproven: (_, error: unknown) => error instanceof HttpError && error.code === 'auth.proofRequired',
  },
}).createMachine({
  id: 'deleteAccount',
  context: { failure: null, isWordWrong: false },
  initial: 'closed',
  states: {
    closed: { on: { 'deletion.open': 'checking' } },
    checking: {
      tags: 'busy',
      entry: 'clear',
      invoke: {
        src: 'readProof',
        onDone: [
          { guard: { type: 'isFresh', params: ({ event }) => event.output }, target: 'confirming' },
          { target: 'unproven' },
        ],
        onError: 'confirming',
      },
    },
    unproven: { tags: 'open', on: { 'deletion.cancel': 'closed' } },
    confirming: {
      tags: 'open',
      on: {
        'deletion.cancel': 'closed',
        'deletion.confirm': [
          { guard: { type: 'isWord', params: ({ event }) => event.word }, target: 'deleting' },
          { actions: 'refuseWord' },
        ],
      },
    },
    deleting: {
      tags: ['open', 'busy'],
      entry: 'clear',
      invoke: {
        src: 'deleteAccount',
        onDone: {
          target: 'deleted',
          actions: 'reportDeleted',
        },
        onError: [
          { guard: { type: 'isUnproven', params: failureOf }, target: 'unproven' },
          {
            target: 'confirming',
            actions: { type: 'takeFailure', params: failureOf },
          },
        ],
      },
    },
    deleted: { type: 'final' },
  },
});
