import { browserStorage } from '@orange-id/contract/page.storage';
import { tabParameter, takeTabMark } from '@orange-id/contract/tab.marker';
import { loaderError } from './loader.error';
import type { OrangeIdError } from './orange-id.types';
import type { StoredTokens } from './session.store';

const parameters = ['token', 'refreshToken', 'error', tabParameter];

/** The page's URL without what a sign-in adds to it: where a sign-in returns to. */
export function pageAddress(page: Pick<Location, 'href'>): URL {
  const address = new URL(page.href);
  for (const name of parameters) address.searchParams.delete(name);
  address.hash = '';
  return address;
}

/**
 * Takes the result of a sign-in from the page's URL, which then no longer contains it, so that it reaches no history
 * entry, log or other script. Returns an error in place of tokens without the marker of a sign-in that this tab
 * started: somebody may have planted them, to make the visitor use another account. `null` if the URL has no result;
 * a parameter `token` or `error` of the site itself stays.
 */
export function captureCallback(page: Window): StoredTokens | OrangeIdError | null {
  const query = new URLSearchParams(page.location.search);
  const [accessToken, refreshToken, error, tab] = parameters.map((name) => query.get(name));
  const hasTokens = accessToken && refreshToken;
  if (!hasTokens && !(error && tab)) return null;
  const isOurs = tab !== null && takeTabMark(Date.now(), browserStorage(page, 'sessionStorage')) === tab;
  if (!hasTokens && !isOurs) return null;
  page.history.replaceState(page.history.state, '', pageAddress(page.location).href + page.location.hash);
  if (!hasTokens) return loaderError('cancelled', 'The sign-in was cancelled.');
  return isOurs
    ? { accessToken, refreshToken }
    : loaderError('unexpectedTokens', 'The tokens were dropped: this tab didn’t start the sign-in.');
}
