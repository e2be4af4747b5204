import { expect, jest, test } from '@jest/globals';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import { createActor, fromPromise, SimulatedClock, waitFor } from 'xstate';
import { NoAnswerError } from '../../api/no.answer';
import { pendingWork } from '../../testing/pending.work';
import { savedKeysMachine, type SavedKeysNotice } from './saved.keys.machine';

const key: SavedKey = {
  ...{ id: '1', name: 'Server', key: 'oid_abc' },
  ...{ createdAt: '2026-01-02T03:04:05.000Z', lastUsed: null },
};

function start() {
  const clock = new SimulatedClock();
  const [creation, deletion] = [pendingWork<SavedKey>(), pendingWork<void>()];
  const creations = jest.fn((_: string) => creation.promise);
  const deletions = jest.fn((_: SavedKey) => deletion.promise);
  const actor = createActor(
    savedKeysMachine.provide({
      actors: {
        createKey: fromPromise<SavedKey, string>(({ input }) => creations(input)),
        deleteKey: fromPromise<void, SavedKey>(({ input }) => deletions(input)),
      },
    }),
    { clock, input: { name: '' } },
  );
  const notices: SavedKeysNotice[] = [];
  actor.on('*', (notice) => notices.push(notice));
  actor.start();
  return {
    ...{ actor, clock, creation, deletion, creations, deletions, notices },
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  };
}

function startCreating(name = '  Server ') {
  const running = start();
  running.actor.send({ type: 'name.change', name });
  running.actor.send({ type: 'key.create' });
  return running;
}

function startConfirming() {
  const running = start();
  running.actor.send({ type: 'key.delete', key });
  return running;
}

function startDeleting() {
  const running = startConfirming();
  running.actor.send({ type: 'deletion.confirm' });
  return running;
}

test.each([
  ['', 'Name is required'],
  [' \t', 'Name is required'],
  ['a'.repeat(51), 'Name must be less than 50 characters'],
  ['a\u0000b', 'Name must not contain invisible or control characters'],
])('the name %j is refused, and typing clears the error', (name, sentence) => {
  const { actor, context, creations, notices, state } = startCreating(name);
  expect([state(), context().nameError]).toEqual(['listing', sentence]);
  expect(notices).toEqual([{ type: 'name.refused' }]);
  actor.send({ type: 'name.change', name: 'x' });
  expect(context().nameError).toBeNull();
  expect(creations).not.toHaveBeenCalled();
});

test('a name of 50 characters creates a key', async () => {
  const { creations, state } = startCreating('a'.repeat(50));
  expect(state()).toBe('creating');
  expect(creations.mock.calls).toEqual([['a'.repeat(50)]]);
});

test('a key is created once, with its name trimmed, however often it is requested, and then the name is empty', async () => {
  const { actor, context, creation, creations, notices, state } = startCreating();
  actor.send({ type: 'key.create' });
  actor.send({ type: 'key.delete', key });
  actor.send({ type: 'name.change', name: 'Other' });
  expect(state()).toBe('creating');
  await creation.answer(key);
  expect(state()).toBe('listing');
  expect(creations.mock.calls).toEqual([['Server']]);
  expect(context()).toMatchObject({ name: '', created: key, creationFailure: null });
  expect(notices).toEqual([{ type: 'key.created', key }]);
});

test('a failed creation keeps the name and its error until the next attempt', async () => {
  const { actor, context, creation, notices, state } = startCreating();
  const failure = new Error('503');
  await creation.refuse(failure);
  expect(state()).toBe('listing');
  expect(context()).toMatchObject({ name: '  Server ', creationFailure: failure, created: null });
  expect(notices).toEqual([{ type: 'creation.failed', error: failure }]);
  actor.send({ type: 'key.create' });
  expect([state(), context().creationFailure]).toEqual(['creating', null]);
});

test('a creation without a response can be left after 30 s, and a late response changes nothing', async () => {
  const { clock, context, creation, notices, state } = startCreating();
  clock.increment(29_999);
  expect(state()).toBe('creating');
  clock.increment(1);
  expect(state()).toBe('listing');
  expect(context().creationFailure).toBeInstanceOf(NoAnswerError);
  await creation.answer(key);
  expect(notices).toEqual([{ type: 'creation.failed', error: expect.any(NoAnswerError) }]);
});

