import { projectCodePattern } from '@orange-id/contract/projects.schema';
import { hasInvisibleCharacters, tidyLine } from '@orange-id/contract/text.rule';
import { placeToAllow } from '@orange-id/contract/other.origin.rule';
import { isOriginAllowed, isWildcardUrl } from '@orange-id/contract/whitelist.rule';
import type { Environment } from '../../config/environment.js';
import { PortalError } from '../../http/portal.error.js';
import { givenNote, shorten } from '../../http/request.issues.js';

type Ours = Pick<Environment, 'TENANT_ID' | 'SUBSCRIPTION_KEY'>;

/** The subscription key that the public client sends if its integrator sets none. It names no tenant. */
const demoKey = 'DEMO_BEDROCK_PASSPORT_KEY';

/** The tenant that a request names: a project's code, the portal, or null for none. */
export type NamedTenant = { code: string } | 'portal' | null;

/**
 * Reads the tenant from `tenantId` and the subscription key; the public client sends the key with every call but
 * refresh. Throws `auth.tenantConflict` if the two name different tenants, and `auth.tenantUnknown` for a value that
 * can be no tenant.
 */
export function namedTenant(given: { tenantId: unknown; key: unknown }, ours: Ours): NamedTenant {
  const byId = tenantOfId(given.tenantId, ours);
  const byKey = tenantOfKey(given.key, ours);
  if (byId !== null && byKey !== null && nameOf(byId) !== nameOf(byKey)) {
    throw new PortalError('auth.tenantConflict', {
      message: `tenantId names ${nameOf(byId)}, but subscriptionKey names ${nameOf(byKey)}. Set both to your project ID`,
    });
  }
  return byId ?? byKey;
}

function tenantOfId(tenantId: unknown, { TENANT_ID }: Ours): NamedTenant {
  if (tenantId === undefined) return null;
  if (tenantId === TENANT_ID) return 'portal';
  if (typeof tenantId === 'string' && projectCodePattern.test(tenantId)) return { code: tenantId };
  throw unknownTenant(tenantId);
}

/** A key in no project's format names nothing: integrators of other services leave theirs in. */
function tenantOfKey(key: unknown, { TENANT_ID, SUBSCRIPTION_KEY }: Ours): NamedTenant {
  if (key === demoKey || typeof key !== 'string') return null;
  if (key === SUBSCRIPTION_KEY || key === TENANT_ID) return 'portal';
  return projectCodePattern.test(key) ? { code: key } : null;
}

/**
 * A project's name as other people see it. New names have no invisible characters; in an older one they are left out,
 * and a name that has no others is replaced by the project's id.
 */
export function shownName({ name, code }: { name: string; code: string }): string {
  if (!hasInvisibleCharacters(name)) return name;
  const visible = tidyLine(
    name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu, ''),
  );
  return visible === '' ? code : visible;
}

const nameOf = (tenant: Exclude<NamedTenant, null>): string => (tenant === 'portal' ? tenant : tenant.code);

/** The error for a tenant that does not exist. */
export const unknownTenant = (tenantId: unknown): PortalError =>
  new PortalError('auth.tenantUnknown', {
    message: `No project has this tenantId${givenNote(tenantId)}. Copy the project ID from My Projects`,
  });

/** An origin as browsers send it: parsing and printing it changes nothing. Sign-in takes no host with a trailing dot. */
const isOrigin = (text: string): boolean =>
  URL.canParse(text) && new URL(text).origin === text && !new URL(text).hostname.endsWith('.');

/**
 * Whether an app on `origin` may sign people in for a project: scheme and host name are those of one of the allowed
 * URLs, or the host is a loopback one. An opaque origin (`null`), an extension or a wildcard never counts. `portal` is
 * this portal's own origin, which serves the example page.
 */
export function isTenantOrigin(origin: string, urls: readonly string[], portal: string): boolean {
  if (!isOrigin(origin) || !/^https?:/.test(origin)) return false;
  return (
    isOriginAllowed(
      origin,
      urls.filter((url) => !isWildcardUrl(url)),
      [portal],
    ) !== 'refused'
  );
}

/** The error for an origin that the project does not allow, with what its owner can do. */
export const originRefused = (
  origin: string | undefined,
  code: string,
  urls: readonly string[] = [],
): PortalError =>
  new PortalError('auth.originNotAllowed', {
    message:
      origin === undefined
        ? `Sign-in for ${code} needs a request from a page: the Origin header is missing`
        : `${shorten(origin)} can’t use sign-in for this project yet. ${wayToAllow(origin, urls)}`,
  });

/** Whether only a URL with a wildcard covers the origin: that is enough for calls, not for sign-in. */
export const isOnlyForCalls = (origin: string, urls: readonly string[]): boolean =>
  isOriginAllowed(origin, urls.filter(isWildcardUrl)) === 'whitelisted';

/** What lets an app on this origin sign people in for a project with these URLs. */
function wayToAllow(origin: string, urls: readonly string[]): string {
  if (placeToAllow(origin) !== 'urls') return 'It works on public http and https sites and on localhost only';
  const allow = 'Its owner can allow it in My Projects';
  return isOnlyForCalls(origin, urls) ? `A wildcard allows API calls only. ${allow}` : allow;
}
