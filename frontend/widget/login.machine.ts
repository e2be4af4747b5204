import type { LoginResult, SiweMessage } from '@orange-id/contract/identity.schema';
import { assign, fromPromise, setup } from 'xstate';
import { toLoginFailure, type LoginFailure } from './login.failure';

export type SocialProvider = 'GOOGLE' | 'APPLE';
export type LoginTokens = LoginResult['token'];

/** Where the browser goes next: to a provider, or back to the application with its tokens. */
export type Destination =
  { kind: 'provider'; provider: SocialProvider } | { kind: 'callback'; tokens: LoginTokens };

export interface Wallet {
  id: string;
  name: string;
}
export interface SignedMessage {
  message: SiweMessage;
  signature: string;
}

type LoginEvent =
  | { type: 'provider.choose'; provider: SocialProvider }
  | { type: 'email.choose' }
  | { type: 'email.submit'; email: string; password: string; passwordConfirm: string }
  | { type: 'form.switch' }
  | { type: 'wallet.choose' }
  | { type: 'wallet.pick'; wallet: Wallet }
  | { type: 'wallet.retry' }
  | { type: 'choice.return' }
  | { type: 'page.restore' };

export interface WalletAccount {
  wallet: Wallet;
  address: string;
}

interface LoginContext {
  wallet: Wallet | null;
  address: string | null;
  signed: SignedMessage | null;
  destination: Destination | null;
  failure: LoginFailure | null;
}

export interface Credentials {
  email: string;
  password: string;
  passwordConfirm: string;
}

const unprovided = (name: string) => () => Promise.reject(new Error(`The actor ${name} was not provided`));

const blank: LoginContext = { wallet: null, address: null, signed: null, destination: null, failure: null };

const toCallback = {
  type: 'setDestination',
  params: ({ event }: { event: { output: LoginTokens } }): Destination => ({
    kind: 'callback',
    tokens: event.output,
  }),
} as const;

const toFailure = {
  type: 'keepFailure',
  params: ({ event }: { event: { error: unknown } }) => ({ error: event.error }),
} as const;

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
        'provider.choose': {
          target: 'redirecting',
          actions: {
            type: 'setDestination',
            params: ({ event }) => ({ kind: 'provider', provider: event.provider }),
          },
        },
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
        onError: { target: 'failed', actions: toFailure },
      },
      on: { 'choice.return': 'choosing' },
    },
    signingMessage: {
      tags: 'busy',
      invoke: {
        src: 'signMessage',
        input: ({ context }) => ({ wallet: known(context.wallet), address: known(context.address) }),
        onDone: { target: 'verifying', actions: assign({ signed: ({ event }) => event.output }) },
        onError: { target: 'failed', actions: toFailure },
      },
      on: { 'choice.return': 'choosing' },
    },
    verifying: {
      tags: 'busy',
      invoke: {
        src: 'verifySignature',
        input: ({ context }) => known(context.signed),
        onDone: { target: 'redirecting', actions: toCallback },
        onError: { target: 'failed', actions: toFailure },
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
        onError: { target: 'failed', actions: toFailure },
      },
      on: { 'page.restore': 'choosing' },
    },
  },
});

function credentialsOf(event: LoginEvent): Credentials {
  if (event.type !== 'email.submit') throw new Error(`${event.type} carries no credentials`);
  return { email: event.email, password: event.password, passwordConfirm: event.passwordConfirm };
}

function known<T>(value: T | null): T {
  if (value === null) throw new Error('The login machine reached a state before what it needs');
  return value;
}
