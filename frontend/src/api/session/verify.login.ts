import { bedrockResult } from '@orange-id/contract/identity.schema';
import { http } from '../http';

/**
 * `POST /api/auth/bedrock`: verifies the tokens of a login callback and binds this browser to their user. Returns the
 * refresh token to store. The portal's own identity service issues a new one, so that the one in the URL is useless to
 * readers of a proxy's log. Throws `HttpError` if the tokens are refused.
 */
export async function verifyLogin(
  tokens: { token: string; refreshToken: string },
  signal: AbortSignal,
): Promise<string> {
  const { refreshToken } = await http({
    path: '/api/auth/bedrock',
    method: 'POST',
    body: tokens,
    token: null,
    schema: bedrockResult,
    signal,
  });
  return refreshToken ?? tokens.refreshToken;
}
