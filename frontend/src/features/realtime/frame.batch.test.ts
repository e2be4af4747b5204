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
/** Draws a frame and lets what was put off until after it run. */
function drawFrame() {
  [...frames.values()].forEach((run) => run());
  jest.advanceTimersByTime(0);
}

test('everything of one frame is delivered together, in order', () => {
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

test('delivery is a task of its own, after the frame', () => {
  const { delivered, batch } = start();
  batch.add([1]);
  [...frames.values()].forEach((run) => run());
  expect(delivered).toEqual([]);
  batch.add([2]);
  jest.advanceTimersByTime(0);
  expect(delivered).toEqual([[1, 2]]);
});

test('cancelled after the frame, nothing is delivered', () => {
  const { delivered, batch } = start();
  batch.add([1]);
  [...frames.values()].forEach((run) => run());
  batch.cancel();
  jest.advanceTimersByTime(1_000);
  expect(delivered).toEqual([]);
});

test('a hidden page, which draws no frame, is told within half a second', () => {
  const { delivered, batch } = start();
  batch.add([1]);
  jest.advanceTimersByTime(499);
  batch.add([2]);
  expect(delivered).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(delivered).toEqual([[1, 2]]);
  expect(frames.size).toBe(0);
});

test('flushed at once, nothing is delivered twice', () => {
  const { delivered, batch } = start();
  batch.add([1]);
  batch.flush();
  drawFrame();
  jest.advanceTimersByTime(1_000);
  batch.flush();
  expect(delivered).toEqual([[1]]);
});

test('cancelled, nothing is delivered', () => {
  const { delivered, batch } = start();
  batch.add([1]);
  batch.cancel();
  drawFrame();
  jest.advanceTimersByTime(1_000);
  expect(delivered).toEqual([]);
});
