import { assign, emit, setup } from 'xstate';
import { isAddress } from 'viem/utils';

interface WalletEditContext {
  /** The proven address; empty if there is none. */
  address: string;
  draft: string;
  /** Whether the draft was refused; reset by the next change. */
  isRefused: boolean;
}

type WalletEditEvent =
  | { type: 'edit.open' }
  | { type: 'draft.change'; text: string }
  | { type: 'edit.confirm' }
  | { type: 'edit.cancel' };

/**
 * Enters another wallet address. Confirming a valid one stores nothing: it opens the page where the wallet proves
 * that it owns the address.
 */
export const walletEditMachine = setup({
  types: {
    context: {} as WalletEditContext,
    input: {} as { address: string },
    events: {} as WalletEditEvent,
    emitted: {} as { type: 'proof.wanted'; address: string },
  },
  guards: {
    isUnchanged: ({ context }) => context.draft.trim() === context.address,
    /** 20 bytes in hex; any upper case must match the checksum. */
    isAddress: ({ context }) => isAddress(context.draft.trim()),
  },
}).createMachine({
  id: 'walletEdit',
  context: ({ input: { address } }) => ({ address, draft: address, isRefused: false }),
  initial: 'viewing',
  states: {
    viewing: {
      on: {
        'edit.open': {
          target: 'editing',
          actions: assign(({ context }) => ({ draft: context.address, isRefused: false })),
        },
      },
    },
    editing: {
      on: {
        'draft.change': { actions: assign({ draft: ({ event }) => event.text, isRefused: false }) },
        'edit.cancel': 'viewing',
        'edit.confirm': [
          { guard: 'isUnchanged', target: 'viewing' },
          { guard: 'isAddress', target: 'leaving' },
          { actions: assign({ isRefused: true }) },
        ],
      },
    },
    leaving: {
      type: 'final',
      entry: emit(({ context }) => ({ type: 'proof.wanted', address: context.draft.trim() })),
    },
  },
});
