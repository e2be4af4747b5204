import { assign, setup } from 'xstate';

export type UsageTailEvent =
  | { type: 'tail.pause' }
  | { type: 'tail.resume' }
  | { type: 'rows.arrive'; count: number }
  /** Rows came that nobody counted: the connection skipped them. */
  | { type: 'rows.skip' }
  /** Another range or other filters were chosen. */
  | { type: 'view.change' };

/** Whether the list of calls follows the live ones or stands still while somebody reads it. */
export const usageTailMachine = setup({
  types: {
    context: {} as { unseen: number; isUnseenExact: boolean },
    events: {} as UsageTailEvent,
  },
}).createMachine({
  id: 'usageTail',
  context: { unseen: 0, isUnseenExact: true },
  initial: 'following',
  states: {
    following: { on: { 'tail.pause': 'paused' } },
    paused: {
      on: {
        'rows.arrive': { actions: assign({ unseen: ({ context, event }) => context.unseen + event.count }) },
        'rows.skip': { actions: assign({ isUnseenExact: false }) },
        'tail.resume': 'following',
        'view.change': 'following',
      },
      exit: assign({ unseen: 0, isUnseenExact: true }),
    },
  },
});
