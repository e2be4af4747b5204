import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The daily quota of one owner: null for the portal's, 0 for none. */
export class OwnerQuotas1766365200000 implements MigrationInterface {
  name = 'OwnerQuotas1766365200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table usage_heads add column quota bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table usage_heads drop column quota');
  }
}
