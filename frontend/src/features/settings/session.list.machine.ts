import { assign, emit, fromPromise, setup } from 'xstate';

interface SessionListContext {
  /** ID of the session that is being ended, or was ended last. */
  sessionId: string | null;
  failure: unknown;
}

type SessionListEvent =
  | { type: 'session.end'; id: string }
  | { type: 'everywhere.ask' }
  | { type: 'everywhere.confirm' }
  | { type: 'everywhere.cancel' };

type SessionListNotice =
  | { type: 'session.ended'; id: string }
  | { type: 'session.endFailed'; error: unknown }
  | { type: 'everywhere.ended' };

/**
 * Ends sessions: one at a time, or all of them, including this one, after confirmation.
 */
export const sessionListMachine = setup({
  types: {
    context: {} as SessionListContext,
    events: {} as SessionListEvent,
    emitted: {} as SessionListNotice,
  },
  actors: {
    endSession: fromPromise<void, { id: string }>(() => {
      throw new Error('sessionList: endSession is not provided');
    }),
    endAllSessions: fromPromise<void>(() => {
      throw new Error('sessionList: endAllSessions is not provided');
    }),
  },
}).createMachine({
  id: 'sessionList',
  context: { sessionId: null, failure: null },
  initial: 'listing',
  states: {
    listing: {
      on: {
        'session.end': { target: 'endingOne', actions: assign({ sessionId: ({ event }) => event.id }) },
        'everywhere.ask': 'confirming',
      },
    },
    endingOne: {
      invoke: {
        src: 'endSession',
        input: ({ context }) => ({ id: context.sessionId ?? '' }),
        onDone: {
          target: 'listing',
          actions: emit(({ context }) => ({ type: 'session.ended', id: context.sessionId ?? '' })),
        },
        onError: {
          target: 'listing',
          actions: emit(({ event }) => ({ type: 'session.endFailed', error: event.error })),
        },
      },
    },
    confirming: {
      on: {
        'everywhere.confirm': 'endingAll',
        'everywhere.cancel': { target: 'listing', actions: assign({ failure: null }) },
      },
    },
    endingAll: {
      entry: assign({ failure: null }),
      invoke: {
        src: 'endAllSessions',
        onDone: { target: 'ended', actions: emit({ type: 'everywhere.ended' }) },
        onError: { target: 'confirming', actions: assign({ failure: ({ event }) => event.error }) },
      },
    },
    ended: { type: 'final' },
  },
});
