import { accountPreview } from '@orange-id/contract/identity.schema';
import { http } from '../http';

/**
 * `GET /api/auth/bedrock`: the account of an access token, by its verified identifiers; stores and binds nothing.
 * Throws `HttpError` if the token is refused.
 */
export const previewAccount = (token: string, signal: AbortSignal) =>
  http({ path: '/api/auth/bedrock', token, credentials: 'same-origin', schema: accountPreview, signal });
