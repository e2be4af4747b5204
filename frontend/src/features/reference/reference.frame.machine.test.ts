import { expect, test } from '@jest/globals';
import { createActor, SimulatedClock } from 'xstate';
import { referenceFrameMachine } from './reference.frame.machine';

function start() {
  const clock = new SimulatedClock();
  const actor = createActor(referenceFrameMachine, { clock }).start();
  return { actor, clock, state: () => actor.getSnapshot().value };
}

test('drawn, it stays shown whatever is said later', () => {
  const { actor, clock, state } = start();
  expect(state()).toBe('loading');
  actor.send({ type: 'reference.drawn' });
  actor.send({ type: 'reference.failed' });
  actor.send({ type: 'reference.retry' });
  clock.increment(60_000);
  expect(state()).toBe('shown');
});

test('a failure stays until it is tried again; a late word that it is drawn changes nothing', () => {
  const { actor, state } = start();
  actor.send({ type: 'reference.failed' });
  actor.send({ type: 'reference.drawn' });
  expect(state()).toBe('failed');
  actor.send({ type: 'reference.retry' });
  expect(state()).toBe('loading');
  actor.send({ type: 'reference.drawn' });
  expect(state()).toBe('shown');
});

test('not drawn within 30 s it has failed, and each try has as long', () => {
  const { actor, clock, state } = start();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    clock.increment(29_999);
    expect(state()).toBe('loading');
    clock.increment(1);
    expect(state()).toBe('failed');
    actor.send({ type: 'reference.retry' });
  }
});
