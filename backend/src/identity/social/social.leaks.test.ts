import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { builtInClientSecret } from '../../dev-openid/built-in.clients.js';
import { dumpOf, keepLog } from '../../testing/leaks.js';
import { comeBack, settle, signInAs, tokensAt } from '../../testing/social.browser.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';
import { TestBrowser } from '../../testing/test.browser.js';

/**
 * Tokens, codes, verifiers and cookies appear in no log, at its most verbose level; tokens, codes and cookies in no
 * table.
 */
describe('secrets of a sign-in with a provider', () => {
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
    const browser = new TestBrowser(portal.url);
    const person = { email: 'canary@example.com', verified: 'yes' } as const;
    const cookies: string[] = [];
    const noteCookie = () => cookies.push(browser.cookie('portal_session') as string);

    const page = await browser.visit('/api/login?provider=google');
    noteCookie();
    const [{ sess }] = await portal.db.query('select sess from sessions');
    const verifiers = Object.values(sess.flows as Record<string, { verifier: string }>).map(
      (f) => f.verifier,
    );
    const back = await comeBack(browser, page, 'google', person);
    const first = tokensAt(back);
    await settle(browser, first);
    noteCookie();
    const codes = back.way.flatMap((address) => new URL(address).searchParams.get('code') ?? []);
    expect([verifiers.length, codes.length]).toEqual([1, 1]);

    const link = `/api/v1/auth/identifier/APPLE?state=${portal.url}/auth/callback&token=${first.token}`;
    const asked = await browser.visit(link);
    for (const address of asked.way.slice(1)) expect(address).not.toContain(first.token);
    const linked = await comeBack(
      browser,
      await browser.submit(asked, 'Continue with Apple'),
      'apple',
      person,
    );
    const second = tokensAt(linked);
    noteCookie();
    const refused = [
      await browser.visit(`/api/v1/auth/GOOGLE/callback?state=x&code=${codes[0]}`),
      await browser.visit(`/api/v1/auth/identifier/GOOGLE?state=x&token=${second.token}`),
      await new TestBrowser(portal.url).visit(link),
    ].map(({ status }) => status);
    expect(refused).toEqual([400, 400, 403]);

    // The provider refuses a code, which is logged; an unexpected error is logged with its stack.
    const again = await browser.visit('/api/login?provider=google', { redirects: 1 });
    const state = new URL(again.headers.get('location') as string).searchParams.get('state');
    const iss = encodeURIComponent(`${portal.url}/dev/openid`);
    const used = await browser.visit(
      `/api/v1/auth/GOOGLE/callback?state=${state}&code=${codes[0]}&iss=${iss}`,
    );
    expect(used.status).toBe(502);
    await portal.db.query('alter table linked_identities rename to gone');
    expect((await signInAs(browser, 'google', person)).status).toBe(500);
    await portal.db.query('alter table gone rename to linked_identities');
    await portal.db.query('alter table sessions rename to gone');
    expect((await browser.visit(link)).status).toBe(500);
    await portal.db.query('alter table gone rename to sessions');

    expect(log.text).toContain('the log is being read');
    expect(log.text).toContain('google: server responded with an error in the response body');
    expect(log.text).toContain('relation "linked_identities" does not exist');
    expect(log.text).toContain('relation "sessions" does not exist');

    const dump = await dumpOf(portal);
    expect(dump).toContain('canary@example.com');

    const issued = [first, second].flatMap(({ token, refreshToken }) => [token, refreshToken]);
    for (const secret of [...issued, ...codes, ...cookies, builtInClientSecret]) {
      expect(log.text).not.toContain(secret);
      expect(dump).not.toContain(secret);
    }
    for (const verifier of verifiers) expect(log.text).not.toContain(verifier);
    expect(log.text).not.toMatch(/authorization|bearer |portal_session|code_verifier|client_secret/i);
  });
});
