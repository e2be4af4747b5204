/** The claims of an access token that the browser reads; times in seconds since the epoch. */
export interface TokenClaims {
  sub?: string;
  exp: number;
  provider?: string;
}

/** Reads the claims of a JWT without verifying it; `null` when it cannot be decoded or carries no `exp`. */
export function readTokenClaims(token: string | null | undefined): TokenClaims | null {
  // Users and extensions can change the storage, so the value may not be text.
  const parts = typeof token === 'string' ? token.split('.', 4) : [];
  const payload = parts[1];
  if (!payload || parts.length !== 3) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (c) =>
      c.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof claims !== 'object' || claims === null) return null;
    const { exp } = claims as { exp?: unknown };
    return typeof exp === 'number' && Number.isFinite(exp) ? (claims as TokenClaims) : null;
  } catch {
    return null;
  }
}

/** Expired: undecodable, or `exp` at or before now. `nowMs` in milliseconds since the epoch. */
export function isTokenExpired(token: string | null | undefined, nowMs: number): boolean {
  const claims = readTokenClaims(token);
  return claims === null || claims.exp * 1000 <= nowMs;
}
