import type { EntityManager } from 'typeorm';
import { PortalError } from '../http/portal.error.js';

/** SQL: whether an administrator has disabled the account. */
export const isDisabled = (userId: string): string =>
  `exists (select from disabled_accounts where disabled_accounts.user_id = ${userId})`;

/** Throws `account.disabled`. Call it with the account locked. */
export async function requireNotDisabled(manager: EntityManager, userId: string): Promise<void> {
  const rows: unknown[] = await manager.query('select from disabled_accounts where user_id = $1', [userId]);
  if (rows.length > 0) throw new PortalError('account.disabled');
}
