import { setup } from 'xstate';

/** The sidebar: icons only, or icons with labels (spec §2). */
export const sidebarMachine = setup({ types: { events: {} as { type: 'sidebar.toggle' } } }).createMachine({
  id: 'sidebar',
  initial: 'collapsed',
  states: {
    collapsed: { on: { 'sidebar.toggle': 'expanded' } },
    expanded: { on: { 'sidebar.toggle': 'collapsed' } },
  },
});
