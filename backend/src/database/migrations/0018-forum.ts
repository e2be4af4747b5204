import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The community: rendered text, moderation, reports, full-text search, and an index for each list. */
export class Forum1765328400000 implements MigrationInterface {
  name = 'Forum1765328400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Posts and replies stay when their author's account is deleted.
      alter table forum_posts
        alter user_id drop not null,
        drop constraint forum_posts_user_id_fkey,
        add constraint forum_posts_user_id_fkey foreign key (user_id) references users on delete set null;
      alter table forum_replies
        alter user_id drop not null,
        drop constraint forum_replies_user_id_fkey,
        add constraint forum_replies_user_id_fkey foreign key (user_id) references users on delete set null;

      alter table forum_replies
        -- The content as sanitised HTML, and the version of the code that made it; 0 means not rendered.
        add html text not null default '',
        add renderer int not null default 0,
        add edited_at timestamptz,
        add is_hidden boolean not null default false,
        add moderation_reason text;

      alter table forum_posts
        add html text not null default '',
        add renderer int not null default 0,
        add excerpt text not null default '',
        add reply_count int not null default 0,
        add accepted_reply_id uuid references forum_replies on delete set null,
        add edited_at timestamptz,
        add is_hidden boolean not null default false,
        add is_locked boolean not null default false,
        add is_pinned boolean not null default false,
        add moderation_reason text,
        -- Words as written, for prefixes, and their English stems. Without translate, PostgreSQL would keep names such
        -- as wallet/connect and node.js as one word.
        add search tsvector not null generated always as (
          setweight(to_tsvector('simple', translate(title, './:@-_', '      ')), 'A')
          || setweight(to_tsvector('english', translate(title, './:@-_', '      ')), 'A')
          || setweight(to_tsvector('simple', translate(content, './:@-_', '      ')), 'B')
          || setweight(to_tsvector('english', translate(content, './:@-_', '      ')), 'B')
        ) stored;

      -- Ids are UUIDv7, so their order is that of creation.
      create index forum_posts_newest on forum_posts (id) where not is_hidden;
      create index forum_posts_active on forum_posts (updated_at, id) where not is_hidden;
      create index forum_posts_category on forum_posts (category, id) where not is_hidden;
      create index forum_posts_category_active on forum_posts (category, updated_at, id) where not is_hidden;
      create index forum_posts_resolved on forum_posts (is_resolved, id) where not is_hidden;
      create index forum_posts_category_resolved on forum_posts (category, is_resolved, id) where not is_hidden;
      create index forum_posts_unanswered on forum_posts (id) where not is_hidden and reply_count = 0;
      create index forum_posts_category_unanswered on forum_posts (category, id)
        where not is_hidden and reply_count = 0;
      create index forum_posts_pinned on forum_posts (id) where not is_hidden and is_pinned;
      create index forum_posts_author on forum_posts (user_id, id);
      create index forum_posts_accepted on forum_posts (accepted_reply_id) where accepted_reply_id is not null;
      create index forum_posts_search on forum_posts using gin (search);
      drop index forum_replies_post;
      create index forum_replies_post on forum_replies (post_id, id);
      create index forum_replies_author on forum_replies (user_id, id);

      create table forum_reports (
        id uuid primary key,
        post_id uuid not null references forum_posts on delete cascade,
        reply_id uuid references forum_replies on delete cascade,
        user_id uuid references users on delete set null,
        reason text not null,
        created_at timestamptz not null default now()
      );
      create unique index forum_reports_once on forum_reports (post_id, reply_id, user_id) nulls not distinct
        where user_id is not null;
      create index forum_reports_reply on forum_reports (reply_id) where reply_id is not null;
      create index forum_reports_user on forum_reports (user_id);
    `);
  }

  async down(): Promise<void> {
    throw new Error('the forum migration cannot be undone; restore a backup instead');
  }
}
