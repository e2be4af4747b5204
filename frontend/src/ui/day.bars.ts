import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { formatCount } from './number.text';
import { formatMinute, formatZonedMinute } from './time.text';

/** One bar of the last 24 hours; heights are fractions of the busiest one, from 0 to 1. */
export interface Bar {
  at: string;
  height: number;
  /** The parts drawn on the bar, each over the previous one, in the colours of the status tags. */
  parts: { tone: 'blocked' | 'amber' | 'red'; height: number }[];
  text: string;
}

const some = (count: number, one: string) => `${formatCount(count)} ${count === 1 ? one : `${one}s`}`;

/** The bars of a series with their texts, such as `12:00 – 12:15 · 97 calls, 3 errors`. */
export function barsOf({ series, bucketSeconds }: Pick<UsageMetrics, 'series' | 'bucketSeconds'>): Bar[] {
  const busiest = Math.max(1, ...series.map(({ calls }) => calls));
  return series.map(({ at, calls, errors, serverErrors, blocked }) => {
    const from = Date.parse(at);
    const span = `${formatMinute(from)} – ${formatMinute(from + bucketSeconds * 1000)}`;
    const counts = [
      some(calls, 'call'),
      ...(errors > 0 ? [some(errors, 'error')] : []),
      ...(blocked > 0 ? [`${formatCount(blocked)} blocked`] : []),
    ].join(', ');
    const parts: Bar['parts'] = [
      ...(blocked > 0 ? [{ tone: 'blocked' as const, height: (errors + blocked) / busiest }] : []),
      ...(errors > serverErrors ? [{ tone: 'amber' as const, height: errors / busiest }] : []),
      ...(serverErrors > 0 ? [{ tone: 'red' as const, height: serverErrors / busiest }] : []),
    ];
    return { at, height: calls / busiest, parts, text: `${span} · ${counts}` };
  });
}

/** The series in one line: the number of calls and the busiest time, such as `48 calls · peak 06:45 CET`. */
export function summaryOf({ series }: Pick<UsageMetrics, 'series'>): string {
  const calls = series.reduce((sum, bucket) => sum + bucket.calls, 0);
  if (calls === 0) return 'No calls in the last 24 hours';
  const busiest = series.reduce((most, bucket) => (bucket.calls > most.calls ? bucket : most));
  return `${some(calls, 'call')} · peak ${formatZonedMinute(Date.parse(busiest.at))}`;
}
