import { Inject, Injectable } from '@nestjs/common';
import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { rollupsFromMs, rowFilters } from '@orange-id/contract/usage.range';
import type { UsageKey, UsageMetrics, UsagePage, UsageQuery } from '@orange-id/contract/usage.schema';
import { DataSource, EntityManager } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { PortalError } from '../http/portal.error.js';
import type { ApiKey } from '../keys/api-key.entity.js';
import { ApiKeyFactory } from '../keys/api-key.factory.js';
import { DailyQuota } from './daily.quota.js';
import { UsageBulkhead } from './usage.bulkhead.js';
import { BucketCounts, Figures, Percentiles, percents, rankOf } from './usage.figures.js';
import { rangeOf, TimeRange } from './usage.range.js';
import { bucketSql, errorSql, usageColumns, UsageConditions, UsageRecord, usageRowOf } from './usage.sql.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Up to this many rows are sorted for exact percentiles, which costs more than counting them. */
const exactMostRows = 100_000;
const keysListed = 1_000;

/**
 * Reads usage. Figures come from the roll-ups where possible and from rows elsewhere. Counts are exact either way;
 * percentiles from the roll-ups are approximate.
 */
@Injectable()
export class UsageService {
  private readonly quota: number | null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly bulkhead: UsageBulkhead,
    private readonly apiKeys: ApiKeyFactory,
    @Inject(ENVIRONMENT) environment: Pick<Environment, 'USAGE_DAILY_QUOTA'>,
  ) {
    this.quota = new DailyQuota(environment.USAGE_DAILY_QUOTA).perDay;
  }

  /**
   * The owner's rows, newest first, or oldest first after a sequence number. Throws 404 for another user's key or
   * project, `usage.tooManyCalls` if the search timed out, `usage.tooManyQueries` as `UsageBulkhead` does.
   */
  async page(userId: string, query: UsageQuery): Promise<UsagePage> {
    checkRange(query);
    return this.bulkhead.run(userId, () => this.readPage(userId, query));
  }

  private async readPage(userId: string, query: UsageQuery): Promise<UsagePage> {
    await this.checkOwner(userId, query);
    const where = new UsageConditions(userId).matchingInTime(query);
    if (query.after !== undefined) where.add('seq > ?', query.after);
    if (query.before !== undefined) where.add('seq < ?', query.before);
    const records: UsageRecord[] = await inTime(
      this.dataSource.query(
        `select ${usageColumns} from api_usage where ${where.sql}
         order by seq ${query.after === undefined ? 'desc' : 'asc'} limit ${query.limit + 1}`,
        where.values,
      ),
    );
    const rows = records.slice(0, query.limit).map(usageRowOf);
    return { rows, next: records.length > query.limit ? (rows.at(-1)?.seq ?? null) : null };
  }

  /**
   * The owner's figures for a range. Throws 404 for another user's key or project, `usage.tooManyCalls` if more rows
   * must be read than is possible in time, `usage.tooManyQueries` as `UsageBulkhead` does.
   */
  async metrics(userId: string, filters: UsageFilters, now = Date.now()): Promise<UsageMetrics> {
    const shown = rangeOf(filters, now);
    const range = filters.to === undefined ? { ...shown, to: Infinity } : shown;
    return this.bulkhead.run(userId, () => this.readMetrics(userId, filters, shown, range));
  }

  private async readMetrics(
    userId: string,
    filters: UsageFilters,
    shown: TimeRange,
    range: TimeRange,
  ): Promise<UsageMetrics> {
    // One snapshot: the watermark, the roll-ups and the rows after it must be consistent.
    const answer = this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const keyIds = await this.checkOwner(userId, filters, manager);
      const figures = new Figures(shown);
      const isInRollups = rowFilters.every((name) => filters[name] === undefined);
      const hours = isInRollups && shown.to - shown.from >= rollupsFromMs ? inside(range, hourMs) : null;
      const days = hours && inside(range, dayMs);
      if (hours && days) {
        await readHours(manager, userId, keyIds, hours, figures);
        await readDays(manager, userId, keyIds, days, figures);
      }
      const rows = rowsOf({ userId, filters, range, hours, days });
      const count = await readGroups(manager, rows, figures);
      const isExact = hours === null && count <= exactMostRows;
      const exact = isExact ? await readPercentiles(manager, rows, figures.totals.calls) : null;
      const today = { calls: await readToday(manager, userId), quota: this.quota };
      return { ...figures.result({ exact, hasOrigins: hours === null }), today };
    });
    return inTime(answer);
  }

  /** The owner's keys that are live or were ever used, newest first. */
  async keys(userId: string): Promise<UsageKey[]> {
    const rows: (Pick<ApiKey, 'id' | 'name' | 'keySealed' | 'secretVersion' | 'isActive'> & {
      code: string | null;
    })[] = await this.dataSource.query(
      `select k.id, k.name, k.key_sealed as "keySealed", k.secret_version as "secretVersion",
           k.is_active as "isActive", p.code
         from api_keys k left join projects p on p.id = k.project_id
         where k.user_id = $1
           and (k.is_active or exists (select from usage_hours h where h.api_key_id = k.id))
         order by k.created_at desc, k.id desc limit ${keysListed}`,
      [userId],
    );
    return rows.map(({ code, ...row }) => ({
      id: row.id,
      name: row.name,
      ...apiKeyEnds(this.apiKeys.reveal(row)),
      projectId: code,
      isActive: row.isActive,
    }));
  }

  /** The keys that match the filters, or `null` for all. Throws 404 for another user's key or project. */
  async checkOwner(
    userId: string,
    { keyId, projectId }: UsageFilters,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<string[] | null> {
    if (keyId !== undefined) {
      const found: unknown[] = await manager.query(
        `select 1 from api_keys where id = $1 and user_id = $2
         union all (select 1 from api_usage where api_key_id = $1 and user_id = $2 limit 1)`,
        [keyId, userId],
      );
      if (found.length === 0) throw new PortalError('keys.notFound');
    }
    if (projectId === undefined) return keyId === undefined ? null : [keyId];
    const projects: { ids: string[] }[] = await manager.query(
      `select array(select k.id from api_keys k where k.project_id = p.id) as ids
       from projects p where p.code = $1 and p.owner_id = $2`,
      [projectId, userId],
    );
    const ids = projects[0]?.ids;
    if (ids === undefined) throw new PortalError('project.notFound');
    return keyId === undefined ? ids : ids.filter((id) => id === keyId);
  }
}

