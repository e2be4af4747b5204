import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { onUtcMidnight, utcDayOf } from './utc.day';

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-11-21T23:59:58.500Z') }));
afterEach(() => void jest.useRealTimers());

test('a day starts at midnight UTC, in any time zone of the browser', () => {
  expect(utcDayOf(Date.parse('2026-11-21T23:59:59.999Z'))).toBe('2026-11-21');
  expect(utcDayOf(Date.parse('2026-11-22T00:00:00.000+02:00'))).toBe('2026-11-21');
  expect(utcDayOf(Date.parse('2026-11-22T00:00:00.000Z'))).toBe('2026-11-22');
});

test('each UTC midnight calls the listener once, until it unsubscribes', () => {
  const days: string[] = [];
  const stop = onUtcMidnight(() => days.push(utcDayOf(Date.now())));
  jest.advanceTimersByTime(1_499);
  expect(days).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(days).toEqual(['2026-11-22']);
  jest.advanceTimersByTime(2 * 86_400_000);
  expect(days).toEqual(['2026-11-22', '2026-11-23', '2026-11-24']);
  stop();
  jest.advanceTimersByTime(86_400_000);
  expect(days).toHaveLength(3);
});
