import type { EntityManager } from 'typeorm';
import { afterRollback } from '../../database/after.commit.js';
import { PortalError } from '../../http/portal.error.js';

/**
 * Counts one use against a limit, and undoes that if the transaction rolls back; returns false if the limit is reached.
 * `take` throws `request.rateLimited` then, and otherwise returns the function that undoes the count.
 */
export function takeIfLeft(manager: EntityManager, take: () => () => void): boolean {
  try {
    afterRollback(manager, take());
    return true;
  } catch (error) {
    if (error instanceof PortalError && error.code === 'request.rateLimited') return false;
    throw error;
  }
}
