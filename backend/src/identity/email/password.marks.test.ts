import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { mailTo } from '../../testing/mailbox.js';
import { SignedUp, signUp } from '../../testing/sign.up.js';
import { signedMessage } from '../../testing/signed.message.js';
import { linkIn, tokenIn } from '../../testing/smtp.server.js';
import { settle, signUpIn } from '../../testing/social.browser.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';
import { TestBrowser } from '../../testing/test.browser.js';

const password = 'a long enough password';
const later = 'another long password';

describe('confirming an email address vouches for the account’s password', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  const newBrowser = () => new TestBrowser(portal.url);
  const isVouched = async (userId: string): Promise<boolean> => {
    const [row] = await portal.db.query('select vouched from credentials where user_id = $1', [userId]);
    return row.vouched;
  };
  const confirmIn = async (browser: TestBrowser, email: string) => {
    const page = await browser.visit(linkIn(await mailTo(portal, email, 'Confirm')));
    const done = await browser.submit(page, 'Confirm email address');
    expect(done.text).toContain('Your email address is confirmed');
  };
  const send = async (browser: TestBrowser, path: string, token: string, body: object) => {
    const answer = await browser.send(path, body, { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { token: { accessToken: string } };
  };
  const change = (browser: TestBrowser, { token }: SignedUp) =>
    send(browser, '/api/v1/auth/email/change', token, {
      currentPassword: password,
      password: later,
      passwordConfirm: later,
    });

  test('if the same browser registered the account, with or without the callback page', async () => {
    for (const isSettled of [false, true]) {
      const browser = newBrowser();
      const account = await signUpIn(browser);
      if (isSettled) await settle(browser, account);
      await confirmIn(browser, account.email);
      expect(await isVouched(account.userId)).toBe(true);
    }
  });

  test('does not happen in a browser that only has the account’s tokens', async () => {
    const account = await signUp(portal);
    const browser = newBrowser();
    await settle(browser, account);
    await confirmIn(browser, account.email);
    expect(await isVouched(account.userId)).toBe(false);
  });

  test('does not happen if another browser has changed the password in the meantime', async () => {
    const browser = newBrowser();
    const account = await signUpIn(browser);
    await settle(browser, account);
    await change(newBrowser(), account);
    await confirmIn(browser, account.email);
    expect(await isVouched(account.userId)).toBe(false);
  });

  test('also if the same browser added the password to the account', async () => {
    const signedIn = await portal.call('POST', '/api/v1/message/verify', {
      body: await signedMessage(portal, privateKeyToAccount(generatePrivateKey())),
    });
    const email = 'added.later@example.com';
    const browser = newBrowser();
    const { accessToken: token, refreshToken } = signedIn.body.token;
    await settle(browser, { token, refreshToken });
    await send(browser, '/api/v1/auth/identifier/email', token, {
      email,
      password,
      passwordConfirm: password,
    });
    await confirmIn(browser, email);
    expect(await isVouched(signedIn.body.user.id)).toBe(true);
  });

  test('lasts after a change of the password in that browser, but not after a change elsewhere', async () => {
    for (const isSame of [true, false]) {
      const browser = newBrowser();
      const account = await signUpIn(browser);
      await confirmIn(browser, account.email);
      await change(isSame ? browser : newBrowser(), account);
      expect(await isVouched(account.userId)).toBe(isSame);
    }
  });

  test('is not needed if the same browser set the password by a link and then changed it', async () => {
    const { email, userId } = await signUp(portal);
    await portal.call('POST', '/api/v1/auth/email/reset', { body: { email } });
    const token = tokenIn(await mailTo(portal, email, 'Reset your password'));
    const browser = newBrowser();
    const form = { token, password, passwordConfirm: password };
    expect((await browser.visit('/api/v1/auth/email/password', { form })).status).toBe(200);
    const signedIn = await portal.call('POST', '/api/v1/auth/email/login', { body: { email, password } });
    await change(browser, { email, userId, token: signedIn.body.token.accessToken, refreshToken: '' });
    expect(await isVouched(userId)).toBe(true);
  });

  test('is not needed if the same browser set the password by a link, sent as JSON, and then changed it', async () => {
    const { email, userId } = await signUp(portal);
    await portal.call('POST', '/api/v1/auth/email/reset', { body: { email } });
    const token = tokenIn(await mailTo(portal, email, 'Reset your password'));
    const browser = newBrowser();
    const set = await browser.send('/api/v1/auth/email/password', {
      token,
      password,
      passwordConfirm: password,
    });
    expect(set.status).toBe(200);
    const signedIn = await portal.call('POST', '/api/v1/auth/email/login', { body: { email, password } });
    await change(browser, { email, userId, token: signedIn.body.token.accessToken, refreshToken: '' });
    expect(await isVouched(userId)).toBe(true);
  });

  test('works for each of the last five accounts that one browser registered', async () => {
    const browser = newBrowser();
    const accounts: SignedUp[] = [];
    for (let i = 0; i < 6; i++) accounts.push(await signUpIn(browser));
    const vouched: boolean[] = [];
    for (const { userId, email } of accounts) {
      await confirmIn(browser, email);
      vouched.push(await isVouched(userId));
    }
    expect(vouched).toEqual([false, true, true, true, true, true]);
  });

  test.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'null' },
  ])('a request that does not come from a page of the portal (%j) is not recorded', async (headers) => {
    const browser = newBrowser();
    const email = `${Buffer.from(JSON.stringify(headers)).toString('hex').slice(0, 60)}@example.com`;
    const body = { email, password, passwordConfirm: password };
    const answer = await browser.send('/api/v1/auth/email/register', body, headers);
    expect(answer.status).toBe(200);
    expect(browser.cookie('portal_session')).toBeUndefined();
  });

  test('a page of the portal itself is recognised by Sec-Fetch-Site or Origin', async () => {
    for (const [name, value] of [
      ['sec-fetch-site', 'same-origin'],
      ['origin', portal.url],
    ] as const) {
      const browser = newBrowser();
      const email = `own.${name}@example.com`;
      const body = { email, password, passwordConfirm: password };
      await browser.send('/api/v1/auth/email/register', body, { [name]: value });
      expect(browser.cookie('portal_session')).toBeDefined();
    }
  });
});
