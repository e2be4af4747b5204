import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createThrottle } from './refresh.throttle';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function start() {
  const answers: (() => void)[] = [];
  const refresh = jest.fn(() => new Promise<void>((resolve) => answers.push(resolve)));
  return { refresh, answer: () => answers.shift()?.(), throttle: createThrottle(refresh, 2_000) };
}
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test('the throttle refreshes at once when first asked, and 2 s later once for all later requests', async () => {
  const { refresh, answer, throttle } = start();
  throttle.ask();
  expect(refresh).toHaveBeenCalledTimes(1);
  answer();
  for (let i = 0; i < 50; i++) throttle.ask();
  await pass(1_999);
  expect(refresh).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(refresh).toHaveBeenCalledTimes(2);
  answer();
  await pass(60_000);
  expect(refresh).toHaveBeenCalledTimes(2);
});

test('the throttle pauses three times as long as a slow refresh took', async () => {
  const { refresh, answer, throttle } = start();
  throttle.ask();
  await pass(1_500);
  throttle.ask();
  answer();
  await pass(4_499);
  expect(refresh).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(refresh).toHaveBeenCalledTimes(2);
});

test('the throttle waits for a very slow refresh and starts the next at most 10 s later', async () => {
  const { refresh, answer, throttle } = start();
  throttle.ask();
  await pass(10_000);
  throttle.ask();
  await pass(10_000);
  expect(refresh).toHaveBeenCalledTimes(1);
  answer();
  await pass(10_000);
  expect(refresh).toHaveBeenCalledTimes(2);
});

test('the throttle continues after a failed refresh', async () => {
  const refresh = jest.fn(() => Promise.reject(new Error('503')));
  const throttle = createThrottle(refresh, 2_000);
  throttle.ask();
  throttle.ask();
  await pass(2_000);
  expect(refresh).toHaveBeenCalledTimes(2);
});

test('a stopped throttle no longer refreshes', async () => {
  const { refresh, answer, throttle } = start();
  throttle.ask();
  throttle.ask();
  throttle.stop();
  answer();
  await pass(60_000);
  throttle.ask();
  expect(refresh).toHaveBeenCalledTimes(1);
});
