import { browserStorage } from '@orange-id/contract/page.storage';
import { tabParameter, takeTabMark } from '@orange-id/contract/tab.marker';
import { loaderError } from './loader.error';
import type { OrangeIdError } from './orange-id.types';
import type { StoredTokens } from './session.store';

const parameters = ['token', 'refreshToken', 'error', tabParameter];

/** The URL that this tab left for the sign-in page. */
const leftName = 'orange-id-page';

const tabStorage = (page: Window): Record<string, string> => browserStorage(page, 'sessionStorage') ?? {};

/** The page's URL without query and fragment, which no callback has. */
const pageAddress = ({ location }: Window): string => location.href.replace(/[?#].*/, '');

/**
 * Where a sign-in returns to: the callback of the script tag, or else this page, whose URL the tab then remembers with
 * query and fragment.
 */
export function returnAddress(page: Window, callback: string | null | undefined): string {
  tabStorage(page)[leftName] = callback ? '' : page.location.href;
  return callback || pageAddress(page);
}

/**
 * Takes the result of a sign-in from the page's URL, which becomes the one that this tab left, so that the result reaches
 * no history entry, log or other script. Returns an error in place of tokens without the marker of a sign-in that this tab
 * started: somebody may have planted them, to make the visitor use another account. `null` if the URL has no result;
 * a parameter `token` or `error` of the site itself stays. If the page then has a query, its server has not seen it.
 */
export function captureCallback(page: Window): StoredTokens | OrangeIdError | null {
  const query = new URLSearchParams(page.location.search);
  const [accessToken, refreshToken, error, tab] = parameters.map((name) => query.get(name));
  const hasTokens = accessToken && refreshToken;
  if (!hasTokens && !(error && tab)) return null;
  const storage = tabStorage(page);
  const isOurs = tab !== null && takeTabMark(Date.now(), storage) === tab;
  if (!hasTokens && !isOurs) return null;
  page.history.replaceState(page.history.state, '', (isOurs && storage[leftName]) || pageAddress(page));
  if (!hasTokens) return loaderError('cancelled', 'The sign-in was cancelled.');
  return isOurs
    ? { accessToken, refreshToken }
    : loaderError('unexpectedTokens', 'The tokens were dropped: this tab didn’t start the sign-in.');
}
