import { assign } from 'xstate';
import { emailStates } from './login.email';
import { pairingStates } from './login.pairing';
import { blank, known, toOutcome, toFailure, toProvider, toWindow } from './login.parts';
import { loginSetup } from './login.setup';
import type { Wallet } from './login.types';

const keepWallet = {
  type: 'keepWallet',
  params: ({ event }: { event: { wallet: Wallet } }) => event,
} as const;
const failed = { target: 'failed', actions: toFailure } as const;

/**
 * The login widget, from choosing a method to leaving the page. On a page of another origin than the service's, the
 * service's own page asks for passwords and signatures, in a window. It signs the user in, adds a method to the signed-in
 * account, or confirms that the user owns it. A failed wallet attempt starts over with a fresh nonce, because verifying
 * a signature consumes the nonce.
 */
export const loginMachine = loginSetup.createMachine({
  id: 'loginPanel',
  context: ({ input }) => ({ ...blank, ...input }),
  initial: 'choosing',
  states: {
    choosing: {
      entry: 'reset',
      on: {
        'provider.choose': { target: 'redirecting', actions: toProvider },
        'email.choose': [
          toWindow('email'),
          { guard: 'isLink', target: 'enteringEmail.register' },
          { target: 'enteringEmail' },
        ],
        'account.create': [toWindow('email'), { guard: 'isSignIn', target: 'enteringEmail.register' }],
        'wallet.choose': [toWindow('wallet'), { target: 'choosingWallet' }],
      },
    },
    waitingForWindow: {
      invoke: {
        src: 'signInElsewhere',
        input: ({ context }) => ({ method: context.windowMethod }),
        onDone: [
          { guard: { type: 'isWindowClosed', params: ({ event }) => event.output }, target: 'choosing' },
          { target: 'redirecting', actions: toOutcome },
        ],
        onError: failed,
      },
      on: { 'choice.return': 'choosing', 'page.restore': 'choosing' },
    },
    enteringEmail: emailStates,
    choosingWallet: {
      on: {
        'wallet.pick': [
          {
            guard: { type: 'isRemote', params: ({ event }) => event.wallet },
            target: 'pairingWallet',
            actions: keepWallet,
          },
          { target: 'connectingWallet', actions: keepWallet },
        ],
        'choice.return': 'choosing',
      },
    },
    pairingWallet: pairingStates,
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
        onDone: { target: 'redirecting', actions: toOutcome },
        onError: failed,
      },
    },
    failed: {
      on: {
        'wallet.retry': [
          { guard: { type: 'isRemote', params: ({ context }) => context.wallet }, target: 'pairingWallet' },
          { guard: 'hasWallet', target: 'connectingWallet' },
        ],
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
