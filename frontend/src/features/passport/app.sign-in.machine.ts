import type { AppFlowInfo, AppFlowSignIn } from '@orange-id/contract/tenant.schema';
import { assign, fromPromise, setup } from 'xstate';

/** The answer to the tokens. `refused`: the portal no longer accepts them. */
export type HandOver = { outcome: 'accepted'; next: string } | { outcome: 'expired' | 'refused' };

type AppSignInEvent =
  | { type: 'account.continue' }
  | { type: 'account.change' }
  | { type: 'account.keep' }
  | { type: 'tokens.arrive'; token: string; refreshToken: string }
  | { type: 'request.retry' }
  | { type: 'page.restore' };

/**
 * Signs somebody in to another site on the portal's own page: as the person who is signed in at the portal, or as
 * somebody else. New tokens are kept in memory and go to the server, which answers with the page that asks for consent.
 */
export const appSignInMachine = setup({
  types: {
    context: {} as {
      /** Whether the person who is signed in at the portal can continue. */
      isSignedIn: boolean;
      flow: AppFlowInfo | null;
      /** `null`: those of the session at the portal. */
      tokens: AppFlowSignIn | null;
      /** Whether the portal refused the tokens. */
      wasRefused: boolean;
      /** Why the last request was not answered. */
      error: unknown;
    },
    input: {} as { isSignedIn: boolean },
    events: {} as AppSignInEvent,
    tags: {} as 'busy',
  },
  actors: {
    readFlow: fromPromise<AppFlowInfo | 'expired'>(() => {
      throw new Error('appSignIn: readFlow is not provided');
    }),
    handOver: fromPromise<HandOver, AppFlowSignIn | null>(() => {
      throw new Error('appSignIn: handOver is not provided');
    }),
  },
  actions: {
    takeFlow: assign((_, flow: AppFlowInfo | 'expired') => (flow === 'expired' ? {} : { flow })),
    takeTokens: assign((_, { token, refreshToken }: { token: string; refreshToken: string }) => ({
      tokens: { token, refreshToken, isTemporary: true },
    })),
    takeError: assign((_, { error }: { error: unknown }) => ({ error })),
    takeRefusal: assign({ wasRefused: true, isSignedIn: false, tokens: null }),
    forgetTokens: assign({ tokens: null, wasRefused: false }),
    /** Ends a session that began for this app only, which the app can no longer use. */
    endTemporary: (_, _tokens: AppFlowSignIn | null) => {},
    goOn: (_, _answer: HandOver) => {},
  },
  guards: {
    isExpired: (_, answer: AppFlowInfo | 'expired') => answer === 'expired',
    isSignedIn: ({ context }) => context.isSignedIn,
    isTooLate: (_, { outcome }: HandOver) => outcome === 'expired',
    isRefused: (_, { outcome }: HandOver) => outcome === 'refused',
  },
}).createMachine({
  id: 'appSignIn',
  context: ({ input }) => ({ ...input, flow: null, tokens: null, wasRefused: false, error: null }),
  initial: 'readingFlow',
  states: {
    readingFlow: {
      tags: 'busy',
      invoke: {
        src: 'readFlow',
        onDone: [
          { guard: { type: 'isExpired', params: ({ event }) => event.output }, target: 'expired' },
          {
            guard: 'isSignedIn',
            target: 'choosingAccount',
            actions: { type: 'takeFlow', params: ({ event }) => event.output },
          },
          { target: 'signingIn', actions: { type: 'takeFlow', params: ({ event }) => event.output } },
        ],
        onError: { target: 'unread', actions: { type: 'takeError', params: ({ event }) => event } },
      },
    },
    unread: { on: { 'request.retry': 'readingFlow' } },
    choosingAccount: {
      on: { 'account.continue': 'handingOver', 'account.change': 'signingIn' },
    },
    signingIn: {
      on: {
        'account.keep': { guard: 'isSignedIn', target: 'choosingAccount' },
        'tokens.arrive': {
          target: 'handingOver',
          actions: { type: 'takeTokens', params: ({ event }) => event },
        },
      },
    },
    handingOver: {
      tags: 'busy',
      invoke: {
        src: 'handOver',
        input: ({ context }) => context.tokens,
        onDone: [
          {
            guard: { type: 'isTooLate', params: ({ event }) => event.output },
            target: 'expired',
            actions: { type: 'endTemporary', params: ({ context }) => context.tokens },
          },
          {
            guard: { type: 'isRefused', params: ({ event }) => event.output },
            target: 'signingIn',
            actions: 'takeRefusal',
          },
          { target: 'leaving', actions: { type: 'goOn', params: ({ event }) => event.output } },
        ],
        onError: { target: 'unsent', actions: { type: 'takeError', params: ({ event }) => event } },
      },
    },
    unsent: { on: { 'request.retry': 'handingOver' } },
    leaving: {
      tags: 'busy',
      // Back from the consent page may restore this page as it was left.
      on: { 'page.restore': { target: 'readingFlow', actions: 'forgetTokens' } },
    },
    expired: { type: 'final' },
  },
});
