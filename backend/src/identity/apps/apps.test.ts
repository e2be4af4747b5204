import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { askFor, tab } from '../../testing/app.sign-in.js';
import { openLive } from '../../testing/open.live.js';
import { pictureOf, upload } from '../../testing/pictures.js';
import { type SignedUp, signUp } from '../../testing/sign.up.js';
import { makeTenant, pageOf, type TestTenant } from '../../testing/tenant.page.js';
import { startAnother, startTestApp, type TestApp } from '../../testing/test.app.js';
import { TestBrowser } from '../../testing/test.browser.js';
import { until } from '../../testing/until.js';

const site = 'https://app.example.com';

describe('connected apps', () => {
  let portal: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    portal = await startTestApp();
    tenant = await makeTenant(portal, [site], { name: 'Acme' });
  }, 30_000);
  afterAll(() => portal.close());

  const list = async ({ token }: SignedUp) => (await portal.call('GET', '/api/v1/auth/apps', { token })).body;
  const user = (token: string) => pageOf(portal, site).call('GET', '/api/v1/auth/user', { token });
  const refresh = (refreshToken: string, at: Pick<TestApp, 'call'> = portal) =>
    pageOf(at, site).call('POST', '/api/v1/auth/refresh', { body: { refreshToken } });

  /** A person with a confirmed email and a name, signed in to the app. */
  const connect = async (claims: Record<string, string> = {}) => {
    const person = await signUp(portal);
    await portal.db.query("update users set email_verified = true, display_name = 'Ada' where id = $1", [
      person.userId,
    ]);
    const browser = new TestBrowser(portal.url);
    const flow = { tenantId: tenant.code, callback: `${site}/`, tab };
    const { page } = await askFor(browser, flow, person);
    const { searchParams } = (await browser.submit(page, 'Continue', claims)).url;
    const token = searchParams.get('token') as string;
    return {
      person,
      token,
      refreshToken: searchParams.get('refreshToken') as string,
      id: decodeJwt(token).sub as string,
    };
  };

  test('lists what each app sees, and the origins of its sessions', async () => {
    const { person, id } = await connect({ name: 'yes' });
    const [app, ...more] = await list(person);
    expect(more).toEqual([]);
    expect(app).toEqual({
      id,
      projectId: tenant.code,
      name: 'Acme',
      previousName: null,
      origins: [site],
      site,
      connectedAt: expect.any(String),
      lastUsedAt: expect.any(String),
      claims: ['name'],
    });
  });

  test('names the app’s site after a sign-out too, when the project allows others, and when its sessions are forgotten', async () => {
    const { person, id, token } = await connect();
    expect((await pageOf(portal, site).call('POST', '/api/v1/auth/logout', { token })).status).toBe(204);
    expect(await list(person)).toMatchObject([{ origins: [], site }]);
    await portal.db.query('delete from refresh_tokens where connection_id = $1', [id]);
    expect(await list(person)).toMatchObject([{ origins: [], site }]);
  });

  test('changes what an app sees at its next call, and in its next token', async () => {
    const { person, id, token, refreshToken } = await connect({ name: 'yes' });
    const change = (claims: unknown) =>
      portal.call('PATCH', `/api/v1/auth/apps/${id}`, { token: person.token, body: { claims } });
    expect((await change(['email'])).status).toBe(204);
    expect((await user(token)).body).toMatchObject({ email: person.email, displayName: null });
    const { accessToken } = (await refresh(refreshToken)).body;
    expect(decodeJwt(accessToken)).toMatchObject({ email: person.email, email_verified: true });
    expect(decodeJwt(accessToken)).not.toHaveProperty('name');
    expect((await change([])).status).toBe(204);
    expect((await user(token)).text).not.toContain(person.email);
    for (const claims of [['password'], 'email', undefined, Array(5).fill('name')]) {
      expect((await change(claims)).status).toBe(400);
    }
  });

  test('disconnects an app at once, on every instance', async () => {
    const second = await startAnother(portal);
    try {
      const { person, id, token, refreshToken } = await connect({ name: 'yes' });
      expect((await refresh(refreshToken, second)).status).toBe(200);
      const path = `/api/v1/auth/apps/${id}`;
      expect((await portal.call('DELETE', path, { token: person.token })).status).toBe(204);
      expect((await user(token)).status).toBe(401);
      const answer = await pageOf(second, site).call('GET', '/api/v1/auth/user', { token });
      expect([answer.status, (await refresh(refreshToken, second)).status]).toEqual([401, 401]);
      expect(await list(person)).toEqual([]);
      // The portal's own session stays.
      expect((await portal.call('GET', '/api/keys', { token: person.token })).status).toBe(200);
      expect((await portal.call('DELETE', path, { token: person.token })).status).toBe(404);
    } finally {
      await second.close();
    }
  });

  test('tells the owner’s open page of a change and of a disconnection, and of nobody else’s', async () => {
    const second = await startAnother(portal);
    const live = await openLive(second.url, { token: tenant.owner.token });
    const stranger = await openLive(portal.url, { token: (await signUp(portal)).token });
    try {
      const { person, id } = await connect({ name: 'yes' });
      const told = (count: number) =>
        until(
          'the page hears of it',
          () => live.changes.filter(({ kind }) => kind === 'consented').length === count,
          1_000,
        );
      const named = async () => {
        const { body } = await portal.call('GET', `/api/projects/${tenant.code}/users`, {
          token: tenant.owner.token,
        });
        return body.users.find((user: { id: string }) => user.id === id).name;
      };
      expect(await named()).toBe('Ada');
      const path = `/api/v1/auth/apps/${id}`;
      await portal.call('PATCH', path, { token: person.token, body: { claims: [] } });
      await told(1);
      expect(await named()).toBeNull();
      await portal.call('PATCH', path, { token: person.token, body: { claims: ['name'] } });
      await told(2);
      expect(await named()).toBe('Ada');
      await portal.call('DELETE', path, { token: person.token });
      await told(3);
      expect(await named()).toBeNull();
      expect(live.changes.at(-1)).toEqual({ projectId: tenant.code, kind: 'consented' });
      expect(stranger.changes).toEqual([]);
    } finally {
      live.close();
      stranger.close();
      await second.close();
    }
  });

  test('gives a person who returns the same id, and asks again what the app sees', async () => {
    const { person, id } = await connect({ name: 'yes' });
    await portal.call('DELETE', `/api/v1/auth/apps/${id}`, { token: person.token });
    const flow = { tenantId: tenant.code, callback: `${site}/`, tab };
    const browser = new TestBrowser(portal.url);
    const { page } = await askFor(browser, flow, person);
    const back = await browser.submit(page, 'Continue');
    const claims = decodeJwt(back.url.searchParams.get('token') as string);
    expect(claims.sub).toBe(id);
    expect(claims).not.toHaveProperty('name');
  });

  test.each(['/api/v1/auth/apps/x', '/api/v1/auth/apps/01890000-0000-7000-8000-000000000000'])(
    'knows no app %s',
    async (path) => {
      const { token } = await signUp(portal);
      for (const [method, body] of [
        ['DELETE', undefined],
        ['PATCH', { claims: ['email'] }],
      ] as const) {
        const answer = await portal.call(method, path, { token, body });
        expect([answer.status, answer.body.code]).toEqual([404, 'auth.appNotFound']);
      }
    },
  );

  test('lets no token of the app change what the app sees', async () => {
    const { id, token } = await connect();
    const body = { claims: ['email'] };
    for (const answer of [
      await portal.call('PATCH', `/api/v1/auth/apps/${id}`, { token, body }),
      await portal.call('GET', '/api/v1/auth/apps', { token }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'auth.tokenForeign']);
    }
  });

  test('gives an app a picture that any page can show', async () => {
    const { person, id, token } = await connect();
    await upload(portal, person.token, await pictureOf(40, 30).png().toBuffer());
    await portal.call('PATCH', `/api/v1/auth/apps/${id}`, {
      token: person.token,
      body: { claims: ['picture'] },
    });
    const { picture } = (await user(token)).body;
    expect(new URL(picture).origin).toBe(portal.environment.PUBLIC_URL);
    const { status, headers } = await fetch(picture);
    expect([status, headers.get('cross-origin-resource-policy')]).toEqual([200, 'cross-origin']);
  });

  test('records a use of the app by the user call and the refresh, at most once a minute', async () => {
    const { person, id, token, refreshToken } = await connect();
    for (const use of [() => user(token), () => refresh(refreshToken)]) {
      await portal.db.query(
        `update tenant_connections set last_used_at = now() - interval '1 day' where id = $1`,
        [id],
      );
      await use();
      const [{ lastUsedAt }] = await list(person);
      expect(Date.now() - Date.parse(lastUsedAt)).toBeLessThan(60_000);
      await use();
      expect((await list(person))[0].lastUsedAt).toBe(lastUsedAt);
    }
  });
});
