import { expect, jest, test } from '@jest/globals';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import { unusedKey } from '@orange-id/contract/saved.key.fixture';
import { createActor, fromPromise, waitFor } from 'xstate';
import { pendingWork } from '../../testing/pending.work';
import { savedKeysMachine, type KeyTerms, type MadeKey, type SavedKeysNotice } from './saved.keys.machine';

const key: SavedKey = { ...unusedKey, id: '1', key: 'oid_abc' };

function start() {
  const creation = pendingWork<MadeKey>();
  const creations = jest.fn((_: { name: string; terms: KeyTerms }) => creation.promise);
  const actor = createActor(
    savedKeysMachine.provide({
      actors: {
        createKey: fromPromise<MadeKey, { name: string; terms: KeyTerms }>(({ input }) => creations(input)),
      },
    }),
    { input: { name: '' } },
  );
  const notices: SavedKeysNotice[] = [];
  actor.on('*', (notice) => notices.push(notice));
  actor.start();
  return {
    actor,
    creation,
    creations,
    notices,
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
  expect(creations.mock.calls).toEqual([[{ name: 'a'.repeat(50), terms: {} }]]);
});

test('a key is created once, with its name trimmed, however often it is requested, and then the name is empty', async () => {
  const { actor, context, creation, creations, notices, state } = startCreating();
  actor.send({ type: 'key.create' });
  actor.send({ type: 'name.change', name: 'Other' });
  expect(state()).toBe('creating');
  await creation.answer({ key, termsFailure: null });
  expect(state()).toBe('listing');
  expect(creations.mock.calls).toEqual([[{ name: 'Server', terms: {} }]]);
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

test('a draft of the name is restored, and a deletion clears the error of a creation', async () => {
  const before = createActor(savedKeysMachine, { input: { name: 'Ser' } }).start();
  expect(before.getSnapshot().context.name).toBe('Ser');

  const { actor, context, creation } = startCreating();
  await creation.refuse(new Error('409'));
  actor.send({ type: 'key.deleted', key });
  expect(context().creationFailure).toBeNull();
});

test('the last created key is shown as new until it is deleted; deleting another key does not change that', async () => {
  for (const isSame of [true, false]) {
    const { actor, context, creation } = startCreating();
    await creation.answer({ key, termsFailure: null });
    actor.send({ type: 'key.deleted', key: isSame ? key : { ...key, id: '2' } });
    expect(context().created).toEqual(isSame ? null : key);
  }
});

test('a key that could not get its expiry is reported until it is saved or deleted, or another is created', async () => {
  const failure = new Error('503');
  for (const end of ['key.saved', 'key.deleted', 'key.create'] as const) {
    const { actor, context, creation, creations, notices } = start();
    actor.send({ type: 'name.change', name: 'Server' });
    actor.send({ type: 'key.create', terms: { rateLimit: 5 } });
    await creation.answer({ key, termsFailure: failure });
    expect(creations.mock.calls).toEqual([[{ name: 'Server', terms: { rateLimit: 5 } }]]);
    expect(context()).toMatchObject({ name: '', created: key, incomplete: { key, termsFailure: failure } });
    expect(notices).toEqual([{ type: 'terms.failed', key, error: failure }]);
    actor.send({ type: 'name.change', name: 'Next' });
    actor.send({ type: end, key } as Parameters<typeof actor.send>[0]);
    expect(context().incomplete).toBeNull();
  }
});

test('the new key of a rotation is shown as new, and what is typed stays', () => {
  const { actor, context } = start();
  actor.send({ type: 'name.change', name: 'Half' });
  actor.send({ type: 'key.rotated', key });
  expect(context()).toMatchObject({ name: 'Half', created: key });
});

test('a creation without a provided actor reports the missing actor', async () => {
  const actor = createActor(savedKeysMachine, { input: { name: '' } });
  const failures: unknown[] = [];
  actor.on('creation.failed', ({ error }) => failures.push(error));
  actor.start();
  actor.send({ type: 'name.change', name: 'Server' });
  actor.send({ type: 'key.create' });
  await waitFor(actor, (snapshot) => snapshot.matches('listing'));
  expect(failures).toEqual([new Error('savedKeys: createKey is not provided')]);
});
