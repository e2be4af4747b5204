import type { EntityManager } from 'typeorm';
import { User } from './user.entity.js';

/**
 * Locks the account until the caller's transaction ends, so that a count made in it still holds when the next row is
 * added.
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
 * Locks an account of a provider (a wallet, a Google subject) until the caller's transaction ends, so that of two
 * concurrent first sign-ins with it the second finds the account of the first. Of several locks take `holdEmail` first,
 * then this one, then `holdAccount`; to lock several accounts use `holdAccounts`, all at once.
 */
export async function holdIdentity(manager: EntityManager, provider: string, subject: string): Promise<void> {
  await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${provider}:${subject}`]);
}
