import { bucketOf } from '@orange-id/contract/latency.histogram';
import type { UsageRow } from '@orange-id/contract/usage.schema';
import { formatDuration } from '../../ui/time.text';

const oneDecimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A share as percent: `0 %`, `2.1 %`, `< 0.1 %`. */
export function formatShare(part: number, of: number): string {
  const percent = of === 0 ? 0 : (100 * part) / of;
  return percent > 0 && percent < 0.1 ? '< 0.1 %' : `${oneDecimal.format(percent)} %`;
}

/** A percentile: the histogram's lowest bucket only says that it is no more than that. */
export const formatPercentile = (ms: number | null, isExact: boolean) =>
  !isExact && ms !== null && bucketOf(ms) === 0 ? `≤ ${formatDuration(ms)}` : formatDuration(ms);

const shortMoment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

const secondMoment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** `12:03`, local. */
export const formatMinute = (at: number) => minute.format(at);
/** `21 Nov, 12:03`, local; with seconds where it has some: `21 Nov, 12:03:41`. */
export const formatShortMoment = (at: number) => (at % 60_000 === 0 ? shortMoment : secondMoment).format(at);

/** How a call ended, in a sentence. */
export const outcomeSentences: Record<UsageRow['outcome'], string> = {
  ok: 'Answered',
  error: 'Answered with an error',
  blocked: 'Blocked by the origin rule',
  limited: 'Refused: too many calls in a second',
};
