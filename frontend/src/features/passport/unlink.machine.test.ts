import { expect, jest, test } from '@jest/globals';
import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { createActor, fromPromise, waitFor } from 'xstate';
import { HttpError } from '../../api/http';
import { unlinkMachine } from './unlink.machine';

const method = (provider: SignInMethod['provider']): SignInMethod => ({
  id: `${provider}-1`,
  provider,
  label: 'ann@example.com',
  isVerified: true,
  linkedAt: '2026-01-01T00:00:00.000Z',
});

function start(remove: (method: SignInMethod) => Promise<void> = async () => undefined) {
  const calls = jest.fn(remove);
  const actor = createActor(
    unlinkMachine.provide({
      actors: { removeMethod: fromPromise<void, SignInMethod>(({ input }) => calls(input)) },
    }),
  );
  const removed: SignInMethod[] = [];
  actor.on('method.removed', (notice) => removed.push(notice.method));
  actor.start();
  return { actor, calls, removed, state: () => actor.getSnapshot().value };
}

test('a method is removed only after confirmation', () => {
  const { actor, calls, state } = start();
  actor.send({ type: 'removal.confirm' });
  expect(state()).toBe('closed');
  actor.send({ type: 'method.remove', method: method('google') });
  expect(state()).toBe('confirming');
  actor.send({ type: 'method.remove', method: method('apple') });
  expect(actor.getSnapshot().context.method?.provider).toBe('google');
  actor.send({ type: 'removal.cancel' });
  expect(state()).toBe('closed');
  expect(calls).not.toHaveBeenCalled();
});

test('a confirmed method is removed once, and the removal can’t be cancelled', async () => {
  let finish!: () => void;
  const { actor, calls, removed, state } = start(() => new Promise<void>((resolve) => (finish = resolve)));
  actor.send({ type: 'method.remove', method: method('google') });
  actor.send({ type: 'removal.confirm' });
  actor.send({ type: 'removal.confirm' });
  actor.send({ type: 'removal.cancel' });
  expect(state()).toBe('removing');
  finish();
  await waitFor(actor, (snapshot) => snapshot.matches('closed'));
  expect(calls.mock.calls).toEqual([[method('google')]]);
  expect(removed).toEqual([method('google')]);
});

test('the error of a removal stays in the dialog until a retry, and isn’t shown for another method', async () => {
  const failure = new Error('409: last one');
  const { actor, removed, state } = start(() => Promise.reject(failure));
  actor.send({ type: 'method.remove', method: method('email') });
  actor.send({ type: 'removal.confirm' });
  await waitFor(actor, (snapshot) => snapshot.matches('confirming'));
  expect(actor.getSnapshot().context.failure).toBe(failure);
  actor.send({ type: 'removal.confirm' });
  expect([state(), actor.getSnapshot().context.failure]).toEqual(['removing', null]);
  await waitFor(actor, (snapshot) => snapshot.matches('confirming'));
  actor.send({ type: 'removal.cancel' });
  actor.send({ type: 'method.remove', method: method('wallet') });
  expect(actor.getSnapshot().context).toEqual({ method: method('wallet'), failure: null });
  expect(removed).toEqual([]);
});

test('a removal without a provided actor reports the missing actor', async () => {
  const actor = createActor(unlinkMachine).start();
  actor.send({ type: 'method.remove', method: method('apple') });
  actor.send({ type: 'removal.confirm' });
  await waitFor(actor, (snapshot) => snapshot.matches('confirming'));
  expect(actor.getSnapshot().context.failure).toEqual(new Error('unlink: removeMethod is not provided'));
});

test('a removal that requires confirmation closes its dialog and continues once the user has confirmed', async () => {
  const refusal = new HttpError(
    403,
    JSON.stringify({ code: 'auth.proofRequired', message: 'Confirm it is you' }),
  );
  let isProven = false;
  const { actor, calls, removed, state } = start(async () => {
    if (!isProven) throw refusal;
  });
  actor.send({ type: 'method.remove', method: method('google') });
  actor.send({ type: 'removal.confirm' });
  await waitFor(actor, (snapshot) => snapshot.matches('unproven'));
  expect([removed, actor.getSnapshot().context.failure]).toEqual([[], null]);
  isProven = true;
  actor.send({ type: 'proof.made' });
  expect(state()).toBe('removing');
  await waitFor(actor, (snapshot) => snapshot.matches('closed'));
  expect([calls.mock.calls.length, removed]).toEqual([2, [method('google')]]);
});

test('a removal that waits for confirmation can be replaced by another one', async () => {
  const refusal = new HttpError(403, JSON.stringify({ code: 'auth.proofRequired' }));
  const { actor, calls, state } = start(() => Promise.reject(refusal));
  actor.send({ type: 'method.remove', method: method('google') });
  actor.send({ type: 'removal.confirm' });
  await waitFor(actor, (snapshot) => snapshot.matches('unproven'));
  actor.send({ type: 'method.remove', method: method('apple') });
  expect([state(), actor.getSnapshot().context.method?.provider]).toEqual(['confirming', 'apple']);
  actor.send({ type: 'removal.cancel' });
  actor.send({ type: 'proof.made' });
  expect([state(), calls.mock.calls.length]).toEqual(['closed', 1]);
});
