import { histogramBuckets } from '@orange-id/contract/latency.histogram';
import { bucketSql, errorCodeSql, errorSql } from './usage.sql.js';

const ownersAtOnce = 1_000;
/** New origins per owner and day that get an entry; since any client can invent origins, the rest share one. */
const originsPerDay = 250;

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

/** One expression per bucket: a join with a series of all buckets took four fifths of the statement's time. */
const histogramSql = Array.from(
  { length: histogramBuckets },
  (_, bucket) => `coalesce(max(calls) filter (where bucket = ${bucket}), 0)`,
).join(', ');

const rowColumns = `u.user_id, u.api_key_id, u.seq, u.timestamp, u.endpoint, u.method, u.status_code, u.outcome,
    coalesce(${errorCodeSql}, '') as error_code, u.origin, u.calls, ${bucketSql('u.response_time')} as bucket,
    floor(extract(epoch from u.timestamp) / 3600)::int as hour_number,
    (floor(extract(epoch from u.timestamp) / 900)::bigint % 4)::int + 1 as quarter`;

/** Adds up two sparse lists: places and the calls at each. */
const merged = (places: string, calls: string): string =>
  `(select array_agg(place order by place), array_agg(calls order by place) from (
      select place, sum(calls)::bigint as calls
      from unnest(r.${places} || excluded.${places}, r.${calls} || excluded.${calls}) as b (place, calls) group by place
    ) both_lists)`;

/**
 * Common table expressions that add the rows of `fresh` to the cells of `scopes`, a query of `base`. They first
 * give an entry to each new kind, key and origin.
 */
const cellsSql = (scopes: string): string => `
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
), base as materialized (
  select f.user_id, key.id as key, key.is_wide, f.hour_number, f.quarter, kind.id as kind,
    coalesce(origin.id, 0) as origin, f.bucket, sum(f.calls) as calls
  from fresh f
    join keys key on key.user_id = f.user_id and key.api_key_id = f.api_key_id
    join kinds kind on kind.endpoint = f.endpoint and kind.method = f.method and kind.status_code = f.status_code
      and kind.outcome = f.outcome and kind.error_code = f.error_code
    left join origins origin on origin.user_id = f.user_id and origin.origin = f.origin
  group by 1, 2, 3, 4, 5, 6, 7, 8
), scoped as materialized (
  select s.*, p.part, case when p.part in (2, 4) then hour_number / 24 * 24 else hour_number end as hour,
    case when p.part = 3 then 0 else kind end as cell_kind,
    case when p.part in (3, 4) then origin else 0 end as cell_origin
  from (${scopes}) s cross join (values (1), (2), (3), (4)) as p (part)
), listed as (
  select user_id, scope, part, hour, cell_kind, cell_origin, bucket, null::int as key, null::int as origin,
    sum(calls)::bigint as calls,
    ${[1, 2, 3, 4].map((quarter) => `coalesce(sum(calls) filter (where quarter = ${quarter}), 0) as q${quarter}`).join(', ')}
  from scoped group by 1, 2, 3, 4, 5, 6, 7
  union all
  select user_id, scope, part, hour, cell_kind, cell_origin, null, key, null, sum(calls)::bigint, 0, 0, 0, 0
  from scoped where scope = 0 group by 1, 2, 3, 4, 5, 6, 8
  union all
  select user_id, scope, part, hour, cell_kind, cell_origin, null, null, origin, sum(calls)::bigint, 0, 0, 0, 0
  from scoped where part in (1, 2) group by 1, 2, 3, 4, 5, 6, 9
), cells as (
  insert into usage_cells as r (
    user_id, key, part, hour, kind, origin, calls, quarters, buckets, bucket_calls, keys, key_calls, origins,
    origin_calls
  )
  select user_id, scope, part, hour, cell_kind, cell_origin, sum(calls) filter (where bucket is not null),
    case when part = 1 then array[sum(q1), sum(q2), sum(q3), sum(q4)]::int[] end,
    array_agg(bucket::smallint order by bucket) filter (where bucket is not null),
    array_agg(calls order by bucket) filter (where bucket is not null),
    array_agg(key order by key) filter (where key is not null),
    array_agg(calls order by key) filter (where key is not null),
    array_agg(origin order by origin) filter (where origin is not null),
    array_agg(calls order by origin) filter (where origin is not null)
  from listed group by 1, 2, 3, 4, 5, 6
  on conflict (user_id, key, part, hour, kind, origin) do update set
    calls = r.calls + excluded.calls,
    quarters = case when excluded.quarters is not null then array[${[1, 2, 3, 4]
      .map((quarter) => `r.quarters[${quarter}] + excluded.quarters[${quarter}]`)
      .join(', ')}] end,
    (buckets, bucket_calls) = ${merged('buckets', 'bucket_calls')},
    (keys, key_calls) = ${merged('keys', 'key_calls')},
    (origins, origin_calls) = ${merged('origins', 'origin_calls')}
)`;

