import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Roll-ups by owner that answer every filter. They are filled from the rows in the background, from the first row on;
 * `usage_watermarks.cells_seq` says how far. An earlier portal beside this one keeps counting in `usage_hours` and
 * `usage_days` and doesn't touch these tables.
 */
export class UsageCells1766538000000 implements MigrationInterface {
  name = 'UsageCells1766538000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table usage_watermarks add column cells_seq bigint not null default 0;

      create table usage_kinds (
        id integer generated always as identity primary key,
        endpoint text not null,
        method text not null,
        status_code smallint not null,
        outcome text not null,
        -- The code of the response, also where the outcome implies it; empty if there is none.
        error_code text not null,
        unique (endpoint, method, status_code, outcome, error_code)
      );

      -- 0 stands for no origin and 1 for all origins without an entry.
      create table usage_origins (
        id integer generated always as identity (start with 2) primary key,
        user_id uuid not null,
        origin text not null,
        made_on date not null default (now() at time zone 'UTC')::date,
        unique (user_id, origin)
      );

      -- The rows whose origin has no entry.
      create table usage_other_origins (
        user_id uuid not null,
        origin text not null,
        seq bigint not null,
        primary key (user_id, origin, seq)
      );

      create table usage_keys (
        id integer generated always as identity primary key,
        user_id uuid not null,
        api_key_id uuid not null,
        -- Whether the key has cells of its own.
        is_wide boolean not null default false,
        unique (user_id, api_key_id)
      );

      create table usage_cells (
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
        -- By quarter of the hour, in part 1.
        quarters integer[],
        -- The response times: numbers of buckets and the calls in each.
        buckets smallint[] not null,
        bucket_calls bigint[] not null,
        -- The calls of each key, if the cell is for all keys.
        keys integer[],
        key_calls bigint[],
        -- The calls of each origin, in parts 1 and 2.
        origins integer[],
        origin_calls bigint[],
        primary key (user_id, key, part, hour, kind, origin)
      ) with (fillfactor = 80);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table usage_cells, usage_keys, usage_other_origins, usage_origins, usage_kinds;
      alter table usage_watermarks drop column cells_seq;
    `);
  }
}
