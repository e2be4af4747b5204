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

test('the form opens and closes without a request', () => {
  const { actor, calls, state } = start();
  actor.send({ type: 'password.submit', change });
  expect(state()).toBe('closed');
  actor.send({ type: 'form.open' });
  expect(state()).toBe('entering');
  actor.send({ type: 'form.cancel' });
  expect(state()).toBe('closed');
  expect(calls).not.toHaveBeenCalled();
});

test('a password change is sent once, can’t be cancelled during the request, and closes the form', async () => {
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

test('a rejected password change keeps the form open with its error, and closing the form clears it', async () => {
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

test('the machine keeps no password', async () => {
  const { actor } = start();
  actor.send({ type: 'form.open' });
  actor.send({ type: 'password.submit', change });
  await waitFor(actor, (snapshot) => snapshot.matches('closed'));
  expect(JSON.stringify(actor.getPersistedSnapshot())).not.toContain('password');
});

test('a password change without a provided actor reports the missing actor', async () => {
  const actor = createActor(passwordChangeMachine).start();
  actor.send({ type: 'form.open' });
  actor.send({ type: 'password.submit', change });
  await waitFor(actor, (snapshot) => snapshot.matches('entering'));
  expect(actor.getSnapshot().context.failure).toEqual(
    new Error('passwordChange: changePassword is not provided'),
  );
});
