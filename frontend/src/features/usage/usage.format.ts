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

const words: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Not Allowed',
  409: 'Conflict',
  413: 'Too Large',
  422: 'Unprocessable',
  429: 'Too Many Requests',
  500: 'Server Error',
  502: 'Bad Gateway',
  503: 'Unavailable',
  504: 'Timed Out',
};
const classWords = ['', 'Informational', 'Success', 'Redirect', 'Refused', 'Server Error'];

/** A word for a status, so that it is never told by colour alone. */
export const statusWord = (status: number) => words[status] ?? classWords[Math.floor(status / 100)] ?? '';

/** How a status looks everywhere: 2xx and 3xx neutral, 4xx amber, 5xx red, blocked hatched. */
export type StatusTone = 'neutral' | 'amber' | 'red' | 'blocked';

export const statusTone = (status: number): StatusTone =>
  status >= 500 ? 'red' : status >= 400 ? 'amber' : 'neutral';

/** What to say of a call: its tone and word. */
export function outcomeOf({ outcome, statusCode }: Pick<UsageRow, 'outcome' | 'statusCode'>): {
  tone: StatusTone;
  word: string;
} {
  if (outcome === 'blocked') return { tone: 'blocked', word: 'Blocked' };
  if (outcome === 'limited') return { tone: 'amber', word: 'Limited' };
  return { tone: statusTone(statusCode), word: statusWord(statusCode) };
}

/** Where a call came from, in a sentence. */
export function originSentence({ origin, outcome }: Pick<UsageRow, 'origin' | 'outcome'>): string {
  if (origin === null) return 'The call carried no Origin header';
  if (origin === 'local') return 'A page of this portal or of the same machine';
  return outcome === 'blocked' ? `${origin} is not in the whitelist of this project` : origin;
}

/** How a call ended, in a sentence. */
export const outcomeSentences: Record<UsageRow['outcome'], string> = {
  ok: 'Answered',
  error: 'Answered with an error',
  blocked: 'Blocked by the origin rule',
  limited: 'Refused: too many calls in a second',
};
