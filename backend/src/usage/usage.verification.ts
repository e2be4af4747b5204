import type pg from 'pg';
import { hourPlaces, isBucket, places } from './usage.places.js';
import { bucketSql, errorCodeSql, errorSql } from './usage.sql.js';

/** A count that the roll-ups have and the rows don't, or the other way round. */
export interface UsageDifference {
  table: 'usage_owner_cells' | 'usage_key_days';
  /** Columns of the row in the table, as text. */
  row: string;
  /** What is counted: a place of the list, `calls` or `last_at`. */
  what: string;
  inRows: string | null;
  inRollups: string | null;
}

export interface VerifiedDay {
  userId: string;
  /** UTC, as `2026-11-28`. */
  day: string;
  calls: number;
  differences: UsageDifference[];
}

/** Stands for the calls of a cell beside its list. */
const allCalls = '(-2147483648)';

/** The days of each owner that have all their rows: those after the day of the first row, if earlier rows are gone. */
const daysSql = `
with first as (
  select h.user_id, r.seq, floor(date_part('epoch', r.timestamp) / 86400)::int as day
  from usage_heads h cross join lateral (
    select seq, timestamp from api_usage where user_id = h.user_id order by seq limit 1
  ) r
  where $1::uuid is null or h.user_id = $1
)
select f.user_id as "userId", d.day,
  to_char(date '1970-01-01' + d.day, 'YYYY-MM-DD') as name
from first f cross join lateral (
  select day from usage_key_days where user_id = f.user_id
  union select hour / 24 from usage_owner_cells where user_id = f.user_id and key = 0 and part = 2
) d
where f.seq = 1 or d.day > f.day
order by 1, 2`;

