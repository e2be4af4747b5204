import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bucketSecondsFor, usageRanges } from './usage.range.js';

const day = 24 * 3_600_000;

test.each([
  [0, 1],
  [60_000, 1],
  [120_001, 5],
  [15 * 60_000, 15],
  [30 * 60_000, 15],
  [30 * 60_000 + 1, 60],
  [3_600_000, 60],
  [2 * 3_600_000, 60],
  [2 * 3_600_000 + 1, 300],
  [10 * 3_600_000, 300],
  [day, 900],
  [30 * 3_600_000, 900],
  [2 * day, 3600],
  [5 * day, 3600],
  [7 * day, 21_600],
  [30 * day, 21_600],
  [31 * day, 86_400],
  [400 * day, 86_400],
])('a range of %i ms has buckets of %i s', (rangeMs, seconds) => {
  expect(bucketSecondsFor(rangeMs)).toBe(seconds);
});

test('a range of up to 120 days has at most 120 buckets, and a longer range never has a finer step', () => {
  const range = fc.integer({ min: 1, max: 120 * day });
  fc.assert(
    fc.property(range, range, (one, other) => {
      expect(one / 1000 / bucketSecondsFor(one)).toBeLessThanOrEqual(120);
      expect(bucketSecondsFor(Math.min(one, other))).toBeLessThanOrEqual(
        bucketSecondsFor(Math.max(one, other)),
      );
    }),
  );
});

test('the Usage page offers an hour, a day, a week and a month', () => {
  expect(usageRanges).toEqual({
    '1h': 3_600_000,
    '24h': 86_400_000,
    '7d': 604_800_000,
    '30d': 2_592_000_000,
  });
});
