import { expect, test } from '@jest/globals';
import { createActor, fromPromise } from 'xstate';
import { HttpError } from '../../api/http';
import { deleteAccountMachine } from './delete.account.machine';

const unproven = new HttpError(403, JSON.stringify({ code: 'auth.proofRequired' }));

/** Starts the machine with the responses to its two requests. */
function start({
  proof = () => Promise.resolve(true),
  remove = () => Promise.resolve(),
}: {
  proof?: () => Promise<boolean>;
  remove?: () => Promise<void>;
} = {}) {
  const reported: string[] = [];
  let requests = 0;
  const actor = createActor(
    deleteAccountMachine.provide({
      actors: {
        readProof: fromPromise(() => proof()),
        deleteAccount: fromPromise(() => {
          requests += 1;
          return remove();
        }),
      },
    }),
  );
  actor.on('account.deleted', ({ type }) => reported.push(type));
  actor.start();
  const settle = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return actor.getSnapshot().value;
  };
  const open = () => {
    actor.send({ type: 'deletion.open' });
    return settle();
  };
  const confirm = (word: string) => {
    actor.send({ type: 'deletion.confirm', word });
    return settle();
  };
  return { actor, reported, open, confirm, settle, requests: () => requests };
}

test('a recent confirmation and the word delete the account, which is reported once', async () => {
  const { open, confirm, reported, requests } = start();
  expect(await open()).toBe('confirming');
  expect(await confirm(' DELETE ')).toBe('deleted');
  expect([reported, requests()]).toEqual([['account.deleted'], 1]);
});

test('another word deletes nothing, and the right one still can', async () => {
  const { actor, open, confirm, requests } = start();
  await open();
  expect(await confirm('delete it')).toBe('confirming');
  expect([actor.getSnapshot().context.isWordWrong, requests()]).toEqual([true, 0]);
  expect(await confirm('delete')).toBe('deleted');
});

test.each([
  ['the check finds none', { proof: () => Promise.resolve(false) }, ''],
  ['the server wants one', { remove: () => Promise.reject(unproven) }, 'delete'],
])('a confirmation is asked for if %s', async (_, responses, word) => {
  const { actor, open, confirm, settle, reported } = start(responses);
  await open();
  if (word !== '') await confirm(word);
  expect(actor.getSnapshot().value).toBe('unproven');
  // The word does not replace it.
  expect(await confirm('delete')).toBe('unproven');
  actor.send({ type: 'deletion.cancel' });
  expect(await settle()).toBe('closed');
  expect(reported).toEqual([]);
});

test('the server decides if the check fails', async () => {
  const { open, confirm } = start({ proof: () => Promise.reject(new Error('unreachable')) });
  expect(await open()).toBe('confirming');
  expect(await confirm('delete')).toBe('deleted');
});

test('a failure stays until the next attempt and is gone when the dialog opens again', async () => {
  const failure = new Error('unreachable');
  const { actor, open, confirm, settle } = start({ remove: () => Promise.reject(failure) });
  await open();
  expect(await confirm('delete')).toBe('confirming');
  expect(actor.getSnapshot().context.failure).toBe(failure);
  actor.send({ type: 'deletion.cancel' });
  await settle();
  await open();
  expect(actor.getSnapshot().context).toEqual({ failure: null, isWordWrong: false });
});

test('a request that is under way can be neither cancelled nor repeated', async () => {
  const { actor, open, confirm, requests } = start({ remove: () => new Promise(() => undefined) });
  await open();
  expect(await confirm('delete')).toBe('deleting');
  actor.send({ type: 'deletion.cancel' });
  expect(await confirm('delete')).toBe('deleting');
  expect([actor.getSnapshot().hasTag('busy'), requests()]).toEqual([true, 1]);
});
