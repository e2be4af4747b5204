import { expect, test } from '@jest/globals';
import { createActor, SimulatedClock } from 'xstate';
import { configuratorFrameMachine } from './configurator.frame.machine';

test('a frame that does not answer within 10 s has failed, and Retry waits again', () => {
  const clock = new SimulatedClock();
  const actor = createActor(configuratorFrameMachine, { clock }).start();
  clock.increment(9_999);
  expect(actor.getSnapshot().matches({ connection: 'loading' })).toBe(true);
  clock.increment(1);
  expect(actor.getSnapshot().matches({ connection: 'failed' })).toBe(true);
  actor.send({ type: 'frame.retry' });
  actor.send({ type: 'frame.answer' });
  clock.increment(20_000);
  expect(actor.getSnapshot().matches({ connection: 'connected' })).toBe(true);
});

test('the frame fills the screen and leaves it, whether or not it has answered', () => {
  const actor = createActor(configuratorFrameMachine).start();
  actor.send({ type: 'screen.fill' });
  actor.send({ type: 'frame.answer' });
  expect(actor.getSnapshot().value).toEqual({ connection: 'connected', screen: 'filling' });
  actor.send({ type: 'screen.leave' });
  expect(actor.getSnapshot().matches({ screen: 'inPage' })).toBe(true);
});