/** Throws `request.invalid` if a range with both ends is empty, backwards or too long. */
export function checkRange(filters: UsageFilters): void {
  if (filters.from !== undefined && filters.to !== undefined) rangeOf(filters, 0);
}

const statementTimeout = '57014';

/** A read that the server cancelled because it took too long gets its own error: the database is healthy. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    if (isStatementTimeout(error)) throw new PortalError('usage.tooManyCalls', { cause: error });
    throw error;
  });
}

export const isStatementTimeout = (error: unknown): boolean =>
  (error as { driverError?: { code?: string } } | null)?.driverError?.code === statementTimeout;

/** The part of a range that consists of whole units. */
const inside = ({ from, to }: TimeRange, unitMs: number): TimeRange => ({
  from: Math.ceil(from / unitMs) * unitMs,
  to: Math.floor(to / unitMs) * unitMs,
});

const sqlTime = (ms: number): Date | string => (Number.isFinite(ms) ? new Date(ms) : 'infinity');
const sqlDate = (ms: number): string =>
  Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : 'infinity';
const epochMs = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint`;

/** The calls of the current UTC day that count against the owner's quota, by the database's clock. */
async function readToday(manager: EntityManager, userId: string): Promise<number> {
  const heads: { calls: string }[] = await manager.query(
    `select day_calls as calls from usage_heads where user_id = $1 and day = (now() at time zone 'UTC')::date`,
    [userId],
  );
  return Number(heads[0]?.calls ?? 0);
}

async function readHours(
  manager: EntityManager,
  userId: string,
  keyIds: string[] | null,
  { from, to }: TimeRange,
  figures: Figures,
): Promise<void> {
  const where =
    'user_id = $1 and hour >= $2 and hour < $3::timestamptz and ($4::uuid[] is null or api_key_id = any($4))';
  const values = [userId, sqlTime(from), sqlTime(to), keyIds];
  const times: ({ at: string; key: string } & Record<keyof BucketCounts, string>)[] = await manager.query(
    `select ${epochMs('hour')} / ${figures.stepMs} * ${figures.stepMs} as at, api_key_id as key,
         sum(calls) as calls, sum(errors) as errors, sum(server_errors) as "serverErrors", sum(blocked) as blocked
       from usage_hours where ${where} group by 1, 2`,
    values,
  );
  for (const { at, key, calls, errors, serverErrors, blocked } of times) {
    figures.addTime(Number(at), {
      calls: Number(calls),
      errors: Number(errors),
      serverErrors: Number(serverErrors),
      blocked: Number(blocked),
    });
    figures.addKey(key, Number(calls));
  }
  const buckets: { place: string; calls: string }[] = await manager.query(
    `select b.place, sum(b.calls) as calls
     from usage_hours, unnest(histogram) with ordinality as b (calls, place) where ${where} group by 1`,
    values,
  );
  for (const row of buckets) figures.addLatency(Number(row.place) - 1, Number(row.calls));
}

async function readDays(
  manager: EntityManager,
  userId: string,
  keyIds: string[] | null,
  { from, to }: TimeRange,
  figures: Figures,
): Promise<void> {
  const rows: { endpoint: string; method: string; status_code: number; calls: string }[] =
    await manager.query(
      `select endpoint, method, status_code, sum(calls) as calls from usage_days
       where user_id = $1 and day >= $2::date and day < $3::date
         and ($4::uuid[] is null or api_key_id = any($4))
       group by 1, 2, 3`,
      [userId, sqlDate(from), sqlDate(to), keyIds],
    );
  for (const { status_code: statusCode, calls, ...row } of rows) {
    figures.addKind({ ...row, statusCode }, Number(calls));
  }
}

interface RowsQuery {
  userId: string;
  filters: UsageFilters;
  range: TimeRange;
  /** The parts that the hourly and the daily roll-up cover; only their rows after the watermark are added. */
  hours: TimeRange | null;
  days: TimeRange | null;
}

interface RowsSql {
  /** Defines `calls`; its `is_hour_part` is false for calls that the hourly roll-up already counts. */
  with: string;
  values: unknown[];
}

/**
 * Selects the calls that the daily roll-up does not cover. Those that the roll-ups have counted (up to the watermark)
 * are found by key and time. The keys come from the hourly roll-up and not from `api_keys`, because rows outlive deleted
 * keys. Later calls are found by `seq`.
 */
function rowsOf({ userId, filters, range, hours, days }: RowsQuery): RowsSql {
  const where = new UsageConditions(userId).matching(filters);
  const time = (ms: number) => `${where.value(sqlTime(ms))}::timestamptz`;
  const [from, to] = [time(range.from), time(range.to)];
  const gaps = days ? `(${from}, ${time(days.from)}), (${time(days.to)}, ${to})` : `(${from}, ${to})`;
  const isHourPart = hours ? `timestamp < ${time(hours.from)} or timestamp >= ${time(hours.to)}` : 'true';
  return {
    with: `with watermark as materialized (
       select coalesce((select seq from usage_watermarks where user_id = $1), 0) as seq
     ), keys as materialized (
       select distinct api_key_id as id from usage_hours
       where user_id = $1 and hour >= date_trunc('hour', ${from}, 'UTC') and hour < ${to}
     ), calls as (
       select r.*, ${isHourPart} as is_hour_part
       from watermark w cross join (values ${gaps}) as gap (low, high) cross join keys cross join lateral (
         select * from api_usage
         where api_key_id = keys.id and timestamp >= gap.low and timestamp < gap.high and seq <= w.seq
           and ${where.sql} offset 0
       ) r
       union all
       select r.*, true as is_hour_part
       from watermark w cross join lateral (
         select * from api_usage
         where seq > w.seq and timestamp >= ${from} and timestamp < ${to} and ${where.sql} offset 0
       ) r
     )`,
    values: where.values,
  };
}

/** One row of the result: the calls of one group; `part` names what they are grouped by. */
interface CallGroup {
  part: 'time' | 'kind' | 'key' | 'origin' | 'latency';
  at: string;
  endpoint: string;
  method: string;
  status_code: number;
  key: string;
  origin: string | null;
  bucket: number;
  rows: string;
  calls: string;
  /** Without the calls that the hourly roll-up already counts. */
  hour_calls: string;
  hour_errors: string;
  hour_server_errors: string;
  hour_blocked: string;
}

/** Adds the rows to `figures` with one query and returns their number. */
async function readGroups(manager: EntityManager, rows: RowsSql, figures: Figures): Promise<number> {
  const sum = (condition: string) => `coalesce(sum(calls) filter (where is_hour_part and ${condition}), 0)`;
  const groups: CallGroup[] = await manager.query(
    `${rows.with}, named as (
       select *, ${epochMs('timestamp')} / ${figures.stepMs} * ${figures.stepMs} as at,
         ${bucketSql('response_time')} as bucket
       from calls
     )
     select case when grouping(at) = 0 then 'time' when grouping(endpoint) = 0 then 'kind'
         when grouping(api_key_id) = 0 then 'key' when grouping(origin) = 0 then 'origin' else 'latency' end as part,
       at, endpoint, method, status_code, api_key_id as key, origin, bucket, count(*) as rows,
       sum(calls) as calls, ${sum('true')} as hour_calls, ${sum(errorSql)} as hour_errors,
       ${sum(`${errorSql} and status_code >= 500`)} as hour_server_errors,
       ${sum("outcome = 'blocked'")} as hour_blocked
     from named
     group by grouping sets ((at), (endpoint, method, status_code), (api_key_id), (origin), (bucket))`,
    rows.values,
  );
  let count = 0;
  for (const group of groups) {
    const [calls, hourCalls] = [Number(group.calls), Number(group.hour_calls)];
    switch (group.part) {
      case 'time':
        count += Number(group.rows);
        figures.addTime(Number(group.at), {
          calls: hourCalls,
          errors: Number(group.hour_errors),
          serverErrors: Number(group.hour_server_errors),
          blocked: Number(group.hour_blocked),
        });
        break;
      case 'kind':
        figures.addKind({ ...group, statusCode: group.status_code }, calls);
        break;
      case 'key':
        if (hourCalls > 0) figures.addKey(group.key, hourCalls);
        break;
      case 'origin':
        figures.addOrigin(group.origin, calls);
        break;
      case 'latency':
        figures.addLatency(group.bucket, hourCalls);
    }
  }
  return count;
}

/**
 * The response times at the ranks of the percentiles among `total` calls; a row that stands for several calls counts as
 * several.
 */
async function readPercentiles(manager: EntityManager, rows: RowsSql, total: number): Promise<Percentiles> {
  if (total === 0) return [null, null, null];
  const values = [...rows.values];
  const places = percents.map((percent) => `$${values.push(rankOf(percent, total))}::bigint`);
  const found: { place: string; ms: number }[] = await manager.query(
    `${rows.with}, ordered as (
       select response_time, sum(calls) over (order by response_time rows unbounded preceding) as upto from calls
     )
     select place, min(response_time) as ms
     from unnest(array[${places.join(', ')}]) as place join ordered on upto >= place group by place`,
    values,
  );
  const at = new Map(found.map(({ place, ms }) => [Number(place), ms]));
  return percents.map((percent) => at.get(rankOf(percent, total)) ?? null) as Percentiles;
}
