import { takeTabMark } from '@orange-id/contract/tab.marker';
import { isTokenExpired, readTokenClaims } from '@orange-id/contract/token.rule';
import type { SessionTokens } from '../../api/token.storage';
import type { CapturedCallback } from './callback.capture';

/**
 * How tokens arrived at the callback page.
 *
 * - `signIn`: from a sign-in that this tab started while nobody was signed in.
 * - `link`: from a sign-in that this tab started for the signed-in user, who adds a sign-in method.
 * - `stored`: they are the tokens in this browser's storage. A hosted panel stores them before it opens this page.
 * - `unasked`: anything else. The link may be an attacker's, so the page asks the user to confirm the account.
 */
export type Arrival = 'signIn' | 'link' | 'stored' | 'unasked';

/** Classifies the tokens, and clears the marker of the sign-in that this tab started. `now` in ms since the epoch. */
export function arrivalOf(
  { token, refreshToken, tab }: CapturedCallback,
  stored: SessionTokens,
  now: number,
  storage: Storage = window.sessionStorage,
): Arrival {
  const mark = takeTabMark(now, storage);
  const isBegunHere = mark !== null && mark === tab;
  if (isTokenExpired(stored.accessToken, now)) return isBegunHere ? 'signIn' : 'unasked';
  if (token === stored.accessToken && refreshToken === stored.refreshToken) return 'stored';
  return isBegunHere && isSamePerson(token, stored.accessToken) ? 'link' : 'unasked';
}

/** Whether both tokens have the same `sub`; false if one has none. Signatures are not checked. */
export function isSamePerson(token: string | null, current: string | null): boolean {
  const subject = readTokenClaims(token)?.sub;
  return Boolean(subject) && subject === readTokenClaims(current)?.sub;
}
