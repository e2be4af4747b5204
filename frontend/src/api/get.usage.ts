import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { usagePage, type UsagePage } from '@orange-id/contract/usage.schema';
import { askUsage } from './ask.usage';

export interface UsageRead extends UsageFilters {
  /** Rows after this sequence, oldest first. */
  after?: number;
  /** Rows before this sequence, newest first; the newest of all when neither is given. */
  before?: number;
  limit?: number;
}

/** The query string of the filters and cursors that are set. */
export function toQuery(read: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(read)) if (value !== undefined) query.set(name, String(value));
  return query.toString();
}

/** `GET /api/usage`: one page of the signed-in owner's calls. Throws `HttpError`. */
export function getUsage(
  read: UsageRead,
  options: { signal?: AbortSignal; token?: string } = {},
): Promise<UsagePage> {
  return askUsage({ path: `/api/usage?${toQuery(read)}`, schema: usagePage, ...options });
}
