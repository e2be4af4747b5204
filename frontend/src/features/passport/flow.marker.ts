import { isTokenExpired, readTokenClaims } from '@orange-id/contract/token.rule';
import { parseJson } from '../../api/json.text';
import { readAccessToken } from '../../api/token.storage';

/**
 * Remembers that this tab began a sign-in, and for whom. Without it a callback is accepted only while nobody is signed
 * in, so that a link with somebody else's tokens cannot replace a session (login CSRF). Begun while somebody was signed
 * in, to link another method, it may only come back as the same person: a foreign page can open /login?from=profile in
 * this tab, too. Per tab, because a sign-in comes back in the tab it left; good for 30 minutes, because a provider may
 * ask for a password and a second factor on the way.
 */
const markerName = 'portal-sign-in-began';
const markerMs = 30 * 60_000;

interface Marker {
  at: number;
  /** Who was signed in then; `null` for nobody. */
  subject: string | null;
}

/** The person of a token that has not expired; `null` for nobody. */
const personOf = (token: string | null, now: number): string | null =>
  isTokenExpired(token, now) ? null : (readTokenClaims(token)?.sub ?? null);

function readMarker(storage: Storage): Marker | null {
  const marker = parseJson(storage.getItem(markerName) ?? '') as Partial<Marker> | null | undefined;
  return typeof marker?.at === 'number' ? { at: marker.at, subject: marker.subject ?? null } : null;
}

/** `current` is the stored access token; `now` in milliseconds since the epoch. */
export function beginFlow(
  now: number,
  current: string | null = readAccessToken(),
  storage: Storage = window.sessionStorage,
): void {
  storage.setItem(markerName, JSON.stringify({ at: now, subject: personOf(current, now) } satisfies Marker));
}

export function endFlow(storage: Storage = window.sessionStorage): void {
  storage.removeItem(markerName);
}

/**
 * Whether a callback with `token` may be taken while `current` is stored: nobody is signed in, or this tab began the
 * sign-in within the last 30 minutes, and if that was to link another method, it is the same person's.
 */
export function isWelcome(
  token: string | null,
  current: string | null,
  now: number,
  storage: Storage = window.sessionStorage,
): boolean {
  if (isTokenExpired(current, now)) return true;
  const marker = readMarker(storage);
  if (marker === null || now < marker.at || now - marker.at >= markerMs) return false;
  return marker.subject === null || marker.subject === readTokenClaims(token)?.sub;
}
