import { expect, test } from '@jest/globals';
import { DailyQuota, secondsToNextDay } from './daily.quota.js';

const dayMs = 24 * 3_600_000;
const noon = 20_000 * dayMs + dayMs / 2;

test('an owner over the quota is refused until the UTC day ends; other owners are not', () => {
  const quota = new DailyQuota({ USAGE_DAILY_QUOTA: 10 });
  expect(quota.isSpent('one', noon, null)).toBe(false);
  quota.learn({ day: 20_000, owners: { one: 10 } });
  expect(quota.isSpent('one', noon, null)).toBe(true);
  expect(quota.isSpent('other', noon, null)).toBe(false);
  expect(quota.isSpent('one', noon + dayMs / 2 - 1, null)).toBe(true);
  expect(quota.isSpent('one', noon + dayMs / 2, null)).toBe(false);
});

test('a new day resets the quota, and a late report for the previous day changes nothing', () => {
  const quota = new DailyQuota({ USAGE_DAILY_QUOTA: 10 });
  quota.learn({ day: 20_000, owners: { one: 10 } });
  quota.learn({ day: 20_001, owners: { two: 10 } });
  quota.learn({ day: 20_000, owners: { three: 10 } });
  expect(['one', 'two', 'three'].map((owner) => quota.isSpent(owner, noon + dayMs, null))).toEqual([
    false,
    true,
    false,
  ]);
  expect(quota.isSpent('one', noon, null)).toBe(false);
});

test('an owner’s own quota replaces the portal’s, 0 is none, and a quota that is raised after it was reached counts again', () => {
  const quota = new DailyQuota({ USAGE_DAILY_QUOTA: 10 });
  expect([quota.of(null), quota.of(3), quota.of(0)]).toEqual([10, 3, null]);
  quota.learn({ day: 20_000, owners: { one: 3 } });
  const isSpent = (own: number | null) => quota.isSpent('one', noon, own);
  expect([isSpent(3), isSpent(2), isSpent(4), isSpent(0), isSpent(null)]).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  quota.learn({ day: 20_000, owners: null });
  expect(isSpent(3)).toBe(true);
});

test('0 means no quota', () => {
  expect(new DailyQuota({ USAGE_DAILY_QUOTA: 0 }).perDay).toBeNull();
  expect(new DailyQuota({ USAGE_DAILY_QUOTA: 5 }).perDay).toBe(5);
});

test('Retry-After ends at the next UTC midnight, never before it', () => {
  expect(secondsToNextDay(noon)).toBe(43_200);
  expect(secondsToNextDay(20_000 * dayMs)).toBe(86_400);
  expect(secondsToNextDay(20_001 * dayMs - 1)).toBe(1);
});
