import { limits } from '@orange-id/contract/limits';
import { assign, fromCallback, fromPromise, setup, type EventObject } from 'xstate';
import { toLoginFailure } from './login.failure';
import { blank, unprovided } from './login.parts';
import type {
  Credentials,
  Destination,
  LoginContext,
  LoginEvent,
  LoginOutcome,
  LoginPurpose,
  LoginTokens,
  SecretMethod,
  SignedMessage,
  Wallet,
  WalletAccount,
} from './login.types';

/** The login machine's events, and the actors, actions and guards that its states name. */
export const loginSetup = setup({
  types: {
    context: {} as LoginContext,
    input: {} as { purpose: LoginPurpose; isElsewhere?: boolean },
    events: {} as LoginEvent,
    tags: {} as 'busy',
  },
  actors: {
    logIn: fromPromise<LoginOutcome, Credentials>(unprovided('logIn')),
    register: fromPromise<LoginOutcome, Credentials>(unprovided('register')),
    requestReset: fromPromise<void, { email: string }>(unprovided('requestReset')),
    pairWallet: fromCallback<EventObject, Wallet>(() => {
      throw new Error('The actor pairWallet was not provided');
    }),
    connectWallet: fromPromise<string, Wallet>(unprovided('connectWallet')),
    signMessage: fromPromise<SignedMessage, WalletAccount>(unprovided('signMessage')),
    verifySignature: fromPromise<LoginOutcome, SignedMessage>(unprovided('verifySignature')),
    /** Resolves with null if the window was closed, and never if this page leaves instead. */
    signInElsewhere: fromPromise<LoginTokens | null, { method: SecretMethod }>(unprovided('signInElsewhere')),
    leavePage: fromPromise<void, Destination>(unprovided('leavePage')),
  },
  actions: {
    reset: assign(({ context: { purpose, isElsewhere } }) => ({ ...blank, purpose, isElsewhere })),
    clearFailure: assign({ failure: null }),
    keepFailure: assign({ failure: (_, params: { error: unknown }) => toLoginFailure(params.error) }),
    keepWallet: assign({ wallet: (_, params: { wallet: Wallet }) => params.wallet }),
    keepWindowMethod: assign({ windowMethod: (_, params: { method: SecretMethod }) => params.method }),
    keepEmail: assign({ email: (_, params: { email: string }) => params.email }),
    setDestination: assign({ destination: (_, params: Destination) => params, failure: null }),
  },
  delays: { pairingAnswer: limits.walletPairingAnswerMs, pairingLife: limits.walletPairingMs },
  guards: {
    hasWallet: ({ context }) => context.wallet !== null,
    isRemote: (_, wallet: Wallet | null) => wallet?.isRemote === true,
    isElsewhere: ({ context }) => context.isElsewhere,
    isWindowClosed: (_, tokens: LoginTokens | null) => tokens === null,
    isSignIn: ({ context }) => context.purpose === 'signIn',
    isLink: ({ context }) => context.purpose === 'link',
  },
});
