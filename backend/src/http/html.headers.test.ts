import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApp, type TestApp } from '../testing/test.app.js';
import { permissionsPolicy } from './security.headers.js';

const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('the headers of HTML responses', () => {
  let portal: TestApp;
  let WEB_ROOT: string;
  beforeAll(async () => {
    WEB_ROOT = await mkdtemp(join(tmpdir(), 'portal-test-'));
    await mkdir(join(WEB_ROOT, 'app'), { recursive: true });
    for (const name of ['index', 'landing']) {
      await writeFile(join(WEB_ROOT, `app/${name}.html`), '<title>{{title}}</title><div id="root"></div>');
    }
    portal = await startTestApp({ WEB_ROOT, ETH_RPC_URL: 'https://the-operators-key.node.example/v3' });
  });
  afterAll(async () => {
    await portal.close();
    await rm(WEB_ROOT, { recursive: true });
  });

  test.each([
    ['the landing page', '/', 200],
    ['a page of the application', '/faq', 200],
    ['a page that does not exist', '/no-such-page', 404],
    ['the API reference', '/api/docs', 200],
    ['a confirmation link', '/api/v1/auth/email/confirm?token=x', 410],
    ['a reset link', '/api/v1/auth/email/password?token=x', 410],
    ['a sign-in with a callback that is not registered', '/api/login?redirectUrl=https://evil.example', 400],
    ['a callback that no sign-in began', '/api/v1/auth/GOOGLE/callback?code=x&state=y', 400],
    ['a sign-in for an app that names no project', '/api/v1/auth/authorize', 400],
    ['a consent page that no sign-in began', '/api/v1/auth/consent?flow=x', 400],
    ['the page that links Google', '/api/v1/auth/identifier/GOOGLE', 400],
    ['the mailbox of a portal that sends no mail', '/dev/mailbox', 200],
    ['the account page of the built-in provider', '/dev/openid/account/none', 400],
    ['a refusal of the built-in provider', '/dev/openid/auth?client_id=none', 400],
  ])('allow no device access and name no Ethereum node: %s', async (_, path, status) => {
    const page = await fetch(portal.url + path, { headers: { accept }, redirect: 'manual' });
    expect([page.status, page.headers.get('content-type')]).toEqual([
      status,
      expect.stringContaining('text/html'),
    ]);
    expect(page.headers.get('permissions-policy')).toBe(permissionsPolicy);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toMatch(/connect-src 'self'|default-src 'none'/);
    expect(policy).not.toContain('node.example');
  });

  test.each<[string, string, string?]>([
    ['a confirmation link', '/api/v1/auth/email/confirm?token=x'],
    ['a reset link', '/api/v1/auth/email/password?token=x'],
    ['a sign-in that names no provider', '/api/login?provider=none'],
    ['a callback that no sign-in began', '/api/v1/auth/GOOGLE/callback?code=x&state=y'],
    ['a consent page that no sign-in began', '/api/v1/auth/consent?flow=x'],
    // The redirects that follow its forms may end at any app.
    ['the account page of the built-in provider', '/dev/openid/account/none', "'self' https: http:"],
  ])(
    'allow a server-rendered page its own style sheet, the font, the icon and nothing more: %s',
    async (_, path, forms = "'self'") => {
      const page = await fetch(portal.url + path, { headers: { accept }, redirect: 'manual' });
      const html = await page.text();
      const [, style = ''] = /<style>([^]*?)<\/style>/.exec(html) ?? [];
      const hash = createHash('sha256').update(style).digest('base64');
      expect(page.headers.get('content-security-policy')?.split(';').sort()).toEqual([
        "base-uri 'none'",
        "default-src 'none'",
        "font-src 'self'",
        `form-action ${forms}`,
        "frame-ancestors 'none'",
        "img-src 'self'",
        `style-src 'sha256-${hash}'`,
      ]);
      expect(style.match(/url\([^)]*\)/g)).toEqual(["url('/fonts/inter.woff2')"]);
      expect(html).not.toMatch(/ style="|<script|<img|src=/);
    },
  );

  test('allow the mailbox to show its emails, with their inline styles and logo, and nothing more', async () => {
    const page = await fetch(`${portal.url}/dev/mailbox`, { headers: { accept } });
    expect(page.headers.get('content-security-policy')?.split(';').sort()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "style-src 'unsafe-inline'",
    ]);
  });
});
