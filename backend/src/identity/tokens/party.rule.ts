import { otherPortalsOf } from '../../config/environment.js';
import type { Environment } from '../../config/environment.js';

type Portals = Pick<Environment, 'PUBLIC_URL' | 'IDENTITY_CALLBACKS'>;

/** The party of a session: the portal of the requesting page, by that page's origin; this portal for any other page. */
export const partyOfPage = (environment: Portals, origin: string | undefined): string =>
  otherPortalsOf(environment).find((portal) => portal === origin) ?? environment.PUBLIC_URL;

/**
 * The portals whose sessions are valid, by origin, this one first. Includes `null`, the party of sessions from before
 * parties were stored, only if no other portal is served: such a session may belong to any of them.
 */
export function servedParties(environment: Portals): (string | null)[] {
  const others = otherPortalsOf(environment);
  return [environment.PUBLIC_URL, ...(others.length === 0 ? [null] : others)];
}
