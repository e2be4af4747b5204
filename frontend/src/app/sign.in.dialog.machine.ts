import { setup } from 'xstate';

/** The sign-in dialog. Once a provider is chosen, the browser is leaving the page and nothing else can be chosen. */
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
    // Back from the provider without a full load (the browser's page cache) the dialog can be closed again.
    leaving: { on: { 'dialog.close': 'closed' } },
  },
});
