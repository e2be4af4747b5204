import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createFrameBatch } from './frame.batch';

let frames: Map<number, () => void>;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['requestAnimationFrame', 'cancelAnimationFrame'] });
  frames = new Map();
  let last = 0;
  globalThis.requestAnimationFrame = (run) => {
    frames.set(++last, () => run(0));
    return last;
  };
  globalThis.cancelAnimationFrame = (id) => void frames.delete(id);
});
afterEach(() => void jest.useRealTimers());

function start() {
  const delivered: number[][] = [];
  return { delivered, batch: createFrameBatch<number>((items) => delivered.push(items)) };
}
/** Runs a frame and the task scheduled after it. */
function drawFrame() {
  [...frames.values()].forEach((run) => run());
  jest.advanceTimersByTime(0);
}

test('items of one frame are delivered together, in order', () => {
  const { delivered, batch } = start();
  batch.add([1, 2]);
  batch.add([3]);
  expect(delivered).toEqual([]);
  drawFrame();
  expect(delivered).toEqual([[1, 2, 3]]);
  batch.add([4]);
  drawFrame();
  expect(delivered).toEqual([[1, 2, 3], [4]]);
});

test('items are delivered in a separate task after the frame', () => {
  const { delivered, batch } = start();
  batch.add([1]);
  [...frames.values()].forEach((run) => run());
  expect(delivered).toEqual([]);
  batch.add([2]);
  jest.advanceTimersByTime(0);
  expect(delivered).toEqual([[1, 2]]);
});

test('items are not delivered if the batch is cancelled after the frame', () => {
  const { delivered, batch } = start();
  batch.add([1]);
  [...frames.values()].forEach((run) => run());
  batch.cancel();
  jest.advanceTimersByTime(1_000);
  expect(delivered).toEqual([]);
});

test('items reach a hidden page, which has no frames, within half a second', () => {
  const { delivered, batch } = start();
  batch.add([1]);
  jest.advanceTimersByTime(499);
  batch.add([2]);
  expect(delivered).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(delivered).toEqual([[1, 2]]);
  expect(frames.size).toBe(0);
});

test('flushed items are not delivered again', () => {
  const { delivered, batch } = start();
  batch.add([1]);
  batch.flush();
  drawFrame();
  jest.advanceTimersByTime(1_000);
  batch.flush();
  expect(delivered).toEqual([[1]]);
});

test('items are not delivered after a cancel', () => {
  const { delivered, batch } = start();
  batch.add([1]);
  batch.cancel();
  drawFrame();
  jest.advanceTimersByTime(1_000);
  expect(delivered).toEqual([]);
});
