import { expect, jest, test } from '@jest/globals';
import { createActor, fromPromise, waitFor } from 'xstate';
import { profileFieldMachine, type ProfileFieldNotice } from './profile.field.machine';

function start(
  save: (value: string) => Promise<void> = async () => undefined,
  input: { value: string; draft: string | null } = { value: '', draft: null },
) {
  const calls = jest.fn(save);
  const actor = createActor(
    profileFieldMachine.provide({
      actors: { saveField: fromPromise<void, { value: string }>(({ input }) => calls(input.value)) },
    }),
    { input },
  );
  const notices: ProfileFieldNotice[] = [];
  actor.on('*', (notice) => notices.push(notice));
  actor.start();
  return { actor, calls, notices, state: () => actor.getSnapshot().value };
}

test('editing starts with the current value as the draft', () => {
  const { actor, state } = start();
  expect(state()).toBe('viewing');
  actor.send({ type: 'edit.open', value: 'Ada' });
  expect(state()).toBe('editing');
  expect(actor.getSnapshot().context).toEqual({ original: 'Ada', draft: 'Ada', failure: null });
});

test.each(['Ada', ' Ada  '])('saving the unchanged value %j closes the field without a request', (text) => {
  const { actor, calls, notices, state } = start();
  actor.send({ type: 'edit.open', value: 'Ada' });
  actor.send({ type: 'draft.change', text });
  actor.send({ type: 'edit.save' });
  expect(state()).toBe('viewing');
  expect(calls).not.toHaveBeenCalled();
  expect(notices).toEqual([]);
});

test('Cancel drops the draft, and the next edit starts with the value at that moment', () => {
  const { actor, calls, state } = start();
  actor.send({ type: 'edit.open', value: 'Ada' });
  actor.send({ type: 'draft.change', text: 'Grace' });
  actor.send({ type: 'edit.cancel' });
  expect(state()).toBe('viewing');
  expect(calls).not.toHaveBeenCalled();
  actor.send({ type: 'edit.open', value: 'Ada' });
  expect(actor.getSnapshot().context.draft).toBe('Ada');
});

test('a changed value is sent once, trimmed, and success closes the field', async () => {
  let finish!: () => void;
  const { actor, calls, notices, state } = start(() => new Promise((resolve) => (finish = resolve)));
  actor.send({ type: 'edit.open', value: '' });
  actor.send({ type: 'draft.change', text: ' Ada ' });
  actor.send({ type: 'edit.save' });
  actor.send({ type: 'edit.save' });
  actor.send({ type: 'edit.cancel' });
  actor.send({ type: 'draft.change', text: 'too late' });
  expect(state()).toBe('saving');
  finish();
  await waitFor(actor, (snapshot) => snapshot.matches('viewing'));
  expect(calls.mock.calls).toEqual([['Ada']]);
  expect(notices).toEqual([{ type: 'field.saved' }]);
});

test('a failed save keeps the field open with the draft and its error, which the next change clears', async () => {
  const failure = new Error('409: taken');
  const { actor, notices, state } = start(() => Promise.reject(failure));
  actor.send({ type: 'edit.open', value: 'ada@example.com' });
  actor.send({ type: 'draft.change', text: 'grace@example.com' });
  actor.send({ type: 'edit.save' });
  await waitFor(actor, (snapshot) => snapshot.matches('editing'));
  expect(notices).toEqual([{ type: 'save.failed', error: failure }]);
  expect(actor.getSnapshot().context).toEqual({
    original: 'ada@example.com',
    draft: 'grace@example.com',
    failure,
  });
  actor.send({ type: 'draft.change', text: 'grace@example.org' });
  expect(actor.getSnapshot().context.failure).toBeNull();
  actor.send({ type: 'edit.cancel' });
  expect(state()).toBe('viewing');
});

test('a save without a provided actor reports the missing actor', async () => {
  const actor = createActor(profileFieldMachine, { input: { value: '', draft: null } });
  actor.start();
  actor.send({ type: 'edit.open', value: '' });
  actor.send({ type: 'draft.change', text: 'Ada' });
  actor.send({ type: 'edit.save' });
  await waitFor(actor, (snapshot) => snapshot.matches('editing'));
  expect(actor.getSnapshot().context.failure).toEqual(new Error('profileField: saveField is not provided'));
});

test('a stored draft is restored, and Cancel drops it', () => {
  const { actor, state } = start(undefined, { value: 'Ada', draft: 'Grace' });
  expect(state()).toBe('editing');
  expect(actor.getSnapshot().context).toEqual({ original: 'Ada', draft: 'Grace', failure: null });
  actor.send({ type: 'edit.cancel' });
  expect(state()).toBe('viewing');
});

test.each([null, 'Ada', ' Ada '])('the field opens in its view if the draft %j changes nothing', (draft) => {
  expect(start(undefined, { value: 'Ada', draft }).state()).toBe('viewing');
});
