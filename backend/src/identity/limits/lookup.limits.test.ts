import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signUp, SignedUp } from '../../testing/sign.up.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';

describe('look-ups by a secret, from one address', () => {
  let portal: TestApp;
  let user: SignedUp;
  let addresses = 0;
  beforeAll(async () => {
    // Allows five times as many look-ups as attempts: 10.
    portal = await startTestApp({ TRUST_PROXY: '1', SIGN_IN_LIMIT_PER_ADDRESS: '2' });
    user = await signUp(portal);
  });
  afterAll(() => portal.close());

  const routes: [string, string, object | undefined][] = [
    ['POST', '/api/v1/auth/refresh', { refreshToken: 'not-a-token-of-anybody' }],
    ['GET', '/api/v1/auth/email/password?token=unknown', undefined],
    ['GET', '/api/v1/auth/email/confirm?token=unknown', undefined],
  ];
  test.each(routes)('%s %s returns 429 with Retry-After above the limit', async (method, path, body) => {
    const from = { 'x-forwarded-for': `203.0.113.${++addresses}` };
    const ask = () => portal.call(method, path, { headers: from, ...(body === undefined ? {} : { body }) });
    const answers = [];
    for (let n = 0; n < 13; n++) answers.push(await ask());
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(1);
    expect(refused[0]?.headers.get('retry-after')).not.toBeNull();
    expect(answers.slice(0, 10).map(({ status }) => status)).not.toContain(429);
  });

  test('a browser above the limit gets a page', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.99', accept: 'text/html' };
    const ask = () => portal.call('GET', '/api/v1/auth/email/password?token=unknown', { headers });
    for (let n = 0; n < 12; n++) await ask();
    const { status, text } = await ask();
    expect(status).toBe(429);
    expect(text).toContain('<!doctype html>');
  });

  test('another address can still renew its session', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    const { refreshToken } = user;
    const answer = await portal.call('POST', '/api/v1/auth/refresh', { headers, body: { refreshToken } });
    expect(answer.status).toBe(200);
  });
});
