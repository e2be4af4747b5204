import type { UsageRow } from '@orange-id/contract/usage.schema';
import { assign, fromCallback, fromPromise, setup } from 'xstate';

export type FirstCallEvent =
  | { type: 'row.arrive'; row: UsageRow }
  | { type: 'live.change'; isLive: boolean }
  /** The live connection skipped rows, so the latest call must be fetched. */
  | { type: 'usage.recheck' };

interface Watched {
  projectId: string;
}

/**
 * Waits for a project's first recorded call. While the connection is live, rows arrive through it; each connect and
 * reconnect also fetches the latest call once. Without a live connection, or after a failed request, the machine
 * fetches the latest call every `poll` ms.
 */
export const firstCallMachine = setup({
  types: {
    context: {} as Watched & { isLive: boolean; row: UsageRow | null },
    input: {} as Watched & { isLive: boolean },
    events: {} as FirstCallEvent,
  },
  actors: {
    /** Sends `row.arrive` for each live row of the project. */
    listenForRows: fromCallback<FirstCallEvent, Watched>(() => {
      throw new Error('firstCall: listenForRows is not provided');
    }),
    readLatestCall: fromPromise<UsageRow | null, Watched>(() => {
      throw new Error('firstCall: readLatestCall is not provided');
    }),
  },
  guards: {
    isLive: ({ context }) => context.isLive,
    isBecomingLive: ({ event }) => event.type === 'live.change' && event.isLive,
    hasRow: (_, row: UsageRow | null) => row !== null,
  },
  delays: { poll: 5_000 },
}).createMachine({
  id: 'firstCall',
  context: ({ input }) => ({ ...input, row: null }),
  initial: 'waiting',
  states: {
    waiting: {
      initial: 'checking',
      invoke: { src: 'listenForRows', input: ({ context }) => ({ projectId: context.projectId }) },
      on: {
        'row.arrive': { target: 'arrived', actions: assign({ row: ({ event }) => event.row }) },
        'usage.recheck': { target: '.checking' },
        'live.change': [
          { guard: 'isBecomingLive', target: '.checking', actions: assign({ isLive: true }) },
          { target: '.polling', actions: assign({ isLive: false }) },
        ],
      },
      states: {
        checking: {
          invoke: {
            src: 'readLatestCall',
            input: ({ context }) => ({ projectId: context.projectId }),
            onDone: [
              {
                guard: { type: 'hasRow', params: ({ event }) => event.output },
                target: '#firstCall.arrived',
                actions: assign({ row: ({ event }) => event.output }),
              },
              { guard: 'isLive', target: 'listening' },
              { target: 'polling' },
            ],
            onError: { target: 'polling' },
          },
        },
        listening: {},
        polling: { after: { poll: 'checking' } },
      },
    },
    arrived: {},
  },
});
