import { Injectable } from '@nestjs/common';
import {
  countForumLinks,
  mayEditForum,
  type ChangeForumPost,
  type ChangeForumReply,
  type ForumChange,
  type ForumMe,
  type ForumPost,
  type ForumPosts,
  type ForumPostsQuery,
  type ForumPostSummary,
  type ForumReplies,
  type ForumRepliesQuery,
  type ForumReply,
  type ForumSimilar,
  type NewForumPost,
  type ResolveForumPost,
} from '@orange-id/contract/forum.schema';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import { setImmediate } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { holdActiveSession } from '../auth/account.locks.js';
import type { User } from '../auth/user.entity.js';
import { Administrators } from '../auth/administrators.js';
import { newId } from '../database/new.id.js';
import { addressKey } from '../http/address.key.js';
import { AttemptLimiter } from '../http/attempt.limiter.js';
import { PortalError } from '../http/portal.error.js';
import { ForumChanges } from '../realtime/forum.changes.js';
import type { ForumPostRow } from './forum-post.entity.js';
import { ForumFollowersRepository } from './forum.followers.repository.js';
import { renderMarkdown, rendererVersion } from './forum.markdown.js';
import {
  ForumRepository,
  wordsOf,
  type Place,
  type PostRow,
  type ReplyRow,
  type Step,
  type SummaryRow,
} from './forum.repository.js';

/** Who writes, and from where. */
export interface Writer {
  user: User;
  sessionId: string;
  address: string;
}

const hourMs = 3_600_000;
const perHour = (limit: number, what: string) =>
  new AttemptLimiter(limit, hourMs, (seconds) => `Too many ${what}. Try again in ${waitInWords(seconds)}`);

/** Whether an id of a path can be looked up; any other text is of no row. */
export const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

/** Posts and replies of the community. Reading is public; authors change their own, and others' return 404. */
@Injectable()
export class ForumService {
  private readonly posting = perHour(limits.forumPostsPerHour, 'posts');
  private readonly replying = perHour(limits.forumRepliesPerHour, 'replies');
  private readonly changing = perHour(limits.forumChangesPerHour, 'changes');
  private readonly perAddress = perHour(limits.forumWritesPerAddressPerHour, 'posts from your network');
  private readonly previews = new AttemptLimiter(limits.forumPreviewsPerMinute);
  private previewing: Promise<unknown> = Promise.resolve();
  private readonly searches = new AttemptLimiter(limits.forumSearchesPerMinute);

  constructor(
    private readonly rows: ForumRepository,
    private readonly followers: ForumFollowersRepository,
    private readonly changes: ForumChanges,
    private readonly administrators: Administrators,
  ) {}

  async me(user: User): Promise<ForumMe> {
    return { canWrite: hasName(user), isAdministrator: await this.administrators.has(user) };
  }

  /** A page of the list. Throws `request.rateLimited` for too many searches from one address. */
  async list(query: ForumPostsQuery, address: string): Promise<ForumPosts> {
    if (query.q) this.searches.take(addressKey(address));
    const step = stepOf(query, query.sort === 'active');
    const leavesOutPinned =
      !query.q && query.author === undefined && query.resolved === undefined && query.sort !== 'unanswered';
    const rows = await this.rows.posts(query, step, leavesOutPinned);
    const pinned = leavesOutPinned && step === null ? await this.rows.pinned(query.category ?? null) : [];
    const { page, next, previous } = pageOf(rows, query.limit, step, (row) =>
      query.sort === 'active' ? `${row.updatedAt.getTime()}_${row.id}` : row.id,
    );
    return { pinned: pinned.map(summaryOf), posts: page.map(summaryOf), next, previous };
  }

  /** The beginning of the list, without a limit on requests. */
  newest(limit: number): Promise<ForumPosts> {
    return this.list({ sort: 'newest', limit }, '');
  }

  /** Posts with a similar title. */
  async similar(title: string, address: string): Promise<ForumSimilar> {
    this.searches.take(addressKey(address));
    const words = wordsOf(title).filter((word) => word.length > 2);
    return { posts: words.length === 0 ? [] : (await this.rows.similar(words)).map(summaryOf) };
  }

  /** Throws `forum.postNotFound`. */
  async post(id: string): Promise<ForumPost> {
    const row = isUuid(id) ? await this.rows.post(id) : null;
    if (row === null) throw new PortalError('forum.postNotFound');
    return postOf(await this.rendered('forum_posts', row));
  }

