import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a key expires, its own rate limit, and rotation: a replaced key may keep working beside the project's current
 * one. When a key was last used is kept with the hour it is counted in, so that it has one source. The column
 * `last_used` stays until no portal that writes it can run beside this one.
 */
export class KeyLifetimes1764982800000 implements MigrationInterface {
  name = 'KeyLifetimes1764982800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys
        add column expires_at timestamptz,
        add column rate_limit integer,
        add column replaced_at timestamptz;
      drop index api_keys_one_live_per_project;
      create unique index api_keys_one_current_per_project on api_keys (project_id)
        where is_active and replaced_at is null;

      -- Null for an hour that an earlier portal counted, except for the newest hour of each key.
      alter table usage_hours add column last_at timestamptz;
      create index usage_hours_key on usage_hours (api_key_id, hour);
      update usage_hours h set last_at = (
          select max(timestamp) from api_usage u
          where u.api_key_id = h.api_key_id and u.timestamp >= h.hour and u.timestamp < h.hour + interval '1 hour'
        )
        from (select api_key_id, max(hour) as hour from usage_hours group by 1) newest
        where newest.api_key_id = h.api_key_id and newest.hour = h.hour;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index usage_hours_key;
      alter table usage_hours drop column last_at;
      -- Only one key of a project can be active again.
      update api_keys set is_active = false where replaced_at is not null;
      drop index api_keys_one_current_per_project;
      create unique index api_keys_one_live_per_project on api_keys (project_id) where is_active;
      alter table api_keys
        drop column expires_at, drop column rate_limit, drop column replaced_at;
    `);
  }
}
