import { http } from '../http';

/**
 * `PUT /api/auth/bedrock`: binds this browser to the user of the stored tokens. The tokens don't change, because other
 * tabs use them too. Throws `HttpError` if they are refused.
 */
export const bindBrowser = (
  tokens: { token: string; refreshToken: string },
  signal: AbortSignal,
): Promise<void> => http({ path: '/api/auth/bedrock', method: 'PUT', body: tokens, token: null, signal });
