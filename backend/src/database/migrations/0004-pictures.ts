import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Photos that are, were or are about to be in use: each row exists before its file does. */
export class Pictures1764115200000 implements MigrationInterface {
  name = 'Pictures1764115200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table pictures (
        name text primary key,
        user_id uuid references users on delete set null,
        in_use boolean not null default false,
        changed_at timestamptz not null default now()
      );
      create unique index pictures_user on pictures (user_id) where in_use;
      create index pictures_unused on pictures (changed_at) where not in_use or user_id is null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table pictures');
  }
}
