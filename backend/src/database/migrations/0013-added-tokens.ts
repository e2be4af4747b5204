import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens that callers added: those of a project, or without a project those of an account. */
export class AddedTokens1764892800000 implements MigrationInterface {
  name = 'AddedTokens1764892800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table added_tokens (
        id uuid primary key,
        user_id uuid not null references users on delete cascade,
        project_id uuid references projects on delete cascade,
        address text not null,
        name text not null,
        symbol text not null,
        decimals smallint not null,
        added_at timestamptz not null
      );
      create unique index added_tokens_of_project on added_tokens (project_id, address)
        where project_id is not null;
      create unique index added_tokens_of_account on added_tokens (user_id, address) where project_id is null;
      -- Deleting an account deletes its rows.
      create index added_tokens_user on added_tokens (user_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table added_tokens');
  }
}
