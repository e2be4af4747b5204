import { assign, fromPromise, setup } from 'xstate';

/** Requests the confirmation email again. */
export const confirmationResendMachine = setup({
  types: {
    context: {} as { failure: unknown },
    events: {} as { type: 'link.request' },
  },
  actors: {
    requestLink: fromPromise<void>(() => {
      throw new Error('confirmationResend: requestLink is not provided');
    }),
  },
}).createMachine({
  id: 'confirmationResend',
  context: { failure: null },
  initial: 'waiting',
  states: {
    waiting: { on: { 'link.request': 'sending' } },
    sending: {
      entry: assign({ failure: null }),
      invoke: {
        src: 'requestLink',
        onDone: 'sent',
        onError: { target: 'waiting', actions: assign({ failure: ({ event }) => event.error }) },
      },
    },
    sent: { on: { 'link.request': 'sending' } },
  },
});
