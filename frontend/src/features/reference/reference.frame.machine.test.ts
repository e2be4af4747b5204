import { expect, test } from '@jest/globals';
import { createActor, SimulatedClock } from 'xstate';
import { referenceFrameMachine } from './reference.frame.machine';

function start() {
  const clock = new SimulatedClock();
  const actor = createActor(referenceFrameMachine, { clock }).start();
  return { actor, clock, state: () => actor.getSnapshot().value };
}

test('the reference stays shown once it has rendered, whatever is reported later', () => {
  const { actor, clock, state } = start();
  expect(state()).toBe('loading');
  actor.send({ type: 'reference.drawn' });
  actor.send({ type: 'reference.failed' });
  actor.send({ type: 'reference.retry' });
  clock.increment(60_000);
  expect(state()).toBe('shown');
});

test('the reference stays failed until a retry, even if it reports later that it has rendered', () => {
  const { actor, state } = start();
  actor.send({ type: 'reference.failed' });
  actor.send({ type: 'reference.drawn' });
  expect(state()).toBe('failed');
  actor.send({ type: 'reference.retry' });
  expect(state()).toBe('loading');
  actor.send({ type: 'reference.drawn' });
  expect(state()).toBe('shown');
});

test('the reference fails if it has not rendered within 30 s, and so does each retry', () => {
  const { actor, clock, state } = start();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    clock.increment(29_999);
    expect(state()).toBe('loading');
    clock.increment(1);
    expect(state()).toBe('failed');
    actor.send({ type: 'reference.retry' });
  }
});
