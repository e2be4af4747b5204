import { Injectable } from '@nestjs/common';
import { deletedUserName, type ForumPostsQuery, type ForumReport } from '@orange-id/contract/forum.schema';
import { limits } from '@orange-id/contract/limits';
import { DataSource, type EntityManager } from 'typeorm';
import type { ForumPostRow } from './forum-post.entity.js';
import type { ForumReplyRow } from './forum-reply.entity.js';
import { rendererVersion } from './forum.markdown.js';

type WithAuthor<T> = T & { authorName: string };
export type PostRow = WithAuthor<ForumPostRow>;
export type SummaryRow = Omit<PostRow, 'content' | 'html' | 'renderer' | 'isHidden'>;
export type ReplyRow = WithAuthor<ForumReplyRow> & { isAccepted: boolean };
/** `fits` says whether the page has room for it. */
export type FittingReplyRow = ReplyRow & { fits: boolean };

export type ReportRow = Omit<ForumReport, 'createdAt'> & { createdAt: Date };

/** A place in a list: the id of a row, and its `updated_at` in ms if that orders the list. */
export interface Place {
  id: string;
  atMs: number | null;
}

/** The direction of a page, and where it begins. */
export type Step = { direction: 'after' | 'before'; place: Place } | null;

const authorName = `coalesce(u.display_name, '${deletedUserName}') as "authorName"`;
const summaryColumns = `p.id, p.user_id as "userId", p.title, p.category, p.is_resolved as "isResolved",
  p.created_at as "createdAt", p.updated_at as "updatedAt", p.excerpt, p.reply_count as "replyCount",
  p.accepted_reply_id as "acceptedReplyId", p.edited_at as "editedAt", p.is_locked as "isLocked",
  p.is_pinned as "isPinned", p.moderation_reason as "moderationReason", ${authorName}`;
const postColumns = `${summaryColumns}, p.content, p.html, p.renderer, p.is_hidden as "isHidden"`;
const replyColumns = `r.id, r.post_id as "postId", r.user_id as "userId", r.content, r.created_at as "createdAt",
  r.html, r.renderer, r.edited_at as "editedAt", r.is_hidden as "isHidden",
  r.moderation_reason as "moderationReason", r.id is not distinct from p.accepted_reply_id as "isAccepted",
  ${authorName}`;

/** Cursors have milliseconds, so the column that they compare has no more. */
const now = `date_trunc('milliseconds', now())`;

/** Words of a search; what lies between them separates them in the index too. */
export const wordsOf = (text: string): string[] =>
  (text.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, 12);

