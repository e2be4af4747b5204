import { confirmResult, type ConfirmResult } from '@orange-id/contract/identity.schema';
import { http } from '../http';

/**
 * `POST /api/v1/auth/email/confirm/again` of the identity service: sends the link to every unconfirmed address of the
 * account, and returns how many.
 */
export const sendConfirmation = (baseUrl: string): Promise<ConfirmResult> =>
  http({
    path: `${baseUrl}/api/v1/auth/email/confirm/again`,
    method: 'POST',
    credentials: 'same-origin',
    schema: confirmResult,
  });
