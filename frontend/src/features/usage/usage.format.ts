import type { UsageRow } from '@orange-id/contract/usage.schema';
import { endpointText, outcomeOf } from '../../ui/call.text';

const minute = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const shortMoment = new Intl.DateTimeFormat('en-GB', minute);
const secondMoment = new Intl.DateTimeFormat('en-GB', { ...minute, second: '2-digit' });

/** `21 Nov, 12:03`, local; with seconds if there are any: `21 Nov, 12:03:41`. */
export const formatShortMoment = (at: number) => (at % 60_000 === 0 ? shortMoment : secondMoment).format(at);

const longMoment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });

/** `21 November 2025 at 12:03`, local. */
export const formatLongMoment = (at: number) => longMoment.format(at);

/**
 * The name of a link to a call, exact to the second, so that the links of a list have different names:
 * `GET /api/v1/key, 200 OK, 21 Nov, 12:03:41`.
 */
export const callName = (row: UsageRow): string =>
  [
    `${row.method} ${endpointText(row)}`,
    `${row.statusCode} ${outcomeOf(row).word}`.trim(),
    formatShortMoment(Date.parse(row.timestamp)),
  ].join(', ');
