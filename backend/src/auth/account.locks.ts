import type { EntityManager } from 'typeorm';
import { PortalError } from '../http/portal.error.js';
import { isActiveSession } from './active.session.sql.js';
import { embeddedIssuer, User } from './user.entity.js';

/*
 * Locks until the end of the caller's transaction. To take several locks, call `holdEmail` first, then `holdIdentity`,
 * then `holdAccount` or `holdActiveSession`; to lock several accounts, call `holdAccounts` once.
 */

/** The requesting account, and the session of its bearer token. */
export interface SignedIn {
  user: Pick<User, 'id' | 'issuer'>;
  sessionId: string;
}

/**
 * Locks an email address, so that no other transaction adds it to an account or removes it from one. Which accounts
 * have it is certain only under this lock.
 */
export async function holdEmail(manager: EntityManager, email: string): Promise<void> {
  await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [email.toLowerCase()]);
}

/**
 * Locks an account of a provider (a wallet, a Google subject), so that of two concurrent first sign-ins with it the
 * second finds the account of the first.
 */
export async function holdIdentity(manager: EntityManager, provider: string, subject: string): Promise<void> {
  await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${provider}:${subject}`]);
}

/** Locks the account, so that a count made in the transaction still holds when the next row is added. */
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
 * Locks the account for a change that outlasts the session, if the session is still active: between the guard and this
 * call, a reset may have ended it. Throws `auth.tokenInvalid`. Does not check a session of a hosted identity service,
 * which alone knows whether it is active.
 */
export async function holdActiveSession(
  manager: EntityManager,
  { user, sessionId }: SignedIn,
): Promise<void> {
  await holdAccount(manager, user.id);
  if (user.issuer !== embeddedIssuer) return;
  const rows: unknown[] = await manager.query(
    `select from refresh_tokens where id = $1 and user_id = $2 and ${isActiveSession}`,
    [sessionId, user.id],
  );
  if (rows.length === 0) throw new PortalError('auth.tokenInvalid');
}
