import { expect, jest, test } from '@jest/globals';
import { createActor, fromPromise, SimulatedClock, waitFor } from 'xstate';
import { avatarMachine, type AvatarNotice } from './avatar.machine';

const fileOf = (bytes: number, type = 'image/png') => new File([new Uint8Array(bytes)], 'me.png', { type });

function start(calls: { upload?: () => Promise<void>; remove?: () => Promise<void> } = {}) {
  const upload = jest.fn<(name: string) => Promise<void>>(calls.upload ?? (async () => undefined));
  const remove = jest.fn(calls.remove ?? (async () => undefined));
  const actor = createActor(
    avatarMachine.provide({
      actors: {
        uploadPicture: fromPromise<void, { file: File }>(({ input: { file } }) => upload(file.name)),
        deletePicture: fromPromise<void>(() => remove()),
      },
    }),
    { clock: new SimulatedClock() },
  );
  const notices: AvatarNotice[] = [];
  actor.on('*', (notice) => notices.push(notice));
  actor.start();
  return { actor, upload, remove, notices, state: () => actor.getSnapshot().value };
}

test('a file of 1,048,575 bytes is uploaded once, however often it is chosen, and nothing is deleted during the upload', async () => {
  let finish!: () => void;
  const { actor, upload, remove, notices, state } = start({
    upload: () => new Promise((resolve) => (finish = resolve)),
  });
  expect(state()).toBe('idle');
  actor.send({ type: 'file.choose', file: fileOf(1_048_575) });
  expect(state()).toBe('uploading');
  actor.send({ type: 'file.choose', file: fileOf(2) });
  actor.send({ type: 'picture.delete' });
  expect(state()).toBe('uploading');
  finish();
  await waitFor(actor, (snapshot) => snapshot.matches('idle'));
  expect(upload.mock.calls).toEqual([['me.png']]);
  expect(remove).not.toHaveBeenCalled();
  expect(notices).toEqual([{ type: 'picture.uploaded' }]);
});

test.each([
  [1_048_576, 'image/png', 'tooLarge'],
  [1_048_576, 'text/plain', 'tooLarge'],
  [10, 'text/plain', 'notAnImage'],
  [10, '', 'notAnImage'],
] as const)('%i bytes of type %j are rejected without a request: %s', (bytes, type, refusal) => {
  const { actor, upload, notices, state } = start();
  actor.send({ type: 'file.choose', file: fileOf(bytes, type) });
  expect(state()).toBe('idle');
  expect(upload).not.toHaveBeenCalled();
  const failure = { by: 'rule', refusal };
  expect(notices).toEqual([{ type: 'avatar.failed', failure }]);
  expect(actor.getSnapshot().context.failure).toEqual(failure);
});

test('the error of an upload is kept until the next attempt', async () => {
  const error = new Error('415: not a picture');
  const { actor, notices } = start({ upload: () => Promise.reject(error) });
  actor.send({ type: 'file.choose', file: fileOf(10) });
  await waitFor(actor, (snapshot) => snapshot.matches('idle'));
  expect(actor.getSnapshot().context.failure).toEqual({ by: 'upload', error });
  expect(notices).toEqual([{ type: 'avatar.failed', failure: { by: 'upload', error } }]);
  actor.send({ type: 'picture.delete' });
  actor.send({ type: 'deletion.confirm' });
  expect(actor.getSnapshot().context.failure).toBeNull();
});

test('a picture is deleted once, and no file is uploaded during the deletion', async () => {
  let finish!: () => void;
  const { actor, upload, remove, notices, state } = start({
    remove: () => new Promise((resolve) => (finish = resolve)),
  });
  actor.send({ type: 'picture.delete' });
  actor.send({ type: 'deletion.confirm' });
  actor.send({ type: 'deletion.confirm' });
  actor.send({ type: 'picture.delete' });
  actor.send({ type: 'file.choose', file: fileOf(10) });
  expect(state()).toBe('deleting');
  finish();
  await waitFor(actor, (snapshot) => snapshot.matches('idle'));
  expect(remove).toHaveBeenCalledTimes(1);
  expect(upload).not.toHaveBeenCalled();
  expect(notices).toEqual([{ type: 'picture.deleted' }]);
});

test('a picture is deleted only after confirmation, and cancelling deletes nothing', () => {
  const { actor, remove, notices, state } = start();
  actor.send({ type: 'deletion.confirm' });
  expect(state()).toBe('idle');
  actor.send({ type: 'picture.delete' });
  expect(state()).toBe('confirming');
  actor.send({ type: 'deletion.cancel' });
  expect(state()).toBe('idle');
  expect(remove).not.toHaveBeenCalled();
  expect(notices).toEqual([]);
});

test('the error of a deletion is kept and reported', async () => {
  const error = new Error('503: not now');
  const { actor, notices } = start({ remove: () => Promise.reject(error) });
  actor.send({ type: 'picture.delete' });
  actor.send({ type: 'deletion.confirm' });
  await waitFor(actor, (snapshot) => snapshot.matches('idle'));
  expect(actor.getSnapshot().context.failure).toEqual({ by: 'deletion', error });
  expect(notices).toEqual([{ type: 'avatar.failed', failure: { by: 'deletion', error } }]);
});

test('an upload and a deletion without provided actors report the missing actors', async () => {
  const actor = createActor(avatarMachine);
  actor.start();
  actor.send({ type: 'file.choose', file: fileOf(10) });
  await waitFor(actor, (snapshot) => snapshot.matches('idle'));
  expect(actor.getSnapshot().context.failure).toEqual({
    by: 'upload',
    error: new Error('avatar: uploadPicture is not provided'),
  });
  actor.send({ type: 'picture.delete' });
  actor.send({ type: 'deletion.confirm' });
  await waitFor(actor, (snapshot) => snapshot.matches('idle'));
  expect(actor.getSnapshot().context.failure).toEqual({
    by: 'deletion',
    error: new Error('avatar: deletePicture is not provided'),
  });
});
