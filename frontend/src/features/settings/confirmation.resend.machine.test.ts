import { expect, jest, test } from '@jest/globals';
import { createActor, fromPromise, waitFor } from 'xstate';
import { confirmationResendMachine } from './confirmation.resend.machine';

function start(request: () => Promise<void>) {
  const calls = jest.fn(request);
  const actor = createActor(
    confirmationResendMachine.provide({ actors: { requestLink: fromPromise(() => calls()) } }),
  ).start();
  return { actor, calls };
}

test('a confirmation link is requested once at a time, and can be requested again once sent', async () => {
  const { actor, calls } = start(async () => undefined);
  actor.send({ type: 'link.request' });
  actor.send({ type: 'link.request' });
  await waitFor(actor, (snapshot) => snapshot.matches('sent'));
  expect(calls).toHaveBeenCalledTimes(1);
  actor.send({ type: 'link.request' });
  expect(actor.getSnapshot().value).toBe('sending');
  await waitFor(actor, (snapshot) => snapshot.matches('sent'));
  expect(calls).toHaveBeenCalledTimes(2);
});

test('the error of a request is kept until the next attempt', async () => {
  const { actor } = start(() => Promise.reject(new Error('429: later')));
  actor.send({ type: 'link.request' });
  await waitFor(actor, (snapshot) => snapshot.matches('waiting'));
  expect(actor.getSnapshot().context.failure).toEqual(new Error('429: later'));
  actor.send({ type: 'link.request' });
  expect(actor.getSnapshot().context.failure).toBeNull();
});

test('a request without a provided actor reports the missing actor', async () => {
  const actor = createActor(confirmationResendMachine).start();
  actor.send({ type: 'link.request' });
  await waitFor(actor, (snapshot) => snapshot.matches('waiting'));
  expect(actor.getSnapshot().context.failure).toEqual(
    new Error('confirmationResend: requestLink is not provided'),
  );
});
