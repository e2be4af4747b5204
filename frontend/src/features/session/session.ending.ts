import { sessionSetup } from './session.setup';

/**
 * How a session ends. By hand: the passport is told first, then storage and cache are cleared and /login opens; at
 * expiry the storage is cleared before anything else. The passport's failure is only warned about.
 */
export const endingSession = sessionSetup.createStateConfig({
  initial: 'leaving',
  invoke: {
    src: 'signOutPassport',
    input: ({ context }) => ({ accessToken: context.accessToken }),
    onDone: '.over',
    onError: {
      target: '.over',
      actions: { type: 'warnSignOut', params: ({ event }) => ({ error: event.error }) },
    },
  },
  after: {
    signOutGuard: {
      target: '.over',
      actions: { type: 'warnSignOut', params: { error: new Error('no answer in time') } },
    },
  },
  on: {
    'storage.changed': [
      { guard: 'isIncomingSuccessor', target: '#session.loadingUser', actions: ['takeTokens', 'clearCache'] },
      // What the ending itself does to the storage is no news.
      {},
    ],
  },
  states: {
    expired: { entry: ['clearStorage', 'noteCutShort', 'tellExpired'] },
    leaving: {},
    over: {
      always: [
        // A session begun elsewhere meanwhile is not to be cleared with this one.
        {
          guard: 'isSuccessorStored',
          target: '#session.loadingUser',
          actions: ['takeStored', 'clearCache'],
        },
        { target: '#session.signedOut', actions: ['clearStorage', 'clearCache', 'goToLogin'] },
      ],
    },
  },
});
