import { sessionSetup } from './session.setup';

/**
 * How a session ends. A manual sign-out calls the passport first, then clears storage and cache and opens /login. At
 * expiry the storage is cleared first. A failure of the passport is only logged as a warning.
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
      // Ignores the storage changes that the ending itself makes.
      {},
    ],
  },
  states: {
    expired: { entry: ['clearStorage', 'noteCutShort', 'reportExpired'] },
    leaving: {},
    over: {
      always: [
        // Keeps a session that started in another tab in the meantime.
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
