import { expect, test } from '@jest/globals';
import { backoffMs } from './backoff.rule';

test('the backoff doubles from half a second to 4 s, with half of it random', () => {
  expect([1, 2, 3, 7, 50].map((attempt) => backoffMs(attempt, 1))).toEqual([500, 1000, 2000, 4000, 4000]);
  expect([1, 2, 50].map((attempt) => backoffMs(attempt, 0))).toEqual([250, 500, 2000]);
});
