import { and, assign } from 'xstate';
import { endingSession } from './session.ending';
import { tokensOf } from './session.rules';
import { sessionSetup } from './session.setup';

/** The session of one tab: who is signed in, until when, and how it ends. */
export const sessionMachine = sessionSetup.createMachine({
  id: 'session',
  context: ({ input }) => ({ ...input.readTokens(), ...input, hasExtendFailed: false, wasCutShort: false }),
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
      {
        target: '.signedOut',
        actions: [
          'clearStorage',
          'clearCache',
          'noteCutShort',
          { type: 'reportSignedOut', params: 'anotherTab' },
        ],
      },
    ],
  },
  states: {
    starting: {
      always: [
        { guard: 'isTokenValid', target: 'loadingUser' },
        { guard: 'hasToken', target: 'signedOut', actions: ['clearStorage', 'noteCutShort'] },
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
            actions: ['dropTokens', 'clearCache', 'noteCutShort'],
          },
          { target: 'signedIn' },
        ],
        // An unreachable identity service signs nobody out: the token decides, and the user is requested again later.
        onError: 'signedIn',
      },
      after: { loadingGuard: 'signedIn' },
      on: { 'session.end': 'endingSession.leaving' },
    },
    signedIn: {
      initial: 'current',
      on: {
        'session.end': 'endingSession.leaving',
        'user.refused': [
          // The service's clock may be slightly ahead of this one.
          {
            guard: 'isExpiryNear',
            target: 'signedOut',
            actions: ['dropTokens', 'clearCache', 'noteCutShort', 'reportExpired'],
          },
          {
            target: 'signedOut',
            actions: [
              'dropTokens',
              'clearCache',
              'noteCutShort',
              { type: 'reportSignedOut', params: 'service' },
            ],
          },
        ],
        'storage.changed': [
          { guard: 'isUnchanged' },
          { guard: 'isRenewal', target: '.current', reenter: true, actions: 'takeTokens' },
        ],
      },
      states: {
        current: {
          after: {
            expiryCheck: [
              { guard: 'isNewerStored', actions: 'hearStored' },
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
              { guard: 'isNewerStored', actions: 'hearStored' },
              { guard: 'hasExpired', target: '#session.endingSession.expired' },
              { target: 'expiring', reenter: true },
            ],
          },
        },
        extending: {
          invoke: {
            src: 'extendSession',
            input: ({ context }) => tokensOf(context),
            // The user clicked in time, so a response after the expiry still counts.
            onDone: {
              target: 'current',
              actions: [
                { type: 'takeAccessToken', params: ({ event }) => event.output },
                { type: 'storeTokens', params: ({ context }) => tokensOf(context) },
              ],
            },
            onError: { target: 'expiring', actions: assign({ hasExtendFailed: true }) },
          },
          on: { 'storage.changed': { guard: 'isExpiryAlone' } },
        },
      },
    },
    endingSession,
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
