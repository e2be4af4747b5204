import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The names that projects had before they were renamed, in the last 30 days. */
export class ProjectNames1766019600000 implements MigrationInterface {
  name = 'ProjectNames1766019600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table project_names (
        project_id uuid not null references projects on delete cascade,
        name text not null,
        -- When the project got another name.
        ended_at timestamptz not null
      );
      create index project_names_project on project_names (project_id, ended_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table project_names');
  }
}
