import { expect, test } from '@jest/globals';
import { createActor, fromPromise, waitFor } from 'xstate';
import { freshProofMachine, type WantedMethod } from './fresh.proof.machine';

function start(read: () => Promise<boolean>, method: WantedMethod = null) {
  const actor = createActor(freshProofMachine.provide({ actors: { readProof: fromPromise(read) } }), {
    input: { wanted: method },
  });
  let made = 0;
  let wanted = 0;
  actor.on('proof.made', () => (made += 1));
  actor.on('proof.wanted', () => (wanted += 1));
  actor.start();
  expect(actor.getSnapshot().value).toBe('waiting');
  actor.send({ type: 'browser.settled' });
  return { actor, state: () => actor.getSnapshot().value, made: () => made, wanted: () => wanted };
}

test('a browser with a fresh proof needs no confirmation until the service rejects a change', async () => {
  const { actor, state, made } = start(async () => true);
  expect(state()).toBe('checking');
  await waitFor(actor, (snapshot) => snapshot.matches('fresh'));
  actor.send({ type: 'proof.made' });
  expect(made()).toBe(0);
  actor.send({ type: 'proof.refused', wanted: null });
  expect(state()).toBe('stale');
  actor.send({ type: 'proof.made' });
  expect([state(), made()]).toEqual(['fresh', 1]);
});

test('a browser with an expired proof needs confirmation at once', async () => {
  const { actor, state, wanted } = start(async () => false);
  await waitFor(actor, (snapshot) => snapshot.matches('stale'));
  expect(wanted()).toBe(0);
  actor.send({ type: 'proof.refused', wanted: null });
  expect([state(), wanted()]).toEqual(['stale', 1]);
});

test('a browser bound on a retry has its proof checked again', async () => {
  const answers = [false, true];
  const { actor, state } = start(async () => answers.shift() ?? false);
  await waitFor(actor, (snapshot) => snapshot.matches('stale'));
  actor.send({ type: 'browser.settled' });
  expect(state()).toBe('checking');
  await waitFor(actor, (snapshot) => snapshot.matches('fresh'));
});

test('a browser bound while its proof is being checked has it checked again', async () => {
  const answers: ((isFresh: boolean) => void)[] = [];
  const { actor } = start(() => new Promise((answer) => answers.push(answer)));
  actor.send({ type: 'browser.settled' });
  expect(answers).toHaveLength(2);
  answers[0]?.(false);
  answers[1]?.(true);
  await waitFor(actor, (snapshot) => !snapshot.matches('checking'));
  expect(actor.getSnapshot().value).toBe('fresh');
});

test('a browser whose proof can’t be checked needs no confirmation, because the service decides', async () => {
  const { actor } = start(() => Promise.reject(new Error('404')));
  await waitFor(actor, (snapshot) => snapshot.matches('fresh'));
});

test('a browser needs no confirmation if no actor is provided to check its proof', async () => {
  const actor = createActor(freshProofMachine, { input: { wanted: null } }).start();
  actor.send({ type: 'browser.settled' });
  await waitFor(actor, (snapshot) => snapshot.matches('fresh'));
});

test('the method to add is kept until the user has confirmed', async () => {
  const { actor, wanted } = start(async () => false, 'google');
  await waitFor(actor, (snapshot) => snapshot.matches('stale'));
  actor.send({ type: 'proof.made' });
  expect(actor.getSnapshot().context.wanted).toBe('google');
  actor.send({ type: 'proof.refused', wanted: 'email' });
  expect([actor.getSnapshot().context.wanted, wanted()]).toEqual(['email', 1]);
});

test('a removal that requires confirmation clears the method to add', async () => {
  const { actor } = start(async () => true, 'google');
  await waitFor(actor, (snapshot) => snapshot.matches('fresh'));
  actor.send({ type: 'proof.refused', wanted: null });
  actor.send({ type: 'proof.made' });
  expect(actor.getSnapshot().context.wanted).toBeNull();
});
