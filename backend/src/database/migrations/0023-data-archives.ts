import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Archives of an account's data that its owner asked for. */
export class DataArchives1765760400000 implements MigrationInterface {
  name = 'DataArchives1765760400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table data_archives (
        user_id uuid primary key references users on delete cascade,
        asked_at timestamptz not null default now(),
        expires_at timestamptz not null,
        -- JSON, compressed with gzip; null while it is prepared.
        content bytea
      );
      create index data_archives_waiting on data_archives (asked_at) where content is null;
      create index data_archives_expires on data_archives (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table data_archives');
  }
}
