import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { callsBefore, countChange, durationChange } from './usage.compare';

const seriesOf = (from: number, lengthMs: number, bucketSeconds: number, callsAt: (at: number) => number) => {
  const stepMs = bucketSeconds * 1000;
  const series = [];
  for (let at = Math.floor(from / stepMs) * stepMs; at < from + lengthMs; at += stepMs)
    series.push({
      at: new Date(at).toISOString(),
      calls: callsAt(at),
      errors: 0,
      serverErrors: 0,
      blocked: 0,
    });
  return { from: new Date(from).toISOString(), bucketSeconds, series };
};

test('a period of whole buckets is aligned bucket by bucket', () => {
  const [from, length] = [1_000_000_017_000, 3_600_000];
  const now = seriesOf(from, length, 60, () => 0);
  const before = seriesOf(from - length, length, 60, (at) => (at / 60_000) % 1000);
  expect(callsBefore(now, before)).toEqual(before.series.map(({ calls }) => calls));
});

test('figures fetched some seconds apart are still aligned bucket by bucket', () => {
  const [from, length] = [1_000_000_000_000, 3_600_000];
  const now = seriesOf(from + 15_000, length, 60, () => 0);
  const before = seriesOf(from - length, length, 60, (at) => (at / 60_000) % 1000);
  expect(callsBefore(now, before)).toEqual(before.series.map(({ calls }) => calls));
});

test('for any period each bucket has a number, and no call is lost', () => {
  const any = fc.record({
    from: fc.integer({ min: 1_000_000_000_000, max: 2_000_000_000_000 }),
    length: fc.integer({ min: 1, max: 100 * 3_600_000 }),
    step: fc.constantFrom(60, 900, 3600, 86_400),
    drift: fc.integer({ min: 0, max: 90_000 }),
  });
  fc.assert(
    fc.property(any, ({ from, length, step, drift }) => {
      const now = seriesOf(from + drift, length, step, () => 0);
      const before = seriesOf(from - length, length, step, (at) => (at / 1000) % 97);
      const calls = callsBefore(now, before);
      expect(calls).toHaveLength(now.series.length);
      const sum = (all: number[]) => all.reduce((total, one) => total + one, 0);
      expect(sum(calls)).toBe(sum(before.series.map((bucket) => bucket.calls)));
    }),
  );
});

test.each([
  [112, 100, '+12% (was\u00a0100)'],
  [88, 100, '−12% (was\u00a0100)'],
  [3_000, 1_200, '+150% (was\u00a01,200)'],
  [1_024, 1_000, '+2.4% (was\u00a01,000)'],
  [999, 1_000, '−0.1% (was\u00a01,000)'],
  [100_001, 100_000, 'About the same (was\u00a0100,000)'],
  [0, 7, '−100% (was\u00a07)'],
  [7, 0, 'Up from 0'],
  [7, 7, 'No change'],
  [0, 0, 'No change'],
])('a change to %i calls from %i shows %p', (now, before, text) =>
  expect(countChange(now, before)).toBe(text),
);

test.each([
  [2.2, 1.9, true, '+0.30 ms (was\u00a01.9\u00a0ms)'],
  [1.9, 2.2, true, '−0.30 ms (was\u00a02.2\u00a0ms)'],
  [142, 100, false, '+42 ms (was\u00a0100\u00a0ms)'],
  [1.05, 1, false, 'About the same'],
  [118, 100, false, 'About the same'],
  [100.2, 100, true, 'No change'],
  [0, 1, true, '−1.0 ms (was\u00a01.0\u00a0ms)'],
  [null, 1, true, null],
  [1, null, true, null],
] as const)('a change to %s ms from %s ms (exact: %s) shows %p', (now, before, isExact, text) =>
  expect(durationChange(now, before, isExact)).toBe(text),
);
