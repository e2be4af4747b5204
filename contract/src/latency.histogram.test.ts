import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bucketOf, histogramBuckets, histogramError, quantileOf } from './latency.histogram.js';

const countsOf = (times: number[]) => {
  const counts = Array.from({ length: histogramBuckets }, () => 0);
  for (const ms of times) counts[bucketOf(ms)] = (counts[bucketOf(ms)] as number) + 1;
  return counts;
};

describe('latency histogram', () => {
  test.each([
    [0, 0],
    [0.1, 0],
    [0.11, 1],
    [0.2, 4],
    [0.21, 5],
    [0.4, 8],
    [102.4, 40],
    [87_000, 79],
    [1e12, 79],
    [Infinity, 79],
    [-1, 0],
    [NaN, 0],
  ])('%d ms falls into bucket %d', (ms, bucket) => {
    expect(bucketOf(ms)).toBe(bucket);
  });

  test('buckets grow with the time and stay in range', () => {
    const time = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(time, time, (one, other) => {
        expect(bucketOf(Math.min(one, other))).toBeLessThanOrEqual(bucketOf(Math.max(one, other)));
        expect(bucketOf(one)).toBeGreaterThanOrEqual(0);
        expect(bucketOf(one)).toBeLessThan(80);
      }),
    );
  });

  test('a percentile is within 9.1 % of the true one from 0.1 ms to 88 s', () => {
    expect(histogramError).toBeLessThan(0.091);
    const times = fc.array(fc.double({ min: 0.1, max: 88_000, noNaN: true }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(times, fc.constantFrom(0.01, 0.5, 0.9, 0.95, 0.99, 1), (list, q) => {
        const sorted = [...list].sort((a, b) => a - b);
        const exact = sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1] as number;
        const read = quantileOf(countsOf(list), q) as number;
        expect(Math.abs(read - exact) / exact).toBeLessThan(0.091);
      }),
      { numRuns: 2000 },
    );
  });

  test('without counts there is no percentile', () => {
    expect(quantileOf(countsOf([]), 0.5)).toBeNull();
    expect(quantileOf([], 0.5)).toBeNull();
  });

  test('percentiles do not decrease as q grows', () => {
    const counts = fc.array(fc.nat({ max: 1000 }), { minLength: 80, maxLength: 80 });
    fc.assert(
      fc.property(counts, (list) => {
        const values = [0, 0.5, 0.95, 0.99, 1].map((q) => quantileOf(list, q) ?? 0);
        expect([...values].sort((a, b) => a - b)).toEqual(values);
      }),
    );
  });
});
