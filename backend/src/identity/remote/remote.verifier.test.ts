import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { foreignToken, HostedIdentity, json, startHostedIdentity } from '../../testing/hosted.identity.js';
import { startAnother, startTestApp, TestApp } from '../../testing/test.app.js';
import { until } from '../../testing/until.js';
import { AccessTokenVerifier } from '../../auth/access-token.verifier.js';

/** A token with this subject belongs to that user; a token without one is refused. */
const bySubject: HostedIdentity['answer'] = (request, response) => {
  const payload = (request.headers.authorization ?? '').split('.')[1] ?? '';
  const { sub, user = {} } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    sub?: string;
    user?: object;
  };
  if (!sub) return json({ message: 'no' }, 401)(request, response);
  json({ id: sub, email: null, provider: 'GOOGLE', ...user })(request, response);
};

describe('a portal with a hosted identity service', () => {
  let hosted: HostedIdentity;
  let portal: TestApp;
  beforeAll(async () => {
    hosted = await startHostedIdentity();
    portal = await startTestApp({ IDENTITY_URL: hosted.url, SUBSCRIPTION_KEY: 'a-key' });
  }, 30_000);
  afterAll(async () => {
    await portal.close();
    await hosted.stop();
  });
  beforeEach(() => {
    hosted.asked.length = 0;
    hosted.answer = bySubject;
  });

  let count = 0;
  /** A separate token for each test, so that no cached result of another test is used. */
  const tokenOf = (sub: string | undefined, user: object = {}) =>
    foreignToken({ sub, user, jti: String(count++) });
  const projects = (token: string) => portal.call('GET', '/devportal/v1/user/projects', { token });
  const rowOf = async (subject: string) =>
    (
      await portal.db.query('select * from users where issuer = $1 and subject = $2', [hosted.url, subject])
    )[0];

  describe('a bearer token', () => {
    test('belongs to the user that the service returns, and is checked once in 30 s', async () => {
      const token = tokenOf('once');
      expect((await projects(token)).status).toBe(200);
      expect((await projects(token)).status).toBe(200);
      expect(hosted.asked).toHaveLength(1);
      expect(hosted.asked[0]?.headers).toMatchObject({
        Authorization: `Bearer ${token}`,
        'Ocp-Apim-Subscription-Key': 'a-key',
      });
    });

    test.each([
      ['party', { azp: 'https://other.example.com' }],
      ['audience', { aud: ['orange-2'] }],
      ['tenant', { tenantId: 'orange-2' }],
    ])('that names another %s is refused without a request to the service', async (_, claims) => {
      const token = foreignToken({ sub: 'elsewhere', ...claims });
      const answer = await projects(token);
      expect([answer.status, answer.body.code]).toEqual([401, 'auth.tokenForeign']);
      const confirmed = await portal.call('POST', '/api/auth/bedrock', {
        body: { token, refreshToken: 'r' },
      });
      expect([confirmed.status, confirmed.body.code]).toEqual([401, 'auth.tokenForeign']);
      expect(hosted.asked).toEqual([]);
    });

    test('that names this portal, its tenant, or no party is accepted', async () => {
      const { PUBLIC_URL: azp, TENANT_ID: tenantId } = portal.environment;
      for (const claims of [{ azp, aud: tenantId, tenantId }, { aud: [azp] }, {}]) {
        expect((await projects(foreignToken({ sub: 'here', ...claims }))).status).toBe(200);
      }
    });

    test('is checked again after 30 s', async () => {
      const verifier = portal.app.get(AccessTokenVerifier);
      const token = tokenOf('again');
      const now = Date.now();
      await verifier.verify(token, now);
      await verifier.verify(token, now + 29_000);
      expect(hosted.asked).toHaveLength(1);
      await verifier.verify(token, now + 31_000);
      expect(hosted.asked).toHaveLength(2);
    });

    test('used fifty times at once is checked once', async () => {
      const token = tokenOf('many');
      const answers = await Promise.all(Array.from({ length: 50 }, () => projects(token)));
      // A user's concurrent project lists are limited too, but only after the token check.
      const refusals = answers.filter(({ status }) => status !== 200);
      expect(refusals.filter(({ body }) => body.code !== 'request.rateLimited')).toEqual([]);
      expect(refusals.length).toBeLessThan(50);
      expect(hosted.asked).toHaveLength(1);
    });

    test('is never cached beyond its expiry', async () => {
      const verifier = portal.app.get(AccessTokenVerifier);
      const exp = Math.floor(Date.now() / 1000) + 10;
      const token = foreignToken({ sub: 'short', exp });
      await expect(verifier.verify(token)).resolves.toMatchObject({ expiresAtMs: exp * 1000 });
      await expect(verifier.verify(token, exp * 1000)).rejects.toMatchObject({ code: 'auth.tokenInvalid' });
      expect(hosted.asked).toHaveLength(1);
    });

    test('that could not be checked is checked by the next request', async () => {
      const token = tokenOf('next');
      hosted.answer = json({}, 500);
      expect((await projects(token)).status).toBe(503);
      hosted.answer = bySubject;
      expect((await projects(token)).status).toBe(200);
    });

    test('that the service refuses is 401', async () => {
      const answer = await projects(tokenOf(undefined));
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe('auth.tokenInvalid');
    });

    test('that is made up, over and over, leaves the service available for other users', async () => {
      const refusesMadeUp: HostedIdentity['answer'] = (request, response) =>
        request.headers.authorization?.includes('.c2lnbmF0dXJl')
          ? bySubject(request, response)
          : json({ message: 'malformed' }, 400)(request, response);
      hosted.answer = refusesMadeUp;
      for (let i = 0; i < 8; i++) {
        const madeUp = tokenOf('anybody').replace('.c2lnbmF0dXJl', '.Z2FyYmFnZQ');
        expect((await projects(madeUp)).status).toBe(401);
      }
      expect((await projects(tokenOf('honest'))).status).toBe(200);
    });

    describe('of an unknown user', () => {
      let proxied: TestApp;
      const open: (() => void)[] = [];
      beforeAll(async () => {
        proxied = await startTestApp({ IDENTITY_URL: hosted.url, TRUST_PROXY: '1' });
      }, 30_000);
      afterAll(() => proxied.close());
      beforeEach(() => {
        // The service delays made-up tokens until the test lets it continue.
        hosted.answer = (request, response) =>
          request.headers.authorization?.includes('.c2lnbmF0dXJl')
            ? bySubject(request, response)
            : void open.push(() => json({ message: 'no' }, 401)(request, response));
      });
      const madeUp = () => tokenOf('anybody').replace('.c2lnbmF0dXJl', '.Z2FyYmFnZQ');
      const from = (address: string, token: string) =>
        proxied.call('GET', '/devportal/v1/user/projects', {
          token,
          headers: { 'x-forwarded-for': address },
        });
      const releaseAll = () => open.splice(0).forEach((answer) => answer());

      test('is checked eight at a time for one client; the ninth is refused, other clients are not', async () => {
        const mine = tokenOf('known');
        expect((await from('198.51.100.1', mine)).status).toBe(200);
        const asked = Array.from({ length: 8 }, () => from('198.51.100.1', madeUp()));
        await until('eight are asked about', () => open.length === 8);
        const refused = await from('198.51.100.1', madeUp());
        expect([refused.status, refused.body.code]).toEqual([429, 'request.rateLimited']);
        expect(refused.headers.get('retry-after')).toBe('1');
        expect(open).toHaveLength(8);

        expect((await from('198.51.100.2', tokenOf('honest'))).status).toBe(200);
        // From the same network as the others, known users stay signed in.
        expect((await from('198.51.100.1', mine)).status).toBe(200);
        const again = proxied.app.get(AccessTokenVerifier).verify(mine, Date.now() + 31_000, '198.51.100.1');
        await expect(again).resolves.toMatchObject({ user: { subject: 'known' } });

        releaseAll();
        expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(8).fill(401));
        expect((await from('198.51.100.1', tokenOf('after'))).status).toBe(200);
      });

      test('counts once if many requests use it at the same time', async () => {
        const verifier = proxied.app.get(AccessTokenVerifier);
        const token = madeUp();
        const asked = Array.from({ length: 30 }, () => verifier.verify(token, Date.now(), '198.51.100.3'));
        const outcomes = Promise.allSettled(asked);
        await until('it is asked about', () => open.length === 1);
        releaseAll();
        for (const outcome of await outcomes) {
          expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'auth.tokenInvalid' } });
        }
      });

      test('is refused above forty pending checks for an IPv6 /48, while known tokens are checked at once', async () => {
        const verifier = proxied.app.get(AccessTokenVerifier);
        const mine = tokenOf('of-a-48');
        const home = '2001:db8:1:ffff::1';
        await verifier.verify(mine, Date.now(), home);
        const asked = Array.from({ length: 40 }, (_, i) =>
          verifier
            .verify(madeUp(), Date.now(), `2001:db8:1:${(i >> 2).toString(16)}::${i}`)
            .catch((error: unknown) => error),
        );
        await until('as many as may are asked about', () => open.length === 16);
        const refused = verifier.verify(madeUp(), Date.now(), '2001:db8:1:abcd::1');
        await expect(refused).rejects.toMatchObject({ code: 'request.rateLimited', retryAfterSeconds: 1 });
        // A known token from the same network is checked at once, while 24 others wait for a slot.
        const again = await verifier.verify(mine, Date.now() + 31_000, home);
        expect(again.user.subject).toBe('of-a-48');
        expect(open).toHaveLength(16);
        // A token from another network waits for a slot and is not refused.
        const stranger = verifier.verify(tokenOf('other-48'), Date.now(), '2001:db8:2::1');
        for (let answered = 0; answered < 40;) {
          await until('the next are asked about', () => open.length > 0);
          answered += open.length;
          releaseAll();
        }
        expect((await stranger).user.subject).toBe('other-48');
        for (const outcome of await Promise.all(asked)) {
          expect(outcome).toMatchObject({ code: 'auth.tokenInvalid' });
        }
        // No slot is leaked.
        const after = await verifier.verify(tokenOf('after-48'), Date.now(), '2001:db8:1:abcd::1');
        expect(after.user.subject).toBe('after-48');
      });

      test('takes at most half of the slots through sockets, which reconnect automatically', async () => {
        const verifier = proxied.app.get(AccessTokenVerifier);
        const asked = Array.from({ length: 9 }, () =>
          verifier.verify(madeUp()).catch((error: unknown) => error),
        );
        expect(await asked[8]).toMatchObject({ code: 'request.rateLimited', retryAfterSeconds: 1 });
        await until('eight are asked about', () => open.length === 8);
        expect((await from('198.51.100.4', tokenOf('honest'))).status).toBe(200);
        releaseAll();
        await Promise.all(asked);
      });
    });

    test.each([
      ['expired', () => foreignToken({ exp: Math.floor(Date.now() / 1000) })],
      ['without expiry', () => foreignToken({ exp: undefined })],
      ['with an expiry in words', () => foreignToken({ exp: 'never' })],
      ['of two parts', () => 'a.b'],
      ['undefined', () => 'undefined'],
      ['with a header that is no JSON', () => foreignToken().replace(/^[^.]+/, 'Z2FyYmFnZQ')],
      ['with a header that names no algorithm', () => foreignToken().replace(/^[^.]+/, 'e30')],
      ['without a signature', () => foreignToken().replace(/[^.]+$/, '')],
      ['not base64', () => '%%%.%%%.%%%'],
      ['with a signature no header can carry', () => `${foreignToken()}\u00e4`],
    ])('%s is 401 without a request to the service', async (_, make) => {
      const verifier = portal.app.get(AccessTokenVerifier);
      await expect(verifier.verify(make())).rejects.toMatchObject({ code: 'auth.tokenInvalid' });
      expect(hosted.asked).toHaveLength(0);
    });

    test('a missing one is 401', async () => {
      const answer = await portal.call('GET', '/devportal/v1/user/projects');
      expect(answer.body).toMatchObject({ statusCode: 401, code: 'auth.required' });
    });

    test('of another user never opens the account of a cached one', async () => {
      const [one, two] = [tokenOf('one'), tokenOf('two')];
      await portal.call('POST', '/devportal/v1/project', {
        token: one,
        body: { projectName: 'Mine', whitelistURL: ['https://example.com'] },
      });
      expect((await projects(one)).body).toHaveLength(1);
      expect((await projects(two)).body).toEqual([]);
    });
  });

  describe('a session that only holds a connection open', () => {
    const endedAmong = (...tokens: string[]) =>
      portal.app
        .get(AccessTokenVerifier)
        .endedAmong(tokens.map((token) => ({ token, sessionId: `session of ${token}` })));

    test('is checked, and ends when the service refuses it or it has expired', async () => {
      const [stands, refused] = [tokenOf('stands'), tokenOf(undefined)];
      const expired = foreignToken({ exp: Math.floor(Date.now() / 1000) });
      const ended = await endedAmong(stands, refused, expired);
      expect(ended.sort()).toEqual([`session of ${refused}`, `session of ${expired}`].sort());
      expect(hosted.asked).toHaveLength(2);
    });

    test('is checked once a minute, counted from its last check', async () => {
      const verifier = portal.app.get(AccessTokenVerifier);
      const token = tokenOf('rests');
      const { sessionId } = await verifier.verify(token);
      hosted.answer = json({ message: 'no' }, 401);
      expect(await verifier.endedAmong([{ token, sessionId }])).toEqual([]);
      expect(hosted.asked).toHaveLength(1);
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
      const ended = await verifier.endedAmong([{ token, sessionId }]).finally(() => clock.mockRestore());
      expect(ended).toEqual([sessionId]);
      expect(hosted.asked).toHaveLength(2);
    });

    test('continues while the service is unavailable', async () => {
      hosted.answer = json({}, 500);
      expect(await endedAmong(tokenOf('unknown'))).toEqual([]);
    });

    test('is not checked twice at once', async () => {
      let send = (): void => undefined;
      hosted.answer = (request, response) => void (send = () => json({}, 401)(request, response));
      const first = endedAmong(tokenOf('slow'));
      await until('it is asked', () => hosted.asked.length === 1);
      expect(await endedAmong(tokenOf('next'))).toEqual([]);
      send();
      expect(await first).toHaveLength(1);
      expect(hosted.asked).toHaveLength(1);
    });
  });

  describe('signing out', () => {
    const leave = (token: string) => portal.call('DELETE', '/api/auth/bedrock', { token });

    test('discards cached results, here and on another instance', async () => {
      const another = await startAnother(portal);
      try {
        const token = tokenOf('leaving');
        expect((await projects(token)).status).toBe(200);
        expect((await another.call('GET', '/devportal/v1/user/projects', { token })).status).toBe(200);
        hosted.answer = json({}, 401);
        expect((await leave(token)).status).toBe(204);
        expect((await projects(token)).status).toBe(401);
        await until('the other instance has heard', async () => {
          const answer = await another.call('GET', '/devportal/v1/user/projects', { token });
          return answer.status === 401;
        });
      } finally {
        await another.close();
      }
    });

    test('prevents caching of a response that was in transit', async () => {
      const token = tokenOf('racing');
      let send = (): void => undefined;
      hosted.answer = (request, response) => void (send = () => bySubject(request, response));
      const early = projects(token);
      await until('it is asked', async () => hosted.asked.length === 1);
      await leave(token);
      hosted.answer = json({}, 401);
      send();
      expect((await early).status).toBe(200);
      expect((await projects(token)).status).toBe(401);
    });

    test('with an unknown or missing token ends no session', async () => {
      expect((await leave(tokenOf('nobody'))).status).toBe(204);
      expect((await portal.call('DELETE', '/api/auth/bedrock')).status).toBe(401);
    });
  });

  describe('the account', () => {
    const user = {
      email: 'ada@example.com',
      emailVerified: true,
      name: 'Ada L.',
      displayName: 'Ada',
      firstName: 'Ada',
      userName: 'ada',
      bio: 'Counts.',
      country: 'United Kingdom',
      picture: 'https://example.com/ada.png',
      ethAddress: '0x52908400098527886e0f7030069857d2e4169ee7',
      waxAddress: 'ada.wam',
      provider: 'GOOGLE',
      role: 'ADMIN',
      createdAt: '2020-01-01T00:00:00.000Z',
    };

    test('is created when first seen, from the service’s data only', async () => {
      await projects(tokenOf('ada', user));
      expect(await rowOf('ada')).toMatchObject({
        email: 'ada@example.com',
        email_verified: true,
        display_name: 'Ada',
        first_name: 'Ada',
        last_name: null,
        user_name: 'ada',
        bio: 'Counts.',
        country: 'United Kingdom',
        profile_image_url: 'https://example.com/ada.png',
        eth_address: '0x52908400098527886E0F7030069857D2E4169EE7',
        wax_address: 'ada.wam',
        provider: 'google',
      });
      await projects(tokenOf('bare'));
      expect(await rowOf('bare')).toMatchObject({ email: null, display_name: null, user_name: null });
    });

    test('follows later changes at the service, and keeps fields that it omits', async () => {
      await projects(tokenOf('later', { displayName: 'Before', country: 'Chile' }));
      const before = await rowOf('later');
      await projects(tokenOf('later', { displayName: 'After' }));
      expect(await rowOf('later')).toMatchObject({ id: before.id, display_name: 'After', country: 'Chile' });
      await projects(tokenOf('later', { displayName: null }));
      expect(await rowOf('later')).toMatchObject({ display_name: null, country: 'Chile' });
    });

    test('does not get an email address or username of another account', async () => {
      await projects(tokenOf('first', { email: 'shared@example.com', userName: 'shared' }));
      const second = tokenOf('second', {
        email: 'SHARED@example.com',
        userName: 'Shared',
        displayName: 'Second',
      });
      expect((await projects(second)).status).toBe(200);
      expect(await rowOf('first')).toMatchObject({ email: 'shared@example.com', user_name: 'shared' });
      expect(await rowOf('second')).toMatchObject({ email: null, user_name: null, display_name: 'Second' });
      await projects(tokenOf('third', { email: 'third@example.com', userName: 'shared' }));
      expect(await rowOf('third')).toMatchObject({ email: 'third@example.com', user_name: null });
      await projects(tokenOf('fourth', { email: 'shared@example.com', userName: 'fourth' }));
      expect(await rowOf('fourth')).toMatchObject({ email: null, user_name: 'fourth' });
    });

    test('is found again if it is named by sub, or by a number', async () => {
      hosted.answer = json({ sub: 'only-sub' });
      await projects(tokenOf('x'));
      expect(await rowOf('only-sub')).toBeDefined();
      hosted.answer = json({ id: 42 });
      await projects(tokenOf('y'));
      await projects(tokenOf('z'));
      expect(await rowOf('42')).toBeDefined();
    });

    test('is one account if twenty clients use it for the first time at once', async () => {
      const verifier = portal.app.get(AccessTokenVerifier);
      const seen = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          verifier.verify(tokenOf('crowd', { userName: 'crowd' }), Date.now(), `192.0.2.${i}`),
        ),
      );
      expect(new Set(seen.map(({ user }) => user.id)).size).toBe(1);
      const rows = await portal.db.query(`select id from users where subject = 'crowd'`);
      expect(rows).toHaveLength(1);
    });

    test('ignores service data of the wrong type', async () => {
      await projects(
        tokenOf('strange', {
          email: 7,
          displayName: ['a'],
          bio: 'a\0b',
          ethAddress: 'vitalik.eth',
          provider: {},
        }),
      );
      expect(await rowOf('strange')).toMatchObject({
        email: null,
        display_name: null,
        bio: null,
        eth_address: null,
      });
    });

    test('of another issuer with the same id is another account', async () => {
      await portal.db.query(
        `insert into users (id, issuer, subject, provider) values (gen_random_uuid(), 'embedded', 'twin', 'email')`,
      );
      await projects(tokenOf('twin'));
      expect(
        await portal.db.query(`select issuer from users where subject = 'twin' order by issuer`),
      ).toHaveLength(2);
    });
  });

  describe('POST /api/auth/bedrock', () => {
    test('returns the user of the token, with the id that the service uses', async () => {
      const token = tokenOf('back', { email: 'back@example.com' });
      const answer = await portal.call('POST', '/api/auth/bedrock', { body: { token, refreshToken: 'r' } });
      expect(answer.status).toBe(200);
      expect(answer.body.user).toMatchObject({ id: 'back', email: 'back@example.com' });
      // Only the service can replace its own refresh token.
      expect(answer.body.refreshToken).toBeUndefined();
      expect(answer.headers.get('cache-control')).toBe('no-store');
    });

    test('refuses a token the service refuses', async () => {
      const body = { token: tokenOf(undefined), refreshToken: 'r' };
      expect((await portal.call('POST', '/api/auth/bedrock', { body })).status).toBe(401);
    });
  });

  describe('GET /api/auth/bedrock', () => {
    const preview = (token: string) => portal.call('GET', '/api/auth/bedrock', { token });

    test('names the account only by an email address that the service calls verified', async () => {
      const profile = { displayName: 'Somebody', ethAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' };
      const verified = await preview(
        tokenOf('seen', { ...profile, email: 'seen@example.com', emailVerified: true }),
      );
      expect(verified.body).toEqual({
        identifiers: [{ provider: 'email', label: 'seen@example.com' }],
        createdAt: null,
      });
      const typed = await preview(tokenOf('typed', { ...profile, email: 'typed@example.com' }));
      expect(typed.body).toEqual({ identifiers: [], createdAt: null });
      expect(typed.headers.get('cache-control')).toBe('no-store');
    });

    test('refuses a token the service refuses', async () => {
      expect((await preview(tokenOf(undefined))).status).toBe(401);
      expect((await portal.call('GET', '/api/auth/bedrock')).status).toBe(401);
    });
  });

  describe('GET /api/login', () => {
    test.each(['google', 'apple'])(
      'redirects %s to the service, with the callback unchanged',
      async (provider) => {
        const answer = await portal.call('GET', `/api/login?provider=${provider}`);
        expect(answer.status).toBe(302);
        expect(answer.headers.get('location')).toBe(
          `${hosted.url}/api/v1/auth/${provider.toUpperCase()}?state=${portal.environment.PUBLIC_URL}/auth/callback&tenantId=orange-0000000000&subscription-key=a-key`,
        );
      },
    );

    test.each(['', '?provider=email', '?provider=google&provider=apple'])('%p is refused', async (query) => {
      expect((await portal.call('GET', `/api/login${query}`)).status).toBe(400);
    });
  });

  test.each([
    ['POST', '/api/v1/auth/email/login'],
    ['POST', '/api/v1/auth/email/register'],
    ['POST', '/api/v1/auth/email/reset'],
    ['GET', '/api/v1/auth/GOOGLE'],
    ['GET', '/api/v1/auth/user'],
    ['POST', '/api/v1/auth/refresh'],
    ['POST', '/api/v1/auth/logout'],
    ['GET', '/api/v1/auth/sessions'],
    ['GET', '/api/v1/message/nonce'],
    ['POST', '/api/v1/message/verify'],
    ['GET', '/api/v1/settings/version'],
    ['GET', '/.well-known/jwks.json'],
    ['POST', '/api/v1/user/profile'],
    ['GET', '/dev/mailbox'],
    ['GET', '/dev/openid/.well-known/openid-configuration'],
  ])('%s %s belongs to the service and is absent here', async (method, path) => {
    const answer = await portal.call(method, path, method === 'POST' ? { body: {} } : {});
    expect(answer.status).toBe(404);
  });

  test('the configuration names the service, and its panel may be loaded from there', async () => {
    const { body } = await portal.call('GET', '/api/config');
    expect(body.identity).toMatchObject({ baseUrl: hosted.url, subscriptionKey: 'a-key' });
    const policy = (await portal.call('GET', '/')).headers.get('content-security-policy') ?? '';
    const directive = (name: string) =>
      policy.split(';').find((part) => part.trim().startsWith(`${name} `)) ?? '';
    for (const name of ['script-src', 'style-src', 'connect-src', 'img-src', 'font-src']) {
      expect(directive(name)).toContain(` ${hosted.url}`);
    }
    for (const name of ['default-src', 'form-action', 'frame-src', 'base-uri', 'object-src']) {
      expect(directive(name)).not.toContain(hosted.url);
    }
  });

  describe('while the service is down', () => {
    let key: string;
    let known: string;
    beforeAll(async () => {
      hosted.answer = bySubject;
      known = tokenOf('owner');
      const made = await portal.call('POST', '/devportal/v1/project', {
        token: known,
        body: { projectName: 'Down', whitelistURL: ['https://example.com'] },
      });
      key = made.body.apiKey;
    });
    beforeEach(() => hosted.stop());
    afterEach(() => hosted.start());

    test('a bearer token gets 503 with Retry-After and never 401', async () => {
      const answer = await projects(tokenOf('unlucky'));
      expect(answer.status).toBe(503);
      expect(answer.body.code).toBe('identity.unavailable');
      expect(answer.headers.get('retry-after')).not.toBeNull();
      const body = { token: tokenOf('unlucky'), refreshToken: 'r' };
      expect((await portal.call('POST', '/api/auth/bedrock', { body })).status).toBe(503);
    });

    test('a recently checked token keeps working', async () => {
      expect((await projects(known)).status).toBe(200);
    });

    test('pages, configuration, readiness and calls with a key work', async () => {
      expect((await portal.call('GET', '/')).status).toBe(200);
      expect((await portal.call('GET', '/api/config')).status).toBe(200);
      expect((await portal.call('GET', '/health/ready')).status).toBe(200);
      const call = await portal.call('GET', '/api/v1/key', { headers: { 'X-API-Key': key } });
      expect(call.status).toBe(200);
    });
  });
});
