import type { EntityManager } from 'typeorm';
import { PortalError } from '../http/portal.error.js';

/** SQL: whether the owner of an account has deleted it. Its rows stay for a week, in which they can keep it. */
export const isDeleted = (userId: string): string =>
  `exists (select from account_deletions where account_deletions.user_id = ${userId})`;

/** SQL: when the rows of an account go; null for an account that its owner has not deleted. */
export const deletesAt = (userId: string): string =>
  `(select due_at from account_deletions where account_deletions.user_id = ${userId})`;

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** The error for anything but keeping a deleted account. `portal` is the origin where its owner can keep it. */
export const accountDeleted = (dueAt: Date, portal: string): PortalError =>
  new PortalError('account.deleted', {
    message: `This account is deleted, and its data is removed on ${day.format(dueAt)}. To keep it, sign in at ${portal}`,
  });

/** Throws `account.deleted`. Call it with the account locked. */
export async function requireNotDeleted(
  manager: EntityManager,
  userId: string,
  portal: string,
): Promise<void> {
  const [row] = await manager.query<{ dueAt: Date }[]>(
    'select due_at as "dueAt" from account_deletions where user_id = $1',
    [userId],
  );
  if (row) throw accountDeleted(row.dueAt, portal);
}
