import { bedrockResult } from '@orange-id/contract/identity.schema';
import { http } from './http';

/**
 * `POST /api/auth/bedrock`: has the tokens of a login callback verified, and this browser bound to who they are of.
 * Answers the refresh token to store: another one where the identity service is this portal's own, so that the one in
 * the address is worth nothing in a proxy's log. Throws `HttpError` when the tokens are refused.
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
