import { Injectable } from '@nestjs/common';
import { histogramBuckets, quantileOf } from '@orange-id/contract/latency.histogram';
import { bucketSecondsFor } from '@orange-id/contract/usage.range';
import type { UsageFilters, UsageMetrics, UsagePage, UsageQuery } from '@orange-id/contract/usage.schema';
import { DataSource, EntityManager } from 'typeorm';
import { PortalError } from '../http/portal.error.js';
import { rangeOf, readTime, TimeRange } from './usage.range.js';
import { bucketSql, usageColumns, UsageRecord, usageRowOf } from './usage.sql.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const rollupsFromMs = 48 * hourMs;

/** Calls with everything in common that a figure can ask for. */
interface CallGroup {
  at: string;
  /** False when the roll-up by hours already counts these calls. */
  is_hour_part: boolean;
  endpoint: string;
  method: string;
  status_code: number;
  outcome: string;
  bucket: number;
  calls: string;
}

/** Reads usage (design §5, §6). Figures come from the roll-ups where they can and from rows where they must, and are exact either way. */
@Injectable()
export class UsageService {
  constructor(private readonly dataSource: DataSource) {}

  /** The owner's rows, newest first, or oldest first after a sequence. Throws 404 for somebody else's key or project. */
  async page(userId: string, query: UsageQuery): Promise<UsagePage> {
    const where = new Conditions(userId).narrow(query);
    if (query.from !== undefined) where.add('timestamp >= ?', new Date(readTime(query.from)));
    if (query.to !== undefined) where.add('timestamp < ?', new Date(readTime(query.to)));
    if (query.from !== undefined && query.to !== undefined) rangeOf(query, Date.now());
    if (query.after !== undefined) where.add('seq > ?', query.after);
    if (query.before !== undefined) where.add('seq < ?', query.before);
    await this.checkOwner(this.dataSource.manager, userId, query);
    const records: UsageRecord[] = await this.dataSource.query(
      `select ${usageColumns} from api_usage where ${where.sql}
       order by seq ${query.after === undefined ? 'desc' : 'asc'} limit ${query.limit + 1}`,
      where.values,
    );
    const rows = records.slice(0, query.limit).map(usageRowOf);
    return { rows, next: records.length > query.limit ? (rows.at(-1)?.seq ?? null) : null };
  }

