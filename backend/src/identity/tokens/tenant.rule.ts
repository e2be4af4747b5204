import { PortalError } from '../../http/portal.error.js';
import { givenNote } from '../../http/request.issues.js';

/**
 * The tenant that a client names, which is optional. Throws `auth.tenantUnknown` for another one: the client was
 * configured for another portal, and would get tokens for this one.
 */
export function requireTenant(given: unknown, ours: string): void {
  if (given === undefined || given === ours) return;
  throw new PortalError('auth.tenantUnknown', {
    message: `The tenantId must be ${JSON.stringify(ours)}${givenNote(given)}`,
  });
}
