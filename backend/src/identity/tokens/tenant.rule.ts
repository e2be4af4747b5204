import { PortalError } from '../../http/portal.error.js';
import { givenNote } from '../../http/request.issues.js';

/**
 * Throws `auth.tenantUnknown` if the client names another tenant: it was configured for another portal, and would get
 * tokens for this one. Naming a tenant is optional.
 */
export function requireTenant(given: unknown, ours: string): void {
  if (given === undefined || given === ours) return;
  throw new PortalError('auth.tenantUnknown', {
    message: `The tenantId must be ${JSON.stringify(ours)}${givenNote(given)}`,
  });
}
