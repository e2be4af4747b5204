import { takeTabMark } from '@orange-id/contract/tab.marker';
import { isTokenExpired, readTokenClaims } from '@orange-id/contract/token.rule';
import type { SessionTokens } from '../../api/token.storage';
import type { CapturedCallback } from './callback.capture';

/**
 * How tokens came to the callback page.
 *
 * - `signIn`: of a sign-in that this tab began, while nobody is signed in.
 * - `link`: of a sign-in that this tab began, for the person who is signed in, who came to add a sign-in method.
 * - `stored`: they are the tokens this browser has stored. A hosted panel stores them before it sends them here.
 * - `unasked`: anything else. Somebody may have made the link, so the page asks whose account it is.
 */
export type Arrival = 'signIn' | 'link' | 'stored' | 'unasked';

/** Uses up the mark of the sign-in that this tab began. `now` in milliseconds since the epoch. */
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

/** By what the tokens say; false where one has no `sub`. */
export function isSamePerson(token: string | null, current: string | null): boolean {
  const subject = readTokenClaims(token)?.sub;
  return Boolean(subject) && subject === readTokenClaims(current)?.sub;
}
