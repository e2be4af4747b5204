import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import type { EntityManager } from 'typeorm';
import { type BucketCounts, type Figures, type Percentiles, percents, rankOf } from './usage.figures.js';
import type { TimeRange } from './usage.range.js';
import { bucketSql, errorSql, UsageConditions } from './usage.sql.js';

const sqlTime = (ms: number): Date | string => (Number.isFinite(ms) ? new Date(ms) : 'infinity');
const sqlDate = (ms: number): string =>
  Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : 'infinity';
const epochMs = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint`;

/** Adds the hourly roll-up of a range of whole hours to `figures`. `keyIds` null is all keys. */
export async function readHours(
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

/** Adds the daily roll-up of a range of whole UTC days to `figures`. */
export async function readDays(
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

export interface RowsQuery {
  userId: string;
  filters: UsageFilters;
  range: TimeRange;
  /** The parts that the hourly and the daily roll-up cover; only their rows after the watermark are added. */
  hours: TimeRange | null;
  days: TimeRange | null;
  /** If the cells cover `hours`. */
  cells?: CoveredByCells;
}

export interface CoveredByCells {
  keyIds: string[] | null;
  /** The keys of the question that have no cells; all their rows are added. */
  lightKeys: readonly string[];
}

export interface RowsSql {
  /** Defines `calls`; its `is_hour_part` is false for calls that the hourly roll-up already counts. */
  with: string;
  values: unknown[];
}

/**
 * Selects the calls that the daily roll-up, or the cells, do not cover. Those that the roll-ups have counted (up to the
 * watermark) are found by key and time. The keys come from the roll-ups and not from `api_keys`, because rows outlive
 * deleted keys. Later calls are found by `seq`.
 */
export function rowsOf({ userId, filters, range, hours, days, cells }: RowsQuery): RowsSql {
  const where = new UsageConditions(userId).matching(filters);
  const time = (ms: number) => `${where.value(sqlTime(ms))}::timestamptz`;
  const [from, to] = [time(range.from), time(range.to)];
  const gaps = days ? `(${from}, ${time(days.from)}), (${time(days.to)}, ${to})` : `(${from}, ${to})`;
  const isHourPart = hours ? `timestamp < ${time(hours.from)} or timestamp >= ${time(hours.to)}` : 'true';
  const keys = cells
    ? `select api_key_id as id from usage_keys
       where user_id = $1 and (${where.value(cells.keyIds)}::uuid[] is null or api_key_id = any($${where.values.length}))`
    : `select distinct api_key_id as id from usage_hours
       where user_id = $1 and hour >= date_trunc('hour', ${from}, 'UTC') and hour < ${to}`;
  const covered = cells && hours ? outsideCells(where, filters, cells, time(hours.from), time(hours.to)) : '';
  return {
    with: `with watermark as materialized (
       select coalesce((select ${cells ? 'cells_seq' : 'seq'} from usage_watermarks where user_id = $1), 0) as seq
     ), keys as materialized (
       ${keys}
     ), calls as (
       select r.*, ${isHourPart} as is_hour_part
       from watermark w cross join (values ${gaps}) as gap (low, high) cross join keys cross join lateral (
         select * from api_usage
         where api_key_id = keys.id and timestamp >= gap.low and timestamp < gap.high and seq <= w.seq
           and ${where.sql} offset 0
       ) r
       ${covered}
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

/** The rows within the hours of the cells that no cell names: those of light keys and those of other origins. */
function outsideCells(
  where: UsageConditions,
  { origin }: UsageFilters,
  { lightKeys }: CoveredByCells,
  from: string,
  to: string,
): string {
  const light = `${where.value(lightKeys)}::uuid[]`;
  const ofLight = `union all
    select r.*, true from watermark w cross join unnest(${light}) as key cross join lateral (
      select * from api_usage
      where api_key_id = key and timestamp >= ${from} and timestamp < ${to} and seq <= w.seq and ${where.sql} offset 0
    ) r`;
  if (origin === undefined) return ofLight;
  return `${ofLight} union all
    select r.*, true from watermark w
      join usage_other_origins o on o.user_id = $1 and o.origin = ${where.value(origin)} and o.seq <= w.seq
      cross join lateral (
        select * from api_usage
        where seq = o.seq and timestamp >= ${from} and timestamp < ${to} and api_key_id <> all(${light})
          and ${where.sql} offset 0
      ) r`;
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
export async function readGroups(manager: EntityManager, rows: RowsSql, figures: Figures): Promise<number> {
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
export async function readPercentiles(
  manager: EntityManager,
  rows: RowsSql,
  total: number,
): Promise<Percentiles> {
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

/** Adds the latency and the keys of the rows that the cells count and that lie in `ranges` of whole hours. */
export async function readHourDetails(
  manager: EntityManager,
  { userId, filters, keyIds }: { userId: string; filters: UsageFilters; keyIds: string[] | null },
  ranges: readonly TimeRange[],
  figures: Figures,
): Promise<void> {
  if (ranges.length === 0) return;
  const where = new UsageConditions(userId).matching(filters);
  const time = (ms: number) => `${where.value(sqlTime(ms))}::timestamptz`;
  const groups: { bucket: number | null; key: string; calls: string }[] = await manager.query(
    `select ${bucketSql('response_time')} as bucket, r.api_key_id as key, sum(r.calls) as calls
     from (values ${ranges.map(({ from, to }) => `(${time(from)}, ${time(to)})`).join(', ')}) as p (low, high)
     cross join (
       select api_key_id as id from usage_keys
       where user_id = $1 and (${where.value(keyIds)}::uuid[] is null or api_key_id = any($${where.values.length}))
     ) keys
     cross join lateral (
       select * from api_usage
       where api_key_id = keys.id and timestamp >= p.low and timestamp < p.high
         and seq <= (select cells_seq from usage_watermarks where user_id = $1) and ${where.sql} offset 0
     ) r
     where not exists (
       select from usage_other_origins o where o.user_id = $1 and o.origin = r.origin and o.seq = r.seq
     )
     group by grouping sets ((1), (2))`,
    where.values,
  );
  for (const { bucket, key, calls } of groups) {
    if (bucket === null) figures.addKey(key, Number(calls));
    else figures.addLatency(bucket, Number(calls));
  }
}
