import { histogramError } from '@orange-id/contract/latency.histogram';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { formatCount } from '../../ui/number.text';
import { formatDuration } from '../../ui/time.text';

type Series = Pick<UsageMetrics, 'from' | 'bucketSeconds' | 'series'>;

/**
 * The calls of the previous period, one number per bucket of this period, shifted by whole buckets. Both periods are
 * divided at the same clock steps, so a bucket at either end may include calls of its neighbour; no call is lost.
 */
export function callsBefore(now: Series, before: Series): number[] {
  const stepMs = now.bucketSeconds * 1000;
  const calls = new Array<number>(now.series.length).fill(0);
  const first = Date.parse(now.series[0]?.at ?? '');
  const shift = Math.round((Date.parse(now.from) - Date.parse(before.from)) / stepMs) * stepMs;
  for (const bucket of before.series) {
    const place = Math.floor((Date.parse(bucket.at) + shift - first) / stepMs);
    const within = Math.max(0, Math.min(calls.length - 1, place));
    calls[within] = (calls[within] ?? 0) + bucket.calls;
  }
  return calls;
}

const minus = '−';
const signed = (difference: number, text: string) => `${difference < 0 ? minus : '+'}${text}`;

/** Never wraps inside: if the line is too short, it breaks before this text. */
const was = (text: string) => `(was ${text})`.replaceAll(' ', '\u00a0');

/** The change of a count: `+12% (was 1,204)`, `No change`, `Up from 0`. */
export function countChange(now: number, before: number): string {
  if (now === before) return 'No change';
  if (before === 0) return 'Up from 0';
  const percent = (100 * (now - before)) / before;
  const size = Math.abs(percent);
  const shown = size < 9.95 ? size.toFixed(1) : formatCount(size);
  return `${shown === '0.0' ? 'About the same' : signed(percent, `${shown}%`)} ${was(formatCount(before))}`;
}

/**
 * The change of a percentile (ms): `+0.3 ms (was 1.9 ms)`. If one of the two comes from the histogram, a difference
 * smaller than the histogram's error is `About the same`.
 */
export function durationChange(now: number | null, before: number | null, isExact: boolean): string | null {
  if (now === null || before === null) return null;
  const apart = Math.max(now, before) / Math.max(Math.min(now, before), Number.MIN_VALUE);
  if (!isExact && apart <= (1 + histogramError) ** 2) return 'About the same';
  const earlier = formatDuration(before);
  if (formatDuration(now) === earlier) return 'No change';
  return `${signed(now - before, formatDuration(Math.abs(now - before)))} ${was(earlier)}`;
}
