import { tabParameter } from '@orange-id/contract/tab.marker';

/** What the login put into the address of /auth/callback; `null` where it was missing. */
export interface CapturedCallback {
  token: string | null;
  refreshToken: string | null;
  /** The value that the tab kept in which the sign-in began. */
  tab: string | null;
}

let captured: CapturedCallback | null = null;

/**
 * Takes the tokens out of the address before anything else is requested, so that they reach no history entry,
 * Referer or log. Runs as the page's first module, and again when /auth/callback is opened inside the app.
 */
export function captureCallback(): void {
  if (window.location.pathname !== '/auth/callback' || window.location.search === '') return;
  const query = new URLSearchParams(window.location.search);
  captured = {
    token: query.get('token'),
    refreshToken: query.get('refreshToken'),
    tab: query.get(tabParameter),
  };
  window.history.replaceState(window.history.state, '', '/auth/callback');
}

/** What was captured, once: a second reading finds nothing. */
export function takeCaptured(): CapturedCallback {
  captureCallback();
  const taken = captured ?? { token: null, refreshToken: null, tab: null };
  captured = null;
  return taken;
}

captureCallback();
