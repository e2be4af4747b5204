import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/**
 * The log from which every instance learns which cached keys to drop: a key was created, changed, revoked or rotated,
 * or its project's domains changed.
 */
@Injectable()
export class KeyChanges {
  /**
   * Logs a change of each of these keys inside the caller's transaction. Versions appear in commit order, because the
   * head row stays locked until the commit; so call it last.
   */
  async record(manager: EntityManager, apiKeyIds: readonly string[]): Promise<void> {
    if (apiKeyIds.length === 0) return;
    await manager.query(
      `with head as (
         update key_change_head set version = version + $2 returning version
       )
       insert into key_changes (version, api_key_id)
       select head.version - $2 + change.place, change.id
       from head, unnest($1::uuid[]) with ordinality as change (id, place)`,
      [apiKeyIds, apiKeyIds.length],
    );
  }
}
