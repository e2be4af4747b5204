import type { EntityManager } from 'typeorm';
import { PortalError } from '../../http/portal.error.js';
import { holdAccount } from '../account.lock.js';
import { embeddedIssuer, User } from '../user.entity.js';
import { standing } from './standing.sql.js';

/** The account that asks, and the sign-in behind its bearer. */
export interface SignedIn {
  user: Pick<User, 'id' | 'issuer'>;
  sessionId: string;
}

/**
 * Holds the account for a change that its next owner would be left with, if the sign-in still stands: between the guard
 * and this, a reset may have ended it with all that its maker had. Throws `auth.tokenInvalid`. Which sign-ins of a
 * hosted identity service stand, only that service knows.
 */
export async function holdSignedIn(manager: EntityManager, { user, sessionId }: SignedIn): Promise<void> {
  await holdAccount(manager, user.id);
  if (user.issuer !== embeddedIssuer) return;
  const rows: unknown[] = await manager.query(
    `select from refresh_tokens where id = $1 and user_id = $2 and ${standing}`,
    [sessionId, user.id],
  );
  if (rows.length === 0) throw new PortalError('auth.tokenInvalid');
}
