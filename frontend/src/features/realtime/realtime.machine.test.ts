import { expect, jest, test } from '@jest/globals';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import type { UsageRow } from '@orange-id/contract/usage.schema';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import { settled } from '../../testing/settled';
import type { RealtimeEvent, RealtimeNotice } from './realtime.events';
import { realtimeMachine } from './realtime.machine';

const rows = (...seqs: number[]) => seqs.map((seq) => usageRowOf(seq));

interface Opened {
  token: string;
  after: number | null;
  isWatching: boolean;
  heard: RealtimeEvent[];
  isClosed: boolean;
  report: (event: RealtimeEvent) => void;
}
interface Missed {
  after: number;
  to: number;
  answer: (rows: UsageRow[]) => void;
  fail: (error: Error) => void;
}

const ann = { userId: 'ann', token: 'token-1' };

function start({ isOnline = true } = {}) {
  const clock = new SimulatedClock();
  const sockets: Opened[] = [];
  const reads: Missed[] = [];
  const notices: RealtimeNotice[] = [];
  const machine = realtimeMachine.provide({
    actors: {
      socket: fromCallback<RealtimeEvent, { token: string; after: number | null; isWatching: boolean }>(
        ({ input, sendBack, receive }) => {
          const heard: RealtimeEvent[] = [];
          receive((event) => heard.push(event));
          const socket = { ...input, isClosed: false, report: sendBack, heard };
          sockets.push(socket);
          return () => void (socket.isClosed = true);
        },
      ),
      readMissed: fromPromise<UsageRow[], { token: string; after: number; to: number }>(
        ({ input }) =>
          new Promise((answer, fail) => reads.push({ after: input.after, to: input.to, answer, fail })),
      ),
    },
    delays: { backoff: ({ context }) => context.attempt * 100 },
  });
  const actor = createActor(machine, { clock, input: { isOnline, now: () => clock.now() } });
  for (const type of [
    'rows.ready',
    'rows.resynced',
    'project.changed',
    'forum.changed',
    'session.ended',
  ] as const)
    actor.on(type, (notice) => notices.push(notice));
  actor.start();
  return {
    actor,
    clock,
    sockets,
    reads,
    notices,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
    newest: () => sockets.at(-1) as Opened,
    delivered: () => notices.flatMap((n) => (n.type === 'rows.ready' ? n.rows.map((r) => r.seq) : [])),
  };
}

function startLive(head = 10) {
  const world = start();
  world.actor.send({ type: 'session.changed', session: ann });
  world.newest().report({ type: 'socket.opened', resumedFrom: head, head });
  return world;
}

test('the live connection is stopped and opens nothing while signed out', () => {
  const { state, sockets } = start();
  expect(state()).toBe('stopped');
  expect(sockets).toHaveLength(0);
});

test('the live connection starts with a session, and is live only after the server has reported its position', () => {
  const { actor, state, newest, notices } = start();
  actor.send({ type: 'session.changed', session: ann });
  expect(state()).toBe('connecting');
  expect(newest()).toMatchObject({ token: 'token-1', after: null });
  newest().report({ type: 'socket.opened', resumedFrom: 10, head: 10 });
  expect(state()).toEqual({ live: 'current' });
  expect(notices).toEqual([{ type: 'rows.resynced' }]);
});

test('rows are delivered once, in order', () => {
  const { newest, delivered, context } = startLive(10);
  newest().report({ type: 'rows.pushed', rows: rows(11, 12) });
  newest().report({ type: 'rows.pushed', rows: rows(12, 13) });
  expect(delivered()).toEqual([11, 12, 13]);
  expect(context()).toMatchObject({ held: 13, head: 13, waiting: [] });
});

test('a gap is filled by fetching the missing rows, while later rows wait', async () => {
  const { newest, delivered, reads, state } = startLive(10);
  newest().report({ type: 'rows.pushed', rows: rows(11, 14) });
  expect(state()).toEqual({ live: 'catchingUp' });
  expect(reads[0]).toMatchObject({ after: 11, to: 13 });
  newest().report({ type: 'rows.pushed', rows: rows(15) });
  expect(delivered()).toEqual([11]);
  reads[0]?.answer(rows(12, 13));
  await settled();
  expect(state()).toEqual({ live: 'current' });
  expect(delivered()).toEqual([11, 12, 13, 14, 15]);
  expect(reads).toHaveLength(1);
});

