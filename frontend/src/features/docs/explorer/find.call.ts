import { limits } from '@orange-id/contract/limits';
import { serverTimingOf } from '@orange-id/contract/server.timing';
import type { UsageRow } from '@orange-id/contract/usage.schema';
import { getUsage } from '../../../api/usage/get.usage';
import { routeOf } from './explorer.fields';
import type { CallAnswer, SentCall } from './explorer.types';

/** The maximum time in ms that a response's `Date` may exceed the call's time in Usage plus its response time. */
const recordedBeforeMs = 10_000;

/** The filters of the Usage page that show a call among similar ones. */
export const similarTo = ({ endpoint }: SentCall, { status }: CallAnswer, keyId: string) => ({
  keyId,
  endpoint: routeOf(endpoint).path,
  method: routeOf(endpoint).method,
  status: String(status),
});

/**
 * The row of a call in Usage: the only one of its key with the same endpoint, status and response time to the
 * microsecond. `null` if there is none yet, or if several fit, because a wrong row is worse than none. Throws what
 * `getUsage` throws.
 */
export async function findCall(
  sent: SentCall,
  answer: CallAnswer,
  keyId: string,
  signal: AbortSignal,
): Promise<UsageRow | null> {
  const { serverMs, at } = answer;
  if (serverMs === null) return null;
  const { rows } = await getUsage(
    {
      ...similarTo(sent, answer, keyId),
      ...(at === null ? {} : { from: new Date(at - serverMs - recordedBeforeMs).toISOString() }),
      limit: limits.usageRowsPerPageMax,
    },
    { signal },
  );
  const timing = serverTimingOf(serverMs);
  const fitting = rows.filter((row) => serverTimingOf(row.responseTime) === timing);
  return fitting.length === 1 ? (fitting[0] as UsageRow) : null;
}
