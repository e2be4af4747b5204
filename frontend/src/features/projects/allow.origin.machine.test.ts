import { expect, jest, test } from '@jest/globals';
import { createActor, fromPromise, SimulatedClock, waitFor } from 'xstate';
import { NoAnswerError } from '../../api/no.answer';
import { pendingWork } from '../../testing/pending.work';
import { allowOriginMachine, type AllowOriginNotice, type OriginAllowance } from './allow.origin.machine';
import { VanishedError } from './dialog.errors';

const allowance: OriginAllowance = {
  project: { code: 'orange-abcdefghij', projectName: 'Acme' },
  url: 'https://blocked.example.org',
};

function startConfirming() {
  const clock = new SimulatedClock();
  const work = pendingWork<void>();
  const calls = jest.fn((_: OriginAllowance) => work.promise);
  const actor = createActor(
    allowOriginMachine.provide({
      actors: { saveUrl: fromPromise<void, OriginAllowance>(({ input }) => calls(input)) },
    }),
    { clock },
  );
  const notices: AllowOriginNotice[] = [];
  actor.on('*', (notice) => notices.push(notice));
  actor.start();
  actor.send({ type: 'origin.allow', ...allowance });
  return {
    ...{ actor, clock, calls, notices },
    answer: () => work.answer(),
    refuse: work.refuse,
    state: () => actor.getSnapshot().value,
  };
}

function startWorking() {
  const running = startConfirming();
  running.actor.send({ type: 'allowance.confirm' });
  return running;
}

test('an origin is allowed only after confirmation, and cancelling closes the dialog', () => {
  const { actor, calls, state } = startConfirming();
  expect(state()).toBe('confirming');
  actor.send({ type: 'allowance.cancel' });
  expect(state()).toBe('closed');
  actor.send({ type: 'allowance.confirm' });
  expect(state()).toBe('closed');
  expect(calls).not.toHaveBeenCalled();
});

test('a confirmation allows only that origin, once, and can’t be cancelled during the request', async () => {
  const { actor, answer, calls, notices, state } = startWorking();
  actor.send({ type: 'allowance.confirm' });
  actor.send({ type: 'allowance.cancel' });
  expect(state()).toBe('working');
  await answer();
  await waitFor(actor, (snapshot) => snapshot.matches('succeeded'));
  expect(calls.mock.calls).toEqual([[allowance]]);
  expect(notices).toEqual([{ type: 'origin.allowed' }]);
  actor.send({ type: 'origin.allow', ...allowance });
  expect(state()).toBe('confirming');
});

test('a failed allowance keeps the dialog open and can be retried', async () => {
  const { actor, notices, refuse, calls } = startWorking();
  const error = new TypeError('Failed to fetch');
  await refuse(error);
  await waitFor(actor, (snapshot) => snapshot.matches('failed'));
  expect(actor.getSnapshot().context.failure).toBe(error);
  expect(notices).toEqual([{ type: 'allowance.failed', error }]);
  actor.send({ type: 'allowance.confirm' });
  expect(actor.getSnapshot().context.failure).toBeNull();
  expect(calls).toHaveBeenCalledTimes(2);
});

test('an allowance without a response can be left after 30 s', () => {
  const { actor, clock } = startWorking();
  clock.increment(30_000);
  expect(actor.getSnapshot().value).toBe('failed');
  expect(actor.getSnapshot().context.failure).toBeInstanceOf(NoAnswerError);
});

test('a deleted project and an origin allowed elsewhere are reported, before the request or by its response', async () => {
  const before = startConfirming();
  before.actor.send({ type: 'allowance.vanish', what: 'url' });
  expect(before.actor.getSnapshot().context.end).toBe('url');
  const instead = startWorking();
  await instead.refuse(new VanishedError('project'));
  await waitFor(instead.actor, (snapshot) => snapshot.matches('vanished'));
  expect(instead.actor.getSnapshot().context.end).toBe('project');
  for (const { actor, state, notices } of [before, instead]) {
    actor.send({ type: 'allowance.confirm' });
    expect(state()).toBe('vanished');
    expect(notices).toEqual([]);
    actor.send({ type: 'allowance.cancel' });
    expect(state()).toBe('closed');
  }
});

test('an allowance without a provided actor reports the missing actor', async () => {
  const actor = createActor(allowOriginMachine).start();
  actor.send({ type: 'origin.allow', ...allowance });
  actor.send({ type: 'allowance.confirm' });
  await waitFor(actor, (snapshot) => snapshot.matches('failed'));
  expect(actor.getSnapshot().context.failure).toEqual(new Error('allowOrigin: saveUrl is not provided'));
});
