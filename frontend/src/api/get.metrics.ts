import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { usageMetrics, type UsageMetrics } from '@orange-id/contract/usage.schema';
import { toQuery } from './get.usage';
import { http } from './http';

/** `GET /api/analytics/metrics`: totals, series and breakdowns of the calls that match (design §4). Throws `HttpError`. */
export function getMetrics(filters: UsageFilters, signal?: AbortSignal): Promise<UsageMetrics> {
  return http({
    path: `/api/analytics/metrics?${toQuery(filters)}`,
    schema: usageMetrics,
    ...(signal ? { signal } : {}),
  });
}
