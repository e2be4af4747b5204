import { expect, jest, test } from '@jest/globals';
import { createActor, fromPromise, waitFor } from 'xstate';
import { NotAuthenticatedError } from '../../api/projects/create.project';
import { HttpError } from '../../api/http';
import { NoAnswerError } from '../../api/no.answer';
import { stateName } from '../../inspect/machine.inspect';
import { pendingWork } from '../../testing/pending.work';
import { VanishedError } from '../../api/vanished.error';
import { EmptyKeyError, type DialogProject } from './dialog.errors';
import { updateKeyMachine, type UpdateKeyNotice } from './update.key.machine';

const project: DialogProject = { code: 'orange-abcdefghij', projectName: 'Acme' };

function start() {
  const work = pendingWork<string>();
  const again = pendingWork<string>();
  const calls = jest.fn<(input: DialogProject) => Promise<string>>();
  calls.mockReturnValueOnce(work.promise).mockReturnValueOnce(again.promise);
  const actor = createActor(
    updateKeyMachine.provide({
      actors: { rotateKey: fromPromise<string, DialogProject>(({ input }) => calls(input)) },
    }),
  );
  const notices: UpdateKeyNotice[] = [];
  actor.on('*', (notice) => notices.push(notice));
  actor.start();
  return {
    actor,
    calls,
    notices,
    answer: work.answer,
    refuse: work.refuse,
    again,
    state: () => stateName(actor.getSnapshot().value),
    context: () => actor.getSnapshot().context,
  };
}

function startWorking() {
  const running = start();
  running.actor.send({ type: 'key.update', project });
  running.actor.send({ type: 'update.confirm' });
  return running;
}

async function startShown() {
  const running = startWorking();
  await running.answer('oid_abcdefgh');
  return running;
}

test('a key update without a project opens no dialog and sends a notice', () => {
  const { actor, notices, state } = start();
  actor.send({ type: 'key.update', project: null });
  expect([state(), notices]).toEqual(['closed', [{ type: 'project.missing' }]]);
});

test('a new key is generated only after confirmation, and cancelling closes the dialog', () => {
  const { actor, calls, state } = start();
  actor.send({ type: 'update.confirm' });
  expect(state()).toBe('closed');
  actor.send({ type: 'key.update', project });
  expect(state()).toBe('confirming');
  actor.send({ type: 'update.cancel' });
  expect(state()).toBe('closed');
  expect(calls).not.toHaveBeenCalled();
});

test('a new key confirmed twice is generated once, and nothing closes the dialog during the request', async () => {
  const { actor, answer, calls, context, notices, state } = startWorking();
  actor.send({ type: 'update.confirm' });
  actor.send({ type: 'update.cancel' });
  actor.send({ type: 'dialog.leave' });
  actor.send({ type: 'project.vanish' });
  expect(state()).toBe('working');
  await answer('oid_abcdefgh');
  expect(state()).toBe('succeeded.shown');
  expect(context()).toMatchObject({ newKey: 'oid_abcdefgh', isCopied: false });
  expect(calls.mock.calls).toEqual([[project]]);
  expect(notices).toEqual([{ type: 'key.updated', key: 'oid_abcdefgh' }]);
});

test('the new key stays shown if the user leaves the dialog before copying it', async () => {
  const { actor, context, state } = await startShown();
  actor.send({ type: 'dialog.leave' });
  expect(state()).toBe('succeeded.asking');
  actor.send({ type: 'key.keep' });
  expect(state()).toBe('succeeded.shown');
  actor.send({ type: 'dialog.leave' });
  actor.send({ type: 'dialog.leave' });
  expect([state(), context().newKey]).toEqual(['succeeded.asking', 'oid_abcdefgh']);
});

test.each(['shown', 'asking'])(
  'the new key is marked as outdated in the state %s once it is replaced or deleted',
  async (how) => {
    const { actor, context, state } = await startShown();
    if (how === 'asking') actor.send({ type: 'dialog.leave' });
    const seen = () => [state(), context().newKey, context().outdated];
    actor.send({ type: 'key.change', apiKey: 'oid_abcdefgh' });
    expect(seen()).toEqual([`succeeded.${how}`, 'oid_abcdefgh', null]);
    actor.send({ type: 'key.change', apiKey: 'oid_elsewhere' });
    expect(seen()).toEqual([`succeeded.${how}`, 'oid_abcdefgh', 'replaced']);
    // The list was fetched before the key was replaced.
    actor.send({ type: 'key.change', apiKey: 'oid_abcdefgh' });
    expect(seen()).toEqual([`succeeded.${how}`, 'oid_abcdefgh', null]);
    actor.send({ type: 'project.vanish' });
    expect(seen()).toEqual([`succeeded.${how}`, 'oid_abcdefgh', 'deleted']);
    actor.send({ type: 'key.dismiss' });
    expect(seen()).toEqual(['closed', null, null]);
  },
);

test('a list with the old key, fetched too early, doesn’t mark the new key as outdated', async () => {
  for (const isSecondTry of [false, true]) {
    const { actor, again, answer, context, refuse } = start();
    actor.send({ type: 'key.update', project });
    if (!isSecondTry) actor.send({ type: 'key.change', apiKey: 'oid_before' });
    actor.send({ type: 'update.confirm' });
    if (isSecondTry) {
      await refuse(new Error('503'));
      actor.send({ type: 'key.change', apiKey: 'oid_before' });
      actor.send({ type: 'update.confirm' });
      await again.answer('oid_new');
    } else await answer('oid_new');
    actor.send({ type: 'key.change', apiKey: 'oid_before' });
    expect(context().outdated).toBeNull();
    actor.send({ type: 'key.change', apiKey: 'oid_elsewhere' });
    expect(context().outdated).toBe('replaced');
    actor.send({ type: 'key.dismiss' });
    expect(context().listedKey).toBeNull();
  }
});