  /** A page of replies. Throws `forum.postNotFound`, and `forum.replyNotFound` for an unknown `around`. */
  async replies(postId: string, query: ForumRepliesQuery): Promise<ForumReplies> {
    const post = await this.post(postId);
    if (post.isHidden) return { replies: [], next: null, previous: null };
    const step = stepOf(query, false);
    const rows = await this.rows.replies(postId, query.limit, step, query.around ?? null);
    if (query.around !== undefined && rows[0]?.id !== query.around.toLowerCase()) {
      throw new PortalError('forum.replyNotFound');
    }
    const fitting = Math.max(1, rows.filter(({ fits }) => fits).length);
    const limit = Math.min(query.limit, fitting);
    const { page, next, previous } = pageOf(rows, limit, step, (row) => row.id);
    const first = page[0];
    const hasEarlier =
      query.around !== undefined && first !== undefined && (await this.rows.hasReplyBefore(postId, first.id));
    const replies = await Promise.all(page.map(({ fits: _, ...row }) => this.rendered('forum_replies', row)));
    return { replies: replies.map(replyOf), next, previous: hasEarlier ? first.id : previous };
  }

  /** Throws `request.rateLimited`. One at a time, with other requests in between: a long text takes 0.1 s. */
  async preview(user: User, content: string): Promise<{ html: string }> {
    this.previews.take(user.id);
    const made = this.previewing.then(() => setImmediate()).then(() => renderMarkdown(content));
    this.previewing = made.catch(() => undefined);
    return { html: (await made).html };
  }

  /**
   * Adds a post, or returns the same one of the last minute. Throws `forum.nameRequired`, `forum.tooManyLinks`,
   * `forum.full` and `request.rateLimited`.
   */
  async create(writer: Writer, body: NewForumPost): Promise<ForumPost> {
    this.admit(writer, this.posting);
    const userId = writer.user.id;
    const id = newId();
    const written = await this.rows.transaction(async (manager) => {
      await holdActiveSession(manager, writer);
      const same = await this.rows.samePost(manager, { userId, ...body });
      if (same !== null) return same;
      await this.requireFewLinks(manager, userId, body.content);
      await this.rows.addPost(manager, { id, userId, ...body, ...renderMarkdown(body.content) });
      await this.requireRoom(manager, writer.user);
      await this.followers.wrote(manager, id, userId, false);
      return id;
    });
    if (written === id) {
      this.changes.emit({
        kind: 'posted',
        postId: id,
        replyId: null,
        category: body.category,
        replyCount: 0,
      });
    }
    return this.post(written);
  }

  /**
   * Changes one's own post. Throws `forum.postNotFound`, `forum.locked`, `forum.changedElsewhere`, `forum.tooManyLinks`
   * and `forum.full`.
   */
  async change(writer: Writer, id: string, body: ChangeForumPost): Promise<ForumPost> {
    this.admit(writer, this.changing);
    const post = await this.changeOwn(writer, id, async (manager, row) => {
      requireRead(row, body.readEditedAt);
      const { title = row.title, content = row.content, category = row.category } = body;
      if (content !== row.content) await this.requireFewLinks(manager, writer.user.id, content);
      await this.rows.changePost(manager, id, { title, content, category, ...renderMarkdown(content) });
      if (content.length > row.content.length) await this.requireRoom(manager, writer.user);
    });
    this.emit('changed', post, null);
    return this.post(id);
  }

  /** Deletes one's own post with its replies. Throws `forum.postNotFound`. */
  async remove(writer: Writer, id: string): Promise<void> {
    this.changing.take(writer.user.id);
    const post = await this.rows.transaction(async (manager) => {
      await holdActiveSession(manager, writer);
      const row = await this.ownPost(manager, writer.user.id, id);
      await this.rows.deletePost(manager, id);
      return row;
    });
    this.emit('removed', post, null);
  }

  /**
   * Marks one's own post as resolved, with the reply that answered it. Throws `forum.postNotFound`,
   * `forum.replyNotFound` and `forum.locked`.
   */
  async resolve(writer: Writer, id: string, body: ResolveForumPost): Promise<ForumPost> {
    this.changing.take(writer.user.id);
    const replyId = body.isResolved ? body.acceptedReplyId : null;
    const post = await this.changeOwn(writer, id, async (manager) => {
      if (replyId !== null) await this.visibleReply(manager, id, replyId);
      await this.rows.resolve(manager, id, body.isResolved, replyId);
    });
    this.emit('changed', post, null);
    return this.post(id);
  }