const daySql = `
with rows as materialized (
  select k.id as key, k.is_wide, coalesce(kind.id, -1) as kind,
    case when u.origin is null then 0 when other.seq is not null then 1 else coalesce(o.id, -1) end as origin,
    floor(date_part('epoch', u.timestamp) / 900)::int as quarter, ${bucketSql('u.response_time')} as bucket,
    case when u.outcome = 'blocked' then ${hourPlaces.indexOf('blocked')}
      when not u.${errorSql} then ${hourPlaces.indexOf('fine')}
      when u.status_code >= 500 then ${hourPlaces.indexOf('serverError')}
      else ${hourPlaces.indexOf('error')} end as what,
    u.timestamp, u.calls, u.seq <= w.owner_cells_seq as is_in_cells, u.seq <= w.key_days_seq as is_in_days
  from usage_watermarks w
    join usage_keys k on k.user_id = w.user_id
    cross join lateral (
      select *, coalesce(${errorCodeSql}, '') as code from api_usage
      where api_key_id = k.api_key_id and user_id = w.user_id and timestamp >= to_timestamp($2::int * 86400.0)
        and timestamp < to_timestamp($2 * 86400.0 + 86400) offset 0
    ) u
    left join usage_kinds kind on (kind.endpoint, kind.method, kind.status_code, kind.outcome, kind.error_code)
      = (u.endpoint, u.method, u.status_code, u.outcome, u.code)
    left join usage_origins o on o.user_id = u.user_id and o.origin = u.origin
    left join usage_other_origins other on other.user_id = u.user_id and other.origin = u.origin and other.seq = u.seq
  where w.user_id = $1
), cells_of_rows as (
  select scope as key, part, p.hour, p.kind, p.origin, place, sum(calls) as calls
  from rows r
    cross join lateral (values (0), (case when is_wide then r.key end)) as s (scope)
    cross join lateral (values
      (1, quarter / 4, r.kind, 0), (2, $2 * 24, r.kind, 0), (3, quarter / 4, 0, r.origin), (4, $2 * 24, r.kind, r.origin)
    ) as p (part, hour, kind, origin)
    cross join lateral (values
      (bucket), (case when part = 1 then ${places.quarter} + quarter % 4 end),
      (case when scope = 0 then ${places.key} + r.key end), (case when part <= 2 then ${places.origin} - r.origin end)
    ) as l (place)
  where is_in_cells and scope is not null and place is not null group by 1, 2, 3, 4, 5, 6
), cells_expected as (
  select * from cells_of_rows
  union all
  select key, part, hour, kind, origin, ${allCalls}, sum(calls) from cells_of_rows where ${isBucket('place')}
  group by 1, 2, 3, 4, 5
), cells_stored as (
  select key, part, hour, kind, origin, l.place, l.calls
  from usage_owner_cells c cross join lateral (
    select place, calls::bigint from unnest(c.places, c.counts) as listed (place, calls) union all select ${allCalls}, c.calls
  ) l
  where c.user_id = $1 and c.hour between $2 * 24 and $2 * 24 + 23
), days_of_rows as (
  select r.key, place, sum(calls) as calls
  from rows r cross join lateral (values
    (bucket), (${places.hour} + quarter / 4 % 24 * ${hourPlaces.length} + what), (${places.kind} + kind)
  ) as l (place)
  where is_in_days group by 1, 2
), days_expected as (
  select key, place::text as what, calls::text as value
  -- Days of an earlier version have kinds without outcomes: only those are compared by endpoint, method and status.
  from days_of_rows where place < ${places.kind}
  union all
  select key, concat_ws(' ', k.method, k.endpoint, k.status_code), sum(calls)::text
  from days_of_rows join usage_kinds k on k.id = place - ${places.kind} where place >= ${places.kind} group by 1, 2
  union all select key, 'calls', sum(calls)::text from rows where is_in_days group by 1
  union all select key, 'last_at', max(timestamp)::text from rows where is_in_days group by 1
), days_stored as (
  select key, l.what, l.value
  from usage_key_days d cross join lateral (
    select place::text as what, calls::text as value
    from unnest(d.places, d.counts) as listed (place, calls) where place < ${places.kind}
    union all
    select concat_ws(' ', k.method, k.endpoint, k.status_code), sum(calls)::text
    from unnest(d.places, d.counts) as listed (place, calls) join usage_kinds k on k.id = place - ${places.kind}
    where place >= ${places.kind} group by 1
    union all values ('calls', d.calls::text), ('last_at', d.last_at::text)
  ) l
  where d.user_id = $1 and d.day = $2
)
select (select coalesce(sum(calls), 0)::float8 from rows) as calls, (
  select coalesce(json_agg(d), '[]') from (
    (
      select 'usage_owner_cells' as table, concat_ws(' ', 'key', key, 'part', part, 'hour', hour, 'kind', kind, 'origin', origin) as row,
        case when place = ${allCalls} then 'calls' else 'place ' || place end as what,
        e.calls::text as "inRows", s.calls::text as "inRollups"
      from cells_expected e full join cells_stored s using (key, part, hour, kind, origin, place)
      where e.calls is distinct from s.calls limit $3
    )
    union all
    (
      select 'usage_key_days', concat_ws(' ', 'key', key), what, e.value, s.value
      from days_expected e full join days_stored s using (key, what)
      where e.value is distinct from s.value limit $3
    )
  ) d
) as differences`;

/**
 * Compares the roll-ups with the rows that they count, day by day, from one snapshot: nothing that is stored or folded
 * meanwhile disturbs it. Skips days that may lack rows. Lists at most `most` differences per day and table. `userId` null
 * is all owners.
 */
export async function* verifyUsage(
  client: pg.ClientBase,
  userId: string | null,
  most = 5,
): AsyncGenerator<VerifiedDay> {
  await client.query('begin isolation level repeatable read read only');
  try {
    const { rows: days } = await client.query<{ userId: string; day: number; name: string }>(daysSql, [
      userId,
    ]);
    for (const { userId: owner, day, name } of days) {
      const { rows } = await client.query<Pick<VerifiedDay, 'calls' | 'differences'>>(daySql, [
        owner,
        day,
        most,
      ]);
      yield { userId: owner, day: name, ...(rows[0] as Pick<VerifiedDay, 'calls' | 'differences'>) };
    }
  } finally {
    await client.query('rollback');
  }
}
