import type { AccountPreview } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { and, assign, fromPromise, setup } from 'xstate';

/** Why a callback failed. `unanswered`: the server could not be reached or could not decide. */
export type CallbackFailure = 'incomplete' | 'refused' | 'deleted' | 'clockAhead' | 'unanswered';

export interface CallbackTokens {
  token: string;
  refreshToken: string;
}

/**
 * The backend's verdict on the tokens, with the new refresh token to store. `expiredHere`: the backend accepts the token,
 * but it has expired by this device's clock. `deleted`: the owner has deleted the account, and can keep it.
 */
export type CallbackVerdict =
  | { outcome: 'accepted'; refreshToken: string }
  | { outcome: 'deleted'; deletesAt: string }
  | { outcome: 'refused' | 'expiredHere' };

/** The verdict on tokens whose account is to be confirmed first. */
export type CallbackPreview = CallbackQuestion | 'refused' | 'deleted';

/** What the user confirms: the account that the tokens sign in to, and the signed-in one that it would replace. */
export interface CallbackQuestion {
  account: AccountPreview;
  /** `same`: this account is already signed in; `null`: nobody is signed in. */
  replaced: AccountPreview | 'same' | null;
}

interface CallbackInput {
  token: string | null;
  refreshToken: string | null;
  /** False if this tab did not start the sign-in: nothing is stored or bound before the user confirms it. */
  isWelcome: boolean;
}

type CallbackEvent =
  | { type: 'account.accept' }
  | { type: 'account.refuse' }
  | { type: 'account.keep' }
  | { type: 'verification.retry' };

/**
 * Handles the tokens of a sign-in callback. Tokens of a sign-in that this tab did not start are accepted only after
 * the person confirms the account; tokens are stored only after they are verified. A deleted account is kept only if
 * the person chooses so, after a sign-in that this tab started.
 */
