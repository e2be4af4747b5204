import { expect, test } from '@jest/globals';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { barHeights, bucketAt, bucketsOf, rangeOfBuckets, textOfBuckets } from './calls.buckets';

const noon = Date.parse('2026-11-21T12:00:00.000Z');

function metricsOf(from: number, bucketSeconds: number, calls: number[]): UsageMetrics {
  return {
    from: new Date(from).toISOString(),
    to: new Date(from + calls.length * bucketSeconds * 1000).toISOString(),
    bucketSeconds,
    totals: { calls: 0, errors: 0, blocked: 0, p50: null, p95: null, p99: null },
    percentiles: 'exact',
    series: calls.map((count, place) => ({
      at: new Date(from + place * bucketSeconds * 1000).toISOString(),
      calls: count,
      errors: place,
      serverErrors: 0,
      blocked: count === 5 ? 2 : 0,
    })),
    endpoints: [],
    statuses: [],
    keys: [],
    origins: [],
    today: { calls: 0, quota: null },
  };
}
/** Local times, since they depend on the time zone of the machine that runs the test. */
const local = (iso: string, text: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', text).format(Date.parse(iso));
const moment = (iso: string) =>
  local(iso, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const clock = (iso: string) => local(iso, { hour: '2-digit', minute: '2-digit' });

test('bars include the previous period if it has the same bucket size', () => {
  const now = metricsOf(noon, 60, [3, 5]);
  expect(bucketsOf(now, null).map(({ calls, before }) => [calls, before])).toEqual([
    [3, null],
    [5, null],
  ]);
  expect(bucketsOf(now, metricsOf(noon - 120_000, 60, [7, 9])).map(({ before }) => before)).toEqual([7, 9]);
  expect(bucketsOf(now, metricsOf(noon - 120_000, 15, [7, 9])).map(({ before }) => before)).toEqual([
    null,
    null,
  ]);
});

test('adjacent bars form one range and one text', () => {
  const bars = bucketsOf(metricsOf(noon, 900, [96, 1, 0]), metricsOf(noon - 2_700_000, 900, [80, 5, 1]));
  expect(rangeOfBuckets(bars.slice(0, 2), 900)).toEqual({
    from: '2026-11-21T12:00:00.000Z',
    to: '2026-11-21T12:30:00.000Z',
  });
  const from = moment('2026-11-21T12:00:00Z');
  expect(textOfBuckets(bars.slice(0, 1), 900)).toBe(
    `${from} – ${clock('2026-11-21T12:15:00Z')} · 96 calls, 0 errors · 80 before`,
  );
  expect(textOfBuckets(bars.slice(0, 2), 900)).toBe(
    `${from} – ${clock('2026-11-21T12:30:00Z')} · 97 calls, 1 error · 85 before`,
  );
});

test('a time belongs to the bucket that contains it, even if the next one starts closer', () => {
  const sixHours = 6 * 3600;
  const bars = bucketsOf(metricsOf(noon, sixHours, [1, 2, 3]), null);
  const at = (hours: number) => bucketAt(bars, noon / 1000 + hours * 3600)?.calls;
  expect([-1, 0, 0.1, 5.9, 6, 11.99, 12, 17, 99].map(at)).toEqual([1, 1, 1, 1, 2, 2, 3, 3, 3]);
  expect(bucketAt([], 0)).toBeUndefined();
});

test('bars are stacked in the colours of their calls’ tags: 5xx red, 4xx amber, blocked hatched, the rest plain', () => {
  const bucket = { at: 0, calls: 10, errors: 4, serverErrors: 1, blocked: 2, before: null };
  expect(barHeights(bucket)).toEqual({ neutral: 10, blocked: 6, amber: 4, red: 1 });
});

test('the text names blocked calls if there are any', () => {
  const bars = bucketsOf(metricsOf(noon, 900, [5]), null);
  expect(textOfBuckets(bars, 900)).toMatch(/· 5 calls, 0 errors, 2 blocked$/);
});

test('the text has seconds if the buckets have, and dates if they are long', () => {
  const seconds = bucketsOf(metricsOf(noon + 5_000, 5, [1]), null);
  expect(textOfBuckets(seconds, 5)).toMatch(/:05 – .*:10 · 1 call, 0 errors$/);
  const days = bucketsOf(metricsOf(noon, 86_400, [1]), null);
  expect(textOfBuckets(days, 86_400)).toBe(
    `${moment('2026-11-21T12:00:00Z')} – ${moment('2026-11-22T12:00:00Z')} · 1 call, 0 errors`,
  );
});

test('a bar without a count of the previous period adds nothing to the text', () => {
  const [first, second] = bucketsOf(metricsOf(noon, 900, [1, 2]), metricsOf(noon - 1_800_000, 900, [3, 4]));
  expect(textOfBuckets([first!, { ...second!, before: null }], 900)).toMatch(/ · 3 before$/);
});
