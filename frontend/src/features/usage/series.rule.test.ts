import { expect, test } from '@jest/globals';
import { fillSeries } from './series.rule';

const at = (text: string) => Date.parse(`2026-01-01T${text}Z`) / 1000;

test('quiet buckets are there, with nothing in them', () => {
  const buckets = fillSeries({
    from: '2026-01-01T10:00:00Z',
    to: '2026-01-01T10:04:00Z',
    bucketSeconds: 60,
    series: [{ at: '2026-01-01T10:02:00Z', calls: 3, errors: 1 }],
  });
  expect(buckets).toEqual([
    { at: at('10:00:00'), calls: 0, errors: 0 },
    { at: at('10:01:00'), calls: 0, errors: 0 },
    { at: at('10:02:00'), calls: 3, errors: 1 },
    { at: at('10:03:00'), calls: 0, errors: 0 },
  ]);
});

test('a range that begins inside a bucket includes that bucket, and the one still open', () => {
  const buckets = fillSeries({
    from: '2026-01-01T10:00:30Z',
    to: '2026-01-01T10:02:10Z',
    bucketSeconds: 60,
    series: [
      { at: '2026-01-01T10:00:00Z', calls: 1, errors: 0 },
      { at: '2026-01-01T10:02:00Z', calls: 2, errors: 0 },
    ],
  });
  expect(buckets.map(({ calls }) => calls)).toEqual([1, 0, 2]);
});

test('buckets that do not begin on a round time lose no call', () => {
  const series = [
    { at: '2026-01-01T10:00:17Z', calls: 4, errors: 0 },
    { at: '2026-01-01T10:02:17Z', calls: 5, errors: 2 },
  ];
  const buckets = fillSeries({
    from: '2026-01-01T10:00:17Z',
    to: '2026-01-01T10:03:17Z',
    bucketSeconds: 60,
    series,
  });
  expect(buckets.map(({ calls }) => calls)).toEqual([4, 0, 5]);
});

test('nothing called is a row of empty buckets', () => {
  const range = { from: '2026-01-01T10:00:00Z', to: '2026-01-01T11:00:00Z', bucketSeconds: 900 };
  expect(fillSeries({ ...range, series: [] }).map(({ calls }) => calls)).toEqual([0, 0, 0, 0]);
});