test('a key is deleted only after confirmation, and cancelling closes the dialog', () => {
  const { actor, deletions, state } = startConfirming();
  expect(state()).toBe('confirming');
  actor.send({ type: 'deletion.cancel' });
  actor.send({ type: 'deletion.confirm' });
  expect(state()).toBe('listing');
  expect(deletions).not.toHaveBeenCalled();
});

test('a key confirmed twice is deleted once, and doesn’t count as deleted elsewhere', async () => {
  const { actor, deletion, deletions, notices, state } = startDeleting();
  actor.send({ type: 'deletion.confirm' });
  actor.send({ type: 'deletion.cancel' });
  actor.send({ type: 'key.vanish' });
  expect(state()).toBe('deleting');
  await deletion.answer();
  expect(state()).toBe('listing');
  expect(deletions.mock.calls).toEqual([[key]]);
  expect(notices).toEqual([{ type: 'key.deleted', key }]);
});

test('a draft of the name is restored, and a deletion clears the error of a creation', async () => {
  const before = createActor(savedKeysMachine, { input: { name: 'Ser' } }).start();
  expect(before.getSnapshot().context.name).toBe('Ser');

  const { actor, context, creation, deletion } = startCreating();
  await creation.refuse(new Error('409'));
  actor.send({ type: 'key.delete', key });
  actor.send({ type: 'deletion.confirm' });
  expect(context().creationFailure).toEqual(new Error('409'));
  await deletion.answer();
  expect(context().creationFailure).toBeNull();
});

test('the last created key is shown as new until it is deleted, but not until another one is', async () => {
  for (const isSame of [true, false]) {
    const { actor, context, creation, deletion } = startCreating();
    await creation.answer(key);
    actor.send({ type: 'key.delete', key: isSame ? key : { ...key, id: '2' } });
    actor.send({ type: 'deletion.confirm' });
    await deletion.answer();
    expect(context().created).toEqual(isSame ? null : key);
  }
});

test('a failed deletion stays in the dialog until it is retried or cancelled', async () => {
  const { actor, context, deletion, notices, state } = startDeleting();
  const failure = new Error('503');
  await deletion.refuse(failure);
  expect([state(), context().deletionFailure]).toEqual(['confirming', failure]);
  expect(notices).toEqual([{ type: 'deletion.failed', error: failure }]);
  actor.send({ type: 'deletion.confirm' });
  expect([state(), context().deletionFailure]).toEqual(['deleting', null]);
});

test('a cancelled deletion’s error is not shown in the next dialog', async () => {
  const { actor, context, deletion, state } = startDeleting();
  await deletion.refuse(new Error('503'));
  actor.send({ type: 'deletion.cancel' });
  actor.send({ type: 'key.delete', key });
  expect([state(), context().deletionFailure]).toEqual(['confirming', null]);
});

test('a deletion without a response can be left after 30 s', () => {
  const { clock, context, notices, state } = startDeleting();
  clock.increment(30_000);
  expect(state()).toBe('confirming');
  expect(context().deletionFailure).toBeInstanceOf(NoAnswerError);
  expect(notices).toEqual([{ type: 'deletion.failed', error: expect.any(NoAnswerError) }]);
});

test('a key deleted elsewhere is reported in the dialog, which can then only be closed', () => {
  const { actor, deletions, state } = startConfirming();
  actor.send({ type: 'key.vanish' });
  actor.send({ type: 'deletion.confirm' });
  expect(state()).toBe('vanished');
  actor.send({ type: 'deletion.cancel' });
  expect(state()).toBe('listing');
  expect(deletions).not.toHaveBeenCalled();
});

test('without provided actors the machine reports the missing ones', async () => {
  const actor = createActor(savedKeysMachine, { input: { name: '' } });
  const failures: unknown[] = [];
  actor.on('creation.failed', ({ error }) => failures.push(error));
  actor.on('deletion.failed', ({ error }) => failures.push(error));
  actor.start();
  actor.send({ type: 'name.change', name: 'Server' });
  actor.send({ type: 'key.create' });
  await waitFor(actor, (snapshot) => snapshot.matches('listing'));
  actor.send({ type: 'key.delete', key });
  actor.send({ type: 'deletion.confirm' });
  await waitFor(actor, (snapshot) => snapshot.matches('confirming'));
  expect(failures).toEqual([
    new Error('savedKeys: createKey is not provided'),
    new Error('savedKeys: deleteKey is not provided'),
  ]);
});
