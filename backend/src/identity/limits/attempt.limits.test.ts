import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { AttemptLimiter } from '../../http/attempt.limiter.js';
import { signUp, SignedUp } from '../../testing/sign.up.js';
import { signedMessage } from '../../testing/signed.message.js';
import { settle } from '../../testing/social.browser.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';
import { TestBrowser } from '../../testing/test.browser.js';

describe('an address without attempts left', () => {
  const limit = 20;
  const exhausted = '203.0.113.1';
  const password = 'a long enough password';
  const email = 'somebody@example.com';
  const set = { email, password, passwordConfirm: password };
  const unknown = 'u'.repeat(43);
  let portal: TestApp;
  let user: SignedUp;
  let browser: TestBrowser;
  let addresses = 0;
  const wallet = privateKeyToAccount(generatePrivateKey());
  beforeAll(async () => {
    portal = await startTestApp({ TRUST_PROXY: '1', SIGN_IN_LIMIT_PER_ADDRESS: String(limit) });
    user = await signUp(portal);
    browser = new TestBrowser(portal.url);
    await settle(browser, user);
    // An attempt comes back every 3 s, and a busy machine takes longer: time stands still for the limiters.
    const { take } = AttemptLimiter.prototype;
    const nowMs = Date.now();
    jest.spyOn(AttemptLimiter.prototype, 'take').mockImplementation(function (this: AttemptLimiter, key) {
      take.call(this, key, nowMs);
    });
    for (let n = 0; n < limit; n++) {
      const headers = { 'x-forwarded-for': exhausted };
      expect((await portal.call('GET', '/api/v1/message/nonce', { headers })).status).toBe(200);
    }
  });
  afterAll(() => {
    jest.restoreAllMocks();
    return portal.close();
  });

  const signed = () => signedMessage(portal, wallet);
  const changed = { currentPassword: 'a guess', password, passwordConfirm: password };
  const callback = () => `state=${portal.url}/auth/callback`;

  test.each<{ path: string; body?: () => object | Promise<object>; query?: () => string }>([
    { path: '/api/v1/message/nonce' },
    { path: '/api/v1/message/verify', body: signed },
    { path: '/api/v1/auth/email/register', body: () => set },
    { path: '/api/v1/auth/email/login', body: () => ({ email, password }) },
    { path: '/api/v1/auth/email/reset', body: () => ({ email }) },
    { path: '/api/v1/auth/email/change', body: () => changed },
    { path: '/api/v1/auth/email/confirm/again', body: () => ({}) },
    { path: '/api/v1/auth/email/confirm', body: () => ({ token: unknown }) },
    { path: '/api/v1/auth/email/password', body: () => ({ ...set, email: undefined, token: unknown }) },
    { path: '/api/v1/auth/identifier/wallet', body: signed },
    { path: '/api/v1/auth/identifier/email', body: () => set },
    { path: '/api/v1/auth/proof', body: () => ({ password: 'a guess' }) },
    { path: '/api/v1/auth/proof', body: signed },
    { path: '/api/v1/auth/proof/GOOGLE', body: () => ({}) },
    { path: '/api/v1/auth/GOOGLE', query: callback },
    { path: '/api/v1/auth/identifier/GOOGLE', query: () => `${callback()}&token=${user.token}` },
  ])('can’t use $path, and another address can', async ({ path, body, query }) => {
    const statuses: number[] = [];
    for (const from of [exhausted, `198.51.100.${++addresses}`]) {
      const headers = { 'x-forwarded-for': from, authorization: `Bearer ${user.token}` };
      const { status } = body
        ? await browser.send(path, await body(), headers)
        : await browser.visit(`${path}?${query?.() ?? ''}`, { headers, redirects: 0 });
      statuses.push(status);
    }
    expect(statuses[0]).toBe(429);
    expect(statuses[1]).not.toBe(429);
  });

  test('gets a page in a browser, with the time after which it can try again', async () => {
    const page = await portal.call('GET', `/api/v1/auth/GOOGLE?${callback()}`, {
      headers: { 'x-forwarded-for': exhausted, accept: 'text/html' },
    });
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
