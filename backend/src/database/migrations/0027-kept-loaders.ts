import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Earlier builds of the script tag's loader, for sites that pin one. */
export class KeptLoaders1766106000000 implements MigrationInterface {
  name = 'KeptLoaders1766106000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- An earlier development build made it under another number.
      create table if not exists kept_loaders (
        -- The file's name, which has a hash of its content.
        name text primary key,
        content bytea not null,
        -- The last start of an instance of that build.
        served_at timestamptz not null default now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table kept_loaders');
  }
}
