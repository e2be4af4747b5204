import { hourPlaces, isBucket, places } from './usage.places.js';
import { bucketSql, errorCodeSql, errorSql } from './usage.sql.js';

const ownersAtOnce = 1_000;
/** New origins per owner and day that get an entry; since any client can invent origins, the rest share one. */
const originsPerDay = 250;

const mostCalls = 2_147_483_647;

/** What a fold answers. */
export interface Folded {
  owners: number;
  rows: number;
  /** Different hours of the rows. */
  hours: number;
  isMore: boolean;
  /** The owner to continue after; `null` after the last one. */
  last: string | null;
  /** Keys that had many calls in a day and get cells of their own. */
  heavy: number[];
}

const rowColumns = `u.user_id, u.api_key_id, u.seq, u.timestamp, u.endpoint, u.method, u.status_code, u.outcome,
    coalesce(${errorCodeSql}, '') as error_code, u.origin, u.calls, ${bucketSql('u.response_time')} as bucket,
    floor(date_part('epoch', u.timestamp) / 900)::int as quarter`;

/**
 * A list in a table of roll-ups: the places, in any order, and the calls at each. More calls than an integer can hold
 * count as the most.
 */
const listSql = `array_agg(place) as places, array_agg(least(calls, ${mostCalls})::int) as counts`;

/** Adds the list of a new row to that of the row `r` with the same key. A join costs half as much as grouping. */
const mergedSql = `(places, counts) = (
      select array_agg(coalesce(old.place, new.place)),
        array_agg(least(coalesce(old.calls, 0)::bigint + coalesce(new.calls, 0), ${mostCalls})::int)
      from unnest(r.places, r.counts) as old (place, calls)
        full join unnest(excluded.places, excluded.counts) as new (place, calls) on old.place = new.place
    )`;

/** The part of a cell, with the columns that name the cell. */
const partsOfCells = [
  { part: 1, hour: 'quarter / 4', kind: 'kind', origin: '0' },
  { part: 2, hour: 'quarter / 96 * 24', kind: 'kind', origin: '0' },
  { part: 3, hour: 'quarter / 4', kind: '0', origin: 'origin' },
  { part: 4, hour: 'quarter / 96 * 24', kind: 'kind', origin: 'origin' },
];

/** What the cells of a scope count: one query per part and list. */
const countedSql = (scope: string, isForAll: boolean): string =>
  partsOfCells
    .flatMap(({ part, hour, kind, origin }) => {
      const lists = [
        'bucket',
        ...(part === 1 ? [`${places.quarter} + quarter % 4`] : []),
        ...(isForAll ? [`${places.key} + key`] : []),
        ...(part <= 2 ? [`${places.origin} - origin`] : []),
      ];
      return lists.map(
        (place) => `select user_id, ${scope} as key, ${part} as part, ${hour} as hour, ${kind} as kind,
      ${origin} as origin, ${place} as place, sum(calls) as calls
    from base ${isForAll ? '' : 'where is_wide'} group by 1, 2, 3, 4, 5, 6, 7`,
      );
    })
    .join(' union all ');

/**
 * Common table expressions that add the rows of \`fresh\` to cells. They first give an entry to each new kind, key and
 * origin.
 */
