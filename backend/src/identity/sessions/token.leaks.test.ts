import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { dumpOf, keepLog } from '../../testing/leaks.js';
import { mailTo } from '../../testing/mailbox.js';
import { tokenIn } from '../../testing/smtp.server.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';
import { until } from '../../testing/until.js';

/** Tokens, passwords and `Authorization` appear neither in the log, at its most verbose level, nor in the database. */
describe('secrets of a sign-in', () => {
  const password = 'canary-password-7f3a91';
  let portal: TestApp;
  let log: { text: string };

  beforeAll(async () => {
    log = keepLog();
    portal = await startTestApp({ LOG_LEVEL: 'debug' });
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await portal.close();
  });

  test('appear in no log line and in no table', async () => {
    new Logger('Canary').debug('the log is being read');
    const call = portal.call;
    const account = { email: 'canary@example.com', password };
    const register = () =>
      call('POST', '/api/v1/auth/email/register', { body: { ...account, passwordConfirm: password } });
    const { accessToken, refreshToken } = (await register()).body.token;
    const statuses = [
      await register(),
      await call('POST', '/api/v1/auth/email/login', { body: account }),
      await call('POST', '/api/v1/auth/email/login', { body: { ...account, password: `${password}-wrong` } }),
      await call('POST', '/api/v1/auth/refresh', { body: { refreshToken } }),
      await call('POST', '/api/v1/auth/refresh', { body: { refreshToken: `${refreshToken}x` } }),
      await call('POST', '/api/auth/bedrock', { body: { token: accessToken, refreshToken } }),
      await call('GET', '/api/v1/auth/user', { token: `${accessToken}x` }),
      await call('GET', `/api/v1/auth/identifier/GOOGLE?state=x&token=${accessToken}`),
      await call('GET', `/auth/callback?token=${accessToken}&refreshToken=${refreshToken}`),
      await call('GET', `/api/nothing?token=${accessToken}`, { token: accessToken }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([409, 200, 401, 200, 401, 200, 401, 400, 200, 404]);

    const { confirmToken, resetToken, resetAgain } = await linksOf(portal, account.email);
    const page = (kind: string, token: string) =>
      call('GET', `/api/v1/auth/email/${kind}?token=${token}`, { headers: { accept: 'text/html' } });
    const answered = [
      await page('confirm', confirmToken),
      await call('POST', '/api/v1/auth/email/confirm', { body: { token: confirmToken } }),
      await page('confirm', confirmToken),
      await page('password', resetToken),
      await call('POST', '/api/v1/auth/email/password', {
        body: { token: resetToken, password, passwordConfirm: `${password}-wrong` },
      }),
    ].map(({ status }) => status);
    expect(answered).toEqual([200, 200, 410, 200, 400]);

    // An unexpected error is logged with its stack, so the test causes one with every secret in scope.
    await portal.db.query('alter table refresh_tokens rename to gone');
    const failures = [
      await call('GET', '/api/v1/auth/user', { token: accessToken }),
      await call('POST', '/api/v1/auth/refresh', { body: { refreshToken } }),
      await call('POST', '/api/v1/auth/email/login', { body: account }),
    ].map(({ status }) => status);
    expect(failures).toEqual([500, 500, 500]);
    await portal.db.query('alter table gone rename to refresh_tokens');
    await portal.db.query('alter table credentials rename to gone');
    const other = { email: 'canary-2@example.com', password, passwordConfirm: password };
    expect((await call('POST', '/api/v1/auth/email/register', { body: other })).status).toBe(500);
    await portal.db.query('alter table gone rename to credentials');
    await portal.db.query('alter table email_links rename to gone');
    expect((await page('password', resetToken)).status).toBe(500);
    await portal.db.query('alter table gone rename to email_links');

    expect(log.text).toContain('the log is being read');
    expect(log.text).toContain('relation "refresh_tokens" does not exist');
    expect(log.text).toContain('relation "credentials" does not exist');
    expect(log.text).toContain('relation "email_links" does not exist');

    const dump = await dumpOf(portal);
    expect(dump).toContain('canary@example.com');

    const hex = (text: string) => Buffer.from(text).toString('hex');
    const signature = accessToken.split('.')[2] as string;
    for (const secret of [
      password,
      refreshToken,
      accessToken,
      signature,
      confirmToken,
      resetToken,
      resetAgain,
    ]) {
      expect(log.text).not.toContain(secret);
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(hex(secret));
    }
    expect(log.text).not.toMatch(/authorization|bearer |\$argon2id\$/i);
  });
});

/** The tokens of links that were sent: one to confirm, and two to set a password, none of which is used here. */
async function linksOf(portal: TestApp, email: string) {
  const confirmToken = tokenIn(await mailTo(portal, email, 'Confirm'));
  const ask = () => portal.call('POST', '/api/v1/auth/email/reset', { body: { email } });
  await ask();
  const resetToken = tokenIn(await mailTo(portal, email, 'Reset your password'));
  await ask();
  const resetAgain = await until('a second link is sent', async () => {
    const token = tokenIn(await mailTo(portal, email, 'Reset your password'));
    return token === resetToken ? null : token;
  });
  return { confirmToken, resetToken, resetAgain };
}
