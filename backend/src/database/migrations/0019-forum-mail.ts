import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who gets mail about which thread of the community. */
export class ForumMail1765414800000 implements MigrationInterface {
  name = 'ForumMail1765414800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table forum_followers (
        post_id uuid not null references forum_posts on delete cascade,
        user_id uuid not null references users on delete cascade,
        is_muted boolean not null default false,
        -- Replies of others since the last mail about the thread.
        pending int not null default 0,
        mailed_at timestamptz,
        primary key (post_id, user_id)
      );
      create index forum_followers_user on forum_followers (user_id);
      create index forum_followers_pending on forum_followers (mailed_at nulls first) where pending > 0;
      insert into forum_followers (post_id, user_id)
        select id, user_id from forum_posts where user_id is not null
        union select post_id, user_id from forum_replies where user_id is not null;

      -- Users who get no mail about the community.
      create table forum_mail_off (user_id uuid primary key references users on delete cascade);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table forum_mail_off; drop table forum_followers');
  }
}
