import { assign, fromPromise, setup } from 'xstate';
import { toLoginFailure } from './login.failure';
import { blank, unprovided } from './login.parts';
import type {
  Credentials,
  Destination,
  LoginContext,
  LoginEvent,
  LoginPurpose,
  LoginTokens,
  SignedMessage,
  Wallet,
  WalletAccount,
} from './login.types';

/** What the login machine is made of: its events, and the actors and actions its states name. */
export const loginSetup = setup({
  types: {
    context: {} as LoginContext,
    input: {} as { purpose: LoginPurpose },
    events: {} as LoginEvent,
    tags: {} as 'busy',
  },
  actors: {
    logIn: fromPromise<LoginTokens, Credentials>(unprovided('logIn')),
    register: fromPromise<LoginTokens, Credentials>(unprovided('register')),
    requestReset: fromPromise<void, { email: string }>(unprovided('requestReset')),
    connectWallet: fromPromise<string, Wallet>(unprovided('connectWallet')),
    signMessage: fromPromise<SignedMessage, WalletAccount>(unprovided('signMessage')),
    verifySignature: fromPromise<LoginTokens, SignedMessage>(unprovided('verifySignature')),
    leavePage: fromPromise<void, Destination>(unprovided('leavePage')),
  },
  actions: {
    reset: assign(({ context }) => ({ ...blank, purpose: context.purpose })),
    clearFailure: assign({ failure: null }),
    keepFailure: assign({ failure: (_, params: { error: unknown }) => toLoginFailure(params.error) }),
    keepEmail: assign({ email: (_, params: { email: string }) => params.email }),
    setDestination: assign({ destination: (_, params: Destination) => params, failure: null }),
  },
  guards: {
    hasWallet: ({ context }) => context.wallet !== null,
    isSignIn: ({ context }) => context.purpose === 'signIn',
    isLink: ({ context }) => context.purpose === 'link',
  },
});
