import { expect, jest, test } from '@jest/globals';
import { createActor, fromPromise, SimulatedClock, waitFor } from 'xstate';
import { NoAnswerError } from '../../api/no.answer';
import { VanishedError } from './dialog.errors';
import { pendingWork } from '../../testing/pending.work';
import { removeUrlMachine, type RemoveUrlNotice, type UrlRemoval } from './remove.url.machine';

const removal: UrlRemoval = {
  project: { code: 'orange-abcdefghij', projectName: 'Acme' },
  url: 'https://one.example.org',
};

function start() {
  const clock = new SimulatedClock();
  const work = pendingWork<void>();
  const calls = jest.fn((_: UrlRemoval) => work.promise);
  const actor = createActor(
    removeUrlMachine.provide({
      actors: { removeUrl: fromPromise<void, UrlRemoval>(({ input }) => calls(input)) },
    }),
    { clock },
  );
  const notices: RemoveUrlNotice[] = [];
  actor.on('*', (notice) => notices.push(notice));
  actor.start();
  return {
    ...{ actor, clock, calls, notices },
    answer: () => work.answer(),
    refuse: work.refuse,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  };
}

function startConfirming() {
  const running = start();
  running.actor.send({ type: 'url.remove', ...removal });
  return running;
}

function startWorking() {
  const running = startConfirming();
  running.actor.send({ type: 'removal.confirm' });
  return running;
}

test('a URL is removed only after confirmation, and cancelling closes the dialog', () => {
  const { actor, calls, state } = startConfirming();
  expect(state()).toBe('confirming');
  actor.send({ type: 'url.remove', ...removal, url: 'https://two.example.org' });
  expect(actor.getSnapshot().context.removal).toEqual(removal);
  actor.send({ type: 'removal.cancel' });
  expect(state()).toBe('closed');
  actor.send({ type: 'removal.confirm' });
  expect(state()).toBe('closed');
  expect(calls).not.toHaveBeenCalled();
});

test('a URL confirmed twice is removed once, and the removal can’t be cancelled during the request', async () => {
  const { actor, answer, calls, notices, state } = startWorking();
  actor.send({ type: 'removal.confirm' });
  actor.send({ type: 'removal.cancel' });
  // The list can reflect the removal before its response arrives.
  actor.send({ type: 'removal.vanish', what: 'url' });
  expect(state()).toBe('working');
  await answer();
  expect(state()).toBe('succeeded');
  expect(calls.mock.calls).toEqual([[removal]]);
  expect(notices).toEqual([{ type: 'url.removed' }]);
  actor.send({ type: 'url.remove', ...removal, url: 'https://two.example.org' });
  expect([state(), actor.getSnapshot().context.removal?.url]).toEqual([
    'confirming',
    'https://two.example.org',
  ]);
});

test('a failed removal stays until it is retried or cancelled', async () => {
  const { actor, context, notices, refuse, state } = startWorking();
  const failure = new Error('409');
  await refuse(failure);
  expect([state(), context().failure]).toEqual(['failed', failure]);
  expect(notices).toEqual([{ type: 'removal.failed', error: failure }]);
  actor.send({ type: 'removal.confirm' });
  expect([state(), context().failure]).toEqual(['working', null]);

  const other = startWorking();
  await other.refuse(failure);
  other.actor.send({ type: 'removal.cancel' });
  expect(other.state()).toBe('closed');
  other.actor.send({ type: 'url.remove', ...removal });
  expect(other.context().failure).toBeNull();
});

test('a removal without a response can be left after 30 s', () => {
  const { clock, context, state } = startWorking();
  clock.increment(29_999);
  expect(state()).toBe('working');
  clock.increment(1);
  expect([state(), context().failure]).toEqual(['failed', expect.any(NoAnswerError)]);
});

test.each(['project', 'url'] as const)(
  'a %s deleted elsewhere is reported before a removal, after one and by its response',
  async (what) => {
    const before = startConfirming();
    before.actor.send({ type: 'removal.vanish', what });
    const instead = startWorking();
    await instead.refuse(new VanishedError(what));
    const after = startWorking();
    await after.refuse(new Error('503'));
    after.actor.send({ type: 'removal.vanish', what });
    for (const { actor, context, state } of [before, instead, after]) {
      actor.send({ type: 'removal.confirm' });
      expect([state(), context().end, context().failure]).toEqual(['vanished', what, null]);
      actor.send({ type: 'removal.cancel' });
      expect(state()).toBe('closed');
    }
  },
);

test('the last URL left can no longer be removed, before and after an attempt', async () => {
  const before = startConfirming();
  const after = startWorking();
  await after.refuse(new Error('409'));
  for (const { actor, calls, context, state } of [before, after]) {
    const sent = calls.mock.calls.length;
    actor.send({ type: 'removal.vanish', what: 'last' });
    actor.send({ type: 'removal.confirm' });
    expect([state(), context().end, context().failure]).toEqual(['vanished', 'last', null]);
    expect(calls).toHaveBeenCalledTimes(sent);
    actor.send({ type: 'removal.cancel' });
    actor.send({ type: 'url.remove', ...removal });
    expect([state(), context().end]).toEqual(['confirming', null]);
  }
});

test('a removal without a provided actor reports the missing actor', async () => {
  const actor = createActor(removeUrlMachine).start();
  actor.send({ type: 'url.remove', ...removal });
  actor.send({ type: 'removal.confirm' });
  await waitFor(actor, (snapshot) => snapshot.matches('failed'));
  expect(actor.getSnapshot().context.failure).toEqual(new Error('removeUrl: removeUrl is not provided'));
});
