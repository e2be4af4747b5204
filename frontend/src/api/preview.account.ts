import { accountPreview } from '@orange-id/contract/identity.schema';
import { http } from './http';

/**
 * `GET /api/auth/bedrock`: whose account an access token opens, by what was proven of it; stores and binds nothing.
 * Throws `HttpError` when the token is refused.
 */
export const previewAccount = (token: string, signal: AbortSignal) =>
  http({ path: '/api/auth/bedrock', token, credentials: 'same-origin', schema: accountPreview, signal });
