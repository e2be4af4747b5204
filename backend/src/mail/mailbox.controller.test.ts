import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { forwardedHeaders } from '../testing/forwarded.headers.js';
import { mailTo } from '../testing/mailbox.js';
import { pageText } from '../testing/page.text.js';
import { signUp } from '../testing/sign.up.js';
import { linkIn } from '../testing/smtp.server.js';
import { startTestApp, TestApp } from '../testing/test.app.js';

describe('/dev/mailbox', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  test('says so while it is empty, then shows every email, newest first, with a clickable link', async () => {
    const empty = await portal.call('GET', '/dev/mailbox');
    expect(empty.status).toBe(200);
    expect(empty.headers.get('cache-control')).toBe('no-store');
    expect(empty.text).toContain('No emails yet');

    const { email } = await signUp(portal);
    const link = linkIn(await mailTo(portal, email));
    const second = await signUp(portal);
    const page = await portal.call('GET', '/dev/mailbox');
    expect(page.text).toContain(`<a href="${link}">${link}</a>`);
    const [, frame = ''] =
      /<iframe [^>]*sandbox="allow-top-navigation-by-user-activation" srcdoc="([^"]*)"/.exec(page.text) ?? [];
    expect(frame).toContain('Confirm email address&lt;/a&gt;');
    expect(frame).not.toMatch(/cid:|src=&quot;(?!data:)/);
    expect(page.text).not.toContain('No emails yet');
    expect(page.text.indexOf(second.email)).toBeLessThan(page.text.indexOf(email));
    expect((await portal.call('GET', link.replace(portal.url, ''))).status).toBe(200);
  });

  test.each([
    ['light', '@media not all', 'color-scheme: light;'],
    ['dark', '@media all', 'color-scheme: dark;'],
  ])(
    'an email has the %s theme chosen in the portal, whatever the system prefers',
    async (theme, rule, scheme) => {
      const { email } = await signUp(portal);
      await mailTo(portal, email);
      const page = await portal.call('GET', '/dev/mailbox', { headers: { cookie: `portal-theme=${theme}` } });
      const [, frame = ''] = / srcdoc="([^"]*)"/.exec(page.text) ?? [];
      expect(frame).toContain(rule);
      expect(frame).toContain(scheme);
      expect(frame).not.toContain('prefers-color-scheme');
      const unchosen = await portal.call('GET', '/dev/mailbox');
      expect(/ srcdoc="([^"]*)"/.exec(unchosen.text)?.[1]).toContain('@media (prefers-color-scheme: dark)');
    },
  );

  test('a foreign host name that resolves to the portal gets no email', async () => {
    const answer = await portal.app.inject({ url: '/dev/mailbox', headers: { host: 'evil.example' } });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'route.notFound' });
    const page = await portal.app.inject({
      url: '/dev/mailbox',
      headers: { host: '127.0.0.1:1', accept: 'text/html,*/*;q=0.8' },
    });
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.body).toContain('<h1>The mailbox isn’t available here</h1>');
    expect(page.body).toContain(`href="${portal.environment.PUBLIC_URL}/dev/mailbox"`);
    for (const { body } of [answer, page]) expect(body).not.toContain('@example.com');
  });

  test('a client on another machine gets no email, whatever its headers claim', async () => {
    const { email } = await signUp(portal);
    await mailTo(portal, email);
    const { host } = new URL(portal.environment.PUBLIC_URL);
    const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
      portal.app.inject({ url: '/dev/mailbox', remoteAddress, headers: { host, ...headers } });
    for (const here of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect((await from(here)).body).toContain(email);
    }
    for (const answer of [
      await from('192.0.2.7'),
      await from('::ffff:192.0.2.7'),
      await from('2001:db8::7', { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' }),
    ]) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'route.notFound' });
    }
    const page = await from('192.0.2.7', { accept: 'text/html' });
    expect(page.statusCode).toBe(404);
    expect(page.body).toContain('It’s only available on the machine that runs the portal');
    expect(pageText(page.body)).not.toContain(email);
  });

  test('a client of a proxy on the same machine gets no email', async () => {
    const { email } = await signUp(portal);
    await mailTo(portal, email);
    const { host } = new URL(portal.environment.PUBLIC_URL);
    for (const headers of forwardedHeaders) {
      const answer = await portal.app.inject({ url: '/dev/mailbox', headers: { host, ...headers } });
      expect([headers, answer.statusCode]).toEqual([headers, 404]);
      expect(answer.body).not.toContain(email);
    }
  });

  test('a client address forwarded by a proxy does not count either', async () => {
    const behind = await startTestApp({ TRUST_PROXY: '127.0.0.0/8,192.0.2.0/24' });
    const { host } = new URL(behind.environment.PUBLIC_URL);
    const answer = await behind.app.inject({
      url: '/dev/mailbox',
      remoteAddress: '192.0.2.7',
      headers: { host, 'x-forwarded-for': '127.0.0.1' },
    });
    expect(answer.statusCode).toBe(404);
    await behind.close();
  });

  test('at an address that others can open, neither it nor any email exists, whoever sends the request', async () => {
    const open = await startTestApp({ PUBLIC_URL: 'http://portal.example.com' });
    const answer = await open.app.inject({ url: '/dev/mailbox', headers: { host: 'portal.example.com' } });
    expect(answer.statusCode).toBe(404);
    const config = await open.call('GET', '/api/config');
    expect(config.body.features.mailbox).toBe(false);
    const reset = await open.call('POST', '/api/v1/auth/email/reset', { body: { email: 'a@example.com' } });
    expect([reset.status, reset.body.code]).toEqual([501, 'auth.mailNotConfigured']);
    await open.close();
  });

  test('does not exist if email is sent', async () => {
    const sending = await startTestApp({ SMTP_URL: 'smtp://127.0.0.1:9' });
    expect((await sending.call('GET', '/dev/mailbox')).status).toBe(404);
    await sending.close();
  });
});