test('the pages refetch if the missing rows no longer exist', async () => {
  const { newest, notices, reads, state, context } = startLive(10);
  newest().report({ type: 'rows.pushed', rows: rows(14) });
  reads[0]?.answer([]);
  await settled();
  expect(state()).toEqual({ live: 'current' });
  expect(context()).toMatchObject({ held: 14, waiting: [] });
  expect(notices.filter((n) => n.type === 'rows.resynced')).toHaveLength(2);
  expect(reads).toHaveLength(1);
});

test('a failed fetch of missing rows reconnects from the last row received', async () => {
  const { newest, reads, state, clock } = startLive(10);
  newest().report({ type: 'rows.pushed', rows: rows(12) });
  reads[0]?.fail(new Error('503'));
  await settled();
  expect(state()).toEqual({ reconnecting: 'waiting' });
  clock.increment(100);
  expect(newest()).toMatchObject({ after: 10 });
});

test('announced rows that do not arrive are fetched', async () => {
  const { actor, clock, newest, reads, delivered } = start();
  actor.send({ type: 'session.changed', session: ann });
  newest().report({ type: 'socket.opened', resumedFrom: 10, head: 12 });
  clock.increment(1_999);
  expect(reads).toHaveLength(0);
  clock.increment(1);
  expect(reads[0]).toMatchObject({ after: 10, to: 12 });
  reads[0]?.answer(rows(11, 12));
  await settled();
  expect(delivered()).toEqual([11, 12]);
});

test('the pages refetch instead if they are more than 1000 rows behind', () => {
  const { newest, notices, state, context, reads } = startLive(10);
  newest().report({ type: 'rows.pushed', rows: rows(2000) });
  expect(state()).toEqual({ live: 'current' });
  expect(context()).toMatchObject({ held: 2000, head: 2000, waiting: [] });
  expect(notices.filter((n) => n.type === 'rows.resynced')).toHaveLength(2);
  expect(reads).toHaveLength(0);
});

test('a summary instead of rows makes the pages refetch, and later rows follow it', () => {
  const { newest, notices, delivered } = startLive(10);
  newest().report({ type: 'summary.pushed', to: 500 });
  expect(notices.filter((n) => n.type === 'rows.resynced')).toHaveLength(2);
  newest().report({ type: 'rows.pushed', rows: rows(501) });
  expect(delivered()).toEqual([501]);
});

test('the live connection reconnects with growing delays and resumes after the last row received', () => {
  const { newest, state, clock, sockets, delivered, context } = startLive(10);
  newest().report({ type: 'rows.pushed', rows: rows(11) });
  const first = newest();
  first.report({ type: 'socket.failed' });
  expect(first.isClosed).toBe(true);
  expect(state()).toEqual({ reconnecting: 'waiting' });
  clock.increment(99);
  expect(sockets).toHaveLength(1);
  clock.increment(1);
  expect(state()).toEqual({ reconnecting: 'trying' });
  expect(newest()).toMatchObject({ after: 11 });
  newest().report({ type: 'socket.failed' });
  expect(context().attempt).toBe(2);
  clock.increment(199);
  expect(sockets).toHaveLength(2);
  clock.increment(1);
  newest().report({ type: 'socket.opened', resumedFrom: 11, head: 12 });
  expect(state()).toEqual({ live: 'current' });
  newest().report({ type: 'rows.pushed', rows: rows(12) });
  expect(delivered()).toEqual([11, 12]);
});

test('the pages refetch after a reconnect that is too far behind to resume', () => {
  const { newest, clock, notices, context } = startLive(10);
  newest().report({ type: 'socket.failed' });
  clock.increment(100);
  newest().report({ type: 'socket.opened', resumedFrom: null, head: 90_000 });
  expect(context().held).toBe(90_000);
  expect(notices.filter((n) => n.type === 'rows.resynced')).toHaveLength(2);
});

