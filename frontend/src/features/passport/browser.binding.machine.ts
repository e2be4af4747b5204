import { assign, fromPromise, setup } from 'xstate';

/**
 * Binds this browser's session to the signed-in account. A provider is linked only to the account the browser is
 * bound to, so that an attacker's link cannot add the victim's Google or Apple account to the attacker's account.
 */
export const browserBindingMachine = setup({
  types: {
    context: {} as { failure: unknown },
    events: {} as { type: 'binding.retry' },
    tags: {} as 'busy',
  },
  actors: {
    bindBrowser: fromPromise<void>(() => {
      throw new Error('browserBinding: bindBrowser is not provided');
    }),
  },
}).createMachine({
  id: 'browserBinding',
  context: { failure: null },
  initial: 'binding',
  states: {
    binding: {
      tags: 'busy',
      invoke: {
        src: 'bindBrowser',
        onDone: { target: 'bound', actions: assign({ failure: null }) },
        onError: { target: 'unbound', actions: assign({ failure: ({ event }) => event.error }) },
      },
    },
    bound: {},
    unbound: { on: { 'binding.retry': 'binding' } },
  },
});
