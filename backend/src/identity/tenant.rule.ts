import { PortalError } from '../http/portal.error.js';
import { givenNote } from '../http/request.issues.js';

/**
 * The tenant that a client names, which it may leave out. Throws `auth.tenantUnknown` when it is another one: the client
 * was set up for another portal, and would get tokens that name ours.
 */
export function requireTenant(given: unknown, ours: string): void {
  if (given === undefined || given === ours) return;
  throw new PortalError('auth.tenantUnknown', {
    message: `The tenantId must be ${JSON.stringify(ours)}${givenNote(given)}`,
  });
}
