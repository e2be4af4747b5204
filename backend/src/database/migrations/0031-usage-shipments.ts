import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What ClickHouse has of the calls (`CLICKHOUSE_URL`). No foreign keys: the row of a removed account stays until its
 * calls are removed in ClickHouse, too.
 */
export class UsageShipments1766451600000 implements MigrationInterface {
  name = 'UsageShipments1766451600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table usage_shipped (
        user_id uuid primary key,
        seq bigint not null default 0,
        -- PostgreSQL no longer has the rows up to this one.
        pruned bigint not null default 0,
        is_leaving boolean not null default false
      );
      -- The insert that is under way, if any: after a failure its rows are looked for.
      create table usage_shipment (
        id smallint primary key check (id = 1),
        insert_id uuid not null,
        spans jsonb not null,
        started_at timestamptz not null
      );
      create table usage_shipped_hours (
        hour int primary key,
        build int not null default 0,
        is_built boolean not null default false,
        is_tidy boolean not null default true
      );
      create index usage_shipped_hours_open on usage_shipped_hours (hour) where not is_built;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table usage_shipped_hours, usage_shipment, usage_shipped');
  }
}
