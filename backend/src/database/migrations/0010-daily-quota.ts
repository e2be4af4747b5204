import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Number of answered calls of an owner on the newest UTC day that had one. */
export class DailyQuota1764633600000 implements MigrationInterface {
  name = 'DailyQuota1764633600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table usage_heads add column day date, add column day_calls bigint not null default 0;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table usage_heads drop column day, drop column day_calls');
  }
}
