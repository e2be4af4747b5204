import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { formatCount } from '../../ui/number.text';
import { formatClock, formatMinute } from '../../ui/time.text';
import { callsBefore } from './usage.compare';
import { formatShortMoment } from './usage.format';
import type { FixedRange } from './usage.view';

/** One bar of the chart. */
export interface Bucket {
  /** Start of the bucket in seconds since the epoch. */
  at: number;
  calls: number;
  errors: number;
  /** The errors with status 500 or above. */
  serverErrors: number;
  blocked: number;
  /** The calls of the same bucket in the previous period; `null` without a comparison. */
  before: number | null;
}

/** The bars of these figures, with the counts of the previous period if there is one. */
export function bucketsOf(metrics: UsageMetrics, previous: UsageMetrics | null): Bucket[] {
  const before = previous?.bucketSeconds === metrics.bucketSeconds ? callsBefore(metrics, previous) : null;
  return metrics.series.map(({ at, ...counts }, place) => ({
    ...counts,
    at: Date.parse(at) / 1000,
    before: before?.[place] ?? null,
  }));
}

/** The bucket that contains a time (seconds since the epoch); the first bucket for earlier times. */
export const bucketAt = (buckets: readonly Bucket[], at: number): Bucket | undefined =>
  buckets.findLast((bucket) => bucket.at <= at) ?? buckets[0];

/** The heights of a bucket's bars, stacked in the colours of the calls' tags. */
export const barHeights = ({ calls, errors, serverErrors, blocked }: Bucket) => ({
  neutral: calls,
  blocked: errors + blocked,
  amber: errors,
  red: serverErrors,
});

/** The time range of adjacent buckets. */
export const rangeOfBuckets = (buckets: readonly Bucket[], bucketSeconds: number): FixedRange => ({
  from: new Date((buckets[0]?.at ?? 0) * 1000).toISOString(),
  to: new Date(((buckets.at(-1)?.at ?? 0) + bucketSeconds) * 1000).toISOString(),
});

const day = 86_400;
const some = (count: number, one: string) => `${formatCount(count)} ${count === 1 ? one : `${one}s`}`;

/** A clock time, with seconds if there are any; `at` in seconds since the epoch. */
export const clockText = (at: number): string => (at % 60 === 0 ? formatMinute : formatClock)(at * 1000);

/** The content of adjacent buckets as text: `21 Nov, 12:00 – 12:15 · 97 calls, 8 errors, 2 blocked · 85 before`. */
export function textOfBuckets(buckets: readonly Bucket[], bucketSeconds: number): string {
  const [first, end] = [buckets[0]?.at ?? 0, (buckets.at(-1)?.at ?? 0) + bucketSeconds];
  const sum = (field: 'calls' | 'errors' | 'blocked' | 'before') =>
    buckets.reduce((all, bucket) => all + (bucket[field] ?? 0), 0);
  const until = end - first < day ? clockText(end) : formatShortMoment(end * 1000);
  const blocked = sum('blocked') > 0 ? `, ${formatCount(sum('blocked'))} blocked` : '';
  const counts = `${some(sum('calls'), 'call')}, ${some(sum('errors'), 'error')}${blocked}`;
  const before = buckets[0]?.before == null ? '' : ` · ${formatCount(sum('before'))} before`;
  return `${formatShortMoment(first * 1000)} – ${until} · ${counts}${before}`;
}
