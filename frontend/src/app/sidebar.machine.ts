import { setup } from 'xstate';

/**
 * The sidebar: icons only, or icons with labels. It starts collapsed unless the user left it open; `keepChoice`
 * stores each choice.
 */
export const sidebarMachine = setup({
  types: {
    context: {} as { isLeftOpen: boolean },
    input: {} as { isLeftOpen: boolean },
    events: {} as { type: 'sidebar.toggle' },
  },
  actions: {
    keepChoice: (_, __: { isOpen: boolean }): void => {
      throw new Error('sidebar: keepChoice is not provided');
    },
  },
  guards: { isLeftOpen: ({ context }) => context.isLeftOpen },
}).createMachine({
  id: 'sidebar',
  context: ({ input }) => input,
  initial: 'opening',
  states: {
    opening: { always: [{ guard: 'isLeftOpen', target: 'expanded' }, { target: 'collapsed' }] },
    collapsed: {
      on: {
        'sidebar.toggle': {
          target: 'expanded',
          actions: { type: 'keepChoice', params: { isOpen: true } },
        },
      },
    },
    expanded: {
      on: {
        'sidebar.toggle': {
          target: 'collapsed',
          actions: { type: 'keepChoice', params: { isOpen: false } },
        },
      },
    },
  },
});
