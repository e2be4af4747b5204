import { http } from './http';

/**
 * `POST /api/v1/auth/logout` of the identity service with the bearer; any 2xx counts. A service elsewhere is not heard
 * by the portal, so the portal is told as well, whatever came of it there.
 */
export async function signOutPassport(
  baseUrl: string,
  accessToken: string,
  signal: AbortSignal,
): Promise<void> {
  const call = { token: accessToken, credentials: 'same-origin' } as const;
  try {
    await http<unknown>({ ...call, path: `${baseUrl}/api/v1/auth/logout`, method: 'POST', signal });
  } finally {
    // Not given up with the first: that one may have taken all the time there was.
    if (new URL(baseUrl).origin !== window.location.origin)
      await http<unknown>({ ...call, path: '/api/auth/bedrock', method: 'DELETE' });
  }
}
