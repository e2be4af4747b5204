import { tokenForeign } from '../tokens/access-token.verifier.js';

/** What a token of a hosted service may name this portal by. */
export interface PortalNames {
  origin: string;
  tenant: string;
}

const tenantClaims = ['tenantId', 'tenant_id', 'tenant'];

/**
 * Throws `auth.tokenForeign` when a token's audience (`aud`, RFC 7519 §4.1.3: one or several), authorized party (`azp`) or
 * tenant names somebody else. A claim that is absent or null names nobody, and says nothing against the token.
 */
export function requireNamed(claims: Record<string, unknown>, { origin, tenant }: PortalNames): void {
  const ours = [origin, tenant];
  const named = [
    ...['azp', 'aud'].map((name) => ({ value: claims[name], ours })),
    ...tenantClaims.map((name) => ({ value: claims[name], ours: [tenant] })),
  ];
  for (const { value, ours: accepted } of named) {
    if (value === undefined || value === null) continue;
    const isOurs = [value].flat().some((each) => accepted.includes(each as string));
    if (!isOurs) throw tokenForeign(nameOf(value), origin);
  }
}

/** An origin reads as it is; anything else is quoted, and cut: it is whatever somebody wrote into a token. */
function nameOf(value: unknown): string {
  const isOrigin = typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value;
  return isOrigin ? value.slice(0, 200) : JSON.stringify(value).slice(0, 200);
}