/** The SQL of the community. */
@Injectable()
export class ForumRepository {
  constructor(private readonly dataSource: DataSource) {}

  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(work);
  }

  /** Up to `limit + 1` visible posts in the order of the list, or backwards from `step`. */
  async posts(query: ForumPostsQuery, step: Step, leavesOutPinned: boolean): Promise<SummaryRow[]> {
    const { text, values } = postsStatement(query, step, leavesOutPinned);
    return this.dataSource.query<SummaryRow[]>(text, values);
  }

  async pinned(category: string | null): Promise<SummaryRow[]> {
    return this.dataSource.query<SummaryRow[]>(
      `select ${summaryColumns} from forum_posts p left join users u on u.id = p.user_id
       where not p.is_hidden and p.is_pinned and ($1::text is null or p.category = $1)
       order by p.id desc limit ${limits.forumPinnedPosts}`,
      [category],
    );
  }

  /** Posts with any of the words in their titles; most shared words first, of the 200 newest. */
  async similar(words: readonly string[]): Promise<SummaryRow[]> {
    return this.dataSource.query<SummaryRow[]>(
      `select ${summaryColumns} from (
         select id, rank from (
           select id, ts_rank(search, wanted.q) as rank from forum_posts, ${anyWord} as wanted(q)
           where not is_hidden and search @@ wanted.q order by id desc limit 200
         ) newest
         order by rank desc, id desc limit 5
       ) found
       join forum_posts p on p.id = found.id
       left join users u on u.id = p.user_id
       order by found.rank desc, p.id desc`,
      [words.map((word) => `${word}:A`).join(' | ')],
    );
  }

  async post(id: string): Promise<PostRow | null> {
    const [row] = await this.dataSource.query<PostRow[]>(
      `select ${postColumns} from forum_posts p left join users u on u.id = p.user_id where p.id = $1`,
      [id],
    );
    return row ?? null;
  }

  /** Locks the post until the end of the transaction. */
  async lockPost(manager: EntityManager, id: string): Promise<PostRow | null> {
    const [row] = await manager.query<PostRow[]>(
      `select ${postColumns} from (select * from forum_posts where id = $1 for no key update) p
       left join users u on u.id = p.user_id`,
      [id],
    );
    return row ?? null;
  }

  /** How many posts and replies the user has written, counted up to `limits.forumNewcomerPosts`. */
  async written(manager: EntityManager, userId: string): Promise<number> {
    const [row] = await manager.query<[{ count: number }]>(
      `select count(*)::int as count from (
         (select 1 from forum_posts where user_id = $1 limit ${limits.forumNewcomerPosts})
         union all (select 1 from forum_replies where user_id = $1 limit ${limits.forumNewcomerPosts})
       ) each`,
      [userId],
    );
    return row.count;
  }

  /** The bytes of all posts and replies of the user, as Markdown and as HTML. */
  async writtenBytes(manager: EntityManager, userId: string): Promise<number> {
    const [row] = await manager.query<[{ bytes: number }]>(
      `select coalesce(sum(octet_length(content) + octet_length(html)), 0)::float8 as bytes from (
         select content, html from forum_posts where user_id = $1
         union all select content, html from forum_replies where user_id = $1
       ) each`,
      [userId],
    );
    return row.bytes;
  }

  /** The id of the same post by the same author within the last minute. */
  async samePost(
    manager: EntityManager,
    row: Pick<ForumPostRow, 'userId' | 'title' | 'content' | 'category'>,
  ): Promise<string | null> {
    const [same] = await manager.query<{ id: string }[]>(
      `select id from forum_posts
       where user_id = $1 and title = $2 and content = $3 and category = $4 and not is_hidden
         and created_at > now() - make_interval(secs => ${limits.forumDuplicateMs / 1000})
       order by id desc limit 1`,
      [row.userId, row.title, row.content, row.category],
    );
    return same?.id ?? null;
  }

  async addPost(
    manager: EntityManager,
    row: Pick<ForumPostRow, 'id' | 'userId' | 'title' | 'content' | 'category' | 'html' | 'excerpt'>,
  ): Promise<void> {
    await manager.query(
      `insert into forum_posts
         (id, user_id, title, content, category, html, excerpt, renderer, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, ${rendererVersion}, ${now}, ${now})`,
      [row.id, row.userId, row.title, row.content, row.category, row.html, row.excerpt],
    );
  }

  async changePost(
    manager: EntityManager,
    id: string,
    row: Pick<ForumPostRow, 'title' | 'content' | 'category' | 'html' | 'excerpt'>,
  ): Promise<void> {
    await manager.query(
      `update forum_posts set title = $2, content = $3, category = $4, html = $5, excerpt = $6,
         renderer = ${rendererVersion}, edited_at = ${now}, updated_at = ${now}
       where id = $1`,
      [id, row.title, row.content, row.category, row.html, row.excerpt],
    );
  }

  async resolve(manager: EntityManager, id: string, isResolved: boolean, replyId: string | null) {
    await manager.query('update forum_posts set is_resolved = $2, accepted_reply_id = $3 where id = $1', [
      id,
      isResolved,
      replyId,
    ]);
  }

  async deletePost(manager: EntityManager, id: string): Promise<void> {
    await manager.query('delete from forum_posts where id = $1', [id]);
  }

  async moderatePost(
    manager: EntityManager,
    id: string,
    row: Pick<ForumPostRow, 'isHidden' | 'isLocked' | 'isPinned' | 'category' | 'moderationReason'>,
  ): Promise<void> {
    await manager.query(
      `update forum_posts set is_hidden = $2, is_locked = $3, is_pinned = $4, category = $5, moderation_reason = $6
       where id = $1`,
      [id, row.isHidden, row.isLocked, row.isPinned, row.category, row.moderationReason],
    );
  }

  /** Stores what another version of the renderer made, unless the content has changed since it was read. */
  async storeRendered(
    table: 'forum_posts' | 'forum_replies',
    row: { id: string; content: string; html: string; excerpt?: string },
  ): Promise<void> {
    await this.dataSource.query(
      `update ${table} set html = $3, renderer = ${rendererVersion}
       ${table === 'forum_posts' ? ', excerpt = $4' : ''}
       where id = $1 and content = $2`,
      [row.id, row.content, row.html, ...(table === 'forum_posts' ? [row.excerpt] : [])],
    );
  }

  /**
   * Up to `limit + 1` replies, oldest first, or backwards from `step`. `from` is the first of the page. Fewer if they are
   * long: of those beyond `limits.forumPageBytes`, which do not fit, only the first.
   */
  async replies(postId: string, limit: number, step: Step, from: string | null): Promise<FittingReplyRow[]> {
    const isBack = step?.direction === 'before';
    const order = `order by id ${isBack ? 'desc' : 'asc'}`;
    return this.dataSource.query<FittingReplyRow[]>(
      `select ${replyColumns}, r.bytes <= ${limits.forumPageBytes} as fits
       from (
         select *, sum(size) over (${order}) as bytes from (
           select *, octet_length(content) + octet_length(html) as size from forum_replies
           where post_id = $1
             ${step === null ? '' : `and id ${isBack ? '<' : '>'} $3`}
             ${step === null && from !== null ? 'and id >= $3' : ''}
           ${order} limit $2
         ) found
       ) r
       join forum_posts p on p.id = r.post_id
       left join users u on u.id = r.user_id
       where r.bytes - r.size <= ${limits.forumPageBytes}
       order by r.id ${isBack ? 'desc' : 'asc'}`,
      [postId, limit + 1, ...(step ? [step.place.id] : from === null ? [] : [from])],
    );
  }

  async hasReplyBefore(postId: string, id: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      // The order makes PostgreSQL read the index, whatever share of all replies the post has.
      'select 1 from forum_replies where post_id = $1 and id < $2 order by id desc limit 1',
      [postId, id],
    );
    return rows.length > 0;
  }

  async reply(manager: EntityManager, postId: string, id: string): Promise<ReplyRow | null> {
    const [row] = await manager.query<ReplyRow[]>(
      `select ${replyColumns} from forum_replies r join forum_posts p on p.id = r.post_id
       left join users u on u.id = r.user_id
       where r.id = $1 and r.post_id = $2`,
      [id, postId],
    );
    return row ?? null;
  }

  async hasReply(postId: string, id: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      'select 1 from forum_replies where id = $2 and post_id = $1 and not is_hidden',
      [postId, id],
    );
    return rows.length > 0;
  }

  async sameReply(
    manager: EntityManager,
    row: Pick<ForumReplyRow, 'userId' | 'postId' | 'content'>,
  ): Promise<string | null> {
    const [same] = await manager.query<{ id: string }[]>(
      `select id from forum_replies
       where user_id = $1 and post_id = $2 and content = $3 and not is_hidden
         and created_at > now() - make_interval(secs => ${limits.forumDuplicateMs / 1000})
       order by id desc limit 1`,
      [row.userId, row.postId, row.content],
    );
    return same?.id ?? null;
  }

  async addReply(
    manager: EntityManager,
    row: Pick<ForumReplyRow, 'id' | 'postId' | 'userId' | 'content' | 'html'>,
  ): Promise<void> {
    await manager.query(
      `insert into forum_replies (id, post_id, user_id, content, html, renderer, created_at)
       values ($1, $2, $3, $4, $5, ${rendererVersion}, ${now})`,
      [row.id, row.postId, row.userId, row.content, row.html],
    );
    await manager.query(
      `update forum_posts set reply_count = reply_count + 1, updated_at = ${now} where id = $1`,
      [row.postId],
    );
  }

  async changeReply(
    manager: EntityManager,
    id: string,
    row: Pick<ForumReplyRow, 'content' | 'html'>,
  ): Promise<void> {
    await manager.query(
      `update forum_replies set content = $2, html = $3, renderer = ${rendererVersion}, edited_at = ${now}
       where id = $1`,
      [id, row.content, row.html],
    );
  }

  async deleteReply(manager: EntityManager, postId: string, id: string): Promise<void> {
    await manager.query('delete from forum_replies where id = $1', [id]);
    await manager.query('update forum_posts set reply_count = reply_count - 1 where id = $1', [postId]);
  }

  async hideReply(manager: EntityManager, id: string, isHidden: boolean, reason: string): Promise<void> {
    await manager.query('update forum_replies set is_hidden = $2, moderation_reason = $3 where id = $1', [
      id,
      isHidden,
      reason,
    ]);
  }

  /** Each user reports a post or a reply once; a repetition changes nothing. */
  async addReport(row: {
    id: string;
    postId: string;
    replyId: string | null;
    userId: string;
    reason: string;
  }): Promise<void> {
    await this.dataSource.query(
      `insert into forum_reports (id, post_id, reply_id, user_id, reason) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [row.id, row.postId, row.replyId, row.userId, row.reason],
    );
  }

  /** Up to `limits.forumReportsListed + 1` reported texts, the one with the newest report first. */
  async reports(): Promise<ReportRow[]> {
    return this.dataSource.query<ReportRow[]>(
      `select f.ids[1] as id, f.post_id as "postId", f.reply_id as "replyId", cardinality(f.ids) as reporters,
         f.reasons[:${limits.forumReportReasons}] as reasons, f.newest as "createdAt",
         p.title, p.category, p.is_locked as "isLocked", p.is_pinned as "isPinned",
         left(case when r.id is null then p.content else r.content end, ${limits.forumReportCharacters}) as content,
         ${authorName}
       from (
         select post_id, reply_id, array_agg(id order by id desc) as ids, array_agg(reason order by id desc) as reasons,
           max(created_at) as newest
         from forum_reports group by post_id, reply_id
       ) f
       join forum_posts p on p.id = f.post_id
       left join forum_replies r on r.id = f.reply_id
       left join users u on u.id = case when r.id is null then p.user_id else r.user_id end
       order by f.ids[1] desc limit ${limits.forumReportsListed + 1}`,
    );
  }

  /** Removes a report and the earlier ones about the same text. Returns false if there is no such report. */
  async closeReports(id: string): Promise<boolean> {
    const [rows] = (await this.dataSource.query(
      `delete from forum_reports f using forum_reports known
       where known.id = $1 and f.post_id = known.post_id and f.reply_id is not distinct from known.reply_id
         and f.id <= known.id
       returning f.id`,
      [id],
    )) as [unknown[], number];
    return rows.length > 0;
  }

  /** Removes all reports about a post, or about one of its replies. */
  async closeReportsAbout(manager: EntityManager, postId: string, replyId: string | null): Promise<void> {
    await manager.query(
      'delete from forum_reports where post_id = $1 and reply_id is not distinct from $2::uuid',
      [postId, replyId],
    );
  }
}

const anyWord = `to_tsquery('simple', $1)`;

/** The statement of a list. Its conditions are constants, so that each list uses its own partial index. */
export function postsStatement(
  query: ForumPostsQuery,
  step: Step,
  leavesOutPinned: boolean,
): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const conditions = ['not p.is_hidden'];
  if (leavesOutPinned) conditions.push('not p.is_pinned');
  if (query.category !== undefined) conditions.push(`p.category = ${value(query.category)}`);
  if (query.resolved !== undefined) conditions.push(`p.is_resolved = ${query.resolved}`);
  if (query.author !== undefined) conditions.push(`p.user_id = ${value(query.author)}`);
  if (query.sort === 'unanswered') conditions.push('p.reply_count = 0');
  const words = wordsOf(query.q ?? '');
  const last = words.pop();
  if (last !== undefined) {
    const whole = words.length === 0 ? '' : `plainto_tsquery('english', ${value(words.join(' '))}) && `;
    const stem = `plainto_tsquery('english', ${value(last)})`;
    conditions.push(`p.search @@ (${whole}(to_tsquery('simple', ${value(`${last}:*`)}) || ${stem}))`);
  }
  const isBack = step?.direction === 'before';
  const order = query.sort === 'active' ? ['p.updated_at', 'p.id'] : ['p.id'];
  if (step !== null) {
    const { id, atMs } = step.place;
    const place = query.sort === 'active' ? `to_timestamp(${value(atMs)} / 1000.0), ` : '';
    conditions.push(`(${order.join(', ')}) ${isBack ? '>' : '<'} (${place}${value(id)}::uuid)`);
  }
  const direction = isBack ? 'asc' : 'desc';
  const text = `select ${summaryColumns} from (
      select * from forum_posts p where ${conditions.join(' and ')}
      order by ${order.map((column) => `${column} ${direction}`).join(', ')} limit ${value(query.limit + 1)}
    ) p
    left join users u on u.id = p.user_id
    order by ${order.map((column) => `${column} ${direction}`).join(', ')}`;
  return { text, values };
}
