import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sign-in by email link and by provider: the email address of a password becomes separate from that of the profile;
 * links sent by email; outgoing emails; labels of sessions and linked methods.
 */
export class Identity1764028800000 implements MigrationInterface {
  name = 'Identity1764028800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table credentials
        add column email text,
        add column email_verified boolean not null default false,
        add column vouched boolean not null default false,
        add column created_at timestamptz not null default now();
      update credentials
        set email = users.email, email_verified = users.email_verified, created_at = users.created_at
        from users where users.id = credentials.user_id;
      delete from credentials where email is null;
      alter table credentials alter column email set not null;
      create unique index credentials_email on credentials (lower(email));

      alter table linked_identities
        add column email text,
        add column email_verified boolean not null default false;
      alter table refresh_tokens
        add column user_agent text,
        add column chain_id uuid,
        add column identity_id uuid references linked_identities on delete set null;
      update refresh_tokens set identity_id = linked_identities.id
        from linked_identities
        where linked_identities.user_id = refresh_tokens.user_id
          and linked_identities.provider = refresh_tokens.provider;
      update refresh_tokens set chain_id = id;
      alter table refresh_tokens alter column chain_id set not null;
      create index refresh_tokens_chain on refresh_tokens (chain_id);
      create index refresh_tokens_identity on refresh_tokens (identity_id);

      create table email_links (
        id uuid primary key,
        token_hash bytea not null unique,
        purpose text not null check (purpose in ('confirm', 'reset')),
        user_id uuid not null references users on delete cascade,
        email text not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        used_at timestamptz
      );
      create index email_links_user on email_links (user_id);
      create index email_links_expires on email_links (expires_at);

      create table reset_requests (
        id uuid primary key,
        email text not null,
        created_at timestamptz not null default now()
      );

      create table outgoing_mails (
        id uuid primary key,
        sealed bytea not null,
        secret_version integer not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        attempts integer not null default 0,
        next_attempt_at timestamptz not null default now()
      );
      create index outgoing_mails_next on outgoing_mails (next_attempt_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table outgoing_mails, reset_requests, email_links;
      alter table refresh_tokens drop column user_agent, drop column identity_id, drop column chain_id;
      alter table linked_identities drop column email, drop column email_verified;
      alter table credentials drop column email, drop column email_verified, drop column vouched,
        drop column created_at;
    `);
  }
}
