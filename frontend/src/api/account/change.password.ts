import { loginResult, type LoginResult, type PasswordChange } from '@orange-id/contract/identity.schema';
import { http } from '../http';

/**
 * `POST /api/v1/auth/email/change` of the identity service: ends every session of the account and returns the tokens of
 * a new session for the caller.
 */
export const changePassword = (baseUrl: string, change: PasswordChange): Promise<LoginResult> =>
  http({
    path: `${baseUrl}/api/v1/auth/email/change`,
    method: 'POST',
    body: change,
    credentials: 'same-origin',
    schema: loginResult,
  });
