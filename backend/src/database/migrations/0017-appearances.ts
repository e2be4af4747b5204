import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the login panel of a project looks: the saved versions, and the pictures uploaded for them. */
export class Appearances1765242000000 implements MigrationInterface {
  name = 'Appearances1765242000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table project_appearances (
        project_id uuid not null references projects on delete cascade,
        version int not null,
        value jsonb not null,
        -- A small picture of the result as a data URL.
        preview text,
        saved_by uuid references users on delete set null,
        saved_at timestamptz not null default now(),
        primary key (project_id, version)
      );

      -- Named from before the file is stored until after it is removed. Without a project, the file can be removed.
      create table project_pictures (
        name text primary key,
        project_id uuid references projects on delete set null,
        created_at timestamptz not null default now()
      );
      create index project_pictures_project on project_pictures (project_id, created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table project_pictures; drop table project_appearances');
  }
}
