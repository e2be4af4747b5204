import { otherPortalsOf } from '../../config/environment.js';
import type { Environment } from '../../config/environment.js';

type Portals = Pick<Environment, 'PUBLIC_URL' | 'IDENTITY_CALLBACKS'>;

/** The party of a sign-in: the portal whose page it is made for, by that page's origin; this portal for any other page. */
export const partyOfPage = (environment: Portals, origin: string | undefined): string =>
  otherPortalsOf(environment).find((portal) => portal === origin) ?? environment.PUBLIC_URL;

/**
 * The portals whose sign-ins stand, by origin, this one first. `null`, the party of sign-ins from before parties were
 * kept, is among them only where no other portal is served: such a sign-in may have been made for any of them.
 */
export function servedParties(environment: Portals): (string | null)[] {
  const others = otherPortalsOf(environment);
  return [environment.PUBLIC_URL, ...(others.length === 0 ? [null] : others)];
}
