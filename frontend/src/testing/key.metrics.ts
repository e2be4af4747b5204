import type { UsageMetrics } from '@orange-id/contract/usage.schema';

/** The response of `/api/analytics/metrics` for a number of successful calls. */
export const metricsOfCalls = (calls: number): UsageMetrics => ({
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-02T00:00:00.000Z',
  bucketSeconds: 900,
  totals: { calls, errors: 0, blocked: 0, p50: null, p95: null, p99: null },
  percentiles: 'exact',
  series: [{ at: '2026-01-01T00:00:00.000Z', calls, errors: 0, serverErrors: 0, blocked: 0 }],
  endpoints: [],
  statuses: [],
  keys: [],
  origins: [],
  today: { calls: 0, quota: null },
});
