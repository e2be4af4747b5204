import type { UsageMetrics } from '@orange-id/contract/usage.schema';

export interface Bucket {
  /** Where the bucket begins, in seconds since the epoch. */
  at: number;
  calls: number;
  errors: number;
}

/** Every bucket of the range, the empty ones too, so that a quiet hour is drawn as one. */
export function fillSeries({
  from,
  to,
  bucketSeconds,
  series,
}: Pick<UsageMetrics, 'from' | 'to' | 'bucketSeconds' | 'series'>): Bucket[] {
  const counted = new Map(series.map(({ at, calls, errors }) => [Date.parse(at) / 1000, { calls, errors }]));
  const anchor = counted.keys().next().value ?? 0;
  const end = Date.parse(to) / 1000;
  const first = Date.parse(from) / 1000;
  // Buckets are wherever the server puts them: the empty ones line up with the ones it sent.
  const offset = ((anchor % bucketSeconds) + bucketSeconds) % bucketSeconds;
  const start = Math.floor((first - offset) / bucketSeconds) * bucketSeconds + offset;
  const buckets: Bucket[] = [];
  for (let at = start; at < end; at += bucketSeconds)
    buckets.push({ at, calls: 0, errors: 0, ...counted.get(at) });
  return buckets;
}
