import { assign, fromPromise, setup } from 'xstate';
import { toLoginFailure } from './login.failure';
import { blank, credentialsOf, known, toCallback, toFailure, toProvider, unprovided } from './login.parts';
import type {
  Credentials,
  Destination,
  LoginContext,
  LoginEvent,
  LoginTokens,
  SignedMessage,
  Wallet,
  WalletAccount,
} from './login.types';

const failed = { target: 'failed', actions: toFailure } as const;

/**
 * The login panel, from choosing a method to leaving the page (design §3, decision 5). A failed form keeps what was
 * typed; a failed wallet attempt starts over with a fresh nonce, because verifying consumes it.
 */
export const loginMachine = setup({
  types: { context: {} as LoginContext, events: {} as LoginEvent, tags: {} as 'busy' },
  actors: {
    logIn: fromPromise<LoginTokens, Credentials>(unprovided('logIn')),
    register: fromPromise<LoginTokens, Credentials>(unprovided('register')),
    connectWallet: fromPromise<string, Wallet>(unprovided('connectWallet')),
    signMessage: fromPromise<SignedMessage, WalletAccount>(unprovided('signMessage')),
    verifySignature: fromPromise<LoginTokens, SignedMessage>(unprovided('verifySignature')),
    leavePage: fromPromise<void, Destination>(unprovided('leavePage')),
  },
  actions: {
    reset: assign(blank),
    clearFailure: assign({ failure: null }),
    keepFailure: assign({ failure: (_, params: { error: unknown }) => toLoginFailure(params.error) }),
    setDestination: assign({ destination: (_, params: Destination) => params, failure: null }),
  },
  guards: { hasWallet: ({ context }) => context.wallet !== null },
}).createMachine({
  id: 'loginPanel',
  context: blank,
  initial: 'choosing',
  states: {
    choosing: {
      entry: 'reset',
      on: {
        'provider.choose': { target: 'redirecting', actions: toProvider },
        'email.choose': 'enteringEmail',
        'wallet.choose': 'choosingWallet',
      },
    },
    enteringEmail: {
      initial: 'login',
      states: {
        login: {
          on: {
            'form.switch': { target: 'register', actions: 'clearFailure' },
            'email.submit': 'loggingIn',
            'choice.return': '#loginPanel.choosing',
          },
        },
        register: {
          on: {
            'form.switch': { target: 'login', actions: 'clearFailure' },
            'email.submit': 'registering',
            'choice.return': '#loginPanel.choosing',
          },
        },
        loggingIn: {
          tags: 'busy',
          entry: 'clearFailure',
          invoke: {
            src: 'logIn',
            input: ({ event }) => credentialsOf(event),
            onDone: { target: '#loginPanel.redirecting', actions: toCallback },
            onError: { target: 'login', actions: toFailure },
          },
        },
        registering: {
          tags: 'busy',
          entry: 'clearFailure',
          invoke: {
            src: 'register',
            input: ({ event }) => credentialsOf(event),
            onDone: { target: '#loginPanel.redirecting', actions: toCallback },
            onError: { target: 'register', actions: toFailure },
          },
        },
      },
    },
    choosingWallet: {
      on: {
        'wallet.pick': {
          target: 'connectingWallet',
          actions: assign({ wallet: ({ event }) => event.wallet }),
        },
        'choice.return': 'choosing',
      },
    },
    connectingWallet: {
      tags: 'busy',
      entry: 'clearFailure',
      invoke: {
        src: 'connectWallet',
        input: ({ context }) => known(context.wallet),
        onDone: { target: 'signingMessage', actions: assign({ address: ({ event }) => event.output }) },
        onError: failed,
      },
      on: { 'choice.return': 'choosing' },
    },
    signingMessage: {
      tags: 'busy',
      invoke: {
        src: 'signMessage',
        input: ({ context }) => ({ wallet: known(context.wallet), address: known(context.address) }),
        onDone: { target: 'verifying', actions: assign({ signed: ({ event }) => event.output }) },
        onError: failed,
      },
      on: { 'choice.return': 'choosing' },
    },
    verifying: {
      tags: 'busy',
      invoke: {
        src: 'verifySignature',
        input: ({ context }) => known(context.signed),
        onDone: { target: 'redirecting', actions: toCallback },
        onError: failed,
      },
    },
    failed: {
      on: {
        'wallet.retry': { guard: 'hasWallet', target: 'connectingWallet' },
        'choice.return': 'choosing',
      },
    },
    redirecting: {
      tags: 'busy',
      invoke: {
        src: 'leavePage',
        input: ({ context }) => known(context.destination),
        onError: failed,
      },
      on: { 'page.restore': 'choosing' },
    },
  },
});
