import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { inBrowserOf } from '../../testing/browser.cookie.js';
import { mailTo } from '../../testing/mailbox.js';
import { signUp } from '../../testing/sign.up.js';
import { tokenIn } from '../../testing/smtp.server.js';
import { signedMessage } from '../../testing/signed.message.js';
import { TestBrowser } from '../../testing/test.browser.js';
import { Answer, startTestApp, TestApp } from '../../testing/test.app.js';

const goodPassword = 'a password that is not on the list';
/** As typed, in other letter case, and in full-width letters that hash the same. */
const commonPasswords = ['password1', 'PassWord1', 'ｐａｓｓｗｏｒｄ１', 'qwertyuiop', '1qaz2wsx'];

describe('a common password', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ SIGN_IN_LIMIT_PER_ACCOUNT: '1000' });
  });
  afterAll(() => portal.close());

  let count = 0;
  const newEmail = () => `common.password.${count++}@example.com`;
  const both = (password: string) => ({ password, passwordConfirm: password });
  const withReset = async () => {
    const { email } = await signUp(portal, newEmail());
    await portal.call('POST', '/api/v1/auth/email/reset', { body: { email } });
    return { email, token: tokenIn(await mailTo(portal, email, 'Reset your password')) };
  };

  /**
   * Each way to set a password: prepares an account and returns a function that can be called again after a
   * rejection.
   */
  const routes: [string, () => Promise<(password: string) => Promise<Answer>>][] = [
    [
      'registering',
      async () => (password) =>
        portal.call('POST', '/api/v1/auth/email/register', {
          body: { email: newEmail(), ...both(password) },
        }),
    ],
    [
      'adding an email address to an account',
      async () => {
        const wallet = privateKeyToAccount(generatePrivateKey());
        const signedIn = await portal.call('POST', '/api/v1/message/verify', {
          body: await signedMessage(portal, wallet),
        });
        const token = signedIn.body.token.accessToken;
        const headers = await inBrowserOf(portal, token);
        return (password) =>
          portal.call('POST', '/api/v1/auth/identifier/email', {
            token,
            headers,
            body: { email: newEmail(), ...both(password) },
          });
      },
    ],
    [
      'changing it',
      async () => {
        const { token } = await signUp(portal, newEmail());
        const currentPassword = 'a long enough password';
        return (password) =>
          portal.call('POST', '/api/v1/auth/email/change', {
            token,
            body: { currentPassword, ...both(password) },
          });
      },
    ],
    [
      'a reset link',
      async () => {
        const { token } = await withReset();
        return (password) =>
          portal.call('POST', '/api/v1/auth/email/password', { body: { token, ...both(password) } });
      },
    ],
  ];

  test.each(routes)(
    'is refused when %s sets it, in any letter case, and a better one is accepted',
    async (_, open) => {
      const set = await open();
      for (const password of commonPasswords) {
        const { status, body } = await set(password);
        expect([password, status, body]).toEqual([
          password,
          400,
          {
            statusCode: 400,
            error: 'Bad Request',
            code: 'auth.passwordCommon',
            message: 'This password is too common. Choose one that is harder to guess',
            details: [{ path: 'password', message: 'is too common. Choose one that is harder to guess' }],
          },
        ]);
      }
      expect((await set(goodPassword)).status).toBe(200);
    },
  );

  test('is refused on the page of a reset link, which keeps its form and stays valid', async () => {
    const { token } = await withReset();
    const browser = new TestBrowser(portal.url);
    const form = { token, ...both('password1') };
    const refused = await browser.visit('/api/v1/auth/email/password', { form });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('The new password is too common. Choose one that is harder to guess.'),
    ]);
    expect(refused.text).toContain('Set password');
    const taken = await browser.visit('/api/v1/auth/email/password', {
      form: { token, ...both(goodPassword) },
    });
    expect([taken.status, taken.text]).toEqual([200, expect.stringContaining('Your password was changed')]);
  });

  test('still signs in if it was set before', async () => {
    const { email } = await signUp(portal, newEmail());
    const passwordHash = await hash('password1', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    await portal.db.query('update credentials set password_hash = $2 where email = $1', [
      email,
      passwordHash,
    ]);
    const answer = await portal.call('POST', '/api/v1/auth/email/login', {
      body: { email, password: 'password1' },
    });
    expect(answer.status).toBe(200);
  });
});
