import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often the preparation of an archive has begun. */
export class ArchiveAttempts1766192400000 implements MigrationInterface {
  name = 'ArchiveAttempts1766192400000';

  async up(runner: QueryRunner): Promise<void> {
    // A development build added it in the migration that made the table.
    await runner.query('alter table data_archives add column if not exists attempts int not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table data_archives drop column attempts');
  }
}
