import { limits } from '@orange-id/contract/limits';
import { firstTime } from '@orange-id/contract/time.schema';
import { usageTime } from '@orange-id/contract/usage.filter.rule';
import { PortalError } from '../http/portal.error.js';

const dayMs = 24 * 3_600_000;

/** Milliseconds since the epoch; `from` inclusive, `to` exclusive, `Infinity` for an open end. */
export interface TimeRange {
  from: number;
  to: number;
}

/**
 * Returns the range of a query; by default the 24 hours up to now. Throws `request.invalid` if it is empty, backwards
 * or longer than 400 days.
 */
export function rangeOf(
  filters: { from?: string | undefined; to?: string | undefined },
  now: number,
): TimeRange {
  // Includes a call that is stored in this very millisecond.
  const to = filters.to === undefined ? now + 1 : usageTime(filters.to);
  const from = filters.from === undefined ? Math.max(to - dayMs, firstTime) : usageTime(filters.from);
  if (from >= to) {
    throw refuse('from', `must be before to (${iso(from)} is not before ${iso(to)})`);
  }
  const days = (to - from) / dayMs;
  if (days > limits.usageRangeMaxDays) {
    throw refuse(
      'from',
      `the range is ${Math.ceil(days)} days; the maximum is ${limits.usageRangeMaxDays}. Choose a later from or an earlier to`,
    );
  }
  return { from, to };
}

const iso = (ms: number): string => new Date(ms).toISOString();

const refuse = (path: string, problem: string): PortalError =>
  new PortalError('request.invalid', {
    message: `${path}: ${problem}`,
    details: [{ path, message: problem }],
  });
