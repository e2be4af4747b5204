import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who signed in through a project and when, and the origins whose sign-ins were refused. */
export class SignIns1765155600000 implements MigrationInterface {
  name = 'SignIns1765155600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The sign-ins of a connection and UTC day. The region is that of the last one. No IP address is stored.
      create table tenant_sign_ins (
        connection_id uuid not null references tenant_connections on delete cascade,
        project_id uuid not null references projects on delete cascade,
        day date not null,
        method text not null,
        platform text not null,
        region text not null,
        is_new boolean not null,
        calls integer not null default 1,
        last_at timestamptz not null,
        primary key (connection_id, day, method, platform)
      );
      -- Holds all that the figures of a project need.
      create index tenant_sign_ins_day on tenant_sign_ins (project_id, day)
        include (connection_id, method, platform, region, is_new, calls, last_at);
      create index tenant_connections_day on tenant_connections (project_id, created_at);
      create index tenant_connections_page on tenant_connections (project_id, id);

      -- What pages on origins that the project does not allow tried. Anybody can cause a row.
      create table tenant_refusals (
        project_id uuid not null references projects on delete cascade,
        origin text not null,
        kind text not null check (kind in ('signIn', 'callback')),
        calls bigint not null,
        last_at timestamptz not null,
        primary key (project_id, origin, kind)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table tenant_refusals;
      drop index tenant_connections_page;
      drop index tenant_connections_day;
      drop table tenant_sign_ins;
    `);
  }
}
