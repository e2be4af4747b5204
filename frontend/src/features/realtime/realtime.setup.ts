import type { UsageRow } from '@orange-id/contract/usage.schema';
import { assign, enqueueActions, fromCallback, fromPromise, setup, spawnChild, stopChild } from 'xstate';
import { backoffMs } from './backoff.rule';
import type { RealtimeEvent, RealtimeNotice, Session } from './realtime.events';
import { sequenceRows } from './sequence.rule';

export interface RealtimeContext {
  session: Session | null;
  isOnline: boolean;
  /** The last sequence number delivered; `null` until this user's first connection has a start position. */
  held: number | null;
  /** The newest known sequence number. */
  head: number;
  /** Rows after a gap, held until it is filled. */
  waiting: UsageRow[];
  attempt: number;
  /** When the last event from the server arrived, in ms since the epoch. */
  heardAt: number | null;
  /** Whether pages show the community. */
  isWatching: boolean;
  now: () => number;
}

/** Above this many missed rows, refetching the newest is cheaper than filling the gap. */
const longestGap = 1000;

/** Context, guards and actions of the realtime machine; its states are in `realtime.machine`. */
export const realtimeSetup = setup({
  types: {
    context: {} as RealtimeContext,
    events: {} as RealtimeEvent,
    input: {} as { isOnline: boolean; now?: () => number },
    emitted: {} as RealtimeNotice,
    children: {} as { socket: 'socket' },
  },
  actors: {
    socket: fromCallback<RealtimeEvent, { token: string; after: number | null; isWatching: boolean }>(() => {
      throw new Error('realtime: socket is not provided');
    }),
    readMissed: fromPromise<UsageRow[], { token: string; after: number; to: number }>(() => {
      throw new Error('realtime: readMissed is not provided');
    }),
  },
  guards: {
    isSignedOut: ({ event }) => event.type === 'session.changed' && event.session === null,
    hasSession: ({ context }) => context.session !== null,
    isOffline: ({ context }) => !context.isOnline,
    isOnline: ({ context }) => context.isOnline,
    isTooFarBehind: ({ context: { held, head } }) => head - (held ?? head) > longestGap,
    hasGap: ({ context }) => context.waiting.length > 0,
    isBehind: ({ context: { held, head } }) => head > (held ?? head),
  },
  actions: {
    openSocket: enqueueActions(({ context: { session, held, isWatching }, enqueue }) => {
      enqueue(stopChild('socket'));
      if (session)
        enqueue(
          spawnChild('socket', { id: 'socket', input: { token: session.token, after: held, isWatching } }),
        );
    }),
    closeSocket: stopChild('socket'),
    watchForum: enqueueActions(({ event, enqueue, self }) => {
      if (event.type !== 'forum.watch') return;
      enqueue.assign({ isWatching: event.isWatching });
      if (self.getSnapshot().children.socket) enqueue.sendTo('socket', event);
    }),
    takeSession: assign(({ context, event }) => {
      if (event.type !== 'session.changed') return {};
      const isSameUser = event.session !== null && event.session.userId === context.session?.userId;
      const place = isSameUser ? {} : { held: null, head: 0, heardAt: null };
      return { session: event.session, attempt: 0, waiting: [], ...place };
    }),
    takePlace: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'socket.opened') return;
      const { resumedFrom, head } = event;
      // The server responded, so there is a network, whatever the browser reports.
      const place = { held: resumedFrom ?? head, head, waiting: [], heardAt: context.now() };
      enqueue.assign({ ...place, isOnline: true });
      // Data fetched before a first connection may miss rows stored in between.
      if (resumedFrom === null || context.held === null) enqueue.emit({ type: 'rows.resynced' });
    }),
    takeRows: enqueueActions(({ context, enqueue }, rows: UsageRow[]) => {
      const { ready, waiting, held } = sequenceRows(context.held ?? 0, context.waiting, rows);
      const head = Math.max(context.head, held, waiting.at(-1)?.seq ?? 0);
      enqueue.assign({ held, head, waiting, heardAt: context.now() });
      if (ready.length > 0) enqueue.emit({ type: 'rows.ready', rows: ready });
    }),
    /** If rows are still missing after the fetch, they no longer exist, so nothing waits for them. */
    giveUpGone: enqueueActions(({ context: { held, head }, enqueue }) => {
      if (head === held) return;
      enqueue.assign({ held: head, waiting: [] });
      enqueue.emit({ type: 'rows.resynced' });
    }),
    skipToHead: enqueueActions(({ context, event, enqueue }) => {
      const head = Math.max(context.head, event.type === 'summary.pushed' ? event.to : 0);
      enqueue.assign({ held: head, head, waiting: [], heardAt: context.now() });
      enqueue.emit({ type: 'rows.resynced' });
    }),
  },
  delays: {
    backoff: ({ context }) => backoffMs(context.attempt),
    connectTimeout: 10_000,
    /** A browser without a network reports being offline even if the server is on the same machine. */
    offlineProbe: 10_000,
    /** A server that accepts and drops connections at once must not be called without a delay. */
    steadyAfter: 5_000,
    /** How long announced rows may take to arrive before they are fetched. */
    missingPatience: 2_000,
  },
});
