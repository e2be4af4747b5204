import type { EntityManager } from 'typeorm';
import { User } from './user.entity.js';

/**
 * Makes others that hold the same account wait until the caller's transaction ends, so that what is counted there
 * is still true when the next row is added.
 */
export async function holdAccount(manager: EntityManager, userId: string): Promise<void> {
  await manager
    .createQueryBuilder(User, 'user')
    .select('user.id')
    .where('user.id = :userId', { userId })
    .setLock('for_no_key_update')
    .getOne();
}
