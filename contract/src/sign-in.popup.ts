import { browserStorage } from './page.storage.js';
import type { SignInMethodName } from './sign-in.methods.js';
import { markTab, tabParameter, takeTabMark } from './tab.marker.js';

/** A sign-in from a page on an origin other than the portal's: by which portal, for which project. */
export interface PopupRequest {
  /** The portal's origin; messages of any other are ignored. */
  portal: string;
  /** The project's id, `orange-…`. */
  projectId: string;
  /** A URL on this page's origin, where a sign-in in the same tab returns to. */
  callback: string;
  method?: SignInMethodName;
}

/** The tokens of a sign-in; `null` if it was cancelled or its window was closed. */
export type PopupOutcome = { token: string; refreshToken: string } | null;

/** The message by which the sign-in page returns the outcome to the page that opened it. */
export type PopupMessage =
  | { type: 'orange-id.signin'; tab: string; token: string; refreshToken: string }
  | { type: 'orange-id.cancelled'; tab: string };

/** The name of the sign-in window: a second sign-in reuses it, and the first one ends when it closes. */
export const popupName = 'orange-id-sign-in';

const width = 460;
const height = 720;
/** How often the page checks whether the window was closed, because browsers report that by no event. */
const closedCheckMs = 300;

/** The portal's sign-in page for other sites. */
export const authorizePath = '/api/v1/auth/authorize';

/** Where the browser goes to sign in: to the portal's own page, which alone asks for passwords and signatures. */
export function authorizeAddress(request: PopupRequest, tab: string, display: 'page' | 'popup'): string {
  const { projectId: tenantId, callback, method } = request;
  // The project's owner sees from which countries people sign in.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const query = { tenantId, callback, [tabParameter]: tab, display, timeZone, ...(method && { method }) };
  return `${request.portal}${authorizePath}?${new URLSearchParams(query)}`;
}

/** The sign-in of each page that has not ended. */
const running = new WeakMap<
  Window,
  { popup: Window; method: string | undefined; outcome: Promise<PopupOutcome> }
>();

/**
 * Opens the portal's sign-in page in a window and resolves with its outcome; `null` at once if the browser blocks the
 * window: then the sign-in continues in this tab and ends at the callback. Call it in the handler of a click, before
 * anything asynchronous, because browsers block other windows. A second click on the same button brings the open window
 * to the front and gets its outcome. Only a message from exactly the portal's origin with the marker of this sign-in
 * counts.
 */
export function signInByPopup(request: PopupRequest, page: Window): Promise<PopupOutcome> | null {
  const earlier = running.get(page);
  if (earlier && earlier.method === request.method && !earlier.popup.closed) {
    earlier.popup.focus();
    return earlier.outcome;
  }
  const tab = markTab(Date.now(), browserStorage(page, 'sessionStorage'));
  const popup = openCentred(authorizeAddress(request, tab, 'popup'), page);
  if (!popup) {
    page.location.assign(authorizeAddress(request, tab, 'page'));
    return null;
  }
  const outcome = new Promise<PopupOutcome>((resolve) => {
    const end = (outcome: PopupOutcome) => {
      page.removeEventListener('message', onMessage);
      page.clearInterval(poll);
      if (running.get(page)?.popup === popup) running.delete(page);
      resolve(outcome);
    };
    const onMessage = ({ origin, data }: MessageEvent<PopupMessage | null>) => {
      // Any script may send anything; the marker is known to the portal alone.
      if (origin !== request.portal || data?.tab !== tab) return;
      takeTabMark(Date.now(), browserStorage(page, 'sessionStorage'));
      const isComplete = data.type === 'orange-id.signin' && data.token && data.refreshToken;
      end(isComplete ? { token: data.token, refreshToken: data.refreshToken } : null);
    };
    let wasClosed = false;
    const poll = page.setInterval(() => {
      // The window closes itself after its message, which may arrive later.
      if (wasClosed) end(null);
      wasClosed = popup.closed;
    }, closedCheckMs);
    page.addEventListener('message', onMessage);
  });
  running.set(page, { popup, method: request.method, outcome });
  return outcome;
}

/** A window in the middle of the page's; `null` if the browser blocks it. */
function openCentred(address: string, page: Window): Window | null {
  const left = Math.round(page.screenX + (page.outerWidth - width) / 2);
  const top = Math.round(page.screenY + (page.outerHeight - height) / 2);
  const features = `popup,width=${width},height=${height},left=${left},top=${top}`;
  const popup = page.open(address, popupName, features);
  popup?.focus();
  return popup;
}
