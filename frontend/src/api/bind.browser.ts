import { http } from './http';

/**
 * `PUT /api/auth/bedrock`: notes for this browser whose the stored tokens are. They stay as they are, because other tabs
 * use them too. Throws `HttpError` when they are refused.
 */
export const bindBrowser = (
  tokens: { token: string; refreshToken: string },
  signal: AbortSignal,
): Promise<void> => http({ path: '/api/auth/bedrock', method: 'PUT', body: tokens, token: null, signal });
