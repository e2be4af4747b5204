import { Injectable } from '@nestjs/common';
import { deletedUserName, type ForumMuted, type ForumThreadMail } from '@orange-id/contract/forum.schema';
import { limits } from '@orange-id/contract/limits';
import { DataSource, type EntityManager } from 'typeorm';

/** A mail that is due: replies to one thread, for one participant. */
export interface DueMail {
  postId: string;
  userId: string;
  replies: number;
  title: string;
  /** The newest reply of others that still stands. */
  latest: { author: string; html: string } | null;
  /** Confirmed; null if the user gets no mail, as does one whose account is deleted and not yet removed. */
  email: string | null;
}

const dueAtOnce = 50;

/** The SQL of who follows which thread. */
@Injectable()
export class ForumFollowersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds an author to the followers of the thread, and counts a reply for the others. */
  async wrote(manager: EntityManager, postId: string, userId: string, isReply: boolean): Promise<void> {
    await manager.query(
      'insert into forum_followers (post_id, user_id) values ($1, $2) on conflict do nothing',
      [postId, userId],
    );
    if (!isReply) return;
    await manager.query(
      'update forum_followers set pending = pending + 1 where post_id = $1 and user_id <> $2 and not is_muted',
      [postId, userId],
    );
  }

  /** Takes the mails that are due; other instances skip them. At most one an hour for each user and thread. */
  async takeDue<T>(work: (manager: EntityManager, mails: DueMail[]) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      const mails = await manager.query<DueMail[]>(
        `select f.post_id as "postId", f.user_id as "userId", f.pending as replies, p.title,
           (select json_build_object('author', coalesce(a.display_name, '${deletedUserName}'), 'html', left(r.html, 4000))
            from forum_replies r left join users a on a.id = r.user_id
            where r.post_id = f.post_id and r.user_id is distinct from f.user_id and not r.is_hidden
            order by r.id desc limit 1) as latest,
           case when u.email_verified and not p.is_hidden
             and not exists (select 1 from forum_mail_off o where o.user_id = f.user_id)
             and not exists (select 1 from account_deletions d where d.user_id = f.user_id) then u.email end as email
         from forum_followers f
         join forum_posts p on p.id = f.post_id
         join users u on u.id = f.user_id
         where f.pending > 0 and (f.mailed_at is null or f.mailed_at <= now() - interval '1 hour')
         order by f.mailed_at nulls first limit ${dueAtOnce}
         for no key update of f skip locked`,
      );
      await manager.query(
        `update forum_followers f set pending = 0, mailed_at = case when m.sent then now() else f.mailed_at end
         from unnest($1::uuid[], $2::uuid[], $3::boolean[]) as m(post_id, user_id, sent)
         where f.post_id = m.post_id and f.user_id = m.user_id`,
        [
          mails.map(({ postId }) => postId),
          mails.map(({ userId }) => userId),
          mails.map(({ email }) => email !== null),
        ],
      );
      return work(manager, mails);
    });
  }

  async threadMail(postId: string, userId: string): Promise<ForumThreadMail> {
    const [row] = await this.dataSource.query<{ isMuted: boolean }[]>(
      'select is_muted as "isMuted" from forum_followers where post_id = $1 and user_id = $2',
      [postId, userId],
    );
    return { isFollowing: row !== undefined, isMuted: row?.isMuted ?? false };
  }

  async muted(userId: string): Promise<ForumMuted['threads']> {
    return this.dataSource.query<ForumMuted['threads']>(
      `select p.id as "postId", case when p.is_hidden then '' else p.title end as title
       from forum_followers f join forum_posts p on p.id = f.post_id
       where f.user_id = $1 and f.is_muted
       order by p.id desc limit ${limits.forumMutedListed}`,
      [userId],
    );
  }

  /** Returns false if there is no such post or user. */
  async mute(postId: string, userId: string, isMuted: boolean): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `insert into forum_followers (post_id, user_id, is_muted)
       select p.id, u.id, $3 from forum_posts p, users u where p.id = $1 and u.id = $2
       on conflict (post_id, user_id) do update set is_muted = $3, pending = 0
       returning post_id`,
      [postId, userId, isMuted],
    );
    return rows.length > 0;
  }

  async isMailOn(userId: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>('select 1 from forum_mail_off where user_id = $1', [
      userId,
    ]);
    return rows.length === 0;
  }

  async setMail(userId: string, isOn: boolean): Promise<void> {
    await this.dataSource.query(
      isOn
        ? 'delete from forum_mail_off where user_id = $1'
        : 'insert into forum_mail_off select id from users where id = $1 on conflict do nothing',
      [userId],
    );
  }
}