const cellsSql = (counted: string): string => `
kinds_seen as (
  select distinct endpoint, method, status_code, outcome, error_code from fresh
), kinds_made as (
  insert into usage_kinds (endpoint, method, status_code, outcome, error_code)
  select * from kinds_seen s where not exists (
    select from usage_kinds k where (k.endpoint, k.method, k.status_code, k.outcome, k.error_code)
      = (s.endpoint, s.method, s.status_code, s.outcome, s.error_code)
  )
  returning id, endpoint, method, status_code, outcome, error_code
), kinds as materialized (
  select id, endpoint, method, status_code, outcome, error_code
  from kinds_seen join usage_kinds using (endpoint, method, status_code, outcome, error_code)
  union all select * from kinds_made
), keys_seen as (
  select distinct user_id, api_key_id from fresh
), keys_made as (
  insert into usage_keys (user_id, api_key_id)
  select * from keys_seen s where not exists (
    select from usage_keys k where k.user_id = s.user_id and k.api_key_id = s.api_key_id
  )
  returning id, user_id, api_key_id, is_wide
), keys as materialized (
  select id, user_id, api_key_id, is_wide from keys_seen join usage_keys using (user_id, api_key_id)
  union all select * from keys_made
), origins_seen as (
  select user_id, origin, min(seq) as seq from fresh where origin is not null group by 1, 2
), origins_found as materialized (
  select s.user_id, s.origin, s.seq, o.id
  from origins_seen s left join usage_origins o on o.user_id = s.user_id and o.origin = s.origin
), origins_made as (
  insert into usage_origins (user_id, origin)
  select user_id, origin from (
    select user_id, origin, row_number() over (partition by user_id order by seq) + (
        select count(*) from usage_origins o
        where o.user_id = f.user_id and o.made_on = (now() at time zone 'UTC')::date
      ) as place
    from origins_found f where id is null
  ) numbered where place <= ${originsPerDay}
  returning id, user_id, origin
), origins as materialized (
  select f.user_id, f.origin, coalesce(f.id, m.id, 1) as id
  from origins_found f left join origins_made m on m.user_id = f.user_id and m.origin = f.origin
), others as (
  insert into usage_other_origins (user_id, origin, seq)
  select f.user_id, f.origin, f.seq from fresh f join origins o on o.user_id = f.user_id and o.origin = f.origin
  where o.id = 1
  on conflict do nothing
), located as materialized (
  -- Apart from the kinds: their join looks so selective that a loop over all origins would follow for each row.
  select f.*, key.id as key, key.is_wide, coalesce(origin.id, 0) as origin_id
  from fresh f
    join keys key on key.user_id = f.user_id and key.api_key_id = f.api_key_id
    left join origins origin on origin.user_id = f.user_id and origin.origin = f.origin
), base as materialized (
  select f.user_id, f.key, f.is_wide, f.is_new, f.quarter, kind.id as kind, f.origin_id as origin, f.bucket,
    sum(f.calls) as calls, max(f.timestamp) as last_at
  from located f
    join kinds kind on kind.endpoint = f.endpoint and kind.method = f.method and kind.status_code = f.status_code
      and kind.outcome = f.outcome and kind.error_code = f.error_code
  group by 1, 2, 3, 4, 5, 6, 7, 8
), cells as (
  insert into usage_owner_cells as r (user_id, key, part, hour, kind, origin, calls, places, counts)
  select user_id, key, part, hour, kind, origin, sum(calls) filter (where ${isBucket('place')}), ${listSql}
  from (${counted}) counted group by 1, 2, 3, 4, 5, 6
  on conflict (user_id, key, part, hour, kind, origin) do update set calls = r.calls + excluded.calls, ${mergedSql}
)`;

/** The place in an hour of a key's day that counts a kind. */
const hourPlaceSql = `case when k.outcome = 'blocked' then ${hourPlaces.indexOf('blocked')}
      when k.${errorSql} then case when k.status_code >= 500 then ${hourPlaces.indexOf('serverError')}
        else ${hourPlaces.indexOf('error')} end else ${hourPlaces.indexOf('fine')} end`;

/**
 * Folds the next rows of the owners after `$1`, at most `$2` of each and about as many in all, into the roll-ups and
 * advances the watermarks: one statement, hence one transaction, from one snapshot. `$3` is the number of calls a day
 * above which a key gets cells of its own, unless it is its owner's only one.
 *
 * The cells have a watermark of their own, because they may still have to catch up with the days of keys, which count
 * only the rows after theirs.
 */
