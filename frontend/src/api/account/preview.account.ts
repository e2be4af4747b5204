import { accountPreview } from '@orange-id/contract/identity.schema';
import { http } from '../http';

/**
 * `GET /api/auth/bedrock`: the account of an access token, with its verified identifiers; stores nothing and binds no
 * browser. Throws `HttpError` if the token is refused.
 */
export const previewAccount = (token: string, signal: AbortSignal) =>
  http({ path: '/api/auth/bedrock', token, credentials: 'same-origin', schema: accountPreview, signal });
