import { confirmResult, type ConfirmResult } from '@orange-id/contract/identity.schema';
import { http } from './http';

/**
 * `POST /api/v1/auth/email/confirm/again` of the identity service: sends the link to every address of the account that
 * is not confirmed, and answers to how many.
 */
export const sendConfirmation = (baseUrl: string): Promise<ConfirmResult> =>
  http({
    path: `${baseUrl}/api/v1/auth/email/confirm/again`,
    method: 'POST',
    credentials: 'same-origin',
    schema: confirmResult,
  });