test('the reconnect delays are reset only after 5 s of a stable connection', () => {
  const { newest, clock, context } = startLive();
  newest().report({ type: 'socket.failed' });
  clock.increment(100);
  newest().report({ type: 'socket.opened', resumedFrom: 10, head: 10 });
  expect(context().attempt).toBe(1);
  newest().report({ type: 'socket.failed' });
  expect(context().attempt).toBe(2);
  clock.increment(200);
  newest().report({ type: 'socket.opened', resumedFrom: 10, head: 10 });
  clock.increment(5_000);
  expect(context().attempt).toBe(0);
});

test('the live connection reconnects if the server does not respond within 10 s', () => {
  const { actor, clock, state, sockets, newest } = start();
  actor.send({ type: 'session.changed', session: ann });
  const first = newest();
  clock.increment(10_000);
  expect(state()).toEqual({ reconnecting: 'waiting' });
  expect(first.isClosed).toBe(true);
  clock.increment(100);
  expect(sockets).toHaveLength(2);
  clock.increment(10_000);
  expect(state()).toEqual({ reconnecting: 'waiting' });
});

test('the live connection closes while offline, and reconnects at once when online', () => {
  const { actor, clock, newest, state, sockets } = startLive();
  actor.send({ type: 'network.changed', isOnline: false });
  expect(state()).toEqual({ reconnecting: 'offline' });
  expect(newest().isClosed).toBe(true);
  clock.increment(9_999);
  expect(sockets).toHaveLength(1);
  actor.send({ type: 'network.changed', isOnline: true });
  expect(state()).toEqual({ reconnecting: 'trying' });
  expect(sockets).toHaveLength(2);
});

test.each(['connecting', 'waiting', 'trying'])(
  'the live connection is offline after the network is lost while %s',
  (phase) => {
    const { actor, clock, newest, state } = start();
    actor.send({ type: 'session.changed', session: ann });
    if (phase !== 'connecting') newest().report({ type: 'socket.failed' });
    if (phase === 'trying') clock.increment(100);
    actor.send({ type: 'network.changed', isOnline: false });
    if (phase !== 'waiting') newest().report({ type: 'socket.failed' });
    expect(state()).toEqual({ reconnecting: 'offline' });
    expect(newest().isClosed).toBe(true);
  },
);

test('the live connection is live if the server responds although the browser reports being offline', () => {
  const { actor, clock, newest, state, context } = start({ isOnline: false });
  actor.send({ type: 'session.changed', session: ann });
  newest().report({ type: 'socket.failed' });
  expect(state()).toEqual({ reconnecting: 'offline' });
  clock.increment(10_000);
  expect(state()).toEqual({ reconnecting: 'trying' });
  expect(context().isOnline).toBe(false);
  newest().report({ type: 'socket.opened', resumedFrom: 10, head: 10 });
  expect(state()).toEqual({ live: 'current' });
  expect(context().isOnline).toBe(true);
});

test('the reconnect delay ends when the user returns to the page', () => {
  const { actor, newest, state } = startLive();
  newest().report({ type: 'socket.failed' });
  actor.send({ type: 'page.shown' });
  expect(state()).toEqual({ reconnecting: 'trying' });
});

test('the live connection resumes at its position with a new token of the same user', () => {
  const { actor, newest, sockets, state } = startLive(10);
  actor.send({ type: 'session.changed', session: { userId: 'ann', token: 'token-2' } });
  expect(state()).toBe('connecting');
  expect(sockets.map((socket) => socket.isClosed)).toEqual([true, false]);
  expect(newest()).toMatchObject({ token: 'token-2', after: 10 });
});

test("the live connection never gives another user the previous one's position", () => {
  const { actor, newest, context } = startLive(10);
  actor.send({ type: 'session.changed', session: { userId: 'ben', token: 'token-9' } });
  expect(newest()).toMatchObject({ token: 'token-9', after: null });
  expect(context()).toMatchObject({ held: null, heardAt: null });
});

test('the live connection closes on sign-out and forgets its position', () => {
  const { actor, newest, state, context } = startLive();
  actor.send({ type: 'session.changed', session: null });
  expect(state()).toBe('stopped');
  expect(newest().isClosed).toBe(true);
  expect(context()).toMatchObject({ session: null, held: null });
});

