import { assign, setup } from 'xstate';

export type UsageTailEvent =
  | { type: 'tail.pause' }
  | { type: 'tail.resume' }
  /** The user presses a row, most likely to open its call. */
  | { type: 'call.press' }
  | { type: 'call.close' }
  | { type: 'rows.arrive'; count: number }
  /** The connection skipped rows, so their number is unknown. */
  | { type: 'rows.skip' }
  /** The user chose another range or other filters. */
  | { type: 'view.change' };

/** Tracks whether the list of calls follows live calls or is paused while the user reads it. */
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
    following: { on: { 'tail.pause': 'paused.held', 'call.press': 'paused.forCall' } },
    paused: {
      initial: 'held',
      states: {
        held: {},
        /** Paused only because a call was opened, so closing it is enough to follow again. */
        forCall: { on: { 'tail.pause': 'held', 'call.close': '#usageTail.following' } },
      },
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
