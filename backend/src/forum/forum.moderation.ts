import { Injectable } from '@nestjs/common';
import type {
  ForumPost,
  ForumReply,
  ForumReports,
  ModerateForumPost,
  ModerateForumReply,
  ReportForumPost,
} from '@orange-id/contract/forum.schema';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import { holdActiveSession } from '../auth/account.locks.js';
import { Administrators } from '../auth/administrators.js';
import { newId } from '../database/new.id.js';
import { AttemptLimiter } from '../http/attempt.limiter.js';
import { PortalError } from '../http/portal.error.js';
import { ForumChanges } from '../realtime/forum.changes.js';
import { ForumRepository } from './forum.repository.js';
import { isUuid, postOf, replyOf, type Writer } from './forum.service.js';

/** Reports by users, and what administrators do. All but `report` throw `forum.administratorRequired`. */
@Injectable()
export class ForumModeration {
  private readonly reporting = new AttemptLimiter(
    limits.forumReportsPerHour,
    3_600_000,
    (seconds) => `Too many reports. Try again in ${waitInWords(seconds)}`,
  );

  constructor(
    private readonly rows: ForumRepository,
    private readonly changes: ForumChanges,
    private readonly administrators: Administrators,
  ) {}

  /** Hides, locks, pins or moves a post; hiding it closes the reports about it. Throws `forum.postNotFound`. */
  async moderatePost(writer: Writer, id: string, body: ModerateForumPost): Promise<ForumPost> {
    await this.administrators.require(writer.user);
    const { reason: moderationReason, ...acts } = body;
    const row = await this.rows.transaction(async (manager) => {
      await holdActiveSession(manager, writer);
      const post = isUuid(id) ? await this.rows.lockPost(manager, id) : null;
      if (post === null) throw new PortalError('forum.postNotFound');
      await this.rows.moderatePost(manager, id, { ...post, ...acts, moderationReason });
      if (acts.isHidden) await this.rows.closeReportsAbout(manager, id, null);
      return { ...post, ...acts, moderationReason };
    });
    const { category, replyCount } = row;
    const kind = row.isHidden ? 'removed' : 'changed';
    this.changes.emit({ kind, postId: row.id, replyId: null, category, replyCount });
    return postOf(row);
  }

  /** Hides a reply, which closes the reports about it, or shows it again. Throws `forum.postNotFound` and `forum.replyNotFound`. */
  async moderateReply(
    writer: Writer,
    postId: string,
    id: string,
    { isHidden, reason }: ModerateForumReply,
  ): Promise<ForumReply> {
    await this.administrators.require(writer.user);
    const { post, reply } = await this.rows.transaction(async (manager) => {
      await holdActiveSession(manager, writer);
      const locked = isUuid(postId) ? await this.rows.lockPost(manager, postId) : null;
      if (locked === null) throw new PortalError('forum.postNotFound');
      const row = isUuid(id) ? await this.rows.reply(manager, postId, id) : null;
      if (row === null) throw new PortalError('forum.replyNotFound');
      await this.rows.hideReply(manager, id, isHidden, reason);
      if (isHidden) await this.rows.closeReportsAbout(manager, postId, id);
      return { post: locked, reply: { ...row, isHidden, moderationReason: reason } };
    });
    const { category, replyCount } = post;
    this.changes.emit({ kind: 'changed', postId: post.id, replyId: reply.id, category, replyCount });
    return replyOf(reply);
  }

  /** Throws `forum.postNotFound`, `forum.replyNotFound` and `request.rateLimited`. */
  async report({ user }: Writer, postId: string, { replyId, reason }: ReportForumPost): Promise<void> {
    this.reporting.take(user.id);
    const post = isUuid(postId) ? await this.rows.post(postId) : null;
    if (post === null || post.isHidden) throw new PortalError('forum.postNotFound');
    if (replyId !== null && !(await this.rows.hasReply(postId, replyId))) {
      throw new PortalError('forum.replyNotFound');
    }
    await this.rows.addReport({ id: newId(), postId, replyId, userId: user.id, reason });
  }

  async reports({ user }: Pick<Writer, 'user'>): Promise<ForumReports> {
    await this.administrators.require(user);
    const rows = await this.rows.reports();
    const reports = rows
      .slice(0, limits.forumReportsListed)
      .map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
    return { reports, hasMore: rows.length > reports.length };
  }

  /** Closes a report and the earlier ones about the same text. Throws `forum.reportNotFound`. */
  async closeReport({ user }: Pick<Writer, 'user'>, id: string): Promise<void> {
    await this.administrators.require(user);
    if (!isUuid(id) || !(await this.rows.closeReports(id))) throw new PortalError('forum.reportNotFound');
  }
}
