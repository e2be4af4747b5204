import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projects as tenants of the identity service: people connect to a project, and their sessions belong to it. */
export class Tenants1765069200000 implements MigrationInterface {
  name = 'Tenants1765069200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The id is the subject of the project's tokens. It stays when a person disconnects and returns.
      create table tenant_connections (
        id uuid primary key,
        project_id uuid not null references projects on delete cascade,
        user_id uuid not null references users on delete cascade,
        claims text[] not null default '{}',
        consented_at timestamptz,
        created_at timestamptz not null default now(),
        last_used_at timestamptz not null default now(),
        disconnected_at timestamptz,
        unique (project_id, user_id)
      );
      create index tenant_connections_user on tenant_connections (user_id);

      -- Set for a session that was created for a project's app; null for the portal's own.
      alter table refresh_tokens
        add column connection_id uuid references tenant_connections on delete cascade;
      create index refresh_tokens_connection on refresh_tokens (connection_id) where connection_id is not null;

      -- Finds the projects that allow an origin.
      create index project_urls_url on project_urls (url);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index project_urls_url;
      delete from refresh_tokens where connection_id is not null;
      alter table refresh_tokens drop column connection_id;
      drop table tenant_connections;
    `);
  }
}
