import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses of exports that are not downloaded yet. */
export class UsageExports1763769600000 implements MigrationInterface {
  name = 'UsageExports1763769600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table usage_exports (
        token_hash bytea primary key,
        -- Of the browser that asked, by a cookie for this address alone.
        browser_hash bytea not null,
        user_id uuid not null references users on delete cascade,
        format text not null,
        filters jsonb not null,
        -- The owner's newest row when it was asked for: what came later is not part of it.
        up_to_seq bigint not null,
        asked_at timestamptz not null default now(),
        expires_at timestamptz not null
      );
      create index usage_exports_user on usage_exports (user_id);
      create index usage_exports_expires on usage_exports (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table usage_exports');
  }
}
