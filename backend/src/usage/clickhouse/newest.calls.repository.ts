import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import type { DataSource, EntityManager } from 'typeorm';
import type { TimeRange } from '../usage.range.js';
import { bucketSql, errorSql, UsageConditions } from '../usage.sql.js';
import type { SummedHours } from './history.sql.js';

/** How the rows of an owner are divided: PostgreSQL has those after `pruned`, ClickHouse those up to `shipped`. */
export interface Division {
  shipped: number;
  pruned: number;
  /** The owner's last sequence number. */
  head: number;
}

/** Calls that are equal in all that figures count. */
export interface CallGroup {
  at: number;
  key: string;
  endpoint: string;
  method: string;
  statusCode: number;
  origin: string | null;
  bucket: number;
  rows: number;
  calls: number;
  errors: number;
  serverErrors: number;
  blocked: number;
}

const time = (ms: number): Date | string =>
  Number.isFinite(ms) ? new Date(ms) : ms < 0 ? '-infinity' : 'infinity';

/** Reads from PostgreSQL what ClickHouse does not have yet, and which part that is. */
export class NewestCallsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs reads of one state: rows, and which of them are shipped and summed. */
  inSnapshot<T>(read: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction('REPEATABLE READ', read);
  }

  async division(userId: string, manager: EntityManager = this.dataSource.manager): Promise<Division> {
    const [row]: { shipped: string; pruned: string; head: string }[] = await manager.query(
      `select coalesce((select seq from usage_shipped where user_id = $1), 0) as shipped,
         coalesce((select pruned from usage_shipped where user_id = $1), 0) as pruned,
         coalesce((select seq from usage_heads where user_id = $1), 0) as head`,
      [userId],
    );
    const { shipped, pruned, head } = row as { shipped: string; pruned: string; head: string };
    return { shipped: Number(shipped), pruned: Number(pruned), head: Number(head) };
  }

  /** The time of the oldest row that PostgreSQL has of an owner, in ms; null if it has all. */
  async keptFrom(userId: string): Promise<number | null> {
    const { pruned } = await this.division(userId);
    if (pruned === 0) return null;
    const [row]: { at: number | null }[] = await this.dataSource.query(
      `select (extract(epoch from min(timestamp)) * 1000)::float8 as at from api_usage where user_id = $1 and seq = (
         select min(seq) from api_usage where user_id = $1 and seq > $2)`,
      [userId, pruned],
    );
    return row?.at ?? Date.now();
  }

  /**
   * Which of the hours from `from` to before `to` have valid sums; null if there are more than `exceptionsMost`
   * exceptions, runs of hours in a row counted once.
   */
  async hours(
    manager: EntityManager,
    from: number,
    to: number,
    exceptionsMost: number,
  ): Promise<SummedHours | null> {
    const found: { hour: number; build: number; is_built: boolean }[] = await manager.query(
      `select hour, build, is_built from usage_shipped_hours
       where hour >= $1 and hour < $2 and (not is_built or build > 1) order by hour`,
      [from, to],
    );
    const runs = found.filter(({ hour, is_built }, i) => is_built || found[i - 1]?.hour !== hour - 1);
    if (runs.length > exceptionsMost) return null;
    return {
      from,
      to,
      open: found.filter(({ is_built }) => !is_built).map(({ hour }) => hour),
      rebuilt: found.filter(({ is_built }) => is_built),
    };
  }

  /** The rows after a sequence number that match, in groups. */
  async groups(
    manager: EntityManager,
    {
      userId,
      filters,
      range,
      shipped,
    }: { userId: string; filters: UsageFilters; range: TimeRange; shipped: number },
    stepMs: number,
  ): Promise<CallGroup[]> {
    const where = newestOf(userId, filters, range, shipped);
    const sum = (condition: string) => `coalesce(sum(calls) filter (where ${condition}), 0)::float8`;
    return manager.query(
      `select (floor(extract(epoch from timestamp) * 1000 / ${stepMs}) * ${stepMs})::float8 as at, api_key_id as key,
         endpoint, method, status_code as "statusCode", origin, ${bucketSql('response_time')} as bucket,
         count(*)::int as rows, sum(calls)::float8 as calls, ${sum(errorSql)} as errors,
         ${sum(`${errorSql} and status_code >= 500`)} as "serverErrors", ${sum("outcome = 'blocked'")} as blocked
       from api_usage where ${where.sql} group by 1, 2, 3, 4, 5, 6, 7`,
      where.values,
    );
  }

  /** The different durations of the same rows, and the calls of each. */
  async durations(
    manager: EntityManager,
    {
      userId,
      filters,
      range,
      shipped,
    }: { userId: string; filters: UsageFilters; range: TimeRange; shipped: number },
  ): Promise<[ms: number, calls: number][]> {
    const where = newestOf(userId, filters, range, shipped);
    const found: { ms: number; calls: number }[] = await manager.query(
      `select response_time as ms, sum(calls)::float8 as calls from api_usage where ${where.sql} group by 1`,
      where.values,
    );
    return found.map(({ ms, calls }) => [ms, calls]);
  }
}

function newestOf(
  userId: string,
  filters: UsageFilters,
  { from, to }: TimeRange,
  shipped: number,
): UsageConditions {
  const where = new UsageConditions(userId).matching(filters);
  where.add('seq > ?', shipped);
  return where.add('timestamp >= ? and timestamp < ?', time(from), time(to));
}
