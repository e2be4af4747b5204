import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { usagePage, type UsagePage } from '@orange-id/contract/usage.schema';
import { askUsage } from './ask.usage';

export interface UsageRead extends UsageFilters {
  /** Returns rows after this sequence number, oldest first. */
  after?: number;
  /** Returns rows before this sequence number, newest first; without either, the newest rows. */
  before?: number;
  limit?: number;
}

/** The query string of the filters and cursors that are set. */
export function toQuery(read: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(read)) if (value !== undefined) query.set(name, String(value));
  return query.toString();
}

/** `GET /api/usage`: one page of the user's calls. Throws `HttpError`. */
export function getUsage(
  read: UsageRead,
  options: { signal?: AbortSignal; token?: string } = {},
): Promise<UsagePage> {
  return askUsage({ path: `/api/usage?${toQuery(read)}`, schema: usagePage, ...options });
}
