import { expect, test } from '@jest/globals';
import { formatPercentile, formatShare, outcomeOf, statusWord } from './usage.format';

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

test('every status has a word', () => {
  expect([200, 404, 418, 503, 599].map(statusWord)).toEqual([
    'OK',
    'Not Found',
    'Refused',
    'Unavailable',
    'Server Error',
  ]);
});

test.each([
  ['ok', 200, { tone: 'neutral', word: 'OK' }],
  ['error', 404, { tone: 'amber', word: 'Not Found' }],
  ['error', 503, { tone: 'red', word: 'Unavailable' }],
  ['blocked', 403, { tone: 'blocked', word: 'Blocked' }],
  ['limited', 429, { tone: 'amber', word: 'Limited' }],
] as const)('a call that was %s with %s shows so', (outcome, statusCode, shown) => {
  expect(outcomeOf({ outcome, statusCode })).toEqual(shown);
});
