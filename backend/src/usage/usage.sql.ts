import { histogramBuckets } from '@orange-id/contract/latency.histogram';
import type { UsageRow } from '@orange-id/contract/usage.schema';

/** `bucketOf` of the contract's histogram, for a `real` column in ms. */
export const bucketSql = (column: string): string =>
  `case when ${column}::float8 > 0.1
    then least(${histogramBuckets - 1}, ceil(ln(${column}::float8 / 0.1) / ln(2::float8) * 4 - 1e-9))::int
    else 0 end`;

/** What counts as an error: the outcomes of status 400 and above, except what the origin rule blocked. */
export const errorSql = "outcome in ('error', 'limited')";

export const usageColumns =
  'seq, api_key_id, project_id, endpoint, method, status_code, response_time, timestamp, origin, outcome, calls';

/** A row of `api_usage` as the driver reads it. */
export interface UsageRecord {
  seq: string;
  api_key_id: string;
  project_id: string | null;
  endpoint: string;
  method: string;
  status_code: number;
  response_time: number;
  timestamp: Date;
  origin: string | null;
  outcome: UsageRow['outcome'];
  calls: number;
}

export function usageRowOf(record: UsageRecord): UsageRow {
  return {
    seq: Number(record.seq),
    keyId: record.api_key_id,
    projectId: record.project_id,
    endpoint: record.endpoint,
    method: record.method,
    statusCode: record.status_code,
    responseTime: record.response_time,
    timestamp: record.timestamp.toISOString(),
    origin: record.origin,
    outcome: record.outcome,
    ...(record.calls === 1 ? {} : { calls: record.calls }),
  };
}
