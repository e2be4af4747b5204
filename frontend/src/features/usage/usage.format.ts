import type { UsageRow } from '@orange-id/contract/usage.schema';
import { endpointText, outcomeOf } from '../../ui/call.text';

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

/** `21 Nov, 12:03`, local; with seconds where it has some: `21 Nov, 12:03:41`. */
export const formatShortMoment = (at: number) => (at % 60_000 === 0 ? shortMoment : secondMoment).format(at);

const outcomeSentences: Record<UsageRow['outcome'], string> = {
  ok: 'Succeeded',
  error: 'Failed',
  blocked: 'Blocked: the origin wasn’t allowed',
  limited: 'Rejected: too many calls per second',
  overQuota: 'Rejected: daily quota used up',
  revoked: 'Rejected: this key was replaced or deleted',
};

/** How a call ended, in a sentence. */
export function outcomeSentence({ outcome, errorCode }: Pick<UsageRow, 'outcome' | 'errorCode'>): string {
  if (errorCode === 'key.replaced') return 'Rejected: this key was replaced';
  if (errorCode === 'key.deleted') return 'Rejected: this key was deleted';
  return outcomeSentences[outcome];
}

/** What a link to a call is called, so that a list of links tells calls apart to the second: `GET /api/v1/key, 200 OK, 21 Nov, 12:03:41`. */
export const callName = (row: UsageRow): string =>
  [
    `${row.method} ${endpointText(row)}`,
    `${row.statusCode} ${outcomeOf(row).word}`.trim(),
    formatShortMoment(Date.parse(row.timestamp)),
  ].join(', ');
