import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import { IsNull, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { PortalError } from '../http/portal.error.js';
import { holdActiveSession, type SignedIn } from '../auth/account.locks.js';
import { AttemptLimiter } from '../http/attempt.limiter.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyFactory } from './api-key.factory.js';
import { KeyChanges } from './key.changes.js';

/** Saved keys: keys without a project, for the explorer and for scripts. */
@Injectable()
export class KeysService {
  private readonly making = new AttemptLimiter(
    limits.savedKeysMadePerHour,
    3_600_000,
    (seconds) =>
      `You can create at most ${limits.savedKeysMadePerHour} API keys an hour. Try again in ${waitInWords(seconds)}`,
  );

  constructor(
    @InjectRepository(ApiKey) private readonly repository: Repository<ApiKey>,
    private readonly apiKeys: ApiKeyFactory,
    private readonly changes: KeyChanges,
  ) {}

  /** The user's active saved keys, newest first. */
  async list(userId: string): Promise<SavedKey[]> {
    const rows = await this.repository.find({
      where: { userId, projectId: IsNull(), isActive: true },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      key: this.apiKeys.reveal(row),
      createdAt: row.createdAt.toISOString(),
      lastUsed: row.lastUsed?.toISOString() ?? null,
    }));
  }

  /**
   * Creates a saved key. Throws `keys.limitReached` if the user has `limits.savedKeysPerUser`, and
   * `request.rateLimited` after `limits.savedKeysMadePerHour`.
   */
  async create(caller: SignedIn, name: string): Promise<SavedKey> {
    const userId = caller.user.id;
    this.making.take(userId);
    const { key, row } = this.apiKeys.make({ userId, projectId: null, name });
    const createdAt = await this.repository.manager.transaction(async (manager) => {
      await holdActiveSession(manager, caller);
      const count = await manager.countBy(ApiKey, { userId, projectId: IsNull(), isActive: true });
      if (count >= limits.savedKeysPerUser) throw new PortalError('keys.limitReached');
      const { generatedMaps } = await manager.insert(ApiKey, row);
      await this.changes.record(manager, [row.id]);
      return (generatedMaps[0] as Pick<ApiKey, 'createdAt'>).createdAt;
    });
    return { id: row.id, name, key, createdAt: createdAt.toISOString(), lastUsed: null };
  }

  /** Deactivates a saved key: refused everywhere within 1 s. Throws `keys.notFound`, also for another user's key. */
  async deactivate(userId: string, id: string): Promise<void> {
    if (!isUuid(id)) throw new PortalError('keys.notFound');
    await this.repository.manager.transaction(async (manager) => {
      const { affected } = await manager.update(
        ApiKey,
        { id, userId, projectId: IsNull(), isActive: true },
        { isActive: false },
      );
      if (affected !== 1) throw new PortalError('keys.notFound');
      await this.changes.record(manager, [id]);
    });
  }
}
