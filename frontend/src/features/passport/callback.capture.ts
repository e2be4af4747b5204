import { tabParameter } from '@orange-id/contract/tab.marker';

/** Query parameters of `/auth/callback`; `null` if missing. */
export interface CapturedCallback {
  token: string | null;
  refreshToken: string | null;
  /** The marker that the tab stored when it started the sign-in. */
  tab: string | null;
}

let captured: CapturedCallback | null = null;

/**
 * Removes the tokens from the address before the page requests anything else, so that they reach no history entry,
 * `Referer` header or log. Runs as the page's first module, and again if the app navigates to `/auth/callback`.
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

/** Returns the captured parameters once; further calls get `null` values. */
export function takeCaptured(): CapturedCallback {
  captureCallback();
  const taken = captured ?? { token: null, refreshToken: null, tab: null };
  captured = null;
  return taken;
}

captureCallback();