test('an outdated new key can be left without a question', async () => {
  const { actor, state } = await startShown();
  actor.send({ type: 'key.change', apiKey: 'oid_elsewhere' });
  actor.send({ type: 'dialog.leave' });
  expect(state()).toBe('closed');
});

test('the dialog closes when the user explicitly dismisses the new key, and keeps nothing', async () => {
  for (const asks of [false, true]) {
    const { actor, context, state } = await startShown();
    if (asks) actor.send({ type: 'dialog.leave' });
    actor.send({ type: 'key.dismiss' });
    expect(state()).toBe('closed');
    expect(context()).toMatchObject({ newKey: null, isCopied: false, failure: null });
  }
});

test('copying the new key answers the question, and the dialog then closes when it is left', async () => {
  const { actor, state } = await startShown();
  actor.send({ type: 'dialog.leave' });
  actor.send({ type: 'key.copied' });
  expect(state()).toBe('succeeded.shown');
  actor.send({ type: 'dialog.leave' });
  expect(state()).toBe('closed');
});

test('an empty response counts as a failed key update', async () => {
  const { answer, context, notices, state } = startWorking();
  await answer('');
  expect(state()).toBe('failed');
  expect(context()).toMatchObject({ newKey: null, failure: expect.any(EmptyKeyError) });
  expect(notices).toEqual([{ type: 'update.failed', error: expect.any(EmptyKeyError) }]);
});

test('a failed key update stays until it is retried or cancelled', async () => {
  const { actor, again, context, notices, refuse, state } = startWorking();
  const failure = new Error('503');
  await refuse(failure);
  expect([state(), context().failure]).toEqual(['failed', failure]);
  expect(notices).toEqual([{ type: 'update.failed', error: failure }]);
  actor.send({ type: 'update.confirm' });
  expect([state(), context().failure]).toEqual(['working', null]);
  await again.answer('oid_second');
  expect([state(), context().newKey]).toEqual(['succeeded.shown', 'oid_second']);

  const other = startWorking();
  await other.refuse(failure);
  other.actor.send({ type: 'update.cancel' });
  expect([other.state(), other.context().failure]).toEqual(['closed', null]);
});

test.each([
  ['the server cannot be reached', new TypeError('Failed to fetch')],
  ['there is no response for 30 s', new NoAnswerError()],
])('if %s but the list then has another key, that key is shown as the new one', async (_, failure) => {
  const { actor, context, notices, refuse, state } = start();
  actor.send({ type: 'key.update', project });
  actor.send({ type: 'key.change', apiKey: 'oid_before' });
  actor.send({ type: 'update.confirm' });
  await refuse(failure);
  actor.send({ type: 'key.change', apiKey: 'oid_before' });
  expect(state()).toBe('failed');
  actor.send({ type: 'key.change', apiKey: 'oid_abcdefgh' });
  expect(state()).toBe('succeeded.shown');
  expect(context()).toMatchObject({ newKey: 'oid_abcdefgh', failure: null });
  expect(notices.map(({ type }) => type)).toEqual(['update.failed', 'key.updated']);
  // The key of a list that was fetched before the change.
  actor.send({ type: 'key.change', apiKey: 'oid_before' });
  expect(context().outdated).toBeNull();
});

test.each([
  ['the server rejected the attempt', new HttpError(429, 'Too many'), 'oid_abcdefgh'],
  ['nobody is signed in', new NotAuthenticatedError(), 'oid_abcdefgh'],
  ['the list has no key', new TypeError('Failed to fetch'), ''],
])('if %s, a changed list doesn’t make the attempt successful', async (_, failure, listed) => {
  const { actor, context, notices, refuse, state } = start();
  actor.send({ type: 'key.update', project });
  actor.send({ type: 'key.change', apiKey: 'oid_before' });
  actor.send({ type: 'update.confirm' });
  await refuse(failure);
  actor.send({ type: 'key.change', apiKey: listed });
  expect([state(), context().newKey, context().failure]).toEqual(['failed', null, failure]);
  expect(notices).toEqual([{ type: 'update.failed', error: failure }]);
});

test('a deleted project is reported before a key update, after one and by its response', async () => {
  const before = start();
  before.actor.send({ type: 'key.update', project });
  before.actor.send({ type: 'project.vanish' });
  const instead = startWorking();
  await instead.refuse(new VanishedError('project'));
  const after = startWorking();
  await after.refuse(new Error('503'));
  after.actor.send({ type: 'project.vanish' });
  for (const { actor, state } of [before, instead, after]) {
    expect(state()).toBe('vanished');
    actor.send({ type: 'update.confirm' });
    expect(state()).toBe('vanished');
    actor.send({ type: 'update.cancel' });
    expect(state()).toBe('closed');
  }
});

test('a key update without a provided actor reports the missing actor', async () => {
  const actor = createActor(updateKeyMachine).start();
  actor.send({ type: 'key.update', project });
  actor.send({ type: 'update.confirm' });
  await waitFor(actor, (snapshot) => snapshot.matches('failed'));
  expect(actor.getSnapshot().context.failure).toEqual(new Error('updateKey: rotateKey is not provided'));
});
