import { setup } from 'xstate';

/** The sign-in dialog. After a provider is chosen, the browser leaves the page and no other can be chosen. */
export const signInDialogMachine = setup({
  types: {
    events: {} as
      | { type: 'dialog.open' }
      | { type: 'dialog.close' }
      | { type: 'provider.choose'; provider: 'google' | 'apple' },
  },
  actions: {
    leave: (_, _params: { provider: 'google' | 'apple' }) => {},
  },
}).createMachine({
  id: 'signInDialog',
  initial: 'closed',
  states: {
    closed: { on: { 'dialog.open': 'open' } },
    open: {
      on: {
        'dialog.close': 'closed',
        'provider.choose': {
          target: 'leaving',
          actions: { type: 'leave', params: ({ event }) => ({ provider: event.provider }) },
        },
      },
    },
    // The back button can restore the page from the browser's back/forward cache; the dialog must then be closable.
    leaving: { on: { 'dialog.close': 'closed' } },
  },
});
