import type { PasswordChange } from '@orange-id/contract/identity.schema';
import { assign, emit, fromPromise, setup } from 'xstate';

type PasswordChangeEvent =
  { type: 'form.open' } | { type: 'form.cancel' } | { type: 'password.submit'; change: PasswordChange };

/**
 * Changes the password. The context holds no input, because `window.__portal` shows the context in development and test
 * builds. A failure keeps the form as it is.
 */
export const passwordChangeMachine = setup({
  types: {
    context: {} as { failure: unknown },
    events: {} as PasswordChangeEvent,
    emitted: {} as { type: 'password.changed' },
    tags: {} as 'busy',
  },
  actors: {
    changePassword: fromPromise<void, PasswordChange>(() => {
      throw new Error('passwordChange: changePassword is not provided');
    }),
  },
}).createMachine({
  id: 'passwordChange',
  context: { failure: null },
  initial: 'closed',
  states: {
    closed: { entry: assign({ failure: null }), on: { 'form.open': 'entering' } },
    entering: { on: { 'form.cancel': 'closed', 'password.submit': 'changing' } },
    changing: {
      tags: 'busy',
      entry: assign({ failure: null }),
      invoke: {
        src: 'changePassword',
        input: ({ event }) => {
          if (event.type !== 'password.submit') throw new Error(`${event.type} carries no password`);
          return event.change;
        },
        onDone: { target: 'closed', actions: emit({ type: 'password.changed' }) },
        onError: {
          target: 'entering',
          actions: assign({ failure: ({ event }) => event.error }),
        },
      },
    },
  },
});
