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

/** The same for several accounts, always in one order. */
export async function holdAccounts(manager: EntityManager, userIds: readonly string[]): Promise<void> {
  await manager.query('select from users where id = any($1) order by id for no key update', [userIds]);
}

/**
 * Makes others that sign in with or link the same account of a provider (a wallet, a Google subject) wait until the
 * caller's transaction ends, so that of two who find nobody there the second finds the first. Of several locks
 * `holdEmail` is the first to take, then this one, then `holdAccount`; whoever needs several accounts takes them by
 * `holdAccounts`, all at once.
 */
export async function holdIdentity(manager: EntityManager, provider: string, subject: string): Promise<void> {
  await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${provider}:${subject}`]);
}
