import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { DataSource, type EntityManager } from 'typeorm';
import { holdAccount, holdActiveSession, type SignedIn } from '../auth/account.locks.js';
import { afterCommit } from '../database/after.commit.js';
import { PortalError } from '../http/portal.error.js';
import { AccountChanges } from '../identity/changes/account.changes.js';
import { AccountNotices } from '../identity/mails/account.notices.js';
import { SessionsService } from '../identity/sessions/sessions.service.js';
import { KeyChanges } from '../keys/key.changes.js';
import { ProjectChanges } from '../realtime/project.changes.js';
import { LeavingRepository } from './leaving.repository.js';

const keptMs = limits.deletedAccountKeptDays * 86_400_000;

/**
 * Deletes an account at its owner's request. At once its sessions end, its keys are unknown and its projects are no
 * tenants, on every instance within 1 s; nothing else changes until its rows go a week later (`AccountRemoval`).
 */
@Injectable()
export class LeavingService {
  constructor(
    private readonly changes: AccountChanges,
    private readonly dataSource: DataSource,
    private readonly keyChanges: KeyChanges,
    private readonly leaving: LeavingRepository,
    private readonly notices: AccountNotices,
    private readonly projectChanges: ProjectChanges,
    private readonly sessions: SessionsService,
  ) {}

  /** Returns when the rows of the account go. The caller has required a fresh proof. Throws `auth.tokenInvalid`. */
  delete(caller: SignedIn, userAgent: string | undefined, now = new Date()): Promise<Date> {
    const userId = caller.user.id;
    return this.dataSource.transaction(async (manager) => {
      await holdActiveSession(manager, caller);
      const dueAt = await this.leaving.add(manager, userId, new Date(now.getTime() + keptMs));
      await this.leaving.removeExports(manager, userId);
      await this.notices.accountDeleted(manager, userId, dueAt);
      await this.changes.note(manager, userId, { kind: 'deleted', userAgent });
      await this.sessions.endAll(userId, manager);
      await this.notifyKeys(manager, userId);
      await this.notifyOwners(manager, userId);
      return dueAt;
    });
  }

  /**
   * When the rows of the deleted account of this session go. Throws `auth.refreshInvalid`, and `account.notDeleted` if
   * the account is kept.
   */
  async deletesAt(refreshToken: string): Promise<Date> {
    const dueAt = await this.leaving.dueAt(await this.sessions.holderOf(refreshToken));
    if (dueAt === null) throw new PortalError('account.notDeleted');
    return dueAt;
  }

  /**
   * Keeps a deleted account whose owner has signed in again; everything works as before. An account that is not deleted
   * stays as it is. Throws `auth.refreshInvalid`.
   */
  async keep(refreshToken: string, userAgent: string | undefined): Promise<void> {
    const userId = await this.sessions.holderOf(refreshToken);
    await this.dataSource.transaction(async (manager) => {
      await holdAccount(manager, userId);
      // The removal may have come first, which ends the session.
      await this.sessions.holderOf(refreshToken, manager);
      if (!(await this.leaving.remove(manager, userId))) return;
      await this.notices.accountKept(manager, userId);
      await this.changes.note(manager, userId, { kind: 'kept', userAgent });
      await this.notifyKeys(manager, userId);
      await this.notifyOwners(manager, userId);
    });
  }

  /** Owners see a person with a deleted account as one who disconnected. */
  private async notifyOwners(manager: EntityManager, userId: string): Promise<void> {
    const projects = await this.leaving.connectedTo(manager, userId);
    afterCommit(manager, () => {
      for (const { code, ownerId } of projects)
        this.projectChanges.emitSoon(ownerId, { projectId: code, kind: 'consented' });
    });
  }

  /** Ends the session of an owner who leaves the account deleted. Throws `auth.refreshInvalid`. */
  async leave(refreshToken: string): Promise<void> {
    await this.sessions.endOf(refreshToken);
  }

  private async notifyKeys(manager: EntityManager, userId: string): Promise<void> {
    await this.keyChanges.record(manager, await this.leaving.keysOf(manager, userId));
  }
}