export const foldSql = `
with waiting as materialized (
  select h.user_id, coalesce(w.key_days_seq, 0) as low, coalesce(w.owner_cells_seq, 0) as cells_low,
    least(h.seq, coalesce(w.owner_cells_seq, 0) + $2::bigint) as high, h.seq as head
  from usage_heads h left join usage_watermarks w on w.user_id = h.user_id
  where h.seq > coalesce(w.owner_cells_seq, 0) and h.user_id > $1
  order by h.user_id limit ${ownersAtOnce}
), span as materialized (
  select * from (
    select *, sum(high - cells_low) over (order by user_id rows between unbounded preceding and 1 preceding) as before
    from waiting
  ) summed where coalesce(before, 0) < $2::bigint
), fresh as materialized (
  select ${rowColumns}, u.seq > s.low as is_new
  from span s cross join lateral (
    select * from api_usage where user_id = s.user_id and seq > s.cells_low and seq <= s.high offset 0
  ) u
), ${cellsSql(`${countedSql('0', true)} union all ${countedSql('key', false)}`)},
days_counted as (
  select user_id, key, quarter / 96 as day, bucket as place, sum(calls) as calls, max(last_at) as last_at
  from base where is_new group by 1, 2, 3, 4
  union all
  select user_id, key, quarter / 96, ${places.hour} + quarter / 4 % 24 * ${hourPlaces.length} + ${hourPlaceSql},
    sum(calls), null
  from base join kinds k on k.id = kind where is_new group by 1, 2, 3, 4
  union all
  select user_id, key, quarter / 96, ${places.kind} + kind, sum(calls), null from base where is_new group by 1, 2, 3, 4
), days as (
  insert into usage_key_days as r (user_id, key, day, calls, last_at, places, counts)
  select user_id, key, day, sum(calls) filter (where ${isBucket('place')}), max(last_at), ${listSql}
  from days_counted group by 1, 2, 3
  on conflict (user_id, day, key) do update set
    calls = r.calls + excluded.calls, last_at = greatest(r.last_at, excluded.last_at), ${mergedSql}
  returning user_id, key, day, calls
), heavy as (
  select distinct d.key as id from days d join keys k on k.id = d.key
  where not k.is_wide and d.calls > $3::bigint
    and exists (select from usage_keys o where o.user_id = d.user_id and o.id <> d.key)
), watermarks as (
  insert into usage_watermarks (user_id, seq, owner_cells_seq, key_days_seq)
  select user_id, 0, high, greatest(low, high) from span
  on conflict (user_id) do update
    set owner_cells_seq = excluded.owner_cells_seq, key_days_seq = excluded.key_days_seq
)
select count(*)::int as owners, (select count(*)::int from fresh) as rows,
  (select count(distinct quarter / 4)::int from fresh) as hours,
  coalesce(bool_or(high < head), false) as "isMore",
  case when count(*) < (select count(*) from waiting) or count(*) = ${ownersAtOnce}
    then (select user_id from span order by user_id desc limit 1) end as last,
  array(select id from heavy) as heavy
from span`;

/**
 * Gives the key with the entry `$1` cells of its own: one statement, as a fold. Days that have calls of this key only are
 * copied from the cells of all keys, so that a key that was long its owner's only one costs no more than others.
 */
export const widenSql = `
with mine as materialized (
  select k.user_id, k.api_key_id, w.owner_cells_seq as seq
  from usage_keys k join usage_watermarks w using (user_id) where k.id = $1 and not k.is_wide
), days as materialized (
  select c.hour / 24 as day, bool_or(l.place <> ${places.key} + $1) as is_shared
  from mine join usage_owner_cells c on c.user_id = mine.user_id and c.key = 0 and c.part = 2
    cross join lateral (select place from unnest(c.places) as l (place) where place >= ${places.key} offset 0) l
  group by 1 having bool_or(l.place = ${places.key} + $1)
), copied as (
  insert into usage_owner_cells (user_id, key, part, hour, kind, origin, calls, places, counts)
  select c.user_id, $1, c.part, c.hour, c.kind, c.origin, c.calls, l.places, l.counts
  from mine join usage_owner_cells c on c.user_id = mine.user_id and c.key = 0
    join days d on d.day = c.hour / 24 and not d.is_shared
    cross join lateral (
      select array_agg(place) as places, array_agg(calls) as counts
      from unnest(c.places, c.counts) as l (place, calls) where place < ${places.key}
    ) l
), fresh as materialized (
  select ${rowColumns}, false as is_new
  from mine cross join (select day from days where is_shared) d cross join lateral (
    select * from api_usage
    where api_key_id = mine.api_key_id and user_id = mine.user_id and seq <= mine.seq
      and timestamp >= to_timestamp(d.day * 86400.0) and timestamp < to_timestamp(d.day * 86400.0 + 86400)
    offset 0
  ) u
), ${cellsSql(countedSql('key', false).replaceAll('where is_wide', ''))}
update usage_keys set is_wide = true where id = $1`;
