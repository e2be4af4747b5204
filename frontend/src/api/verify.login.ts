import { bedrockResult } from '@orange-id/contract/identity.schema';
import { http } from './http';

/**
 * `POST /api/auth/bedrock`: has the tokens of a login callback verified, and this browser bound to who they are of;
 * throws `HttpError` when they are refused.
 */
export const verifyLogin = (tokens: { token: string; refreshToken: string }, signal: AbortSignal) =>
  http({
    path: '/api/auth/bedrock',
    method: 'POST',
    body: tokens,
    token: null,
    schema: bedrockResult,
    signal,
  });
