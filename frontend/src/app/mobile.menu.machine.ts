import { setup } from 'xstate';

/** The slide-in menu of narrow screens. Opening a page closes it. */
export const mobileMenuMachine = setup({
  types: { events: {} as { type: 'menu.open' } | { type: 'menu.close' } | { type: 'page.opened' } },
}).createMachine({
  id: 'mobileMenu',
  initial: 'closed',
  states: {
    closed: { on: { 'menu.open': 'open' } },
    open: { on: { 'menu.close': 'closed', 'page.opened': 'closed' } },
  },
});