test('a refused token reports the end of its session, and no attempt follows until there is another token', () => {
  const { actor, clock, newest, notices, state, sockets } = start();
  actor.send({ type: 'session.changed', session: ann });
  newest().report({ type: 'socket.refused' });
  expect(state()).toBe('stopped');
  expect(notices).toEqual([{ type: 'session.ended' }]);
  clock.increment(3_600_000);
  expect(sockets).toHaveLength(1);
  actor.send({ type: 'session.changed', session: { ...ann, token: 'token-2' } });
  expect(state()).toBe('connecting');
});

test('a session that ended during a disconnection is reported at the reconnect', () => {
  const { clock, newest, notices, state } = startLive();
  newest().report({ type: 'socket.failed' });
  clock.increment(100);
  expect(notices).not.toContainEqual({ type: 'session.ended' });
  newest().report({ type: 'socket.refused' });
  expect(state()).toBe('stopped');
  expect(notices.at(-1)).toEqual({ type: 'session.ended' });
});

test('a session that ends on the server stops the live connection and is reported', () => {
  const { newest, state, notices } = startLive();
  newest().report({ type: 'session.ended' });
  expect(state()).toBe('stopped');
  expect(notices.at(-1)).toEqual({ type: 'session.ended' });
});

test('project changes are passed on', () => {
  const { newest, notices } = startLive();
  newest().report({ type: 'project.changed', projectId: 'orange-k3x9p2m7qa', kind: 'updated' });
  expect(notices.at(-1)).toEqual({
    type: 'project.changed',
    projectId: 'orange-k3x9p2m7qa',
    kind: 'updated',
  });
});

test('the time of the last event is kept, also during a disconnection', () => {
  const { newest, clock, context } = startLive();
  clock.increment(4_000);
  newest().report({ type: 'socket.heard' });
  expect(context().heardAt).toBe(4_000);
  clock.increment(1_000);
  newest().report({ type: 'rows.pushed', rows: rows(11) });
  expect(context().heardAt).toBe(5_000);
  clock.increment(7_000);
  newest().report({ type: 'socket.failed' });
  expect(context().heardAt).toBe(5_000);
});

test('a failure reported after sign-out starts nothing', () => {
  const { actor, state, clock, sockets } = startLive();
  actor.send({ type: 'session.changed', session: null });
  actor.send({ type: 'socket.failed' });
  clock.increment(3_600_000);
  expect(state()).toBe('stopped');
  expect(sockets).toHaveLength(1);
});

test('a closed socket that still reports is ignored', () => {
  const { newest, actor, delivered } = startLive(10);
  const first = newest();
  actor.send({ type: 'session.changed', session: null });
  first.report({ type: 'rows.pushed', rows: rows(11) });
  expect(delivered()).toEqual([]);
});

test('without provided actors the machine reports which one is missing', () => {
  const errors: unknown[] = [];
  const actor = createActor(realtimeMachine, { input: { isOnline: true } });
  actor.subscribe({ error: (error) => errors.push(error) });
  const silent = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  actor.start();
  actor.send({ type: 'session.changed', session: ann });
  silent.mockRestore();
  expect(String(errors[0])).toContain('socket is not provided');
});

test('a connection learns whether pages show the community, and a later one starts with it', () => {
  const { actor, newest, notices } = start();
  actor.send({ type: 'forum.watch', isWatching: true });
  actor.send({ type: 'session.changed', session: ann });
  expect(newest().isWatching).toBe(true);
  newest().report({ type: 'socket.opened', resumedFrom: 0, head: 0 });
  const change = {
    ...({ kind: 'posted', postId: 'post-1', replyId: null, category: 'Ideas', replyCount: 0 } as const),
  };
  newest().report({ type: 'forum.changed', change });
  expect(notices.at(-1)).toEqual({ type: 'forum.changed', change });
  actor.send({ type: 'forum.watch', isWatching: false });
  expect(newest().heard).toEqual([{ type: 'forum.watch', isWatching: false }]);
});
