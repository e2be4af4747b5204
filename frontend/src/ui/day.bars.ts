import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { formatCount } from './number.text';
import { formatMinute } from './time.text';

/** One bar of the last 24 hours; heights are shares of the busiest one, from 0 to 1. */
export interface Bar {
  at: string;
  height: number;
  errorHeight: number;
  text: string;
}

const some = (count: number, one: string) => `${formatCount(count)} ${count === 1 ? one : `${one}s`}`;

/** The bars of a series, each with its words: `12:00 – 12:15 · 97 calls, 3 errors`. */
export function barsOf({ series, bucketSeconds }: Pick<UsageMetrics, 'series' | 'bucketSeconds'>): Bar[] {
  const busiest = Math.max(1, ...series.map(({ calls }) => calls));
  return series.map(({ at, calls, errors }) => {
    const from = Date.parse(at);
    const span = `${formatMinute(from)} – ${formatMinute(from + bucketSeconds * 1000)}`;
    const counts = errors === 0 ? some(calls, 'call') : `${some(calls, 'call')}, ${some(errors, 'error')}`;
    return { at, height: calls / busiest, errorHeight: errors / busiest, text: `${span} · ${counts}` };
  });
}

/** The whole series in a sentence: how many, and when most. */
export function summaryOf({ series }: Pick<UsageMetrics, 'series'>): string {
  const calls = series.reduce((sum, bucket) => sum + bucket.calls, 0);
  if (calls === 0) return 'No calls in the last 24 hours';
  const busiest = series.reduce((most, bucket) => (bucket.calls > most.calls ? bucket : most));
  return `${some(calls, 'call')}, most at ${formatMinute(Date.parse(busiest.at))}`;
}
