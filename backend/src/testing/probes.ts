import { seedKey } from './seed.key.js';
import { password, signUp } from './sign.up.js';
import type { Answer, TestApp } from './test.app.js';

/** What a portal answers while its database fails: a metered call, a sign-in and the readiness check. */
export async function probesOf(portal: Pick<TestApp, 'app' | 'db' | 'call'>): Promise<{
  metered: () => Promise<Answer>;
  login: () => Promise<Answer>;
  isReady: () => Promise<boolean>;
}> {
  const { call } = portal;
  const { email } = await signUp(portal);
  const { key } = await seedKey(portal);
  return {
    metered: () => call('GET', '/api/v1/key', { headers: { 'x-api-key': key } }),
    login: () => call('POST', '/api/v1/auth/email/login', { body: { email, password } }),
    isReady: async () => (await call('GET', '/health/ready')).status === 200,
  };
}
