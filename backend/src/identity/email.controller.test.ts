import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signUp } from '../testing/sign.up.js';
import { startTestApp, TestApp } from '../testing/test.app.js';

describe('e-mail sign-in', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  test('register signs in', async () => {
    const { token, userId } = await signUp(portal, 'first@example.com');
    const user = await portal.call('GET', '/api/v1/auth/user', { token });
    expect(user.status).toBe(200);
    expect(user.body).toMatchObject({ id: userId, email: 'first@example.com', emailVerified: false });
  });
});
