import { limits } from '@orange-id/contract/limits';
import { readTokenClaims } from '@orange-id/contract/token.rule';
import { http } from '../http';
import type { SessionTokens } from '../token.storage';

/** `POST /api/v1/auth/refresh` of the identity service: returns a new access token. The refresh token stays valid. */
export async function refreshToken(baseUrl: string, tokens: SessionTokens): Promise<string> {
  const provider = readTokenClaims(tokens.accessToken)?.provider;
  const { refreshResult } = await import('@orange-id/contract/identity.schema');
  const { accessToken } = await http({
    path: `${baseUrl}/api/v1/auth/refresh`,
    method: 'POST',
    body: { refreshToken: tokens.refreshToken, ...(provider ? { provider } : {}) },
    token: null,
    credentials: 'same-origin',
    schema: refreshResult,
    signal: AbortSignal.timeout(limits.userRequestTimeoutMs),
  });
  return accessToken;
}
