import { freshProof, type FreshProof } from '@orange-id/contract/identity.schema';
import { http } from '../http';

/**
 * `GET /api/v1/auth/proof` of the identity service: until when this browser may change the account's sign-in methods.
 */
export const getFreshProof = (baseUrl: string, signal: AbortSignal): Promise<FreshProof> =>
  http({ path: `${baseUrl}/api/v1/auth/proof`, credentials: 'same-origin', schema: freshProof, signal });
