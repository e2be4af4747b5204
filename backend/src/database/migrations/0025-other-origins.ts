import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Origins of projects that no URL names: browser extensions, and `null`. */
export class OtherOrigins1765933200000 implements MigrationInterface {
  name = 'OtherOrigins1765933200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table projects add column other_origins text[] not null default '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table projects drop column other_origins');
  }
}
