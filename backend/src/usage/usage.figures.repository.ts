import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import type { EntityManager } from 'typeorm';
import { type Figures, type Percentiles, percents, rankOf } from './usage.figures.js';
import type { SeqRange } from './usage.history.port.js';
import type { Reading } from './usage.pieces.js';
import { hourPlaces, isBucket, places } from './usage.places.js';
import type { TimeRange } from './usage.range.js';
import { bucketSql, errorSql, UsageConditions } from './usage.sql.js';

const sqlTime = (ms: number): Date | string => (Number.isFinite(ms) ? new Date(ms) : 'infinity');
const hourMs = 3_600_000;
const lastHour = 2 ** 31 - 48;
const epochMs = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint`;

/**
 * Adds the days of keys in a range of whole hours to `figures`. `keyIds` null is all keys. Of a part day at an end they
 * have the times and the keys of its calls, and nothing else.
 */
export async function readKeyDays(
  manager: EntityManager,
  userId: string,
  keyIds: string[] | null,
  { from, to }: TimeRange,
  figures: Figures,
): Promise<void> {
  const [first, last] = [from, to].map((ms) => Math.min(lastHour, Math.floor(ms / hourMs)));
  const rows: { hour: number | null; place: number; key: string | null; calls: string }[] =
    await manager.query(
      `select counted.hour, counted.place, counted.key, sum(counted.calls) as calls
       from usage_key_days d
         join usage_keys k on k.id = d.key and k.user_id = $1 and ($4::uuid[] is null or k.api_key_id = any($4))
         cross join lateral (
           select d.day * 24 + (place - ${places.hour}) / ${hourPlaces.length} as hour,
             (place - ${places.hour}) % ${hourPlaces.length} as place, k.api_key_id as key, calls
           from unnest(d.places, d.counts) as l (place, calls)
           where place between ${places.hour} and ${places.hour + 24 * hourPlaces.length - 1}
           union all
           select null, place, null, calls from unnest(d.places, d.counts) as l (place, calls)
           where (${isBucket('place')} or place >= ${places.kind}) and d.day * 24 >= $2 and d.day * 24 + 24 <= $3
         ) counted
       where d.user_id = $1 and d.day >= $2 / 24 and d.day <= ($3 - 1) / 24 and (counted.hour is null or counted.hour >= $2 and counted.hour < $3)
       group by 1, 2, 3`,
      [userId, first, last, keyIds],
    );
  const kinds: { id: number; endpoint: string; method: string; statusCode: number }[] = await manager.query(
    'select id, endpoint, method, status_code as "statusCode" from usage_kinds',
  );
  const kindOf = new Map(kinds.map((kind) => [kind.id, kind]));
  for (const { hour, place, key, calls: text } of rows) {
    const calls = Number(text);
    if (hour !== null && key !== null) {
      const what = hourPlaces[place];
      figures.addTime(Math.floor((hour * hourMs) / figures.stepMs) * figures.stepMs, {
        calls,
        errors: what === 'error' || what === 'serverError' ? calls : 0,
        serverErrors: what === 'serverError' ? calls : 0,
        blocked: what === 'blocked' ? calls : 0,
      });
      figures.addKey(key, calls);
    } else if (place >= places.kind) {
      figures.addKind(kindOf.get(place - places.kind) as (typeof kinds)[number], calls);
    } else figures.addLatency(place, calls);
  }
}

export interface RowsQuery {
  userId: string;
  filters: UsageFilters;
  range: TimeRange;
  /** The part that the roll-ups cover, null for none; only its rows after the watermark are added. */
  covered: TimeRange | null;
  /** If cells cover it, and not the days of keys. */
  cells?: CoveredByCells;
  /** Of the rows after the watermark only those with these sequence numbers, or none. */
  newest?: SeqRange | null;
  /** Only the rows after the watermark. */
  isNewestOnly?: boolean;
}

export interface CoveredByCells {
  keyIds: string[] | null;
  /** The keys of the question that have no cells; all their rows are added. */
  lightKeys: readonly string[];
}

export interface RowsSql {
  /** Defines `calls`. */
  with: string;
  values: unknown[];
}

/**
 * Selects the calls that the roll-ups do not cover. Those that they have counted (up to the watermark) are found by key
 * and time. The keys come from the roll-ups and not from `api_keys`, because rows outlive deleted keys. Later calls are
 * found by `seq`.
 */
export function rowsOf({
  userId,
  filters,
  range,
  covered,
  cells,
  newest,
  isNewestOnly = false,
}: RowsQuery): RowsSql {
  const where = new UsageConditions(userId).matching(filters);
  const time = (ms: number) => `${where.value(sqlTime(ms))}::timestamptz`;
  const [from, to] = [time(range.from), time(range.to)];
  const gaps = covered
    ? `(${from}, ${time(covered.from)}), (${time(covered.to)}, ${to})`
    : `(${from}, ${to})`;
  const outside =
    cells && covered ? outsideCells(where, filters, cells, time(covered.from), time(covered.to)) : '';
  const days = [range.from, range.to].map((ms) => where.value(Math.min(lastHour, Math.floor(ms / hourMs))));
  return {
    with: `with watermark as materialized (
       select coalesce((select ${cells ? 'owner_cells_seq' : 'key_days_seq'} from usage_watermarks where user_id = $1), 0) as seq
     ), keys as materialized (
       select api_key_id as id from usage_keys
       where user_id = $1 and (${where.value(cells?.keyIds ?? null)}::uuid[] is null or api_key_id = any($${where.values.length}))
         and not ${where.value(isNewestOnly)}::boolean and id in (
           select key from usage_key_days where user_id = $1 and day between ${days[0]}::int / 24 and ${days[1]}::int / 24
         )
     ), calls as (
       select r.*
       from watermark w cross join (values ${gaps}) as gap (low, high) cross join keys cross join lateral (
         select * from api_usage
         where api_key_id = keys.id and timestamp >= gap.low and timestamp < gap.high and seq <= w.seq
           and ${where.sql} offset 0
       ) r
       ${outside}
       ${newest === null ? '' : `union all ${newestSql(where, from, to, newest)}`}
     )`,
    values: where.values,
  };
}

const newestSql = (where: UsageConditions, from: string, to: string, seqs: SeqRange | undefined): string =>
  `select r.*
   from watermark w cross join lateral (
     select * from api_usage
     where seq > w.seq and timestamp >= ${from} and timestamp < ${to} and ${where.sql}
       ${seqs ? `and seq between ${where.value(seqs.first)} and ${where.value(seqs.last)}` : ''} offset 0
   ) r`;

/** Reads the groups of `query` piece by piece: first by time, then what is not folded yet by sequence number. */
export async function readGroupsInPieces(
  manager: EntityManager,
  query: RowsQuery,
  reading: Reading,
  figures: Figures,
): Promise<void> {
  const { userId, range, covered, cells } = query;
  const within = (piece: TimeRange): TimeRange | null => {
    const part = covered && {
      from: Math.max(covered.from, piece.from),
      to: Math.min(covered.to, piece.to),
    };
    return part && part.from < part.to ? part : null;
  };
  await reading.each(range, 1, figures, async (piece, added) => {
    const rows = rowsOf({ ...query, range: piece, covered: within(piece), newest: null });
    await readGroups(manager, rows, added);
  });
  const [ends]: { folded: string; head: string }[] = await manager.query(
    `select coalesce(max(${cells ? 'w.owner_cells_seq' : 'w.key_days_seq'}), 0) as folded, max(h.seq) as head
     from usage_heads h left join usage_watermarks w using (user_id) where h.user_id = $1`,
    [userId],
  );
  const seqs = { from: Number(ends?.folded ?? 0) + 1, to: Number(ends?.head ?? 0) + 1 };
  await reading.each(seqs, 1, figures, async ({ from, to }, added) => {
    const rows = rowsOf({
      ...query,
      range,
      covered: null,
      newest: { first: from, last: to - 1 },
      isNewestOnly: true,
    });
    await readGroups(manager, rows, added);
  });
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
    select r.* from watermark w cross join unnest(${light}) as key cross join lateral (
      select * from api_usage
      where api_key_id = key and timestamp >= ${from} and timestamp < ${to} and seq <= w.seq and ${where.sql} offset 0
    ) r`;
  if (origin === undefined) return ofLight;
  return `${ofLight} union all
    select r.* from watermark w
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
  errors: string;
  server_errors: string;
  blocked: string;
}

/** Adds the rows to `figures` with one query and returns their number. */
export async function readGroups(manager: EntityManager, rows: RowsSql, figures: Figures): Promise<number> {
  const sum = (condition: string) => `coalesce(sum(calls) filter (where ${condition}), 0)`;
  const groups: CallGroup[] = await manager.query(
    `${rows.with}, named as (
       select *, ${epochMs('timestamp')} / ${figures.stepMs} * ${figures.stepMs} as at,
         ${bucketSql('response_time')} as bucket
       from calls
     )
     select case when grouping(at) = 0 then 'time' when grouping(endpoint) = 0 then 'kind'
         when grouping(api_key_id) = 0 then 'key' when grouping(origin) = 0 then 'origin' else 'latency' end as part,
       at, endpoint, method, status_code, api_key_id as key, origin, bucket, count(*) as rows,
       sum(calls) as calls, ${sum(errorSql)} as errors, ${sum(`${errorSql} and status_code >= 500`)} as server_errors,
       ${sum("outcome = 'blocked'")} as blocked
     from named
     group by grouping sets ((at), (endpoint, method, status_code), (api_key_id), (origin), (bucket))`,
    rows.values,
  );
  let count = 0;
  for (const group of groups) {
    const calls = Number(group.calls);
    switch (group.part) {
      case 'time':
        count += Number(group.rows);
        figures.addTime(Number(group.at), {
          calls,
          errors: Number(group.errors),
          serverErrors: Number(group.server_errors),
          blocked: Number(group.blocked),
        });
        break;
      case 'kind':
        figures.addKind({ ...group, statusCode: group.status_code }, calls);
        break;
      case 'key':
        figures.addKey(group.key, calls);
        break;
      case 'origin':
        figures.addOrigin(group.origin, calls);
        break;
      case 'latency':
        figures.addLatency(group.bucket, calls);
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

/** Adds the latency and the keys of the rows that the cells count and that lie in the range. */
export async function readHourDetails(
  manager: EntityManager,
  { userId, filters, keyIds }: { userId: string; filters: UsageFilters; keyIds: string[] | null },
  { from, to }: TimeRange,
  figures: Figures,
): Promise<void> {
  const where = new UsageConditions(userId).matching(filters);
  const time = (ms: number) => `${where.value(sqlTime(ms))}::timestamptz`;
  const groups: { bucket: number | null; key: string; calls: string }[] = await manager.query(
    `select ${bucketSql('response_time')} as bucket, r.api_key_id as key, sum(r.calls) as calls
     from (values (${time(from)}, ${time(to)})) as p (low, high)
     cross join (
       select api_key_id as id from usage_keys
       where user_id = $1 and (${where.value(keyIds)}::uuid[] is null or api_key_id = any($${where.values.length}))
     ) keys
     cross join lateral (
       select * from api_usage
       where api_key_id = keys.id and timestamp >= p.low and timestamp < p.high
         and seq <= (select owner_cells_seq from usage_watermarks where user_id = $1) and ${where.sql} offset 0
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
