import { http, HttpError } from './http';

/**
 * `POST /api/v1/auth/logout` of the identity service with the bearer; any 2xx counts, and so does 401: a token that is
 * known no more, as after signing out everywhere, is a session already over. A service elsewhere is not heard by the
 * portal, so the portal is told as well, whatever came of it there.
 */
export async function signOutPassport(
  baseUrl: string,
  accessToken: string,
  signal: AbortSignal,
): Promise<void> {
  const call = { token: accessToken, credentials: 'same-origin' } as const;
  try {
    await orOver(http<unknown>({ ...call, path: `${baseUrl}/api/v1/auth/logout`, method: 'POST', signal }));
  } finally {
    // Not given up with the first: that one may have taken all the time there was.
    if (new URL(baseUrl).origin !== window.location.origin)
      await orOver(http<unknown>({ ...call, path: '/api/auth/bedrock', method: 'DELETE' }));
  }
}

async function orOver(ending: Promise<unknown>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof HttpError && error.status === 401)) throw error;
  }
}
