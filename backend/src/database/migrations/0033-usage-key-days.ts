import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Smaller roll-ups: cells by owner with one list each, and a day of a key as one row in place of up to 24 hours and a row
 * for each endpoint and status.
 *
 * The new tables begin as copies, because rows may have been dropped, and have watermarks of their own. An earlier portal
 * beside this one goes on with `usage_hours`, `usage_days` and `usage_cells`, which this one no longer reads or writes; a
 * later release drops them. While the copies are made, only folding waits.
 */
export class UsageKeyDays1766624400000 implements MigrationInterface {
  name = 'UsageKeyDays1766624400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table usage_watermarks
        add column owner_cells_seq bigint not null default 0,
        add column key_days_seq bigint not null default 0;

      create table usage_owner_cells (
        user_id uuid not null,
        -- 0: all keys of the owner.
        key integer not null,
        -- 1: an hour by kind; 2: a UTC day by kind; 3: an hour by origin; 4: a UTC day by kind and origin.
        part smallint not null,
        -- The first hour, in hours since 1970.
        hour integer not null,
        kind integer not null,
        origin integer not null,
        calls bigint not null,
        -- What the calls were, and how many were each: 0 to 79 buckets of response times; 80 to 83 the quarters of the
        -- hour, in part 1; from 128 on the numbers of keys, if the cell is for all keys; from -1 down the numbers of
        -- origins, in parts 1 and 2.
        places integer[] not null,
        counts integer[] not null,
        primary key (user_id, key, part, hour, kind, origin)
      ) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05);

      create table usage_key_days (
        user_id uuid not null,
        key integer not null,
        -- UTC, in days since 1970.
        day integer not null,
        calls bigint not null,
        last_at timestamptz not null,
        -- 0 to 79 buckets of response times; 128 to 223 the hours, each with four places: calls without error, errors
        -- below 500, those from 500 on, and blocked calls; from 1000 on the numbers of kinds.
        places integer[] not null,
        counts integer[] not null,
        primary key (user_id, day, key)
      ) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05);
      create index usage_key_days_key on usage_key_days (key, day);

      -- Locks the watermarks: no fold changes what is copied.
      update usage_watermarks set owner_cells_seq = cells_seq, key_days_seq = seq;

      insert into usage_owner_cells (user_id, key, part, hour, kind, origin, calls, places, counts)
      select user_id, key, part, hour, kind, origin, calls, list.places, list.counts
      from usage_cells cross join lateral (
        select coalesce(array_agg(place order by place), '{}') as places,
          coalesce(array_agg(least(calls, 2147483647)::int order by place), '{}') as counts
        from (
          select place::int, calls from unnest(buckets, bucket_calls) as b (place, calls)
          union all select 79 + q.place::int, q.calls from unnest(quarters) with ordinality as q (calls, place)
          where q.calls > 0
          union all select 128 + k.key, k.calls from unnest(keys, key_calls) as k (key, calls)
          union all select -1 - o.origin, o.calls from unnest(origins, origin_calls) as o (origin, calls)
        ) all_lists
      ) list;

      -- The days by key know neither outcomes nor codes.
      insert into usage_kinds (endpoint, method, status_code, outcome, error_code)
      select distinct endpoint, method, status_code, '', '' from usage_days on conflict do nothing;
      insert into usage_keys (user_id, api_key_id)
      select user_id, api_key_id from usage_hours union select user_id, api_key_id from usage_days
      on conflict do nothing;

      insert into usage_key_days (user_id, key, day, calls, last_at, places, counts)
      select user_id, key, day,
        coalesce(sum(calls) filter (where place between 128 and 223), sum(calls) filter (where place >= 1000)),
        coalesce(max(last_at), to_timestamp(day * 86400::bigint)),
        array_agg(place order by place), array_agg(least(calls, 2147483647)::int order by place)
      from (
        select user_id, key, day, place, sum(calls) as calls, max(last_at) as last_at
        from (
          select h.user_id, k.id as key, floor(extract(epoch from h.hour) / 86400)::int as day, p.place, p.calls,
            coalesce(h.last_at, h.hour) as last_at
          from usage_hours h join usage_keys k using (user_id, api_key_id) cross join lateral (
            select place::int - 1 as place, calls::bigint as calls
            from unnest(h.histogram) with ordinality as b (calls, place)
            union all
            select 128 + (floor(extract(epoch from h.hour) / 3600)::bigint % 24)::int * 4 + what, calls
            from (values
              (0, h.calls - h.errors - h.blocked), (1, h.errors - h.server_errors), (2, h.server_errors), (3, h.blocked)
            ) as c (what, calls)
          ) p
          where p.calls > 0
          union all
          select d.user_id, k.id, d.day - date '1970-01-01', 1000 + i.id, d.calls, null
          from usage_days d join usage_keys k using (user_id, api_key_id)
            join usage_kinds i on (i.endpoint, i.method, i.status_code, i.outcome, i.error_code)
              = (d.endpoint, d.method, d.status_code, '', '')
        ) counted group by 1, 2, 3, 4
      ) listed group by 1, 2, 3;

      analyze usage_owner_cells, usage_key_days;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table usage_key_days, usage_owner_cells;
      alter table usage_watermarks drop column owner_cells_seq, drop column key_days_seq;
    `);
  }
}
