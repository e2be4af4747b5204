import { expect, test } from '@jest/globals';
import { DailyQuota, secondsToNextDay } from './daily.quota.js';

const dayMs = 24 * 3_600_000;
const noon = 20_000 * dayMs + dayMs / 2;

test('an owner over the quota is refused until the UTC day ends; other owners are not', () => {
  const quota = new DailyQuota(10);
  expect(quota.isSpent('one', noon)).toBe(false);
  quota.learn({ day: 20_000, owners: ['one'] });
  expect(quota.isSpent('one', noon)).toBe(true);
  expect(quota.isSpent('other', noon)).toBe(false);
  expect(quota.isSpent('one', noon + dayMs / 2 - 1)).toBe(true);
  expect(quota.isSpent('one', noon + dayMs / 2)).toBe(false);
});

test('a new day resets the quota, and a late report for the previous day changes nothing', () => {
  const quota = new DailyQuota(10);
  quota.learn({ day: 20_000, owners: ['one'] });
  quota.learn({ day: 20_001, owners: ['two'] });
  quota.learn({ day: 20_000, owners: ['three'] });
  expect(['one', 'two', 'three'].map((owner) => quota.isSpent(owner, noon + dayMs))).toEqual([
    false,
    true,
    false,
  ]);
  expect(quota.isSpent('one', noon)).toBe(false);
});

test('0 means no quota', () => {
  expect(new DailyQuota(0).perDay).toBeNull();
  expect(new DailyQuota(5).perDay).toBe(5);
});

test('Retry-After ends at the next UTC midnight, never before it', () => {
  expect(secondsToNextDay(noon)).toBe(43_200);
  expect(secondsToNextDay(20_000 * dayMs)).toBe(86_400);
  expect(secondsToNextDay(20_001 * dayMs - 1)).toBe(1);
});
