import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inBrowserOf } from '../../testing/browser.cookie.js';
import { mailTo } from '../../testing/mailbox.js';
import { tokenIn } from '../../testing/smtp.server.js';
import { signInAs, tokensAt } from '../../testing/social.browser.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';
import { TestBrowser } from '../../testing/test.browser.js';
import { emailAccount, SignInLimits } from './sign-in.limits.js';

const password = 'a long enough password';
const [owners, strangers, nobodys] = ['192.0.2.1', '198.51.100.1', '203.0.113.1'];

describe('the known addresses of an account', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ TRUST_PROXY: '1', SIGN_IN_LIMIT_PER_ACCOUNT: '3' });
  }, 30_000);
  afterAll(() => portal.close());

  const post = async (from: string, path: string, body: unknown, token?: string) => {
    const browser = token === undefined ? {} : await inBrowserOf(portal, token);
    const headers = { 'x-forwarded-for': from, ...browser };
    const bearer = token === undefined ? {} : { token };
    const answer = await portal.call('POST', `/api/v1/auth/${path}`, { body, headers, ...bearer });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const chosenPassword = { password, passwordConfirm: password };
  const chosen = (email: string) => ({ email, ...chosenPassword });
  const isRefused = (from: string, email: string): boolean => {
    try {
      portal.app.get(SignInLimits).attempt(from, emailAccount(email));
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: 'request.rateLimited' });
      return true;
    }
  };
  /** Whether sign-ins from this address are unaffected by attempts from elsewhere. */
  const isKnown = (from: string, email: string): boolean => {
    for (let i = 0; i < 40; i++) isRefused(`100.64.0.${i}`, email);
    expect(isRefused(nobodys, email)).toBe(true);
    return !isRefused(from, email);
  };

  test('include the one where it was registered', async () => {
    const email = 'registered@example.com';
    await post(owners, 'email/register', chosen(email));
    expect(isKnown(owners, email)).toBe(true);
    await post(owners, 'email/login', { email, password });
  });

  test.each([
    ['the password is changed', 'email/change', { currentPassword: password, ...chosenPassword }],
    ['the password confirms that it’s the owner', 'proof', { password }],
  ])('include one where %s', async (_, path, body) => {
    const email = `${path.replace('/', '-')}@example.com`;
    const { token } = await post(owners, 'email/register', chosen(email));
    const elsewhere = '192.0.2.2';
    await post(elsewhere, path, body, token.accessToken);
    expect(isKnown(elsewhere, email)).toBe(true);
  });

  test.each(['JSON', 'a form'])(
    'exclude the stranger’s after the owner of the mailbox resets the password with %s',
    async (by) => {
      const email = `reset-by-${by.replace(' ', '-')}@example.com`.toLowerCase();
      await post(strangers, 'email/register', chosen(email));
      await post(strangers, 'email/login', { email, password });
      expect(isKnown(strangers, email)).toBe(true);
      await post(owners, 'email/reset', { email });
      const token = tokenIn(await mailTo(portal, email, 'Reset your password'));
      if (by === 'JSON') await post(owners, 'email/password', { token, password, passwordConfirm: password });
      else {
        const form = new URLSearchParams({ token, password, passwordConfirm: password });
        const headers = { 'x-forwarded-for': owners };
        const answer = await fetch(`${portal.url}/api/v1/auth/email/password`, {
          method: 'POST',
          body: form,
          headers,
        });
        expect(answer.status).toBe(200);
      }
      expect(isKnown(strangers, email)).toBe(false);
      expect(isKnown(owners, email)).toBe(true);
    },
  );

  test('exclude the stranger’s after another account confirms the email and adds it as its sign-in method', async () => {
    const email = 'yields@example.com';
    await post(strangers, 'email/register', chosen(email));
    const browser = new TestBrowser(portal.url);
    const { token } = tokensAt(await signInAs(browser, 'google', { email, verified: 'yes' }));
    await post(owners, 'identifier/email', chosen(email), token);
    expect(isKnown(strangers, email)).toBe(false);
    expect(isKnown(owners, email)).toBe(true);
  });
});
