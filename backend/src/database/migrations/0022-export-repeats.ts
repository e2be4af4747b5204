import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an export's address was first used: the browser that asked for it can repeat the download. */
export class ExportRepeats1765674000000 implements MigrationInterface {
  name = 'ExportRepeats1765674000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table usage_exports add column used_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table usage_exports drop column used_at');
  }
}
