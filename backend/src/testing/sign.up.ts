import { randomBytes } from 'node:crypto';
import type { TestApp } from './test.app.js';

export interface SignedUp {
  token: string;
  refreshToken: string;
  userId: string;
  email: string;
}

/** The password of each account that `signUp` registers. */
export const password = 'a long enough password';

/** Registers an account through the real endpoint; without an address, a new one is used. */
export async function signUp(
  portal: Pick<TestApp, 'call'>,
  email = `user-${randomBytes(6).toString('hex')}@example.com`,
): Promise<SignedUp> {
  const answer = await portal.call('POST', '/api/v1/auth/email/register', {
    body: { email, password, passwordConfirm: password },
  });
  if (answer.status !== 200)
    throw new Error(`registering ${email} answered ${answer.status}: ${answer.text}`);
  const { user, token } = answer.body;
  return { token: token.accessToken, refreshToken: token.refreshToken, userId: user.id, email };
}
