import { and, assign } from 'xstate';
import { sessionSetup } from './session.setup';

/** The session of one tab (spec §4, §8): who is signed in, until when, and how it ends. */
export const sessionMachine = sessionSetup.createMachine({
  id: 'session',
  context: ({ input }) => ({ ...input.tokens, now: input.now, hasExtendFailed: false }),
  initial: 'starting',
  on: {
    'storage.changed': [
      { guard: 'isUnchanged' },
      {
        guard: 'isIncomingValid',
        target: '.loadingUser',
        reenter: true,
        actions: ['takeTokens', 'clearCache'],
      },
      { guard: 'isIncomingStored', target: '.endingSession.expired' },
      { target: '.signedOut', actions: ['clearStorage', 'clearCache', 'tellSignedOut'] },
    ],
  },
  states: {
    starting: {
      always: [
        { guard: 'isTokenValid', target: 'loadingUser' },
        { guard: 'hasToken', target: 'signedOut', actions: 'clearStorage' },
        { target: 'signedOut' },
      ],
    },
    loadingUser: {
      invoke: {
        src: 'loadUser',
        input: ({ context }) => ({ accessToken: context.accessToken }),
        onDone: [
          {
            guard: { type: 'isRefused', params: ({ event }) => event.output },
            target: 'signedOut',
            actions: ['dropTokens', 'clearCache'],
          },
          { target: 'signedIn' },
        ],
        // An identity service out of reach signs nobody out: the token decides, and the user is asked for again later.
        onError: 'signedIn',
      },
      after: { loadingGuard: 'signedIn' },
      on: { 'session.end': 'endingSession.leaving' },
    },
    signedIn: {
      initial: 'current',
      on: {
        'session.end': 'endingSession.leaving',
        'user.refused': { target: 'signedOut', actions: ['dropTokens', 'clearCache', 'tellSignedOut'] },
        'storage.changed': [
          { guard: 'isUnchanged' },
          { guard: 'isRenewal', target: '.current', reenter: true, actions: 'takeTokens' },
        ],
      },
      states: {
        current: {
          after: {
            expiryCheck: [
              { guard: 'hasExpired', target: '#session.endingSession.expired' },
              { guard: and(['isExpiryNear', 'hasRefreshToken']), target: 'expiring' },
              { guard: 'isExpiryNear', target: '#session.endingSession.expired' },
              { target: 'current', reenter: true },
            ],
          },
        },
        expiring: {
          on: { 'session.extend': 'extending' },
          after: {
            expiry: [
              { guard: 'hasExpired', target: '#session.endingSession.expired' },
              { target: 'expiring', reenter: true },
            ],
          },
        },
        extending: {
          invoke: {
            src: 'extendSession',
            input: ({ context: { accessToken, refreshToken } }) => ({ accessToken, refreshToken }),
            // Clicked in time: the answer counts even when it comes after the expiry.
            onDone: {
              target: 'current',
              actions: [
                assign(({ event }) => ({ accessToken: event.output, hasExtendFailed: false })),
                { type: 'storeAccessToken', params: ({ event }) => ({ accessToken: event.output }) },
              ],
            },
            onError: { target: 'expiring', actions: assign({ hasExtendFailed: true }) },
          },
        },
      },
    },
    endingSession: {
      initial: 'leaving',
      invoke: {
        src: 'signOutPassport',
        input: ({ context }) => ({ accessToken: context.accessToken }),
        onDone: 'signedOut',
        onError: {
          target: 'signedOut',
          actions: { type: 'warnSignOut', params: ({ event }) => ({ error: event.error }) },
        },
      },
      after: {
        signOutGuard: {
          target: 'signedOut',
          actions: { type: 'warnSignOut', params: { error: new Error('no answer in time') } },
        },
      },
      // What the ending itself does to the storage is no news.
      on: { 'storage.changed': {} },
      exit: ['clearStorage', 'clearCache', 'goToLogin'],
      states: {
        expired: { entry: ['clearStorage', 'tellExpired'] },
        leaving: {},
      },
    },
    signedOut: {
      entry: 'forgetTokens',
      on: {
        'storage.changed': [
          { guard: 'isIncomingValid', target: 'loadingUser', actions: 'takeTokens' },
          { guard: 'isIncomingStored', actions: 'clearStorage' },
          {},
        ],
      },
    },
  },
});
