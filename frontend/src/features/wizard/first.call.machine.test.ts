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

test('the first call is shown if it was recorded before the panel opened', async () => {
  const { actor, reads } = start({ read: async () => row });
  await waitFor(actor, (snapshot) => snapshot.matches('arrived'));
  expect(reads).toHaveBeenCalledWith({ projectId: 'orange-k3x9p2m7qa' });
  expect(actor.getSnapshot().context.row).toEqual(row);
});

test('a live row of the project is shown as the first call, and the listener stops', async () => {
  const { actor, arrive, clock, reads, stopped } = start();
  await reaches(actor, 'listening');
  clock.increment(60_000);
  expect(reads).toHaveBeenCalledTimes(1);
  arrive(row);
  expect(actor.getSnapshot().value).toBe('arrived');
  expect(actor.getSnapshot().context.row).toEqual(row);
  expect(stopped).toHaveBeenCalledTimes(1);
});

test('a live row is shown while a request is pending, without waiting for the response', async () => {
  const { actor, arrive } = start({ read: () => new Promise(() => undefined) });
  expect(actor.getSnapshot().value).toEqual({ waiting: 'checking' });
  arrive(row);
  expect(actor.getSnapshot().value).toBe('arrived');
});

test('a reconnect fetches the call missed during the disconnection', async () => {
  const read = jest.fn<Read>().mockResolvedValueOnce(null).mockResolvedValue(row);
  const { actor } = start({ read });
  await reaches(actor, 'listening');
  actor.send({ type: 'live.change', isLive: false });
  expect(actor.getSnapshot().value).toEqual({ waiting: 'polling' });
  actor.send({ type: 'live.change', isLive: true });
  await waitFor(actor, (snapshot) => snapshot.matches('arrived'));
  expect(read).toHaveBeenCalledTimes(2);
});

test('rows skipped by the live connection are fetched', async () => {
  const read = jest.fn<Read>().mockResolvedValueOnce(null).mockResolvedValue(row);
  const { actor } = start({ read });
  await reaches(actor, 'listening');
  actor.send({ type: 'usage.recheck' });
  await waitFor(actor, (snapshot) => snapshot.matches('arrived'));
});

test('the latest call is fetched every 5 s without a live connection', async () => {
  const { actor, clock, reads } = start({ isLive: false });
  await reaches(actor, 'polling');
  clock.increment(4_999);
  expect(reads).toHaveBeenCalledTimes(1);
  clock.increment(1);
  expect(reads).toHaveBeenCalledTimes(2);
  await reaches(actor, 'polling');
});

test('a failed request for the latest call is retried after 5 s, even while live', async () => {
  const read = jest.fn<Read>().mockRejectedValueOnce(new TypeError('offline')).mockResolvedValue(row);
  const { actor, clock } = start({ read });
  await reaches(actor, 'polling');
  clock.increment(5_000);
  await waitFor(actor, (snapshot) => snapshot.matches('arrived'));
});

test('the first call stays shown, whatever arrives later', async () => {
  const { actor, reads } = start({ read: async () => row });
  await waitFor(actor, (snapshot) => snapshot.matches('arrived'));
  actor.send({ type: 'live.change', isLive: false });
  actor.send({ type: 'usage.recheck' });
  actor.send({ type: 'row.arrive', row: { ...row, seq: 2 } });
  expect(actor.getSnapshot().context.row?.seq).toBe(1);
  expect(reads).toHaveBeenCalledTimes(1);
});
