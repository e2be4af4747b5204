import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyFactory } from './api-key.factory.js';
import { KeyChanges } from './key.changes.js';

/** Revokes keys that someone other than their owner may know or have created. */
@Injectable()
export class KeyRevocations {
  constructor(
    private readonly apiKeys: ApiKeyFactory,
    private readonly changes: KeyChanges,
  ) {}

  /**
   * Revokes the saved keys of the account and replaces those of its projects, which each need one; the old keys are
   * refused everywhere within 1 s of the commit. Keys of a hosted project service are left to that service. Call it
   * late in the caller's transaction. Returns the number of revoked keys.
   */
  endAll(manager: EntityManager, userId: string): Promise<number> {
    return this.end(manager, userId, null);
  }

  /** The same for one key of the account. Returns whether it is revoked now: false for a key that wasn't active. */
  async endOne(manager: EntityManager, userId: string, keyId: string): Promise<boolean> {
    return (await this.end(manager, userId, keyId)) > 0;
  }

  private async end(manager: EntityManager, userId: string, keyId: string | null): Promise<number> {
    const ended: Pick<ApiKey, 'id' | 'projectId' | 'name' | 'rateLimit' | 'replacedAt'>[] =
      await manager.query(
        `select key.id, key.project_id as "projectId", key.name, key.rate_limit as "rateLimit",
              key.replaced_at as "replacedAt"
       from api_keys key left join projects project on project.id = key.project_id
       where key.user_id = $1 and ($2::uuid is null or key.id = $2) and key.is_active and project.service is null
       order by key.id for update of key`,
        [userId, keyId],
      );
    const ids = ended.map(({ id }) => id);
    await manager.query('update api_keys set is_active = false where id = any($1)', [ids]);
    const made = ended
      .filter(({ projectId, replacedAt }) => projectId !== null && replacedAt === null)
      .map(
        ({ id, projectId, name, rateLimit }) =>
          this.apiKeys.make({ userId, projectId, name, rateLimit, replacesId: id }).row,
      );
    if (made.length > 0) await manager.insert(ApiKey, made);
    await this.changes.record(manager, [...ids, ...made.map(({ id }) => id)]);
    return ids.length;
  }
}
