import { tokenForeign } from '../../auth/access-token.verifier.js';

/** The values by which a token of a hosted service may name this portal. */
export interface PortalNames {
  origin: string;
  tenant: string;
}

const tenantClaims = ['tenantId', 'tenant_id', 'tenant'];

/**
 * Throws `auth.tokenForeign` if a token's audience (`aud`, RFC 7519 §4.1.3: one or several), authorized party (`azp`)
 * or tenant names another party. A missing or null claim does not count against the token.
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

/** An origin is shown unchanged; any other value is quoted and shortened, because anybody can write it into a token. */
function nameOf(value: unknown): string {
  const isOrigin = typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value;
  return isOrigin ? value.slice(0, 200) : JSON.stringify(value).slice(0, 200);
}
