import { lastTime } from './time.schema.js';
import { noOrigin, type UsageFilters } from './usage.filter.schema.js';
import type { UsageRow } from './usage.schema.js';

/** The range of statuses of a filter, both ends included; `null` for the outcomes `errors`, `blocked` and `revoked`. */
export function statusRange(status: string): [low: number, high: number] | null {
  if (!/^\d/.test(status)) return null;
  if (!status.endsWith('xx')) return [Number(status), Number(status)];
  const low = Number(status[0]) * 100;
  return [low, low + 99];
}

/** The outcomes that the status filter accepts by name. */
export const outcomesOf = (status: string): readonly UsageRow['outcome'][] =>
  status === 'errors' ? errorOutcomes : [status as UsageRow['outcome']];

/** The outcomes counted as errors: status 400 and above, except what the origin rule blocked. */
export const errorOutcomes: readonly UsageRow['outcome'][] = ['error', 'limited', 'overQuota', 'revoked'];

/**
 * A filter's time in ms since the epoch. Rows are stored to the millisecond, so a finer time is rounded up: comparing
 * with `>=` and `<` then gives the same result as the finer time. At the end of the year 9999 it is rounded down.
 */
export function usageTime(text: string): number {
  const isFiner = /\.\d{3}\d*[1-9]/.test(text);
  return Math.min(Date.parse(text) + (isFiner ? 1 : 0), lastTime);
}

/** Whether a row matches the filters, by the same rule as the server's query. */
export function usageMatcher(filters: UsageFilters): (row: UsageRow) => boolean {
  const { projectId, keyId, endpoint, method, status, errorCode, origin } = filters;
  const from = filters.from === undefined ? -Infinity : usageTime(filters.from);
  const to = filters.to === undefined ? Infinity : usageTime(filters.to);
  const range = status === undefined ? null : statusRange(status);
  const hasStatus = ({ statusCode, outcome }: UsageRow) => {
    if (range) return statusCode >= range[0] && statusCode <= range[1];
    return outcomesOf(status as string).includes(outcome);
  };
  return (row) => {
    const at = Date.parse(row.timestamp);
    return (
      at >= from &&
      at < to &&
      (projectId === undefined || row.projectId === projectId) &&
      (keyId === undefined || row.keyId === keyId.toLowerCase()) &&
      (endpoint === undefined || row.endpoint === endpoint) &&
      (method === undefined || row.method === method) &&
      (status === undefined || hasStatus(row)) &&
      (errorCode === undefined || row.errorCode === errorCode) &&
      (origin === undefined || (row.origin ?? noOrigin) === origin)
    );
  };
}
