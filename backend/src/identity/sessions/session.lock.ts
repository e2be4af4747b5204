import type { EntityManager } from 'typeorm';
import { PortalError } from '../../http/portal.error.js';
import { holdAccount } from '../account.lock.js';
import { embeddedIssuer, User } from '../user.entity.js';
import { isActiveSession } from './active.session.sql.js';

/** The requesting account, and the session of its bearer token. */
export interface SignedIn {
  user: Pick<User, 'id' | 'issuer'>;
  sessionId: string;
}

/**
 * Locks the account for a change that outlasts the session, if the session is still active: between the guard and this
 * call, a reset may have ended it. Throws `auth.tokenInvalid`. Only a hosted identity service knows which of its
 * sessions are active.
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
