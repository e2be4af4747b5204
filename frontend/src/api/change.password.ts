import { loginResult, type LoginResult, type PasswordChange } from '@orange-id/contract/identity.schema';
import { http } from './http';

/**
 * `POST /api/v1/auth/email/change` of the identity service: every sign-in of the account ends, and the answer's tokens
 * are a new one for who asked.
 */
export const changePassword = (baseUrl: string, change: PasswordChange): Promise<LoginResult> =>
  http({
    path: `${baseUrl}/api/v1/auth/email/change`,
    method: 'POST',
    body: change,
    credentials: 'same-origin',
    schema: loginResult,
  });
