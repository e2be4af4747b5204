import { isTokenExpired, readTokenClaims } from '@orange-id/contract/token.rule';
import { parseJson } from '../../api/json.text';

/**
 * Remembers that this tab began a sign-in. Without it a callback is accepted only while nobody is signed in, so that a
 * link with somebody else's tokens cannot replace a session (login CSRF). It says no more than that: a foreign page can
 * open /login in this tab, or wait in it until somebody has signed in in another, so tokens that come back while
 * somebody is signed in must be that person's. Per tab, because a sign-in comes back in the tab it left; good for 30
 * minutes, because a provider may ask for a password and a second factor on the way.
 */
const markerName = 'portal-sign-in-began';
const markerMs = 30 * 60_000;

function beganAt(storage: Storage): number | null {
  const marker = parseJson(storage.getItem(markerName) ?? '') as { at?: unknown } | null | undefined;
  return typeof marker?.at === 'number' ? marker.at : null;
}

/** `now` in milliseconds since the epoch. */
export function beginFlow(now: number, storage: Storage = window.sessionStorage): void {
  storage.setItem(markerName, JSON.stringify({ at: now }));
}

export function endFlow(storage: Storage = window.sessionStorage): void {
  storage.removeItem(markerName);
}

/**
 * Whether a callback with `token` may be taken while `current` is stored: nobody is signed in, or this tab began a
 * sign-in within the last 30 minutes and the token is of the person who is signed in.
 */
export function isWelcome(
  token: string | null,
  current: string | null,
  now: number,
  storage: Storage = window.sessionStorage,
): boolean {
  if (isTokenExpired(current, now)) return true;
  const at = beganAt(storage);
  if (at === null || now < at || now - at >= markerMs) return false;
  // A hosted panel stores the tokens itself before it sends them here.
  return token === current || isSamePerson(token, current);
}

/** A token that names nobody is nobody's. */
function isSamePerson(token: string | null, current: string | null): boolean {
  const subject = readTokenClaims(token)?.sub;
  return Boolean(subject) && subject === readTokenClaims(current)?.sub;
}