  /** Adds a reply, or returns the same one of the last minute. Throws what `create` does, and `forum.locked`. */
  async addReply(writer: Writer, postId: string, content: string): Promise<ForumReply> {
    this.admit(writer, this.replying);
    const userId = writer.user.id;
    const id = newId();
    const { reply, post } = await this.rows.transaction(async (manager) => {
      await holdActiveSession(manager, writer);
      const row = await this.visiblePost(manager, postId);
      const same = await this.rows.sameReply(manager, { userId, postId, content });
      if (same === null) {
        if (row.isLocked) throw new PortalError('forum.locked');
        await this.requireFewLinks(manager, userId, content);
        const { html } = renderMarkdown(content);
        await this.rows.addReply(manager, { id, postId, userId, content, html });
        await this.requireRoom(manager, writer.user);
        await this.followers.wrote(manager, postId, userId, true);
      }
      return { reply: await this.replyRow(manager, postId, same ?? id), post: row };
    });
    if (reply.id === id) this.emit('replied', { ...post, replyCount: post.replyCount + 1 }, id);
    return replyOf(reply);
  }

  /** Changes one's own reply. Throws what `change` does, and `forum.replyNotFound`. */
  async changeReply(writer: Writer, postId: string, id: string, body: ChangeForumReply): Promise<ForumReply> {
    const { content } = body;
    this.admit(writer, this.changing);
    const { reply, post } = await this.rows.transaction(async (manager) => {
      await holdActiveSession(manager, writer);
      const row = await this.visiblePost(manager, postId);
      const own = await this.ownReply(manager, writer.user.id, postId, id);
      if (row.isLocked) throw new PortalError('forum.locked');
      if (own.isHidden) throw new PortalError('forum.replyNotFound');
      requireRead(own, body.readEditedAt);
      await this.requireFewLinks(manager, writer.user.id, content);
      await this.rows.changeReply(manager, id, { content, html: renderMarkdown(content).html });
      if (content.length > own.content.length) await this.requireRoom(manager, writer.user);
      return { reply: await this.replyRow(manager, postId, id), post: row };
    });
    this.emit('changed', post, id);
    return replyOf(reply);
  }

  /** Deletes one's own reply. Throws `forum.postNotFound` and `forum.replyNotFound`. */
  async removeReply(writer: Writer, postId: string, id: string): Promise<void> {
    this.changing.take(writer.user.id);
    const post = await this.rows.transaction(async (manager) => {
      await holdActiveSession(manager, writer);
      const row = await this.lockedPost(manager, postId);
      await this.ownReply(manager, writer.user.id, postId, id);
      await this.rows.deleteReply(manager, postId, id);
      return row;
    });
    this.emit('removed', { ...post, replyCount: post.replyCount - 1 }, id);
  }

  private emit(kind: ForumChange['kind'], post: ForumPostRow, replyId: string | null): void {
    const { id: postId, category, replyCount } = post;
    this.changes.emit({ kind, postId, replyId, category, replyCount });
  }

  private admit({ user, address }: Writer, limiter: AttemptLimiter): void {
    if (!hasName(user)) throw new PortalError('forum.nameRequired');
    limiter.take(user.id);
    this.perAddress.take(addressKey(address));
  }

  private async changeOwn(
    writer: Writer,
    id: string,
    work: (manager: EntityManager, row: ForumPostRow) => Promise<void>,
  ): Promise<ForumPostRow> {
    return this.rows.transaction(async (manager) => {
      await holdActiveSession(manager, writer);
      const row = await this.ownPost(manager, writer.user.id, id);
      if (row.isHidden) throw new PortalError('forum.postNotFound');
      if (row.isLocked) throw new PortalError('forum.locked');
      await work(manager, row);
      return row;
    });
  }

  private async lockedPost(manager: EntityManager, id: string): Promise<ForumPostRow> {
    const row = isUuid(id) ? await this.rows.lockPost(manager, id) : null;
    if (row === null) throw new PortalError('forum.postNotFound');
    return row;
  }

  private async ownPost(manager: EntityManager, userId: string, id: string): Promise<ForumPostRow> {
    const row = await this.lockedPost(manager, id);
    if (!mayEditForum(row, userId)) throw new PortalError('forum.postNotFound');
    return row;
  }

  private async visiblePost(manager: EntityManager, id: string): Promise<ForumPostRow> {
    const row = await this.lockedPost(manager, id);
    if (row.isHidden) throw new PortalError('forum.postNotFound');
    return row;
  }

  private async replyRow(manager: EntityManager, postId: string, id: string): Promise<ReplyRow> {
    const row = isUuid(id) ? await this.rows.reply(manager, postId, id) : null;
    if (row === null) throw new PortalError('forum.replyNotFound');
    return row;
  }

