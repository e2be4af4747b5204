import { http } from './http';

/** `POST /api/v1/auth/logout` of the identity service with the bearer; any 2xx counts. */
export const signOutPassport = (
  baseUrl: string,
  accessToken: string,
  signal: AbortSignal,
): Promise<unknown> =>
  http<unknown>({
    path: `${baseUrl}/api/v1/auth/logout`,
    method: 'POST',
    token: accessToken,
    credentials: 'same-origin',
    signal,
  });
