import type { ErrorCode } from '@orange-id/contract/error.codes';
import { histogramBuckets } from '@orange-id/contract/latency.histogram';
import { errorOutcomes, outcomesOf, statusRange, usageTime } from '@orange-id/contract/usage.filter.rule';
import { noOrigin, type UsageFilters } from '@orange-id/contract/usage.filter.schema';
import type { UsageRow } from '@orange-id/contract/usage.schema';

/** `bucketOf` of the contract's histogram, for a `real` column in ms. */
export const bucketSql = (column: string): string =>
  `case when ${column}::float8 > 0.1
    then least(${histogramBuckets - 1}, ceil(ln(${column}::float8 / 0.1) / ln(2::float8) * 4 - 1e-9))::int
    else 0 end`;

/** The codes that outcomes imply; rows with these outcomes store no code. */
export const outcomeCodes: Partial<Record<UsageRow['outcome'], ErrorCode>> = {
  blocked: 'key.originRefused',
  limited: 'request.rateLimited',
  overQuota: 'usage.quotaReached',
};
export const errorCodeSql = `coalesce(error_code, case outcome ${Object.entries(outcomeCodes)
  .map(([outcome, code]) => `when '${outcome}' then '${code}'`)
  .join(' ')} end)`;

/** The outcomes that count as errors: those of status 400 and above, except calls blocked by the origin rule. */
export const errorSql = `outcome in (${errorOutcomes.map((outcome) => `'${outcome}'`).join(', ')})`;

/**
 * Conditions on `api_usage` with their values; the first is always the owner. Every query of rows builds its conditions
 * here, so that table, figures and export agree; `usageMatcher` of the contract applies the same rules to one row.
 */
export class UsageConditions {
  readonly values: unknown[] = [];
  private readonly parts: string[] = [];

  constructor(userId: string) {
    this.add('user_id = ?', userId);
  }

  /** Adds a condition; each `?` stands for the next value. */
  add(condition: string, ...values: unknown[]): this {
    this.parts.push(condition.replace(/\?/g, () => this.value(values.shift())));
    return this;
  }

  /** Adds a value and returns its placeholder. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** The filters except for the time range. */
  matching({ keyId, projectId, endpoint, method, status, errorCode, origin }: UsageFilters): this {
    if (keyId !== undefined) this.add('api_key_id = ?', keyId);
    if (projectId !== undefined) this.add('project_id = ?', projectId);
    if (endpoint !== undefined) this.add('endpoint = ?', endpoint);
    if (method !== undefined) this.add('method = ?', method);
    if (errorCode !== undefined) this.add(`${errorCodeSql} = ?`, errorCode);
    if (origin !== undefined) this.add('coalesce(origin, ?) = ?', noOrigin, origin);
    if (status !== undefined) {
      const range = statusRange(status);
      if (range) this.add('status_code between ? and ?', ...range);
      else this.add('outcome = any(?)', outcomesOf(status));
    }
    return this;
  }

  /** The filters including the time range. */
  matchingInTime(filters: UsageFilters): this {
    if (filters.from !== undefined) this.add('timestamp >= ?', new Date(usageTime(filters.from)));
    if (filters.to !== undefined) this.add('timestamp < ?', new Date(usageTime(filters.to)));
    return this.matching(filters);
  }

  get sql(): string {
    return this.parts.join(' and ');
  }
}

export const usageColumns =
  'seq, api_key_id, project_id, endpoint, method, status_code, response_time, timestamp, origin, outcome, calls, error_code, path';

/** A row of `api_usage` as the driver returns it. */
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
  error_code: string | null;
  path: string | null;
}

export function usageRowOf(record: UsageRecord): UsageRow {
  const errorCode = record.error_code ?? outcomeCodes[record.outcome];
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
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(record.path === null ? {} : { path: record.path }),
    ...(record.calls === 1 ? {} : { calls: record.calls }),
  };
}
