import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import type { ChangeKey, RotateKey, SavedKey } from '@orange-id/contract/keys.schema';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { PortalError } from '../http/portal.error.js';
import { holdActiveSession, type SignedIn } from '../auth/account.locks.js';
import { AttemptLimiter } from '../http/attempt.limiter.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyFactory } from './api-key.factory.js';
import { KeyChanges } from './key.changes.js';
import { KeyListChanges } from './key.list.changes.js';
import { KeyReader } from './key.reader.js';
import { KeyRotation } from './key.rotation.js';
import { KeyTerms } from './key.terms.js';

const hourMs = 3_600_000;

/** Saved keys: keys without a project, for the explorer and for scripts. */
@Injectable()
export class KeysService {
  private readonly making = new AttemptLimiter(
    limits.savedKeysMadePerHour,
    hourMs,
    (seconds) =>
      `You can create at most ${limits.savedKeysMadePerHour} API keys an hour. Try again in ${waitInWords(seconds)}`,
  );
  private readonly changing = new AttemptLimiter(
    limits.keysChangedPerHour,
    hourMs,
    (seconds) =>
      `You can make at most ${limits.keysChangedPerHour} changes to your API keys an hour. Try again in ${waitInWords(seconds)}`,
  );

  constructor(
    @InjectRepository(ApiKey) private readonly repository: Repository<ApiKey>,
    private readonly apiKeys: ApiKeyFactory,
    private readonly changes: KeyChanges,
    private readonly reader: KeyReader,
    private readonly rotation: KeyRotation,
    private readonly terms: KeyTerms,
    private readonly listChanges: KeyListChanges,
  ) {}

  /** The user's saved keys, newest first; a replaced one until its overlap ends. */
  list(userId: string): Promise<SavedKey[]> {
    return this.reader.read({ userId, projectId: null });
  }

  /**
   * Creates a saved key. Throws `keys.limitReached` if the user has `limits.savedKeysPerUser`, and
   * `request.rateLimited` after `limits.savedKeysMadePerHour`.
   */
  async create(caller: SignedIn, name: string): Promise<SavedKey> {
    const userId = caller.user.id;
    this.making.take(userId);
    const { row } = this.apiKeys.make({ userId, projectId: null, name });
    return this.changeList(caller, async (manager) => {
      // Until its overlap ends, a replaced key counts only if its successor was deleted.
      const count = await manager
        .createQueryBuilder(ApiKey, 'key')
        .where('key.userId = :userId and key.projectId is null and key.isActive', { userId })
        .andWhere(
          `(key.replacedAt is null or key.expiresAt > now() and not exists (
            select from api_keys next where next.replaces_id = key.id and next.user_id = :userId and next.is_active))`,
        )
        .getCount();
      if (count >= limits.savedKeysPerUser) throw new PortalError('keys.limitReached');
      await manager.insert(ApiKey, row);
      const key = await this.reader.readOne({ userId, projectId: null, id: row.id }, manager);
      await this.changes.record(manager, [row.id]);
      return key;
    });
  }

  /**
   * Changes the name, expiry and limit of a saved key or of a project's current key; in force everywhere within 1 s. A
   * later expiry revives an expired key. Throws `request.invalid` for an expiry in the past or a limit above the
   * portal's, `keys.notFound`, `keys.replaced`, and `request.rateLimited` after `limits.keysChangedPerHour`.
   */
  async change(caller: SignedIn, id: string, change: ChangeKey, now = Date.now()): Promise<SavedKey> {
    const userId = caller.user.id;
    this.changing.take(userId);
    const { name, expiresAt, rateLimit } = change;
    return this.changeList(caller, async (manager) => {
      const { projectId } = await this.rotation.holdCurrent(manager, { userId, id });
      this.terms.check(change, { now, isOfProject: projectId !== null });
      await manager.update(
        ApiKey,
        { id },
        {
          ...(name === undefined ? {} : { name }),
          ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
          ...(rateLimit === undefined ? {} : { rateLimit }),
        },
      );
      const key = await this.reader.readOne({ userId, projectId, id }, manager);
      await this.changes.record(manager, [id]);
      return key;
    });
  }

  /**
   * Replaces a saved key with a new one; the old one keeps working for `overlapDays`. Of concurrent rotations one
   * succeeds, the others throw `keys.replaced`. Throws `request.invalid` like `change`, `keys.notFound`,
   * `keys.overlapping`, and `request.rateLimited` after `limits.savedKeysMadePerHour`.
   */
  async rotate(caller: SignedIn, id: string, wanted: RotateKey, now = Date.now()): Promise<SavedKey> {
    const userId = caller.user.id;
    this.making.take(userId);
    return this.changeList(caller, async (manager) => {
      const old = await this.rotation.holdCurrent(manager, { userId, id, projectId: null });
      return this.rotation.replace(manager, old, wanted, now);
    });
  }

  /**
   * Deactivates a saved key, even a replaced one whose overlap has not ended. Every instance rejects it within 1 s.
   * Throws `keys.notFound`, also for another user's key.
   */
  async deactivate(caller: SignedIn, id: string): Promise<void> {
    if (!isUuid(id)) throw new PortalError('keys.notFound');
    const userId = caller.user.id;
    await this.changeList(caller, async (manager) => {
      const { affected } = await manager.update(
        ApiKey,
        { id, userId, projectId: IsNull(), isActive: true },
        { isActive: false },
      );
      if (affected !== 1) throw new PortalError('keys.notFound');
      await this.changes.record(manager, [id]);
    });
  }

  /** Runs `work` for a session that is still active, and notifies the user's pages after the commit. */
  private async changeList<T>(caller: SignedIn, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.repository.manager.transaction(async (manager) => {
      await holdActiveSession(manager, caller);
      return work(manager);
    });
    this.listChanges.emit(caller.user.id);
    return result;
  }
}
