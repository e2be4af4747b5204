import { expect, jest, test } from '@jest/globals';
import type { PasswordChange } from '@orange-id/contract/identity.schema';
import { createActor, fromPromise, waitFor } from 'xstate';
import { passwordChangeMachine } from './password.change.machine';

const change: PasswordChange = {
  currentPassword: 'old password',
  password: 'new password',
  passwordConfirm: 'new password',
};

function start(work: (change: PasswordChange) => Promise<void> = async () => undefined) {
  const calls = jest.fn(work);
  const actor = createActor(
    passwordChangeMachine.provide({
      actors: { changePassword: fromPromise<void, PasswordChange>(({ input }) => calls(input)) },
    }),
  );
  const changed = jest.fn();
  actor.on('password.changed', changed);
  actor.start();
  return { actor, calls, changed, state: () => actor.getSnapshot().value };
}

test('the form opens and closes without a call', () => {
  const { actor, calls, state } = start();
  actor.send({ type: 'password.submit', change });
  expect(state()).toBe('closed');
  actor.send({ type: 'form.open' });
  expect(state()).toBe('entering');
  actor.send({ type: 'form.cancel' });
  expect(state()).toBe('closed');
  expect(calls).not.toHaveBeenCalled();
});

test('a change is sent once, cannot be cancelled on the way, and closes the form', async () => {
  let finish!: () => void;
  const { actor, calls, changed, state } = start(() => new Promise((resolve) => (finish = resolve)));
  actor.send({ type: 'form.open' });
  actor.send({ type: 'password.submit', change });
  actor.send({ type: 'password.submit', change });
  actor.send({ type: 'form.cancel' });
  expect(state()).toBe('changing');
  finish();
  await waitFor(actor, (snapshot) => snapshot.matches('closed'));
  expect(calls.mock.calls).toEqual([[change]]);
  expect(changed).toHaveBeenCalledTimes(1);
});

test('a refusal keeps the form open with its reason, which closing forgets', async () => {
  const failure = new Error('403: wrong');
  const { actor, changed } = start(() => Promise.reject(failure));
  actor.send({ type: 'form.open' });
  actor.send({ type: 'password.submit', change });
  await waitFor(actor, (snapshot) => snapshot.matches('entering'));
  expect(actor.getSnapshot().context).toEqual({ failure });
  actor.send({ type: 'form.cancel' });
  expect(actor.getSnapshot().context).toEqual({ failure: null });
  expect(changed).not.toHaveBeenCalled();
});

test('no password is kept in the machine', async () => {
  const { actor } = start();
  actor.send({ type: 'form.open' });
  actor.send({ type: 'password.submit', change });
  await waitFor(actor, (snapshot) => snapshot.matches('closed'));
  expect(JSON.stringify(actor.getPersistedSnapshot())).not.toContain('password');
});

test('without a provided actor a change fails loudly', async () => {
  const actor = createActor(passwordChangeMachine).start();
  actor.send({ type: 'form.open' });
  actor.send({ type: 'password.submit', change });
  await waitFor(actor, (snapshot) => snapshot.matches('entering'));
  expect(actor.getSnapshot().context.failure).toEqual(
    new Error('passwordChange: changePassword is not provided'),
  );
});
