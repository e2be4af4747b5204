import { limits } from '@orange-id/contract/limits';
import { assign, fromPromise, setup } from 'xstate';

/** Why a callback failed; the page words it. */
export type CallbackFailure = 'incomplete' | 'unsolicited' | 'refused' | 'clockAhead' | 'broken';

/** `expiredHere`: the backend accepts a token that has expired by this device's clock. */
export type CallbackOutcome = 'accepted' | 'refused' | 'expiredHere';

export interface CallbackTokens {
  token: string;
  refreshToken: string;
}

interface CallbackInput {
  token: string | null;
  refreshToken: string | null;
  /** This tab began the sign-in, or nobody is signed in: an unsolicited callback never replaces a session. */
  isWelcome: boolean;
}

/** What happens to the tokens a login comes back with (spec §2): verified first, stored only then. */
export const callbackMachine = setup({
  types: {
    context: {} as CallbackInput & { failure: CallbackFailure | null },
    input: {} as CallbackInput,
  },
  actors: {
    verifyTokens: fromPromise<CallbackOutcome, CallbackTokens>(() => {
      throw new Error('callback: verifyTokens is not provided');
    }),
  },
  actions: {
    takeFailure: assign((_, failure: CallbackFailure) => ({ failure })),
    storeTokens: (_, _tokens: CallbackTokens) => {},
    endFlow: () => {},
    goOn: () => {},
    goToLogin: () => {},
  },
  guards: {
    isIncomplete: ({ context }) => !context.token || !context.refreshToken,
    isUnsolicited: ({ context }) => !context.isWelcome,
    isRefused: (_, outcome: CallbackOutcome) => outcome === 'refused',
    isExpiredHere: (_, outcome: CallbackOutcome) => outcome === 'expiredHere',
  },
  delays: { successPause: limits.callbackSuccessMs, failurePause: limits.callbackFailureMs },
}).createMachine({
  id: 'callback',
  context: ({ input }) => ({ ...input, failure: null }),
  initial: 'opening',
  states: {
    opening: {
      always: [
        { guard: 'isIncomplete', target: 'failed', actions: { type: 'takeFailure', params: 'incomplete' } },
        { guard: 'isUnsolicited', target: 'failed', actions: { type: 'takeFailure', params: 'unsolicited' } },
        { target: 'verifying' },
      ],
    },
    verifying: {
      invoke: {
        src: 'verifyTokens',
        input: ({ context }) => tokensOf(context),
        onDone: [
          {
            guard: { type: 'isRefused', params: ({ event }) => event.output },
            target: 'failed',
            actions: { type: 'takeFailure', params: 'refused' },
          },
          {
            guard: { type: 'isExpiredHere', params: ({ event }) => event.output },
            target: 'failed',
            actions: { type: 'takeFailure', params: 'clockAhead' },
          },
          {
            target: 'succeeded',
            actions: [{ type: 'storeTokens', params: ({ context }) => tokensOf(context) }, 'endFlow'],
          },
        ],
        onError: { target: 'failed', actions: { type: 'takeFailure', params: 'broken' } },
      },
    },
    succeeded: { after: { successPause: { target: 'left', actions: 'goOn' } } },
    failed: { entry: 'endFlow', after: { failurePause: { target: 'left', actions: 'goToLogin' } } },
    left: { type: 'final' },
  },
});

function tokensOf(context: CallbackInput): CallbackTokens {
  return { token: context.token ?? '', refreshToken: context.refreshToken ?? '' };
}
