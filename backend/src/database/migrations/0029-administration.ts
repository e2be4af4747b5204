import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts that administrators have disabled, and what administrators did. */
export class Administration1766278800000 implements MigrationInterface {
  name = 'Administration1766278800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table disabled_accounts (
        user_id uuid primary key references users on delete cascade,
        disabled_at timestamptz not null default now()
      );

      -- Has ids only, so that it can stay when an account goes. Whose id names an account that is gone names nobody.
      create table admin_actions (
        id uuid primary key,
        at timestamptz not null default now(),
        actor_id uuid not null,
        account_id uuid not null,
        action text not null,
        -- The key, if the action is about one.
        key_id uuid,
        fields text[] not null
      );
      create index admin_actions_account on admin_actions (account_id, at);

      -- What may name a person; goes with the account.
      create table admin_action_values (
        action_id uuid not null references admin_actions,
        user_id uuid not null references users on delete cascade,
        field text not null,
        before text,
        after text,
        primary key (action_id, field)
      );
      create index admin_action_values_user on admin_action_values (user_id);

      create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
      end $$;
      create trigger append_only before update or delete or truncate on admin_actions
        for each statement execute function refuse_change();
      create trigger append_only before update on admin_action_values
        for each statement execute function refuse_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table admin_action_values;
      drop table admin_actions;
      drop function refuse_change;
      drop table disabled_accounts;
    `);
  }
}
