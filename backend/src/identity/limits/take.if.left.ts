import type { EntityManager } from 'typeorm';
import { afterRollback } from '../../database/after.commit.js';
import { PortalError } from '../../http/portal.error.js';

/**
 * Takes one of a limit, and gives it back if the transaction rolls back; returns false if none is left. `take` throws
 * `request.rateLimited` then, and otherwise returns the function that gives it back.
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
