import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApp, TestApp } from '../testing/test.app.js';

const portal = 'https://other.example.com';
const second = 'https://second.example.com:8443';

describe('pages of other portals', () => {
  let service: TestApp;
  let alone: TestApp;
  beforeAll(async () => {
    service = await startTestApp({ IDENTITY_CALLBACKS: `${portal}/auth/callback, ${second}/auth/callback` });
    alone = await startTestApp();
  }, 30_000);
  afterAll(async () => {
    await service.close();
    await alone.close();
  });

  const preflight = (path: string, origin: string, app = service) =>
    app.call('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,ocp-apim-subscription-key',
      },
    });
  const corsHeaders = (headers: Headers) =>
    [...headers.keys()].filter((name) => name.startsWith('access-control-')).sort();

  test.each([
    '/api/v1/settings/version',
    '/api/v1/auth/user',
    '/api/v1/auth/email/login',
    '/api/v1/auth/identifiers/1',
    '/api/v1/message/verify',
    '/api/v1/user/profile',
    '/api/v1/economy/currency',
  ])('may send a preflight for %s', async (path) => {
    for (const origin of [portal, second]) {
      const { status, headers } = await preflight(path, origin);
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE');
      expect(headers.get('access-control-allow-headers')).toBe(
        'Authorization, Content-Type, Ocp-Apim-Subscription-Key, X-Time-Zone',
      );
      expect(headers.get('vary')).toBe('Origin');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('read successful and refused responses alike', async () => {
    const answer = await service.call('GET', '/api/v1/settings/version', { headers: { origin: portal } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(portal);
    const refusal = await service.call('GET', '/api/v1/auth/user', { headers: { origin: portal } });
    expect(refusal.status).toBe(401);
    expect(refusal.headers.get('access-control-allow-origin')).toBe(portal);
    expect(refusal.headers.get('access-control-expose-headers')).toBe('Retry-After, X-Request-Id');
  });

  test.each([
    'https://evil.example.com',
    'http://other.example.com',
    'https://other.example.com:444',
    'https://other.example.com.evil.example',
    'https://OTHER.example.com',
    'https://sub.other.example.com',
    'null',
    '*',
    '',
  ])('do not include %p', async (origin) => {
    for (const answer of [
      await preflight('/api/v1/auth/identifiers/1', origin),
      await service.call('GET', '/api/v1/auth/identifiers', { headers: { origin } }),
    ]) {
      expect(corsHeaders(answer.headers)).toEqual([]);
      expect(answer.headers.get('vary')).toBe('Origin');
    }
  });

  test('may read only the identity service', async () => {
    for (const path of [
      '/api/config',
      '/devportal/v1/user/projects',
      '/api/keys',
      '/api/auth',
      '/api/auth/bedrock',
      '/',
    ]) {
      expect(corsHeaders((await preflight(path, portal)).headers)).toEqual([]);
      const answer = await service.call('GET', path, { headers: { origin: portal } });
      expect(corsHeaders(answer.headers)).toEqual([]);
    }
  });

  test('a portal that serves no other portals answers apps on the routes of tenants only', async () => {
    const headersOf = async (path: string) => corsHeaders((await preflight(path, portal, alone)).headers);
    for (const path of ['/api/v1/auth/user', '/api/v1/auth/appearance', '/api/v1/auth/appearance/panel']) {
      expect([path, await headersOf(path)]).toEqual([
        path,
        expect.arrayContaining(['access-control-allow-origin']),
      ]);
    }
    expect(await headersOf('/api/v1/auth/identifiers/1')).toEqual([]);
  });

  test('a portal with a hosted identity service answers no other page', async () => {
    const hosted = await startTestApp({ IDENTITY_URL: 'http://127.0.0.1:9' });
    try {
      for (const path of ['/api/v1/auth/user', '/widget/passport.js', '/.well-known/jwks.json']) {
        expect(corsHeaders((await preflight(path, portal, hosted)).headers)).toEqual([]);
      }
    } finally {
      await hosted.close();
    }
  });

  test('any page loads the widget and the keys, which are the same for everybody', async () => {
    const WEB_ROOT = await mkdtemp(join(tmpdir(), 'portal-test-'));
    await mkdir(join(WEB_ROOT, 'widget'));
    await writeFile(join(WEB_ROOT, 'widget', 'passport.js'), 'window.Bedrock = {};');
    const sharing = await startTestApp({ WEB_ROOT });
    try {
      const headers = { origin: portal };
      const file = await sharing.call('GET', '/widget/passport.js', { headers });
      expect(file.status).toBe(200);
      expect(file.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      const keys = await sharing.call('GET', '/.well-known/jwks.json', { headers });
      for (const answer of [file, keys]) {
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      }
    } finally {
      await sharing.close();
      await rm(WEB_ROOT, { recursive: true });
    }
  });
});
