import { expect, test } from '@jest/globals';
import { formatPercentile, formatShare } from './usage.format';

test('a percentile in the lowest bucket of the histogram is a bound', () => {
  expect([null, 0.1, 0.11, 42].map((ms) => formatPercentile(ms, false))).toEqual([
    '–',
    '≤ 0.10 ms',
    '0.11 ms',
    '42 ms',
  ]);
  expect(formatPercentile(0.1, true)).toBe('0.10 ms');
});

test.each([
  [0, 0, '0 %'],
  [0, 10, '0 %'],
  [21, 1000, '2.1 %'],
  [1, 1_000_000, '< 0.1 %'],
  [5, 5, '100 %'],
])('%s of %s reads %s', (part, of, text) => {
  expect(formatShare(part, of)).toBe(text);
});
