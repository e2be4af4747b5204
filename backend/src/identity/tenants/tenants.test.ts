import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { signUp } from '../../testing/sign.up.js';
import { signedMessage } from '../../testing/signed.message.js';
import { makeTenant, pageOf, type TestTenant } from '../../testing/tenant.page.js';
import { type Answer, startAnother, startTestApp, type TestApp } from '../../testing/test.app.js';

const site = 'https://app.example.com';
const elsewhere = 'https://shop.example.org';

describe('a project as a tenant', () => {
  let portal: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;
  beforeAll(async () => {
    portal = await startTestApp();
    tenant = await makeTenant(portal, [site]);
    other = await makeTenant(portal, [elsewhere]);
  }, 30_000);
  afterAll(() => portal.close());

  const page = (origin = site, code: string | null = tenant.code) => pageOf(portal, origin, code);
  const signIn = async (at = page()) => {
    const { token, userId, refreshToken, email } = await signUp(at);
    return { token, id: userId, refreshToken, email };
  };
  const expectRefused = ({ status, body }: Answer, code: string, wanted: number) =>
    expect([status, body.code]).toEqual([wanted, code]);

  test('signs in with tokens that name the project, the origin and the connection', async () => {
    const { token, id, email } = await signIn();
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      iss: portal.url,
      aud: tenant.code,
      azp: site,
      sub: id,
      provider: 'email',
    });
    expect(JSON.stringify(claims)).not.toContain(email);
    const [row] = await portal.db.query('select user_id from tenant_connections where id = $1', [id]);
    expect(row.user_id).not.toBe(id);
  });

  test('gives any library what it takes to verify its tokens', async () => {
    const { token } = await signIn();
    const { body } = await portal.call('GET', '/.well-known/openid-configuration');
    const keys = createRemoteJWKSet(new URL(body.jwks_uri));
    const verified = await jwtVerify(token, keys, { issuer: body.issuer, audience: tenant.code });
    expect(verified.payload['azp']).toBe(site);
    const answer = await page(elsewhere).call('GET', '/.well-known/jwks.json');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('shows its app an id and the sign-in method until the person consents, and then what they granted', async () => {
    const { token, id, email } = await signIn();
    const user = () => page().call('GET', '/api/v1/auth/user', { token });
    const { body } = await user();
    expect(Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))).toEqual({
      id,
      provider: 'email',
    });
    await portal.db.query(
      `update users set email_verified = true, display_name = 'Ada' where id in
         (select user_id from tenant_connections where id = $1)`,
      [id],
    );
    await portal.db.query(
      `update tenant_connections set claims = '{email}', consented_at = now() where id = $1`,
      [id],
    );
    expect((await user()).body).toMatchObject({ id, email, emailVerified: true, displayName: null });
  });

  test('sets no cookie of the portal for a page of its app', async () => {
    const password = 'a long enough password';
    const body = { email: `cookie-${Date.now()}@example.com`, password, passwordConfirm: password };
    const answer = await page().call('POST', '/api/v1/auth/email/register', { body });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
  });

  test('never shows an email that is not confirmed', async () => {
    const { token, id } = await signIn();
    await portal.db.query(
      `update tenant_connections set claims = '{name,picture,email,wallet}', consented_at = now() where id = $1`,
      [id],
    );
    expect((await page().call('GET', '/api/v1/auth/user', { token })).body.email).toBeNull();
  });

  test('gives one person another id in each project, and the same one at the next sign-in', async () => {
    const email = `both-${Date.now()}@example.com`;
    const first = await signUp(page(), email);
    const login = (at: ReturnType<typeof page>) =>
      at.call('POST', '/api/v1/auth/email/login', { body: { email, password: 'a long enough password' } });
    const second = await login(page(elsewhere, other.code));
    expect(second.status).toBe(200);
    expect(second.body.user.id).not.toBe(first.userId);
    expect((await login(page())).body.user.id).toBe(first.userId);
  });

  test('opens only the user, the sign-out and the economy calls with its tokens', async () => {
    const { token } = await signIn();
    const at = page();
    expect((await at.call('GET', '/api/v1/auth/user', { token })).status).toBe(200);
    const economy = { token, body: { titleId: 'x', count: 1, inventory: true } };
    expect((await at.call('POST', '/api/v1/economy/currency', economy)).status).not.toBe(401);
    for (const path of [
      '/api/keys',
      '/api/v1/auth/identifiers',
      '/api/v1/auth/sessions',
      '/api/auth/bedrock',
    ]) {
      expectRefused(await at.call('GET', path, { token }), 'auth.tokenForeign', 401);
    }
    const linking = await portal.call(
      'GET',
      `/api/v1/auth/identifier/GOOGLE?state=${portal.url}/auth/callback&token=${token}`,
    );
    expectRefused(linking, 'auth.tokenForeign', 401);
    expect(linking.body.message).toContain(site);
    expect((await at.call('POST', '/api/v1/auth/logout', { token })).status).toBe(204);
    expect((await at.call('GET', '/api/v1/auth/user', { token })).status).toBe(401);
  });

  test('refreshes for its own pages only', async () => {
    const { refreshToken, id } = await signIn();
    const refresh = (origin?: string) =>
      portal.call('POST', '/api/v1/auth/refresh', {
        body: { refreshToken },
        headers: origin === undefined ? {} : { origin },
      });
    const { status, body } = await refresh(site);
    expect([status, decodeJwt(body.accessToken)]).toEqual([
      200,
      expect.objectContaining({ aud: tenant.code, azp: site, sub: id }),
    ]);
    for (const origin of [elsewhere, undefined, 'null']) {
      expectRefused(await refresh(origin), 'auth.originNotAllowed', 403);
    }
  });

  test('does not list its sessions among those of the portal, nor end them to make room', async () => {
    const email = `room-${Date.now()}@example.com`;
    const { token } = await signUp(portal, email);
    for (let i = 0; i < 3; i += 1) {
      const body = { email, password: 'a long enough password' };
      expect((await page().call('POST', '/api/v1/auth/email/login', { body })).status).toBe(200);
    }
    expect((await portal.call('GET', '/api/v1/auth/sessions', { token })).body).toHaveLength(1);
  });

  test('admits twelve sign-ins of a new wallet at once as one person', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const signed = await signedMessage({ ...page(), url: site }, wallet);
        return page().call('POST', '/api/v1/message/verify', { body: { ...signed, tenantId: tenant.code } });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
  });

  describe('is named', () => {
    const version = (origin: string, key: string | null = null, query = '') =>
      page(origin, key).call('GET', `/api/v1/settings/version${query}`);

    test('by tenantId, by the subscription key, or by both', async () => {
      expect((await version(site, tenant.code)).status).toBe(200);
      expect((await version(site, null, `?tenantId=${tenant.code}`)).status).toBe(200);
      expect((await version(site, tenant.code, `?tenantId=${tenant.code}`)).status).toBe(200);
    });

    test('by neither if the two differ', async () => {
      expectRefused(await version(site, other.code, `?tenantId=${tenant.code}`), 'auth.tenantConflict', 401);
      const own = portal.environment.TENANT_ID;
      expectRefused(await version(site, tenant.code, `?tenantId=${own}`), 'auth.tenantConflict', 401);
    });

    test('by the origin, with the demo key or none, if only one project allows it', async () => {
      for (const key of ['DEMO_BEDROCK_PASSPORT_KEY', null]) {
        const { token } = await signUp(page(site, key));
        expect(decodeJwt(token).aud).toBe(tenant.code);
      }
    });

    test('by an origin no longer once a second project allows it', async () => {
      const shared = 'https://shared.example.net';
      const first = await makeTenant(portal, [shared]);
      expect((await version(shared)).status).toBe(200);
      await makeTenant(portal, [shared]);
      const refusal = await version(shared);
      expectRefused(refusal, 'auth.tenantRequired', 400);
      expect(refusal.body.message).toContain('subscriptionKey');
      expect((await version(shared, first.code)).status).toBe(200);
    });

    test('by no id that is not a project’s', async () => {
      for (const code of ['orange-zzzzzzzzzz', 'orange-short', "orange-'; --", 'constructor']) {
        const answer = await version(site, null, `?tenantId=${encodeURIComponent(code)}`);
        expectRefused(answer, 'auth.tenantUnknown', 401);
      }
    });
  });

  test.each([
    'http://app.example.com',
    'https://app.example.com.evil.example',
    'https://evil.example',
    'https://APP.example.com',
    'https://app.example.com.',
    'https://sub.app.example.com',
    'https://user@app.example.com',
    'https://app.example.com\\@evil.example',
    'https://app%2eexample.com',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'null',
    'https://xn--pp-xka.example.com',
  ])('refuses pages on %s, and lets them read why', async (origin) => {
    const body = { email: 'x@example.com', password: 'a long enough password' };
    const answer = await page(origin).call('POST', '/api/v1/auth/email/login', { body });
    expectRefused(answer, 'auth.originNotAllowed', 403);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin === 'null' ? null : origin);
  });

  test.each([
    [
      'https://pr-1.preview.example.net',
      'https://pr-1.preview.example.net can’t use sign-in for this project yet. A wildcard allows API calls only. Its owner can allow it in My Projects',
    ],
    ['https://*.preview.example.net', 'It works on public http and https sites'],
    ['null', 'It works on public http and https sites'],
    [`chrome-extension://${'b'.repeat(32)}`, 'It works on public http and https sites'],
  ])('a project that allows calls from %s signs nobody in there', async (origin, wayOut) => {
    const { owner, code } = await makeTenant(portal, ['https://*.preview.example.net']);
    const other = await portal.call('PUT', `/api/projects/${code}/origins`, {
      token: owner.token,
      body: { origins: ['null', `chrome-extension://${'b'.repeat(32)}`] },
    });
    expect(other.status).toBe(200);
    const body = { email: 'x@example.com', password: 'a long enough password' };
    const answer = await pageOf(portal, origin, code).call('POST', '/api/v1/auth/email/login', { body });
    expectRefused(answer, 'auth.originNotAllowed', 403);
    expect(answer.body.message).toContain(wayOut);
    const callback = `${origin}/callback`;
    const query = new URLSearchParams({ tenantId: code, callback });
    const asked = await portal.call('GET', `/api/v1/auth/authorize?${query}`);
    expect([asked.status, asked.headers.get('location')]).toEqual([400, null]);
  });

  test('refuses an endless origin with a short error', async () => {
    const { text } = await page(`https://${'a'.repeat(4000)}.example.com`).call('GET', '/api/v1/auth/widget');
    expect(text.length).toBeLessThan(1000);
  });

  test.each(['http://localhost:5173', 'http://127.0.0.1:8080', 'http://[::1]:3000', 'https://app.localhost'])(
    'admits pages on %s, for development',
    async (origin) => {
      expect(decodeJwt((await signIn(page(origin))).token)['azp']).toBe(origin);
    },
  );

  test('opens with a wallet’s signature for its own origin only', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const verify = async (domain: string, at = page()) => {
      const signed = await signedMessage({ call: portal.call, url: domain }, wallet);
      return at.call('POST', '/api/v1/message/verify', { body: signed });
    };
    for (const domain of [portal.url, elsewhere]) {
      expectRefused(await verify(domain), 'auth.messageInvalid', 401);
    }
    expectRefused(await verify(portal.url, page(portal.url)), 'auth.originNotAllowed', 403);
    expect((await verify(site)).status).toBe(200);
    // Nor does a signature for the app open the portal.
    expectRefused(await verify(site, pageOf(portal, portal.url)), 'auth.messageInvalid', 401);
  });

  test('answers preflights of its routes for any origin, and of no other route', async () => {
    const preflight = (path: string) =>
      portal.call('OPTIONS', path, {
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      });
    for (const path of ['/api/v1/auth/user', '/api/v1/auth/email/login', '/api/v1/message/verify']) {
      const { headers } = await preflight(path);
      expect(headers.get('access-control-allow-origin')).toBe('https://evil.example');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
    for (const path of [
      '/api/keys',
      '/api/v1/auth/identifiers',
      '/api/v1/auth/sessions',
      '/api/v1/auth/proof',
      '/api/v1/user/profile',
      '/devportal/v1/user/projects',
      '/api/auth/bedrock',
    ]) {
      expect((await preflight(path)).headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('signs nobody in to the portal from a foreign page that names the portal', async () => {
    const { email } = await signUp(portal);
    const answer = await pageOf(portal, 'https://evil.example').call(
      'POST',
      `/api/v1/auth/email/login?tenantId=${portal.environment.TENANT_ID}`,
      { body: { email, password: 'a long enough password' } },
    );
    expectRefused(answer, 'auth.originNotAllowed', 403);
  });

  test('has its URLs and its deletion in force at once on every instance', async () => {
    const second = await startAnother(portal);
    try {
      const { owner, code, name } = await makeTenant(portal, [
        'https://one.example.com',
        'https://two.example.com',
      ]);
      const { token, refreshToken } = await signUp(pageOf(second, 'https://two.example.com', code));
      const user = () =>
        pageOf(second, 'https://two.example.com', code).call('GET', '/api/v1/auth/user', { token });
      const refresh = () =>
        second.call('POST', '/api/v1/auth/refresh', {
          body: { refreshToken },
          headers: { origin: 'https://two.example.com' },
        });
      expect((await user()).status).toBe(200);
      const removed = await portal.call('DELETE', '/devportal/v1/project/whitelist', {
        token: owner.token,
        body: { projectName: name, code, url: 'https://two.example.com' },
      });
      expect(removed.status).toBe(200);
      expect((await user()).status).toBe(401);
      expect((await refresh()).status).toBe(403);
      const at = pageOf(second, 'https://one.example.com', code);
      const kept = await signUp(at);
      expect((await portal.call('DELETE', `/api/projects/${code}`, { token: owner.token })).status).toBe(204);
      expect((await at.call('GET', '/api/v1/auth/user', { token: kept.token })).status).toBe(401);
      expectRefused(await at.call('GET', '/api/v1/settings/version'), 'auth.tenantUnknown', 401);
    } finally {
      await second.close();
    }
  });

  test('accepts no token of another tenant or of the portal as its own', async () => {
    const { token: portalToken } = await signUp(portal);
    const { token: ofOther } = await signIn(page(elsewhere, other.code));
    // The app's server verifies the audience; the portal says whom the token is of.
    expect(decodeJwt(portalToken).aud).not.toBe(tenant.code);
    expect(decodeJwt(ofOther).aud).toBe(other.code);
    expectRefused(await portal.call('GET', '/api/keys', { token: ofOther }), 'auth.tokenForeign', 401);
  });
});