export const callbackMachine = setup({
  types: {
    context: {} as CallbackInput & {
      failure: CallbackFailure | null;
      /** Error of the request, if the failure is `unanswered`. */
      error: unknown;
      question: CallbackQuestion | null;
      /** When the data of a deleted account goes. */
      deletesAt: string | null;
    },
    input: {} as CallbackInput,
    events: {} as CallbackEvent,
    tags: {} as 'busy',
  },
  actors: {
    previewAccount: fromPromise<CallbackPreview, CallbackTokens>(() => {
      throw new Error('callback: previewAccount is not provided');
    }),
    keepAccount: fromPromise<void, CallbackTokens>(() => {
      throw new Error('callback: keepAccount is not provided');
    }),
    verifyTokens: fromPromise<CallbackVerdict, CallbackTokens>(() => {
      throw new Error('callback: verifyTokens is not provided');
    }),
  },
  actions: {
    takeFailure: assign((_, failure: CallbackFailure) => ({ failure })),
    takeError: assign((_, { error }: { error: unknown }) => ({ failure: 'unanswered' as const, error })),
    forgetFailure: assign({ failure: null, error: null }),
    takeQuestion: assign((_, question: CallbackPreview) =>
      typeof question === 'string' ? {} : { question },
    ),
    takeDeletion: assign((_, verdict: CallbackVerdict) =>
      verdict.outcome === 'deleted' ? { deletesAt: verdict.deletesAt } : {},
    ),
    storeTokens: (_, _tokens: CallbackTokens) => {},
    endSignIn: (_, _tokens: CallbackTokens) => {},
    leaveDeleted: (_, _tokens: CallbackTokens) => {},
    goOn: () => {},
    goToLogin: () => {},
  },
  guards: {
    isIncomplete: ({ context }) => !context.token || !context.refreshToken,
    isWelcome: ({ context }) => context.isWelcome,
    isUnanswered: ({ context }) => context.failure === 'unanswered',
    isConfirmed: ({ context }) => context.isWelcome || context.question !== null,
    isPreviewRefused: (_, question: CallbackPreview) => question === 'refused',
    isPreviewDeleted: (_, question: CallbackPreview) => question === 'deleted',
    isDeleted: (_, { outcome }: CallbackVerdict) => outcome === 'deleted',
    isRefused: (_, { outcome }: CallbackVerdict) => outcome === 'refused',
    isExpiredHere: (_, { outcome }: CallbackVerdict) => outcome === 'expiredHere',
  },
  delays: { successPause: limits.callbackSuccessMs, failurePause: limits.callbackFailureMs },
}).createMachine({
  id: 'callback',
  context: ({ input }) => ({ ...input, failure: null, error: null, question: null, deletesAt: null }),
  initial: 'opening',
  states: {
    opening: {
      always: [
        { guard: 'isIncomplete', target: 'failed', actions: { type: 'takeFailure', params: 'incomplete' } },
        { guard: 'isWelcome', target: 'verifying' },
        { target: 'previewing' },
      ],
    },
    previewing: {
      tags: 'busy',
      invoke: {
        src: 'previewAccount',
        input: ({ context }) => tokensOf(context),
        onDone: [
          {
            guard: { type: 'isPreviewRefused', params: ({ event }) => event.output },
            target: 'failed',
            actions: { type: 'takeFailure', params: 'refused' },
          },
          {
            guard: { type: 'isPreviewDeleted', params: ({ event }) => event.output },
            target: 'failed',
            actions: { type: 'takeFailure', params: 'deleted' },
          },
          { target: 'asking', actions: { type: 'takeQuestion', params: ({ event }) => event.output } },
        ],
        onError: {
          target: 'failed',
          actions: { type: 'takeError', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    asking: {
      on: {
        'account.accept': 'verifying',
        'account.refuse': {
          target: 'left',
          actions: [{ type: 'endSignIn', params: ({ context }) => tokensOf(context) }, 'goToLogin'],
        },
      },
    },
    verifying: {
      tags: 'busy',
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
            guard: { type: 'isDeleted', params: ({ event }) => event.output },
            target: 'offering',
            actions: { type: 'takeDeletion', params: ({ event }) => event.output },
          },
          {
            target: 'succeeded',
            actions: {
              type: 'storeTokens',
              params: ({ context, event }) => ({ ...tokensOf(context), ...renewed(event.output) }),
            },
          },
        ],
        onError: {
          target: 'failed',
          actions: { type: 'takeError', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    offering: {
      on: {
        'account.keep': 'keeping',
        'account.refuse': {
          target: 'left',
          actions: [{ type: 'leaveDeleted', params: ({ context }) => tokensOf(context) }, 'goToLogin'],
        },
      },
    },
    keeping: {
      tags: 'busy',
      entry: 'forgetFailure',
      invoke: {
        src: 'keepAccount',
        input: ({ context }) => tokensOf(context),
        onDone: 'verifying',
        onError: {
          target: 'offering',
          actions: assign({ error: ({ event }) => event.error }),
        },
      },
    },
    succeeded: { after: { successPause: { target: 'left', actions: 'goOn' } } },
    failed: {
      on: {
        'verification.retry': [
          { guard: and(['isUnanswered', 'isConfirmed']), target: 'verifying', actions: 'forgetFailure' },
          { guard: 'isUnanswered', target: 'previewing', actions: 'forgetFailure' },
        ],
      },
      after: { failurePause: { target: 'left', actions: 'goToLogin' } },
    },
    left: { type: 'final' },
  },
});

function tokensOf({ token, refreshToken }: Pick<CallbackInput, 'token' | 'refreshToken'>): CallbackTokens {
  return { token: token ?? '', refreshToken: refreshToken ?? '' };
}

const renewed = (verdict: CallbackVerdict): Partial<CallbackTokens> =>
  verdict.outcome === 'accepted' ? { refreshToken: verdict.refreshToken } : {};
