import { Injectable } from '@nestjs/common';
import type { RotateKey, SavedKey } from '@orange-id/contract/keys.schema';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { PortalError } from '../http/portal.error.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyFactory } from './api-key.factory.js';
import { KeyChanges } from './key.changes.js';
import { KeyReader } from './key.reader.js';
import { KeyTerms } from './key.terms.js';

const dayMs = 24 * 3_600_000;

/** Replaces a key with a new one while the old one keeps working for some days. */
@Injectable()
export class KeyRotation {
  constructor(
    private readonly apiKeys: ApiKeyFactory,
    private readonly changes: KeyChanges,
    private readonly reader: KeyReader,
    private readonly terms: KeyTerms,
  ) {}

  /**
   * Locks one of the user's keys: of the project `projectId`, a saved one (`null`), or either (`undefined`). Throws
   * `keys.notFound`, also for another user's key, a deleted key and a key that a hosted project service manages, and
   * `keys.replaced` after a rotation.
   */
  async holdCurrent(
    manager: EntityManager,
    { userId, id, projectId }: { userId: string; id: string; projectId?: string | null },
  ): Promise<ApiKey> {
    const key = await this.hold(manager, { userId, id, ...(projectId === undefined ? {} : { projectId }) });
    if (key.replacedAt !== null) throw new PortalError('keys.replaced');
    if (!key.isActive) throw new PortalError('keys.notFound');
    return key;
  }

  /**
   * Makes the key that replaces the locked `old` one, with its name and, unless others are given, its limit and no
   * expiry. The old key works for `overlapDays` from `now` (ms since the epoch) or until its own earlier expiry; with 0
   * it ends within 1 s. Throws `request.invalid` for an expiry in the past or a limit above the portal's, and
   * `keys.overlapping` while the key that `old` replaced still works, so that no more than two of a chain do.
   * Call it last in the caller's transaction. Returns the new key.
   */
  async replace(
    manager: EntityManager,
    old: ApiKey,
    { overlapDays, expiresAt = null, rateLimit = old.rateLimit }: RotateKey,
    now: number,
  ): Promise<SavedKey> {
    const { userId, projectId, name } = old;
    this.terms.check({ expiresAt, rateLimit }, { now, isOfProject: projectId !== null });
    if (old.replacesId !== null) {
      const before: unknown[] = await manager.query(
        'select from api_keys where id = $1 and is_active and expires_at > $2',
        [old.replacesId, new Date(now)],
      );
      if (before.length > 0) throw new PortalError('keys.overlapping');
    }
    const { row } = this.apiKeys.make({
      userId,
      projectId,
      name,
      rateLimit,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
      replacesId: old.id,
    });
    const end = Math.min(now + overlapDays * dayMs, old.expiresAt?.getTime() ?? Infinity);
    await manager.update(
      ApiKey,
      { id: old.id },
      { replacedAt: new Date(now), expiresAt: new Date(end), isActive: overlapDays > 0 },
    );
    await manager.insert(ApiKey, row);
    const key = await this.reader.readOne({ userId, projectId, id: row.id }, manager);
    await this.changes.record(manager, [old.id, row.id]);
    return key;
  }

  /**
   * Ends a replaced key of a project before its overlap is over: refused everywhere within 1 s. Throws `keys.notFound`,
   * and `keys.projectNeedsKey` for the current key.
   */
  async end(
    manager: EntityManager,
    wanted: { userId: string; id: string; projectId: string },
  ): Promise<void> {
    const key = await this.hold(manager, wanted);
    if (!key.isActive) throw new PortalError('keys.notFound');
    if (key.replacedAt === null) throw new PortalError('keys.projectNeedsKey');
    await manager.update(ApiKey, { id: key.id }, { isActive: false });
    await this.changes.record(manager, [key.id]);
  }

  private async hold(
    manager: EntityManager,
    { userId, id, projectId }: { userId: string; id: string; projectId?: string | null },
  ): Promise<ApiKey> {
    if (!isUuid(id)) throw new PortalError('keys.notFound');
    const query = manager
      .createQueryBuilder(ApiKey, 'key')
      .where('key.id = :id and key.userId = :userId', { id, userId })
      .andWhere('not exists (select from projects p where p.id = key.project_id and p.service is not null)')
      .setLock('pessimistic_write');
    if (projectId === null) query.andWhere('key.projectId is null');
    if (typeof projectId === 'string') query.andWhere('key.projectId = :projectId', { projectId });
    const key = await query.getOne();
    if (key === null) throw new PortalError('keys.notFound');
    return key;
  }
}
