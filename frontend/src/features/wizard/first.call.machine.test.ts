import { expect, jest, test } from '@jest/globals';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import type { UsageRow } from '@orange-id/contract/usage.schema';
import { createActor, fromCallback, fromPromise, SimulatedClock, waitFor } from 'xstate';
import { firstCallMachine, type FirstCallEvent } from './first.call.machine';

const row = usageRowOf(1);

type Read = (input: { projectId: string }) => Promise<UsageRow | null>;

function start({ isLive = true, read = async () => null }: { isLive?: boolean; read?: Read } = {}) {
  const clock = new SimulatedClock();
  const reads = jest.fn(read);
  const stopped = jest.fn();
  let arrive!: (arrived: UsageRow) => void;
  const machine = firstCallMachine.provide({
    actors: {
      readLatestCall: fromPromise<UsageRow | null, { projectId: string }>(({ input }) => reads(input)),
      listenForRows: fromCallback<FirstCallEvent, { projectId: string }>(({ sendBack }) => {
        arrive = (arrived) => sendBack({ type: 'row.arrive', row: arrived });
        return stopped;
      }),
    },
  });
  const actor = createActor(machine, { clock, input: { projectId: 'orange-k3x9p2m7qa', isLive } });
  actor.start();
  return { actor, clock, reads, stopped, arrive: (arrived: UsageRow) => arrive(arrived) };
}

const reaches = (actor: ReturnType<typeof start>['actor'], state: 'checking' | 'listening' | 'polling') =>
  waitFor(actor, (snapshot) => snapshot.matches({ waiting: state }));

test('a call recorded before the panel opened counts', async () => {
  const { actor, reads } = start({ read: async () => row });
  await waitFor(actor, (snapshot) => snapshot.matches('arrived'));
  expect(reads).toHaveBeenCalledWith({ projectId: 'orange-k3x9p2m7qa' });
  expect(actor.getSnapshot().context.row).toEqual(row);
});

test('while live, the first row flips it and the listening ends', async () => {
  const { actor, arrive, clock, reads, stopped } = start();
  await reaches(actor, 'listening');
  clock.increment(60_000);
  expect(reads).toHaveBeenCalledTimes(1);
  arrive(row);
  expect(actor.getSnapshot().value).toBe('arrived');
  expect(actor.getSnapshot().context.row).toEqual(row);
  expect(stopped).toHaveBeenCalledTimes(1);
});

test('a row that comes while the question is open counts, whatever the answer', async () => {
  const { actor, arrive } = start({ read: () => new Promise(() => undefined) });
  expect(actor.getSnapshot().value).toEqual({ waiting: 'checking' });
  arrive(row);
  expect(actor.getSnapshot().value).toBe('arrived');
});

test('a reconnection asks what was missed', async () => {
  const read = jest.fn<Read>().mockResolvedValueOnce(null).mockResolvedValue(row);
  const { actor } = start({ read });
  await reaches(actor, 'listening');
  actor.send({ type: 'live.change', isLive: false });
  expect(actor.getSnapshot().value).toEqual({ waiting: 'polling' });
  actor.send({ type: 'live.change', isLive: true });
  await waitFor(actor, (snapshot) => snapshot.matches('arrived'));
  expect(read).toHaveBeenCalledTimes(2);
});

test('skipped rows are read', async () => {
  const read = jest.fn<Read>().mockResolvedValueOnce(null).mockResolvedValue(row);
  const { actor } = start({ read });
  await reaches(actor, 'listening');
  actor.send({ type: 'usage.recheck' });
  await waitFor(actor, (snapshot) => snapshot.matches('arrived'));
});

test('without a live connection it asks every 5 s', async () => {
  const { actor, clock, reads } = start({ isLive: false });
  await reaches(actor, 'polling');
  clock.increment(4_999);
  expect(reads).toHaveBeenCalledTimes(1);
  clock.increment(1);
  expect(reads).toHaveBeenCalledTimes(2);
  await reaches(actor, 'polling');
});

test('a failed question is asked again after 5 s, live or not', async () => {
  const read = jest.fn<Read>().mockRejectedValueOnce(new TypeError('offline')).mockResolvedValue(row);
  const { actor, clock } = start({ read });
  await reaches(actor, 'polling');
  clock.increment(5_000);
  await waitFor(actor, (snapshot) => snapshot.matches('arrived'));
});

test('once arrived, nothing moves it', async () => {
  const { actor, reads } = start({ read: async () => row });
  await waitFor(actor, (snapshot) => snapshot.matches('arrived'));
  actor.send({ type: 'live.change', isLive: false });
  actor.send({ type: 'usage.recheck' });
  actor.send({ type: 'row.arrive', row: { ...row, seq: 2 } });
  expect(actor.getSnapshot().context.row?.seq).toBe(1);
  expect(reads).toHaveBeenCalledTimes(1);
});
