/** What the browser reads of an access token; seconds since the epoch. */
export interface TokenClaims {
  sub?: string;
  exp: number;
  provider?: string;
}

/** Reads the claims of a JWT without verifying it; `null` when it cannot be decoded or carries no `exp`. */
export function readTokenClaims(token: string | null | undefined): TokenClaims | null {
  const payload = token?.split('.')[1];
  if (!payload || token?.split('.').length !== 3) return null;
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

/** Expired: undecodable, or `exp` at or before now (spec §5). `nowMs` in milliseconds since the epoch. */
export function isTokenExpired(token: string | null | undefined, nowMs: number): boolean {
  const claims = readTokenClaims(token);
  return claims === null || claims.exp <= Math.floor(nowMs / 1000);
}
