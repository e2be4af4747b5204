import { bucketOf } from '@orange-id/contract/latency.histogram';
import { timeUnits as units } from '@orange-id/contract/shown.time';
import { formatCount } from './number.text';

export { absoluteTime, formatAgo } from '@orange-id/contract/shown.time';

/** The time left until then, in one or two units such as `6 d 23 h` or `8 s`; `null` if it has come. */
export function formatLeft(iso: string, nowMs: number): string | null {
  const seconds = Math.ceil((Date.parse(iso) - nowMs) / 1000);
  const place = units.findIndex(([length]) => seconds >= length);
  if (place < 0) return null;
  const [[length, unit], below] = units.slice(place) as [(typeof units)[number], (typeof units)[number]?];
  const rest = below ? Math.floor((seconds % length) / below[0]) : 0;
  return `${Math.floor(seconds / length)} ${unit}${below && rest > 0 ? ` ${rest} ${below[1]}` : ''}`;
}

/** Numbers in a column align only if each keeps its trailing zeros. */
const fixed = (digits: number) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const [tenths, hundredths] = [fixed(1), fixed(2)];

/** Milliseconds below 1 s, otherwise seconds: `0.20 ms`, `3.0 ms`, `142 ms`, `1.24 s`. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms >= 999.5) return `${hundredths.format(ms / 1000)} s`;
  if (ms < 0.995) return ms < 0.01 ? '< 0.01 ms' : `${hundredths.format(ms)} ms`;
  return `${ms < 9.95 ? tenths.format(ms) : formatCount(ms)} ms`;
}

/** A duration in a sentence, without needless zeros: `20 ms`, `400 ms`, `1.3 s`, `2 s`. */
export const formatSpan = (ms: number): string =>
  ms < 999.5 ? `${formatCount(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`;

/** A percentile; for the histogram's lowest bucket only an upper bound is known. */
export const formatPercentile = (ms: number | null, isExact: boolean) =>
  !isExact && ms !== null && bucketOf(ms) === 0 ? `≤ ${formatDuration(ms)}` : formatDuration(ms);

/** The zone of all local times, such as `Europe/Berlin`. */
export const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Local time such as `12:03`. */
export const formatMinute = (at: number) => minute.format(at);

const zonedMinute = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** Local time with its zone, such as `12:03 CET`, for use beside UTC times. */
export const formatZonedMinute = (at: number) => zonedMinute.format(at);

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** Local time such as `12:03:41`; `at` in ms since the epoch. */
export const formatClock = (at: number) => clock.format(at);

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** The local day, such as `21 Nov 2025`. */
export function formatDay(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : day.format(date);
}