/**
 * Folds the next rows of the owners after `$1`, at most `$2` of each and about as many in all, into the roll-ups and
 * advances the watermarks: one statement, hence one transaction, from one snapshot. `$3` is the number of calls a day
 * above which a key gets cells of its own.
 *
 * The cells have a watermark of their own, because they may still have to catch up with `usage_hours` and `usage_days`,
 * which count only the rows after theirs.
 */
export const foldSql = `
with waiting as materialized (
  select h.user_id, coalesce(w.seq, 0) as low, coalesce(w.cells_seq, 0) as cells_low,
    least(h.seq, coalesce(w.cells_seq, 0) + $2::bigint) as high, h.seq as head
  from usage_heads h left join usage_watermarks w on w.user_id = h.user_id
  where h.seq > coalesce(w.cells_seq, 0) and h.user_id > $1
  order by h.user_id limit ${ownersAtOnce}
), span as materialized (
  select * from (
    select *, sum(high - cells_low) over (order by user_id rows between unbounded preceding and 1 preceding) as before
    from waiting
  ) summed where coalesce(before, 0) < $2::bigint
), fresh as materialized (
  select ${rowColumns}, u.seq > s.low as is_new, date_trunc('hour', u.timestamp, 'UTC') as hour,
    (u.timestamp at time zone 'UTC')::date as day
  from span s cross join lateral (
    select * from api_usage where user_id = s.user_id and seq > s.cells_low and seq <= s.high offset 0
  ) u
), buckets as (
  select user_id, api_key_id, hour, bucket, sum(calls)::int as calls,
    coalesce(sum(calls) filter (where ${errorSql}), 0) as errors,
    coalesce(sum(calls) filter (where ${errorSql} and status_code >= 500), 0) as server_errors,
    coalesce(sum(calls) filter (where outcome = 'blocked'), 0) as blocked, max(timestamp) as last_at
  from fresh where is_new group by 1, 2, 3, 4
), hours as (
  insert into usage_hours as r
    (user_id, api_key_id, hour, calls, errors, server_errors, blocked, last_at, histogram)
  select user_id, api_key_id, hour, sum(calls), sum(errors), sum(server_errors), sum(blocked), max(last_at),
    array[${histogramSql}]
  from buckets group by 1, 2, 3
  on conflict (user_id, hour, api_key_id) do update set
    calls = r.calls + excluded.calls, errors = r.errors + excluded.errors,
    server_errors = r.server_errors + excluded.server_errors, blocked = r.blocked + excluded.blocked,
    last_at = greatest(r.last_at, excluded.last_at),
    histogram = array(
      select old + new from unnest(r.histogram, excluded.histogram) with ordinality as b (old, new, place)
      order by place
    )
), days as (
  insert into usage_days as r (user_id, api_key_id, day, endpoint, method, status_code, calls)
  select user_id, api_key_id, day, endpoint, method, status_code, sum(calls)
  from fresh where is_new group by 1, 2, 3, 4, 5, 6
  on conflict (user_id, day, api_key_id, endpoint, method, status_code)
    do update set calls = r.calls + excluded.calls
), ${cellsSql(`select user_id, 0 as scope, key, hour_number, quarter, kind, origin, bucket, calls from base
    union all
    select user_id, key, key, hour_number, quarter, kind, origin, bucket, calls from base where is_wide`)},
heavy as (
  select key.id
  from (
    select user_id, api_key_id, hour_number / 24 as day, sum(calls) filter (where is_new) as calls
    from fresh group by 1, 2, 3
  ) f join keys key on key.user_id = f.user_id and key.api_key_id = f.api_key_id
  where not key.is_wide and $3::bigint < coalesce(f.calls, 0) + (
    select coalesce(sum(h.calls), 0) from usage_hours h
    where h.api_key_id = f.api_key_id and h.user_id = f.user_id
      and h.hour >= to_timestamp(f.day * 86400) and h.hour < to_timestamp((f.day + 1) * 86400)
  )
), watermarks as (
  insert into usage_watermarks (user_id, seq, cells_seq) select user_id, greatest(low, high), high from span
  on conflict (user_id) do update set seq = excluded.seq, cells_seq = excluded.cells_seq
)
select count(*)::int as owners, (select count(*)::int from fresh) as rows,
  (select count(distinct hour_number)::int from fresh) as hours,
  coalesce(bool_or(high < head), false) as "isMore",
  case when count(*) < (select count(*) from waiting) or count(*) = ${ownersAtOnce}
    then (select user_id from span order by user_id desc limit 1) end as last,
  array(select distinct id from heavy) as heavy
from span`;

/** Gives the key with the entry `$1` cells of its own: one statement, as a fold. */
export const widenSql = `
with fresh as materialized (
  select ${rowColumns}
  from usage_keys key
    join usage_watermarks w on w.user_id = key.user_id
    cross join lateral (
      select * from api_usage
      where api_key_id = key.api_key_id and user_id = key.user_id and seq <= w.cells_seq offset 0
    ) u
  where key.id = $1 and not key.is_wide
), ${cellsSql('select user_id, key as scope, key, hour_number, quarter, kind, origin, bucket, calls from base')}
update usage_keys set is_wide = true where id = $1`;
