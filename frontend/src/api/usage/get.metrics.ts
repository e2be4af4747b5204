import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { usageMetrics, type UsageMetrics } from '@orange-id/contract/usage.schema';
import { askUsage } from './ask.usage';
import { toQuery } from './get.usage';

/**
 * `GET /api/analytics/metrics`: totals, series and breakdowns of the calls that match the filters. Throws `HttpError`.
 */
export function getMetrics(filters: UsageFilters, signal?: AbortSignal): Promise<UsageMetrics> {
  return askUsage({
    path: `/api/analytics/metrics?${toQuery(filters)}`,
    schema: usageMetrics,
    ...(signal ? { signal } : {}),
  });
}
