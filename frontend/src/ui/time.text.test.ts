import { expect, test } from '@jest/globals';
import {
  absoluteTime,
  formatAgo,
  formatDay,
  formatDuration,
  formatLeft,
  formatPercentile,
  formatSpan,
} from './time.text';

const now = Date.parse('2025-06-15T12:00:00.000Z');

test.each([
  ['2025-06-15T12:00:00.000Z', 'now'],
  ['2025-06-15T12:00:09.000Z', 'now'],
  ['2025-06-15T11:59:59.001Z', 'now'],
  ['2025-06-15T11:59:52.000Z', '8 s ago'],
  ['2025-06-15T11:59:00.001Z', '59 s ago'],
  ['2025-06-15T11:59:00.000Z', '1 min ago'],
  ['2025-06-15T11:00:01.000Z', '59 min ago'],
  ['2025-06-15T09:30:00.000Z', '2 h ago'],
  ['2025-06-10T12:00:00.000Z', '5 d ago'],
  ['2025-04-15T12:00:00.000Z', '2 mo ago'],
  ['2023-06-15T12:00:00.000Z', '2 y ago'],
  ['not a time', 'not a time'],
])('the relative time of %s reads %s', (iso, text) => {
  expect(formatAgo(iso, now)).toBe(text);
});

test('an exact time names its zone', () => {
  expect(absoluteTime('2025-06-15T12:00:07.000Z', 'UTC')).toBe('15 Jun 2025, 12:00:07 UTC');
});

test.each([
  [null, '–'],
  [0, '< 0.01 ms'],
  [0.04, '0.04 ms'],
  [0.1, '0.10 ms'],
  [0.999, '1.0 ms'],
  [3.24, '3.2 ms'],
  [9.96, '10 ms'],
  [142.4, '142 ms'],
  [999.4, '999 ms'],
  [999.6, '1.00 s'],
  [1_240, '1.24 s'],
])('a duration of %s ms reads %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [0, '0 ms'],
  [20, '20 ms'],
  [400, '400 ms'],
  [999.6, '1 s'],
  [1_250, '1.3 s'],
  [2_000, '2 s'],
])('a span of %s ms reads %s in a sentence', (ms, text) => {
  expect(formatSpan(ms)).toBe(text);
});

test('a percentile in the lowest bucket of the histogram is shown as an upper bound', () => {
  expect([null, 0.1, 0.11, 42].map((ms) => formatPercentile(ms, false))).toEqual([
    '–',
    '≤ 0.10 ms',
    '0.11 ms',
    '42 ms',
  ]);
  expect(formatPercentile(0.1, true)).toBe('0.10 ms');
});

test('a day is shown with the name of its month; text that is not a time is unchanged', () => {
  expect(formatDay('2025-11-21T12:00:00.000Z')).toBe('21 Nov 2025');
  expect(formatDay('yesterday')).toBe('yesterday');
});

test.each([
  ['2025-06-15T12:00:01.000Z', '1 s'],
  ['2025-06-15T12:00:00.001Z', '1 s'],
  ['2025-06-15T12:59:59.999Z', '1 h'],
  ['2025-06-15T12:59:58.000Z', '59 min 58 s'],
  ['2025-06-22T11:59:59.000Z', '6 d 23 h'],
  ['2026-07-16T12:00:00.000Z', '1 y 1 mo'],
  ['2025-06-22T12:00:00.000Z', '7 d'],
  ['2025-06-15T12:00:00.000Z', null],
  ['2025-06-15T11:00:00.000Z', null],
])('the time left until %s is %s', (iso, text) => {
  expect(formatLeft(iso, now)).toBe(text);
});
