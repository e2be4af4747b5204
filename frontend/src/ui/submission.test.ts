import { expect, jest, test } from '@jest/globals';
import { createActor, fromPromise, waitFor } from 'xstate';
import { VanishedError } from '../api/vanished.error';
import { pendingWork } from '../testing/pending.work';
import { submissionMachine } from './submission';

const machine = submissionMachine<string, 'project' | 'url'>('removal');

function start() {
  const work = pendingWork<void>();
  const calls = jest.fn((_: string) => work.promise);
  const actor = createActor(
    machine.provide({
      actors: { submit: fromPromise<unknown, string>(({ input }) => calls(input)) },
    }),
  );
  const notices: unknown[] = [];
  actor.on('*', (notice) => notices.push(notice));
  actor.start();
  return {
    actor,
    calls,
    notices,
    answer: work.answer,
    refuse: work.refuse,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
    tags: () => [...actor.getSnapshot().tags],
  };
}

function startConfirming() {
  const running = start();
  running.actor.send({ type: 'submission.open', subject: 'one' });
  return running;
}

function startWorking() {
  const running = startConfirming();
  running.actor.send({ type: 'submission.confirm' });
  return running;
}

test('a submission that was opened is sent only after confirmation, and cancelling closes it', () => {
  const { actor, calls, context, state, tags } = startConfirming();
  expect([state(), tags()]).toEqual(['confirming', ['open']]);
  actor.send({ type: 'submission.open', subject: 'two' });
  expect(context().subject).toBe('one');
  actor.send({ type: 'submission.cancel' });
  actor.send({ type: 'submission.confirm' });
  expect([state(), tags()]).toEqual(['closed', []]);
  expect(context().subject).toBe('one');
  expect(calls).not.toHaveBeenCalled();
});

test('what the user entered in the dialog is submitted, and a retry without new input submits it again', async () => {
  const { actor, calls, context, refuse, state } = startConfirming();
  actor.send({ type: 'submission.confirm', subject: 'one, longer' });
  expect(context().subject).toBe('one, longer');
  await refuse(new Error('503'));
  expect(state()).toBe('failed');
  actor.send({ type: 'submission.confirm' });
  expect(calls.mock.calls).toEqual([['one, longer'], ['one, longer']]);
});

test('a submission confirmed twice is sent once, and can’t be cancelled or vanish during the request', async () => {
  const { actor, answer, calls, context, notices, state, tags } = startWorking();
  actor.send({ type: 'submission.confirm' });
  actor.send({ type: 'submission.cancel' });
  actor.send({ type: 'submission.start', subject: 'two' });
  // A refetched list can lack the subject before the response arrives.
  actor.send({ type: 'submission.vanish', what: 'url' });
  expect([state(), tags()]).toEqual(['working', ['open', 'busy']]);
  await answer();
  expect([state(), tags()]).toEqual(['succeeded', ['done']]);
  expect(calls.mock.calls).toEqual([['one']]);
  expect(notices).toEqual([{ type: 'submission.done', subject: 'one' }]);
  actor.send({ type: 'submission.open', subject: 'two' });
  expect([state(), context().subject]).toEqual(['confirming', 'two']);
});

test('a submission that needs no confirmation is sent at once, one at a time, and again after success or failure', async () => {
  const { actor, calls, notices, refuse, state } = start();
  actor.send({ type: 'submission.start', subject: 'one' });
  actor.send({ type: 'submission.start', subject: 'two' });
  expect(calls.mock.calls).toEqual([['one']]);
  const failure = new Error('404');
  await refuse(failure);
  expect([state(), notices]).toEqual(['failed', [{ type: 'submission.failed', error: failure }]]);
  actor.send({ type: 'submission.start', subject: 'two' });
  expect(state()).toBe('working');

  const other = start();
  other.actor.send({ type: 'submission.start', subject: 'one' });
  await other.answer();
  other.actor.send({ type: 'submission.start', subject: 'one' });
  expect(other.calls).toHaveBeenCalledTimes(2);
});

test('a failure keeps the dialog open until another attempt, and isn’t shown for another subject', async () => {
  const { actor, context, refuse, state, tags } = startWorking();
  const failure = new Error('409');
  await refuse(failure);
  expect([state(), tags(), context().failure]).toEqual(['failed', ['open'], failure]);
  actor.send({ type: 'submission.confirm' });
  expect([state(), context().failure]).toEqual(['working', null]);
  await waitFor(actor, (snapshot) => snapshot.matches('failed'));
  actor.send({ type: 'submission.cancel' });
  expect(state()).toBe('closed');
  actor.send({ type: 'submission.open', subject: 'two' });
  expect([state(), context()]).toEqual(['confirming', { subject: 'two', failure: null, gone: null }]);
});

test.each(['project', 'url'] as const)(
  'a %s that vanished is reported before an attempt, after one and by its response, and can only be closed',
  async (what) => {
    const before = startConfirming();
    before.actor.send({ type: 'submission.vanish', what });
    const instead = startWorking();
    await instead.refuse(new VanishedError(what));
    const after = startWorking();
    await after.refuse(new Error('503'));
    after.actor.send({ type: 'submission.vanish', what });
    for (const { actor, calls, context, state, tags } of [before, instead, after]) {
      const sent = calls.mock.calls.length;
      actor.send({ type: 'submission.confirm' });
      expect([state(), tags(), context()]).toEqual([
        'vanished',
        ['open'],
        { subject: 'one', failure: null, gone: what },
      ]);
      expect(calls).toHaveBeenCalledTimes(sent);
      actor.send({ type: 'submission.cancel' });
      actor.send({ type: 'submission.open', subject: 'two' });
      expect([state(), context().gone]).toEqual(['confirming', null]);
    }
  },
);

test('a submission without a provided actor reports the missing actor', async () => {
  const actor = createActor(machine).start();
  actor.send({ type: 'submission.start', subject: 'one' });
  await waitFor(actor, (snapshot) => snapshot.matches('failed'));
  expect(actor.getSnapshot().context.failure).toEqual(new Error('removal: submit is not provided'));
});
