import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hostileStates } from '../../testing/hostile.states.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('sign-in with Google and Apple', () => {
  let portal: TestApp;
  let callback: string;
  beforeAll(async () => {
    portal = await startTestApp({ TENANT_ID: 'orange-abcdefghij', SUBSCRIPTION_KEY: 'key & more' });
    callback = `${portal.environment.PUBLIC_URL}/auth/callback`;
  });
  afterAll(() => portal.close());

  describe('GET /api/login', () => {
    test.each([
      ['google', 'GOOGLE'],
      ['apple', 'APPLE'],
    ])('redirects provider=%s to the identity service with 302', async (provider, name) => {
      const answer = await portal.call('GET', `/api/login?provider=${provider}`);
      expect(answer.status).toBe(302);
      const location = new URL(answer.headers.get('location') as string, portal.url);
      expect(location.origin + location.pathname).toBe(`${portal.url}/api/v1/auth/${name}`);
      expect(Object.fromEntries(location.searchParams)).toEqual({
        state: callback,
        tenantId: 'orange-abcdefghij',
        'subscription-key': 'key & more',
      });
    });

    test.each([
      ['', 'provider must be google or apple'],
      ['?provider=', 'provider must be google or apple (given "")'],
      ['?provider=GOOGLE', 'provider must be google or apple (given "GOOGLE")'],
      ['?provider=//evil.example', 'provider must be google or apple (given "//evil.example")'],
      ['?provider=google&provider=apple', 'provider must be google or apple (given a list of 2)'],
    ])('returns 400 for %s', async (query, message) => {
      const answer = await portal.call('GET', `/api/login${query}`);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('location')).toBeNull();
      expect(answer.body).toMatchObject({ code: 'auth.providerUnknown', message });
    });

    test.each(['', '?provider=nonsense', '?provider=%22%3E%3Cscript%3E'])(
      'returns 400 and shows a browser a page for %j, which repeats none of it and links to sign-in',
      async (query) => {
        const page = await portal.call('GET', `/api/login${query}`, { headers: html });
        expect(page.status).toBe(400);
        expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(page.headers.get('cache-control')).toBe('no-store');
        expect(page.text).toContain('<h1>This sign-in link isn’t valid</h1>');
        expect(page.text).toContain(`href="${portal.environment.PUBLIC_URL}/login"`);
        expect(page.text).not.toMatch(/nonsense|<script/);
      },
    );

    test('a forged Host changes nothing', async () => {
      const answer = await portal.call('GET', '/api/login?provider=google', {
        headers: {
          'x-forwarded-host': 'evil.example',
          'x-forwarded-proto': 'https',
          forwarded: 'host=evil.example',
        },
      });
      expect(answer.headers.get('location')).not.toContain('evil.example');
    });
  });

  describe.each([
    '/api/v1/auth/GOOGLE',
    '/api/v1/auth/APPLE',
    '/api/v1/auth/identifier/GOOGLE',
    '/api/v1/auth/identifier/APPLE',
  ])('GET %s', (path) => {
    const isLink = path.includes('identifier');
    const title = isLink ? 'This link isn’t valid' : 'This sign-in link isn’t valid';
    const begin = (state: string, headers: Record<string, string> = {}) =>
      portal.call('GET', `${path}?state=${encodeURIComponent(state)}&tenantId=orange-abcdefghij`, {
        headers,
      });

    // Without an access token nothing is linked, whatever the state.
    const accepted = isLink ? 401 : 302;

    test('the plain, unencoded callback of the identity client is accepted', async () => {
      const query = `state=${callback}&tenantId=orange-abcdefghij&subscription-key=y`;
      expect((await portal.call('GET', `${path}?${query}`)).status).toBe(accepted);
    });

    test('the tenant is optional, because some clients have none', async () => {
      expect((await portal.call('GET', `${path}?state=${callback}`)).status).toBe(accepted);
    });

    test.each([
      ['tenantId=orange-1111111111', '"orange-1111111111"'],
      ['tenantId=', '""'],
      ['tenantId=orange-abcdefghij&tenantId=orange-1111111111', 'a list of 2'],
    ])('returns 401 for another tenant, %s', async (query, shown) => {
      const answer = await portal.call('GET', `${path}?state=${callback}&${query}`);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('location')).toBeNull();
      expect(answer.body).toMatchObject({
        code: 'auth.tenantUnknown',
        message: `No project has this tenantId (given ${shown}). Copy the project ID from My Projects`,
      });
    });

    test('returns 401 and shows a browser this portal’s tenant but none of the input', async () => {
      const query = `state=${callback}&tenantId=${encodeURIComponent('<script>alert(1)</script>')}`;
      const answer = await portal.call('GET', `${path}?${query}`, { headers: html });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.text).toContain(title);
      expect(answer.text).toContain('This portal’s tenant is orange-abcdefghij.');
      expect(answer.text).not.toContain('<script');
    });

    test('returns 400 and shows a browser the error but none of the input', async () => {
      const answer = await begin('https://evil.example/<script>alert(1)</script>', html);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.text).toContain(title);
      expect(answer.text).not.toContain('evil.example');
      expect(answer.text).not.toContain('<script');
    });

    test('returns 400 for every address an attacker sends, and never redirects', async () => {
      for (const state of hostileStates(portal.environment.PUBLIC_URL)) {
        const answer = await begin(state);
        expect({ state, status: answer.status }).toEqual({ state, status: 400 });
        expect(answer.headers.get('location')).toBeNull();
        expect(answer.body.code).toBe('auth.redirectInvalid');
      }
    });

    test('returns 400 for a missing and for a repeated state', async () => {
      expect((await portal.call('GET', path)).status).toBe(400);
      expect((await portal.call('GET', `${path}?state=${callback}&state=https://evil.example`)).status).toBe(
        400,
      );
    });
  });

  test('no state causes a redirect away from this portal', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ maxLength: 60 }), fc.webUrl({ withFragments: true, withQueryParameters: true })),
        async (state) => {
          for (const prefix of ['', callback]) {
            const query = new URLSearchParams({ state: prefix + state });
            const answer = await portal.call('GET', `/api/v1/auth/GOOGLE?${query}`);
            expect(answer.status).toBe(prefix + state === callback ? 302 : 400);
            // An accepted state leads to the provider, which redirects to one registered address only.
            const location = new URL(answer.headers.get('location') ?? '', portal.url);
            expect(location.origin).toBe(portal.url);
            const back = location.searchParams.get('redirect_uri');
            expect([null, `${portal.url}/api/v1/auth/GOOGLE/callback`]).toContain(back);
          }
        },
      ),
      // callback.rule.test.ts tests the rule with many more states; each run here makes two requests.
      { numRuns: 25 },
    );
  });
});
