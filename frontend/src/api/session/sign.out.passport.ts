import { http, HttpError } from '../http';

/**
 * `POST /api/v1/auth/logout` of the identity service with the bearer token. Any 2xx counts as success, and so does 401:
 * the session has already ended, for example by signing out everywhere. A hosted service doesn't notify the portal, so
 * the portal is called too, even if the first call fails.
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
    // Without the signal: the first call may have used up its time.
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