  private async ownReply(
    manager: EntityManager,
    userId: string,
    postId: string,
    id: string,
  ): Promise<ReplyRow> {
    const row = await this.replyRow(manager, postId, id);
    if (!mayEditForum(row, userId)) throw new PortalError('forum.replyNotFound');
    return row;
  }

  private async visibleReply(manager: EntityManager, postId: string, id: string): Promise<void> {
    const row = await this.replyRow(manager, postId, id);
    if (row.isHidden) throw new PortalError('forum.replyNotFound');
  }

  /** Spam is mostly links, and comes from new accounts. */
  private async requireFewLinks(manager: EntityManager, userId: string, content: string): Promise<void> {
    if (countForumLinks(content) <= limits.forumNewcomerLinks) return;
    if ((await this.rows.written(manager, userId)) < limits.forumNewcomerPosts) {
      throw new PortalError('forum.tooManyLinks');
    }
  }

  /** After a text was stored, with the account locked. Those who answer everybody may go on. */
  private async requireRoom(manager: EntityManager, user: User): Promise<void> {
    if ((await this.rows.writtenBytes(manager, user.id)) <= limits.forumBytesPerUser) return;
    if (!(await this.administrators.has(user))) throw new PortalError('forum.full');
  }

  private async rendered<R extends PostRow | ReplyRow>(
    table: 'forum_posts' | 'forum_replies',
    row: R,
  ): Promise<R> {
    if (row.renderer === rendererVersion) return row;
    const made = renderMarkdown(row.content);
    await this.rows.storeRendered(table, { id: row.id, content: row.content, ...made });
    return { ...row, ...made };
  }
}

function requireRead({ editedAt }: { editedAt: Date | null }, read: string | null | undefined): void {
  if (read === undefined) return;
  if ((editedAt?.getTime() ?? null) !== (read === null ? null : Date.parse(read))) {
    throw new PortalError('forum.changedElsewhere');
  }
}

const hasName = ({ displayName }: User): boolean => displayName !== null && displayName !== '';

function stepOf(query: { after?: string | undefined; before?: string | undefined }, hasTime: boolean): Step {
  const direction = query.after === undefined ? 'before' : 'after';
  const cursor = query.after ?? query.before;
  if (cursor === undefined) return null;
  const [at, id] = cursor.includes('_') ? cursor.split('_') : [null, cursor];
  const atMs = at === null ? null : Number(at);
  // A cursor of another order.
  if ((atMs !== null) !== hasTime || (atMs ?? 0) > latestMs) {
    throw new PortalError('request.invalid', {
      message: `${direction} must be a cursor of a page with the same sort`,
    });
  }
  const place: Place = { id: id as string, atMs };
  return { direction, place };
}

/** The end of the year 9999; PostgreSQL has no time much later. */
const latestMs = 253_402_300_799_999;

/** Turns `limit + 1` rows, which come backwards if the step goes back, into a page and its cursors. */
function pageOf<R>(
  rows: R[],
  limit: number,
  step: Step,
  cursorOf: (row: R) => string,
): { page: R[]; next: string | null; previous: string | null } {
  const isBack = step?.direction === 'before';
  const hasMore = rows.length > limit;
  const page = rows.slice(0, limit);
  if (isBack) page.reverse();
  const first = page[0];
  const last = page.at(-1);
  const ahead = isBack ? page.length > 0 : hasMore;
  const behind = isBack ? hasMore : step !== null;
  return {
    page,
    next: ahead && last !== undefined ? cursorOf(last) : null,
    previous: behind && first !== undefined ? cursorOf(first) : null,
  };
}

function summaryOf(row: SummaryRow): ForumPostSummary {
  const { createdAt, updatedAt, editedAt, ...others } = row;
  return { ...others, ...timesOf({ createdAt, updatedAt, editedAt }) };
}

const timesOf = ({
  createdAt,
  updatedAt,
  editedAt,
}: Pick<PostRow, 'createdAt' | 'updatedAt' | 'editedAt'>) => ({
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  editedAt: editedAt?.toISOString() ?? null,
});

export function postOf(row: PostRow): ForumPost {
  const { renderer: _, excerpt: __, ...others } = row;
  const shown = row.isHidden ? { title: '', content: '', html: '' } : {};
  return { ...others, ...timesOf(row), ...shown };
}

export function replyOf(row: ReplyRow): ForumReply {
  const { renderer: _, ...others } = row;
  const shown = row.isHidden ? { content: '', html: '' } : {};
  return {
    ...others,
    ...shown,
    createdAt: row.createdAt.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
  };
}
