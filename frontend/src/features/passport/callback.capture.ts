/** What the login put into the address of /auth/callback; `null` where it was missing. */
export interface CapturedTokens {
  token: string | null;
  refreshToken: string | null;
}

let captured: CapturedTokens | null = null;

/**
 * Takes the tokens out of the address before anything else is requested, so that they reach no history entry,
 * Referer or log. Runs as the page's first module, and again when /auth/callback is opened inside the app.
 */
export function captureCallback(): void {
  if (window.location.pathname !== '/auth/callback' || window.location.search === '') return;
  const query = new URLSearchParams(window.location.search);
  captured = { token: query.get('token'), refreshToken: query.get('refreshToken') };
  window.history.replaceState(window.history.state, '', '/auth/callback');
}

/** The captured tokens, once: a second reading finds nothing. */
export function takeCaptured(): CapturedTokens {
  captureCallback();
  const taken = captured ?? { token: null, refreshToken: null };
  captured = null;
  return taken;
}

captureCallback();
