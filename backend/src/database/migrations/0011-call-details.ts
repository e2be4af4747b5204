import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why a call failed and what it requested; the server errors of each hour, for the chart; and the keys deleted with
 * their project, so that the owner can see remaining calls with them.
 */
export class CallDetails1764720000000 implements MigrationInterface {
  name = 'CallDetails1764720000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_usage
        -- Null where the outcome says it, or for a call that an earlier portal stored.
        add column error_code text,
        -- What was asked for, cut and cleaned, where the endpoint is 'unknown'.
        add column path text;

      alter table usage_hours add column server_errors bigint not null default 0;
      -- Of the rows that are in the roll-ups already; those after the watermark are counted as they are folded.
      update usage_hours h set server_errors = found.calls
        from (
          select r.user_id, r.api_key_id, r.hour, sum(u.calls) as calls
          from usage_hours r
            left join usage_watermarks w on w.user_id = r.user_id
            cross join lateral (
              select calls from api_usage
              where api_key_id = r.api_key_id and user_id = r.user_id
                and timestamp >= r.hour and timestamp < r.hour + interval '1 hour'
                and status_code >= 500 and seq <= coalesce(w.seq, 0)
            ) u
          where r.errors > 0
          group by 1, 2, 3
        ) found
        where found.user_id = h.user_id and found.api_key_id = h.api_key_id and found.hour = h.hour;

      create table deleted_keys (
        key_hash bytea primary key,
        id uuid not null,
        user_id uuid not null references users on delete cascade,
        project_code text not null,
        deleted_at timestamptz not null default now()
      );
      create index deleted_keys_user on deleted_keys (user_id);
      create index deleted_keys_deleted on deleted_keys (deleted_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table deleted_keys;
      alter table usage_hours drop column server_errors;
      alter table api_usage drop column error_code, drop column path;
    `);
  }
}
