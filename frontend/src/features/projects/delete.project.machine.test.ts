import { expect, jest, test } from '@jest/globals';
import { createActor, fromPromise, SimulatedClock, waitFor } from 'xstate';
import { NoAnswerError } from '../../api/no.answer';
import { deleteProjectMachine, type DeleteProjectNotice } from './delete.project.machine';
import { type DialogProject } from './dialog.errors';
import { pendingWork } from '../../testing/pending.work';

const project: DialogProject = { code: 'orange-abcdefghij', projectName: 'Acme' };

function start() {
  const clock = new SimulatedClock();
  const work = pendingWork<void>();
  const calls = jest.fn((_: DialogProject) => work.promise);
  const actor = createActor(
    deleteProjectMachine.provide({
      actors: { deleteProject: fromPromise<void, DialogProject>(({ input }) => calls(input)) },
    }),
    { clock },
  );
  const notices: DeleteProjectNotice[] = [];
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
  running.actor.send({ type: 'project.delete', project });
  return running;
}

function startWorking() {
  const running = startConfirming();
  running.actor.send({ type: 'deletion.confirm' });
  return running;
}

test('a project is deleted only after confirmation, and cancelling closes the dialog', () => {
  const { actor, calls, state } = startConfirming();
  expect(state()).toBe('confirming');
  actor.send({ type: 'deletion.cancel' });
  actor.send({ type: 'deletion.confirm' });
  expect(state()).toBe('closed');
  expect(calls).not.toHaveBeenCalled();
});

test('a project confirmed twice is deleted once, and doesn’t count as deleted elsewhere', async () => {
  const { actor, answer, calls, notices, state } = startWorking();
  actor.send({ type: 'deletion.confirm' });
  actor.send({ type: 'deletion.cancel' });
  actor.send({ type: 'project.vanish' });
  expect(state()).toBe('working');
  await answer();
  expect(state()).toBe('succeeded');
  expect(calls.mock.calls).toEqual([[project]]);
  expect(notices).toEqual([{ type: 'project.deleted', project }]);
  actor.send({ type: 'project.delete', project: { ...project, projectName: 'Other' } });
  expect([state(), actor.getSnapshot().context.project?.projectName]).toEqual(['confirming', 'Other']);
});

test('a failed deletion stays until it is retried or cancelled', async () => {
  const { actor, context, notices, refuse, state } = startWorking();
  const failure = new Error('503');
  await refuse(failure);
  expect([state(), context().failure]).toEqual(['failed', failure]);
  expect(notices).toEqual([{ type: 'deletion.failed', error: failure }]);
  actor.send({ type: 'deletion.confirm' });
  expect([state(), context().failure]).toEqual(['working', null]);

  const other = startWorking();
  await other.refuse(failure);
  other.actor.send({ type: 'deletion.cancel' });
  expect(other.state()).toBe('closed');
});

test('a deletion without a response can be left after 30 s', () => {
  const { clock, context, state } = startWorking();
  clock.increment(29_999);
  expect(state()).toBe('working');
  clock.increment(1);
  expect([state(), context().failure]).toEqual(['failed', expect.any(NoAnswerError)]);
});

test('a project deleted elsewhere is reported before and after an attempt', async () => {
  const before = startConfirming();
  before.actor.send({ type: 'project.vanish' });
  const after = startWorking();
  await after.refuse(new Error('503'));
  after.actor.send({ type: 'project.vanish' });
  for (const { actor, state } of [before, after]) {
    actor.send({ type: 'deletion.confirm' });
    expect(state()).toBe('vanished');
    actor.send({ type: 'deletion.cancel' });
    expect(state()).toBe('closed');
  }
});

test('a deletion without a provided actor reports the missing actor', async () => {
  const actor = createActor(deleteProjectMachine).start();
  actor.send({ type: 'project.delete', project });
  actor.send({ type: 'deletion.confirm' });
  await waitFor(actor, (snapshot) => snapshot.matches('failed'));
  expect(actor.getSnapshot().context.failure).toEqual(
    new Error('deleteProject: deleteProject is not provided'),
  );
});
