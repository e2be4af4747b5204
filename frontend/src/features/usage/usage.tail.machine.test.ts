import { expect, test } from '@jest/globals';
import { createActor } from 'xstate';
import { usageTailMachine } from './usage.tail.machine';

function start() {
  const actor = createActor(usageTailMachine);
  actor.start();
  return { actor, state: () => actor.getSnapshot().value, context: () => actor.getSnapshot().context };
}

test('the list follows at first and has no unseen calls', () => {
  const { actor, state, context } = start();
  actor.send({ type: 'rows.arrive', count: 12 });
  actor.send({ type: 'rows.skip' });
  expect(state()).toBe('following');
  expect(context()).toEqual({ unseen: 0, isUnseenExact: true });
});

test('a paused list counts new calls, and knows if the count is not exact', () => {
  const { actor, state, context } = start();
  actor.send({ type: 'tail.pause' });
  actor.send({ type: 'rows.arrive', count: 100 });
  actor.send({ type: 'rows.arrive', count: 28 });
  expect(state()).toEqual({ paused: 'held' });
  expect(context()).toEqual({ unseen: 128, isUnseenExact: true });
  actor.send({ type: 'rows.skip' });
  expect(context()).toEqual({ unseen: 128, isUnseenExact: false });
});

test('a resumed list has no unseen calls', () => {
  const { actor, state, context } = start();
  actor.send({ type: 'tail.pause' });
  actor.send({ type: 'rows.arrive', count: 3 });
  actor.send({ type: 'rows.skip' });
  actor.send({ type: 'tail.resume' });
  expect(state()).toBe('following');
  expect(context()).toEqual({ unseen: 0, isUnseenExact: true });
});

test('another view is followed, even if the list was paused before', () => {
  const { actor, state, context } = start();
  actor.send({ type: 'view.change' });
  expect(state()).toBe('following');
  actor.send({ type: 'tail.pause' });
  actor.send({ type: 'rows.arrive', count: 3 });
  actor.send({ type: 'view.change' });
  expect(state()).toBe('following');
  expect(context()).toEqual({ unseen: 0, isUnseenExact: true });
});

test('the list offers only Pause while following and only Resume while paused', () => {
  const { actor } = start();
  const can = () =>
    (['tail.pause', 'tail.resume'] as const).filter((type) => actor.getSnapshot().can({ type }));
  expect(can()).toEqual(['tail.pause']);
  actor.send({ type: 'tail.pause' });
  expect(can()).toEqual(['tail.resume']);
});

test('closing the call that paused the list makes it follow again', () => {
  const { actor, state, context } = start();
  actor.send({ type: 'call.press' });
  actor.send({ type: 'rows.arrive', count: 3 });
  expect(state()).toEqual({ paused: 'forCall' });
  expect(context()).toEqual({ unseen: 3, isUnseenExact: true });
  actor.send({ type: 'call.close' });
  expect(state()).toBe('following');
  expect(context()).toEqual({ unseen: 0, isUnseenExact: true });
});

test('closing a call does not end a pause that the user requested', () => {
  const { actor, state } = start();
  actor.send({ type: 'tail.pause' });
  actor.send({ type: 'call.press' });
  actor.send({ type: 'call.close' });
  expect(state()).toEqual({ paused: 'held' });
  actor.send({ type: 'tail.resume' });
  actor.send({ type: 'call.press' });
  actor.send({ type: 'tail.pause' });
  actor.send({ type: 'call.close' });
  expect(state()).toEqual({ paused: 'held' });
});
