import { expect, test } from '@jest/globals';
import { createActor, fromPromise, waitFor } from 'xstate';
import { browserBindingMachine } from './browser.binding.machine';

test('the browser is bound when the page opens', async () => {
  const actor = createActor(
    browserBindingMachine.provide({ actors: { bindBrowser: fromPromise<void>(async () => undefined) } }),
  ).start();
  expect(actor.getSnapshot().value).toBe('binding');
  await waitFor(actor, (snapshot) => snapshot.matches('bound'));
  expect(actor.getSnapshot().can({ type: 'binding.retry' })).toBe(false);
});

test('the error of a binding is kept until a retry succeeds', async () => {
  const outcomes = [Promise.reject(new Error('503: later')), Promise.resolve()];
  const actor = createActor(
    browserBindingMachine.provide({
      actors: {
        bindBrowser: fromPromise<void>(() => outcomes.shift() ?? Promise.reject(new Error('asked again'))),
      },
    }),
  ).start();
  await waitFor(actor, (snapshot) => snapshot.matches('unbound'));
  expect(actor.getSnapshot().context.failure).toEqual(new Error('503: later'));
  actor.send({ type: 'binding.retry' });
  await waitFor(actor, (snapshot) => snapshot.matches('bound'));
  expect(actor.getSnapshot().context.failure).toBeNull();
});

test('a binding without a provided actor reports the missing actor', async () => {
  const actor = createActor(browserBindingMachine).start();
  await waitFor(actor, (snapshot) => snapshot.matches('unbound'));
  expect(actor.getSnapshot().context.failure).toEqual(
    new Error('browserBinding: bindBrowser is not provided'),
  );
});