  /** The owner's figures for a range. Throws 404 for somebody else's key or project. */
  async metrics(userId: string, filters: UsageFilters, now = Date.now()): Promise<UsageMetrics> {
    const range = rangeOf(filters, now);
    // One snapshot: the watermark, the roll-ups and the rows after it must belong together.
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const keyIds = await this.checkOwner(manager, userId, filters);
      const figures = new Figures(range);
      const isFinerThanRollups = filters.endpoint !== undefined || filters.status !== undefined;
      const isLong = range.to - range.from >= rollupsFromMs;
      const hours = isLong && !isFinerThanRollups ? inside(range, hourMs) : null;
      const days = hours && inside(range, dayMs);
      if (hours && days) {
        await readHours(manager, userId, keyIds, hours, figures);
        await readDays(manager, userId, keyIds, days, figures);
      }
      const groups = await readGroups(manager, { userId, filters, range, hours, days, step: figures.stepMs });
      for (const group of groups) figures.addGroup(group);
      return figures.result();
    });
  }

  /** The keys the filters leave, or `null` for all. What belongs to somebody else is not there: 404. */
  private async checkOwner(
    manager: EntityManager,
    userId: string,
    { keyId, projectId }: UsageFilters,
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

/** Conditions on `api_usage` with their values; the first is always the owner. */
class Conditions {
  readonly values: unknown[] = [];
  private readonly parts: string[] = [];

  constructor(userId: string) {
    this.add('user_id = ?', userId);
  }

  add(condition: string, ...values: unknown[]): this {
    this.parts.push(condition.replace(/\?/g, () => this.value(values.shift())));
    return this;
  }

  /** Takes a value and answers its placeholder. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  narrow({ keyId, projectId, endpoint, status }: UsageFilters): this {
    if (keyId !== undefined) this.add('api_key_id = ?', keyId);
    if (projectId !== undefined) this.add('project_id = ?', projectId);
    if (endpoint !== undefined) this.add('endpoint = ?', endpoint);
    if (status !== undefined) {
      const isClass = status.endsWith('xx');
      const low = isClass ? Number(status[0]) * 100 : Number(status);
      this.add('status_code between ? and ?', low, isClass ? low + 99 : low);
    }
    return this;
  }

  get sql(): string {
    return this.parts.join(' and ');
  }
}

/** Adds up what the queries answer; every figure of one answer comes from here. */
class Figures {
  readonly stepMs: number;
  private readonly totals = { calls: 0, errors: 0, blocked: 0 };
  private readonly histogram = new Array<number>(histogramBuckets).fill(0);
  private readonly series = new Map<number, { calls: number; errors: number }>();
  private readonly endpoints = new Map<string, { endpoint: string; method: string; calls: number }>();
  private readonly statuses = new Map<number, number>();

  constructor(private readonly range: TimeRange) {
    this.stepMs = bucketSecondsFor(range.to - range.from) * 1000;
    const first = Math.floor(range.from / this.stepMs) * this.stepMs;
    for (let at = first; at < range.to; at += this.stepMs) this.series.set(at, { calls: 0, errors: 0 });
  }

  addTime(at: number, calls: number, errors: number, blocked: number): void {
    this.totals.calls += calls;
    this.totals.errors += errors;
    this.totals.blocked += blocked;
    const bucket = this.series.get(at) as { calls: number; errors: number };
    bucket.calls += calls;
    bucket.errors += errors;
  }

  addLatency(bucket: number, calls: number): void {
    this.histogram[bucket] = (this.histogram[bucket] as number) + calls;
  }

  addKind(endpoint: string, method: string, statusCode: number, calls: number): void {
    const name = `${method} ${endpoint}`;
    const known = this.endpoints.get(name);
    if (known) known.calls += calls;
    else this.endpoints.set(name, { endpoint, method, calls });
    this.statuses.set(statusCode, (this.statuses.get(statusCode) ?? 0) + calls);
  }

  addGroup(group: CallGroup): void {
    const calls = Number(group.calls);
    if (group.is_hour_part) {
      const isError = group.outcome === 'error' || group.outcome === 'limited';
      this.addTime(Number(group.at), calls, isError ? calls : 0, group.outcome === 'blocked' ? calls : 0);
      this.addLatency(group.bucket, calls);
    }
    this.addKind(group.endpoint, group.method, group.status_code, calls);
  }

  result(): UsageMetrics {
    const percentile = (q: number) => quantileOf(this.histogram, q);
    return {
      from: new Date(this.range.from).toISOString(),
      to: new Date(this.range.to).toISOString(),
      bucketSeconds: this.stepMs / 1000,
      totals: { ...this.totals, p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) },
      series: [...this.series].map(([at, counts]) => ({ at: new Date(at).toISOString(), ...counts })),
      endpoints: [...this.endpoints.values()].sort(
        (a, b) => b.calls - a.calls || (a.endpoint + a.method < b.endpoint + b.method ? -1 : 1),
      ),
      statuses: [...this.statuses]
        .map(([statusCode, calls]) => ({ statusCode, calls }))
        .sort((a, b) => a.statusCode - b.statusCode),
    };
  }
}

/** The whole units within a range. */
const inside = ({ from, to }: TimeRange, unitMs: number): TimeRange => ({
  from: Math.ceil(from / unitMs) * unitMs,
  to: Math.floor(to / unitMs) * unitMs,
});

const epochMs = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint`;

async function readHours(
  manager: EntityManager,
  userId: string,
  keyIds: string[] | null,
  { from, to }: TimeRange,
  figures: Figures,
): Promise<void> {
  const where = 'user_id = $1 and hour >= $2 and hour < $3 and ($4::uuid[] is null or api_key_id = any($4))';
  const values = [userId, new Date(from), new Date(to), keyIds];
  const times: { at: string; calls: string; errors: string; blocked: string }[] = await manager.query(
    `select ${epochMs('hour')} / ${figures.stepMs} * ${figures.stepMs} as at,
       sum(calls) as calls, sum(errors) as errors, sum(blocked) as blocked
     from usage_hours where ${where} group by 1`,
    values,
  );
  for (const row of times) {
    figures.addTime(Number(row.at), Number(row.calls), Number(row.errors), Number(row.blocked));
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
      [userId, dateOf(from), dateOf(to), keyIds],
    );
  for (const row of rows) figures.addKind(row.endpoint, row.method, row.status_code, Number(row.calls));
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

interface GroupsQuestion {
  userId: string;
  filters: UsageFilters;
  range: TimeRange;
  /** What the roll-ups have answered already; of it only the rows after the watermark are missing. */
  hours: TimeRange | null;
  days: TimeRange | null;
  step: number;
}

/**
 * The rows that no roll-up has counted. Those up to the watermark are found by key and time, the keys being those
 * the roll-up knows in this range (an owner's keys may be gone, their rows are not); those after it by sequence.
 */
async function readGroups(manager: EntityManager, question: GroupsQuestion): Promise<CallGroup[]> {
  const { userId, filters, range, hours, days, step } = question;
  const where = new Conditions(userId).narrow(filters);
  const from = where.value(new Date(range.from));
  const to = where.value(new Date(range.to));
  const gaps = days
    ? `(${from}::timestamptz, ${where.value(new Date(days.from))}::timestamptz),
       (${where.value(new Date(days.to))}::timestamptz, ${to}::timestamptz)`
    : `(${from}::timestamptz, ${to}::timestamptz)`;
  const isHourPart = hours
    ? `timestamp < ${where.value(new Date(hours.from))} or timestamp >= ${where.value(new Date(hours.to))}`
    : 'true';
  return manager.query(
    `with watermark as materialized (
       select coalesce((select seq from usage_watermarks where user_id = $1), 0) as seq
     ), keys as materialized (
       select distinct api_key_id as id from usage_hours
       where user_id = $1 and hour >= date_trunc('hour', ${from}::timestamptz, 'UTC') and hour < ${to}::timestamptz
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
     )
     select ${epochMs('timestamp')} / ${step} * ${step} as at, is_hour_part, endpoint, method, status_code,
       outcome, ${bucketSql('response_time')} as bucket, sum(calls.calls) as calls
     from calls group by 1, 2, 3, 4, 5, 6, 7`,
    where.values,
  );
}
