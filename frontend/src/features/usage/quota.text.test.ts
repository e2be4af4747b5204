import { expect, test } from '@jest/globals';
import { quotaText, quotaWarning } from './quota.text';

test('the quota text says how much is used, what does not count and when it resets', () => {
  expect(quotaText({ calls: 12_345, quota: 1_000_000 })).toBe(
    'Daily quota: 12,345 of 1,000,000 used. Calls rejected with 401, 403 or 429 don’t count. Resets at 00:00 UTC.',
  );
});

test('the text without a quota has no count, because a count could contradict the calls today on Home', () => {
  expect(quotaText({ calls: 12_345, quota: null })).toBe('No daily quota.');
});

test.each([
  [0, 1_000_000],
  [799_999, 1_000_000],
  [5_000_000, null],
])('%d calls of %p show no warning', (calls, quota) => expect(quotaWarning({ calls, quota })).toBeNull());

test('the page warns from 80 %, and says when the quota is used up', () => {
  expect(quotaWarning({ calls: 800_000, quota: 1_000_000 })).toEqual({
    type: 'warning',
    title: '80% of today’s quota is used',
    description: 'After 1,000,000 calls, further calls are rejected with status 429 until 00:00 UTC.',
  });
  expect(quotaWarning({ calls: 999_999, quota: 1_000_000 })?.title).toBe('99% of today’s quota is used');
  for (const calls of [1_000_000, 1_000_007]) {
    expect(quotaWarning({ calls, quota: 1_000_000 })).toEqual({
      type: 'error',
      title: 'Daily quota used up',
      description: 'Calls with your API keys are rejected with status 429 until 00:00 UTC.',
    });
  }
});
