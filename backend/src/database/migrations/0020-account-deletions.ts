import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts that their owners have deleted, until their rows go. */
export class AccountDeletions1765501200000 implements MigrationInterface {
  name = 'AccountDeletions1765501200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table account_deletions (
        user_id uuid primary key references users on delete cascade,
        asked_at timestamptz not null default now(),
        due_at timestamptz not null
      );
      create index account_deletions_due on account_deletions (due_at);

      -- Finds the rows of a wallet whose account goes.
      create index connected_wallets_address on connected_wallets (address);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index connected_wallets_address;
      drop table account_deletions;
    `);
  }
}
