import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes of the sign-in methods of an account, for its owner to review. */
export class AccountChanges1764547200000 implements MigrationInterface {
  name = 'AccountChanges1764547200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table account_changes (
        id uuid primary key,
        user_id uuid not null references users on delete cascade,
        kind text not null,
        provider text,
        label text,
        user_agent text,
        at timestamptz not null default now()
      );
      create index account_changes_user on account_changes (user_id, at desc, id desc);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table account_changes');
  }
}
