import { assign, fromPromise, setup } from 'xstate';

/**
 * Whether this browser's session is known to be of who is signed in. A provider is added only to the account the
 * browser is bound to, so that nobody adds theirs to another's by a link they send.
 */
export const browserBindingMachine = setup({
  types: {
    context: {} as { failure: unknown },
    events: {} as { type: 'binding.retry' },
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
