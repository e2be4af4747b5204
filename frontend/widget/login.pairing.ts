import { assign } from 'xstate';
import { LoginError } from './login.failure';
import { known, toFailure } from './login.parts';
import { loginSetup } from './login.setup';

const failed = '#loginPanel.failed';
const because = (code: 'pairingFailed' | 'pairingExpired') =>
  ({ type: 'keepFailure', params: { error: new LoginError({ code }) } }) as const;

/**
 * Pairing with a wallet on another device, within the login machine: requests a code, offers it while it is valid, and
 * waits for a wallet to scan it. A retry requests a new code.
 */
export const pairingStates = loginSetup.createStateConfig({
  initial: 'asking',
  entry: ['clearFailure', assign({ pairingUri: null })],
  invoke: {
    src: 'pairWallet',
    input: ({ context }) => known(context.wallet),
    onError: { target: failed, actions: toFailure },
  },
  on: {
    'pairing.accept': {
      target: '#loginPanel.signingMessage',
      actions: assign({ address: ({ event }) => event.address }),
    },
    'pairing.fail': { target: failed, actions: toFailure },
    'choice.return': '#loginPanel.choosing',
  },
  states: {
    asking: {
      tags: 'busy',
      on: {
        'pairing.offer': { target: 'offering', actions: assign({ pairingUri: ({ event }) => event.uri }) },
      },
      after: { pairingAnswer: { target: failed, actions: because('pairingFailed') } },
    },
    offering: {
      after: { pairingLife: { target: failed, actions: because('pairingExpired') } },
    },
  },
});
