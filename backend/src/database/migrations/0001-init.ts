import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first schema. The application creates ids (UUIDv7); times are `timestamptz`. */
export class Init1763683200000 implements MigrationInterface {
  name = 'Init1763683200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table secret_canaries (
        version integer primary key,
        sealed bytea not null
      );

      create table users (
        id uuid primary key,
        issuer text not null,
        subject text not null,
        email text,
        email_verified boolean not null default false,
        first_name text,
        last_name text,
        display_name text,
        user_name text,
        bio text,
        country text,
        profile_image_url text,
        eth_address text,
        wax_address text,
        provider text not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        unique (issuer, subject)
      );
      create unique index users_email on users (lower(email));
      create unique index users_user_name on users (lower(user_name));

      create table credentials (
        user_id uuid primary key references users on delete cascade,
        password_hash text not null,
        changed_at timestamptz not null default now()
      );

      create table linked_identities (
        id uuid primary key,
        user_id uuid not null references users on delete cascade,
        provider text not null,
        subject text not null,
        created_at timestamptz not null default now(),
        unique (provider, subject)
      );
      create index linked_identities_user on linked_identities (user_id);

      create table refresh_tokens (
        id uuid primary key,
        user_id uuid not null references users on delete cascade,
        token_hash bytea not null unique,
        provider text not null,
        created_at timestamptz not null default now(),
        last_used_at timestamptz not null default now(),
        expires_at timestamptz not null,
        revoked_at timestamptz
      );
      create index refresh_tokens_user on refresh_tokens (user_id);

      create table nonces (
        nonce text primary key,
        expires_at timestamptz not null
      );
      create index nonces_expires on nonces (expires_at);

      create table signing_keys (
        kid text primary key,
        secret_version integer not null,
        private_key bytea not null,
        public_key jsonb not null,
        created_at timestamptz not null default now(),
        retired_at timestamptz
      );

      create table sessions (
        sid text primary key,
        sess jsonb not null,
        expire timestamptz not null
      );
      create index sessions_expire on sessions (expire);

      create table projects (
        id uuid primary key,
        code text not null unique,
        owner_id uuid not null references users on delete cascade,
        project_name text not null,
        name_key text not null,
        source text,
        created_at timestamptz not null default now(),
        last_updated_at timestamptz not null default now(),
        unique (owner_id, name_key)
      );

      create table project_urls (
        id uuid primary key,
        project_id uuid not null references projects on delete cascade,
        url text not null,
        created_at timestamptz not null default now(),
        unique (project_id, url)
      );

      create table api_keys (
        id uuid primary key,
        user_id uuid not null references users on delete cascade,
        project_id uuid references projects on delete cascade,
        name text not null,
        prefix text not null,
        key_hash bytea not null unique,
        key_sealed bytea not null,
        secret_version integer not null,
        is_active boolean not null default true,
        replaces_id uuid references api_keys,
        created_at timestamptz not null default now(),
        last_used timestamptz
      );
      create index api_keys_user on api_keys (user_id);
      -- Deleting a project or a key looks for the keys that point at it.
      create index api_keys_project on api_keys (project_id);
      create index api_keys_replaces on api_keys (replaces_id);
      create unique index api_keys_one_live_per_project on api_keys (project_id) where is_active;

      -- One counter row: its lock makes versions appear in commit order, which a plain sequence does not.
      create table key_change_head (
        only_row boolean primary key default true check (only_row),
        version bigint not null
      );
      insert into key_change_head (version) values (0);
      create table key_changes (
        version bigint primary key,
        api_key_id uuid not null,
        at timestamptz not null default now()
      );

      create table api_usage (
        seq bigint not null,
        user_id uuid not null,
        api_key_id uuid not null,
        project_id text,
        endpoint text not null,
        method text not null,
        status_code smallint not null,
        response_time real not null,
        timestamp timestamptz not null,
        origin text,
        outcome text not null,
        -- More than 1 only where calls refused by rate were gathered into one row.
        calls integer not null default 1
      ) partition by range (timestamp);
      create index api_usage_key_time on api_usage (api_key_id, timestamp);
      create index api_usage_user_seq on api_usage (user_id, seq);

      create table usage_heads (
        user_id uuid primary key,
        seq bigint not null
      ) with (fillfactor = 50);

      create table usage_watermarks (
        user_id uuid primary key,
        seq bigint not null
      ) with (fillfactor = 50);

      create table ingest_batches (
        id uuid primary key,
        at timestamptz not null default now()
      );

      -- Roll-ups name the owner, because they outlive keys, as the rows do.
      create table usage_hours (
        user_id uuid not null,
        api_key_id uuid not null,
        hour timestamptz not null,
        calls bigint not null,
        errors bigint not null,
        blocked bigint not null,
        histogram integer[] not null,
        primary key (user_id, hour, api_key_id)
      ) with (fillfactor = 50);

      create table usage_days (
        user_id uuid not null,
        api_key_id uuid not null,
        day date not null,
        endpoint text not null,
        method text not null,
        status_code smallint not null,
        calls bigint not null,
        primary key (user_id, day, api_key_id, endpoint, method, status_code)
      ) with (fillfactor = 50);

      create table rewards (
        user_id uuid primary key references users on delete cascade,
        experience_points bigint not null default 0
      );

      create table forum_posts (
        id uuid primary key,
        user_id uuid not null references users on delete cascade,
        title text not null,
        content text not null,
        category text not null,
        is_resolved boolean not null default false,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );

      create table forum_replies (
        id uuid primary key,
        post_id uuid not null references forum_posts on delete cascade,
        user_id uuid not null references users on delete cascade,
        content text not null,
        created_at timestamptz not null default now()
      );
      create index forum_replies_post on forum_replies (post_id);
    `);
  }

  async down(): Promise<void> {
    throw new Error('the first migration cannot be undone; restore a backup instead');
  }
}
