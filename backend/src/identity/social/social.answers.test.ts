import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, exportPKCS8, exportSPKI, generateKeyPair, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import type { CryptoKey, JWTPayload } from 'jose';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { ResponseOverrides, HandmadeProvider } from '../../testing/handmade.provider.js';
import { freePort, startTestApp, TestApp } from '../../testing/test.app.js';
import { TestBrowser, Visited } from '../../testing/test.browser.js';
import { signUp } from '../../testing/sign.up.js';
import { tokensAt } from '../../testing/social.browser.js';
import { OpenidClients } from './openid.clients.js';

const newSubject = () => randomBytes(8).toString('hex');
const seconds = () => Math.floor(Date.now() / 1000);

describe('responses of a provider', () => {
  let portal: TestApp;
  let google: HandmadeProvider;
  let apple: HandmadeProvider;
  let appleKey: { publicKey: CryptoKey; privateKey: CryptoKey };
  let browser: TestBrowser;
  beforeAll(async () => {
    google = await HandmadeProvider.start();
    apple = await HandmadeProvider.start();
    appleKey = await generateKeyPair('ES256', { extractable: true });
    portal = await startTestApp({
      GOOGLE_ISSUER: google.issuer,
      GOOGLE_CLIENT_ID: 'our-client',
      GOOGLE_CLIENT_SECRET: 'our secret & more',
      APPLE_ISSUER: apple.issuer,
      APPLE_CLIENT_ID: 'com.example.portal',
      APPLE_TEAM_ID: 'TEAM123456',
      APPLE_KEY_ID: 'KEY1234567',
      // Its line breaks are escaped, as in an environment file.
      APPLE_PRIVATE_KEY: (await exportPKCS8(appleKey.privateKey)).replaceAll('\n', '\\n'),
    });
  });
  afterAll(async () => {
    await portal.close();
    await google.close();
    await apple.close();
  });
  beforeEach(() => {
    browser = new TestBrowser(portal.url);
  });
  afterEach(() => {
    google.next = {};
    apple.next = {};
  });

  const begin = async (provider = 'google', inBrowser = browser): Promise<URL> => {
    const page = await inBrowser.visit(`/api/login?provider=${provider}`, { redirects: 1 });
    expect(page.status).toBe(302);
    return new URL(page.headers.get('location') as string);
  };
  const callback = (query: URLSearchParams | string, inBrowser = browser) =>
    inBrowser.visit(`/api/v1/auth/GOOGLE/callback?${query}`);
  const userAt = async (page: Visited) =>
    (await portal.call('GET', '/api/v1/auth/user', { token: tokensAt(page).token })).body;
  const countUsers = async () => {
    const [{ count }] = await portal.db.query('select count(*)::int as count from users');
    return count as number;
  };
  const expectRefusal = (page: Visited, status: number, title: string) => {
    expect(page.url.pathname).toMatch(/\/callback$/);
    expect({ status: page.status, text: page.text }).toEqual({
      status,
      text: expect.stringContaining(`<h1>${title}</h1>`),
    });
    expect(page.headers.get('location')).toBeNull();
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.text).toContain(`href="${portal.url}/login"`);
    expect(page.text).not.toMatch(/<script|token=/i);
  };
  const untrusted = 'Sign-in with Google didn’t work';
  const elsewhere = 'Sign-in with Google can’t continue';

  describe('the request', () => {
    test('requests a code with PKCE, a fresh nonce and state, and one exact redirect URI', async () => {
      const url = await begin();
      expect(url.origin + url.pathname).toBe(`${google.issuer}/authorize`);
      expect(Object.fromEntries(url.searchParams)).toEqual({
        client_id: 'our-client',
        response_type: 'code',
        scope: 'openid email profile',
        prompt: 'select_account',
        redirect_uri: `${portal.url}/api/v1/auth/GOOGLE/callback`,
        code_challenge_method: 'S256',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        state: expect.stringMatching(/^[\w-]{43}$/),
      });
      const again = await begin();
      for (const name of ['state', 'nonce', 'code_challenge']) {
        expect(again.searchParams.get(name)).not.toBe(url.searchParams.get(name));
      }
    });

    test('a valid response signs in; the code is exchanged with the secret and the verifier', async () => {
      const url = await begin();
      const page = await callback(google.approve(url, { sub: newSubject() }));
      expect(await userAt(page)).toMatchObject({ provider: 'google', email: null, displayName: null });
      const sent = google.tokenRequests.at(-1);
      expect(sent).toMatchObject({
        grant_type: 'authorization_code',
        client_id: 'our-client',
        client_secret: 'our secret & more',
        redirect_uri: `${portal.url}/api/v1/auth/GOOGLE/callback`,
      });
      const challenge = createHash('sha256')
        .update(sent?.['code_verifier'] as string)
        .digest('base64url');
      expect(challenge).toBe(url.searchParams.get('code_challenge'));
    });
  });

  describe('an ID token', () => {
    const others = generateKeyPair('RS256', { extractable: true });
    const signed = (header: Record<string, unknown>): NonNullable<ResponseOverrides['sign']> => {
      return (claims, { privateKey, kid }) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(privateKey);
    };
    const by = (alg: string, key: () => Promise<CryptoKey | Uint8Array>, header = {}) => {
      return async (claims: JWTPayload, { kid }: { kid: string }) =>
        new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(await key());
    };
    const hmacWith =
      (secret: () => Promise<string>) =>
      async (claims: JWTPayload, { kid }: { kid: string }) => {
        const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
        const body = `${encode({ alg: 'HS256', kid })}.${encode(claims)}`;
        return `${body}.${createHmac('sha256', await secret())
          .update(body)
          .digest('base64url')}`;
      };

    test.each<[string, () => ResponseOverrides]>([
      ['with another nonce', () => ({ claims: { nonce: 'another' } })],
      ['without a nonce', () => ({ claims: { nonce: undefined } })],
      ['of another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
      ['of an issuer that begins like it', () => ({ claims: { iss: `${google.issuer}/` } })],
      ['for another client', () => ({ claims: { aud: 'another-client' } })],
      ['for two clients, used by the other', () => ({ claims: { aud: ['our-client', 'x'], azp: 'x' } })],
      ['that has expired', () => ({ claims: { iat: seconds() - 900, exp: seconds() - 600 } })],
      ['without an expiry', () => ({ claims: { exp: undefined } })],
      ['without a subject', () => ({ claims: { sub: undefined } })],
      ['with an empty subject', () => ({ claims: { sub: '' } })],
      ['whose subject is a number', () => ({ claims: { sub: 7 } })],
      ['whose subject is longer than any may be', () => ({ claims: { sub: 'x'.repeat(256) } })],
      ['that is not signed', () => ({ sign: (claims) => new UnsecuredJWT(claims).encode() })],
      ['signed by another key', () => ({ sign: by('RS256', async () => (await others).privateKey) })],
      [
        'signed by a key that it brings along',
        () => ({
          sign: async (claims, key) => {
            const { privateKey, publicKey } = await others;
            return by('RS256', async () => privateKey, { jwk: await exportJWK(publicKey) })(claims, key);
          },
        }),
      ],
      ['of an unknown key', () => ({ sign: signed({ kid: 'unknown' }) })],
      [
        'signed with the public key as a secret',
        () => ({ sign: hmacWith(() => exportSPKI(google.publicKey)) }),
      ],
      ['signed with our client secret', () => ({ sign: hmacWith(async () => 'our secret & more') })],
      [
        'with its last letter changed',
        () => ({
          sign: async (claims, key) => {
            const token = await signed({})(claims, key);
            const [head, body, signature = ''] = token.split('.');
            return [head, body, (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)].join('.');
          },
        }),
      ],
      ['that is no token', () => ({ sign: () => 'abc' })],
      ['that is empty', () => ({ sign: () => '' })],
    ])('%s signs nobody in and creates no account', async (_, overrides) => {
      const url = await begin();
      const before = await countUsers();
      google.next = overrides();
      expectRefusal(await callback(google.approve(url, { sub: newSubject() })), 502, untrusted);
      expect(await countUsers()).toBe(before);
    });
  });

  test.each<[string, NonNullable<ResponseOverrides['answer']>]>([
    ['a failure', (response) => response.writeHead(500).end('no')],
    ['a refusal', (response) => response.writeHead(400).end('{"error":"invalid_client"}')],
    ['a redirect', (response) => response.writeHead(302, { location: 'https://evil.example' }).end()],
    ['a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hi</h1>')],
    [
      'half of JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id'),
    ],
    [
      'no ID token',
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"access_token":"x","token_type":"bearer"}'),
    ],
    ['a broken connection', (response) => response.destroy()],
  ])('returns 502 if the token endpoint returns %s', async (_, answer) => {
    const url = await begin();
    google.next = { answer };
    expectRefusal(await callback(google.approve(url, { sub: newSubject() })), 502, untrusted);
  });

  test('returns 502 if the token endpoint never responds', async () => {
    const url = await begin();
    google.next = { answer: () => undefined };
    const client = await portal.app.get(OpenidClients)['clientOf']('google');
    const { timeout } = client;
    expect(timeout).toBe(10);
    client.timeout = 0.2;
    const refused = callback(google.approve(url, { sub: newSubject() }));
    expectRefusal(await refused.finally(() => (client.timeout = timeout)), 502, untrusted);
  });

  test('an ID token with another nonce returns 502 as JSON to a client that accepts JSON', async () => {
    const url = await begin();
    google.next = { claims: { nonce: 'another' } };
    const query = google.approve(url, { sub: newSubject() });
    const page = await browser.visit(`/api/v1/auth/GOOGLE/callback?${query}`, {
      headers: { accept: 'application/json' },
    });
    expect(JSON.parse(page.text)).toMatchObject({ statusCode: 502, code: 'auth.providerFailed' });
  });

  test('returns 502 while a provider is down, and uses it again once it is up', async () => {
    const port = await freePort();
    const issuer = `http://localhost:${port}`;
    const other = await startTestApp({
      GOOGLE_ISSUER: issuer,
      GOOGLE_CLIENT_ID: 'our-client',
      GOOGLE_CLIENT_SECRET: 'x',
    });
    const visitor = new TestBrowser(other.url);
    const down = await visitor.visit('/api/login?provider=google');
    expect(down.status).toBe(502);
    expect(down.text).toContain(`<h1>${untrusted}</h1>`);
    const provider = await HandmadeProvider.start(port);
    expect((await visitor.visit('/api/login?provider=google', { redirects: 1 })).status).toBe(302);
    await provider.close();
    await other.close();
  });

  describe('the callback', () => {
    test.each<[string, (query: URLSearchParams) => void]>([
      ['with another state', (query) => query.set('state', 'A'.repeat(43))],
      [
        'with one letter of the state changed',
        (query) => {
          const state = query.get('state') as string;
          query.set('state', (state.startsWith('A') ? 'B' : 'A') + state.slice(1));
        },
      ],
      ['without a state', (query) => query.delete('state')],
      ['with an empty state', (query) => query.set('state', '')],
      ['with two states', (query) => query.append('state', 'x')],
      ['with a state of every object', (query) => query.set('state', '__proto__')],
      ['with a state that is a method', (query) => query.set('state', 'constructor')],
      ['with a long state', (query) => query.set('state', 'x'.repeat(4000))],
      ['with two codes', (query) => query.append('code', 'x')],
    ])('%s is refused, and the sign-in can still be completed', async (_, mutate) => {
      const url = await begin();
      const query = google.approve(url, { sub: newSubject() });
      const mutated = new URLSearchParams(query);
      mutate(mutated);
      expectRefusal(await callback(mutated), 400, elsewhere);
      expect(tokensAt(await callback(query)).token).not.toBe('');
    });

    test.each<[string, (query: URLSearchParams) => void]>([
      ['with another code', (query) => query.set('code', 'x')],
      ['without a code', (query) => query.delete('code')],
      ['with an unknown error code', (query) => (query.delete('code'), query.set('error', '<b>x</b>'))],
      ['of another issuer', (query) => query.set('iss', 'https://evil.example')],
    ])('%s signs nobody in', async (_, mutate) => {
      const query = google.approve(await begin(), { sub: newSubject() });
      mutate(query);
      expectRefusal(await callback(query), 502, untrusted);
    });

    test('works once', async () => {
      const query = google.approve(await begin(), { sub: newSubject() });
      expect(tokensAt(await callback(query)).token).not.toBe('');
      expectRefusal(await callback(query), 400, elsewhere);
    });

    test('succeeds for one of ten concurrent requests', async () => {
      const query = google.approve(await begin(), { sub: newSubject() });
      const pages = await Promise.all(Array.from({ length: 10 }, () => callback(query)));
      expect(pages.filter(({ url }) => url.pathname === '/auth/callback')).toHaveLength(1);
    });

    test('in another browser does not sign that one in, so an attacker’s response is useless against a victim', async () => {
      const attacker = new TestBrowser(portal.url);
      const query = google.approve(await begin('google', attacker), { sub: newSubject() });
      expectRefusal(await callback(query), 400, elsewhere);
      await begin();
      expectRefusal(await callback(query), 400, elsewhere);
      expect(tokensAt(await callback(query, attacker)).token).not.toBe('');
    });

    test('refuses a code of another flow, of this browser or another, because its verifier differs', async () => {
      const attacker = new TestBrowser(portal.url);
      const stolen = google.approve(await begin(), { sub: newSubject() });
      for (const thief of [attacker, browser]) {
        const theirs = google.approve(await begin('google', thief), { sub: newSubject() });
        theirs.set('code', stolen.get('code') as string);
        expectRefusal(await callback(theirs, thief), 502, untrusted);
      }
    });

    test('at the address of the other provider is refused', async () => {
      const query = google.approve(await begin(), { sub: newSubject() });
      const page = await browser.visit(`/api/v1/auth/APPLE/callback?${query}`);
      expectRefusal(page, 400, 'Sign-in with Apple can’t continue');
    });

    test('is refused after its time limit', async () => {
      const query = google.approve(await begin(), { sub: newSubject() });
      await portal.db.query(
        `update sessions set sess = jsonb_set(sess, array['flows', $1, 'expiresAtMs'], '1')`,
        [query.get('state')],
      );
      expectRefusal(await callback(query), 400, elsewhere);
    });

    test('works for the ten flows begun last; earlier ones are dropped', async () => {
      const queries: URLSearchParams[] = [];
      for (let n = 0; n < 12; n++) queries.push(google.approve(await begin(), { sub: newSubject() }));
      expectRefusal(await callback(queries[0] as URLSearchParams), 400, elsewhere);
      expectRefusal(await callback(queries[1] as URLSearchParams), 400, elsewhere);
      for (const query of queries.slice(2)) expect(tokensAt(await callback(query)).token).not.toBe('');
    });

    test.each(['access_denied', 'user_cancelled_authorize'])('with %s is a cancellation', async (error) => {
      const state = (await begin()).searchParams.get('state') as string;
      expectRefusal(
        await callback(new URLSearchParams({ state, error })),
        400,
        'Sign-in with Google was cancelled',
      );
    });
  });

  describe('the stored data', () => {
    const signIn = async (claims: JWTPayload) =>
      userAt(await callback(google.approve(await begin(), { sub: newSubject(), ...claims })));

    test('contains the given names and photo, without extra spaces', async () => {
      const user = await signIn({
        name: '  Ada   Lovelace ',
        given_name: 'Ada',
        picture: 'https://pictures.example/a.png',
      });
      expect(user).toMatchObject({
        displayName: 'Ada Lovelace',
        firstName: 'Ada',
        picture: 'https://pictures.example/a.png',
      });
    });

    test.each<[string, JWTPayload]>([
      [
        'of other types',
        { name: 7, given_name: {}, family_name: [], picture: true, email: 3, email_verified: 1 },
      ],
      ['that are too long', { name: 'x'.repeat(81), picture: `https://a.example/${'x'.repeat(2048)}` }],
      ['that do not show', { name: 'a\u202eb', given_name: '\u200b', email: 'a b@example.com' }],
      ['that point to another site', { picture: 'javascript:alert(1)', email: 'x' }],
      ['by http', { picture: 'http://pictures.example/a.png' }],
    ])('contains nothing of claims %s', async (_, claims) => {
      const user = await signIn(claims);
      expect(user).toMatchObject({ displayName: null, firstName: null, picture: null, email: null });
    });

    test('an email address is verified if the flag is true or, as Apple sends it, "true", and not otherwise', async () => {
      for (const [isVerified, said] of [
        [true, true],
        [true, 'true'],
        [false, 'false'],
        [false, 1],
        [false, 'yes'],
        [false, undefined],
      ]) {
        const email = `${newSubject()}@gmail.com`;
        const user = await signIn({ email, email_verified: said });
        expect(user).toMatchObject({ email, emailVerified: isVerified });
      }
    });
  });

  describe('an email address that Google calls verified', () => {
    const signInWith = async (claims: JWTPayload): Promise<Record<string, unknown>> =>
      userAt(
        await callback(google.approve(await begin(), { sub: newSubject(), email_verified: true, ...claims })),
      );
    const at = (domain: string) => `${newSubject()}@${domain}`;
    const verifiedHere = async (email: string): Promise<string> => {
      const { userId } = await signUp(portal, email);
      await portal.db.query('update users set email_verified = true where id = $1', [userId]);
      await portal.db.query(
        'update credentials set email_verified = true, vouched = true where user_id = $1',
        [userId],
      );
      return userId;
    };

    test.each([
      ['of Gmail', 'gmail.com', undefined],
      ['of Gmail under its other name', 'GoogleMail.com', undefined],
      ['of a domain that is kept at Google', 'firm.example', 'Firm.Example'],
    ])('%s leads to the account that has it', async (_, domain, hd) => {
      const email = at(domain);
      const userId = await verifiedHere(email);
      expect((await signInWith({ email, hd })).id).toBe(userId);
    });

    test.each([
      ['of a domain that is not kept there', 'firm.example', undefined],
      ['of another domain than the one kept there', 'firm.example', 'other.example'],
      ['of a domain below the one kept there', 'mail.firm.example', 'firm.example'],
      ['of a domain that ends like Gmail', 'notgmail.com', undefined],
      ['with a domain that is no text', 'firm.example', ['firm.example']],
    ])('%s joins no account, and no account loses it', async (_, domain, hd) => {
      const [owned, claimed] = [at(domain), at(domain)];
      const owner = await verifiedHere(owned);
      const other = await signInWith({ email: owned, hd });
      expect(other.id).not.toBe(owner);
      expect(other).toMatchObject({ email: null, emailVerified: false });

      const claimer = await signUp(portal, claimed);
      expect(await signInWith({ email: claimed, hd })).toMatchObject({ email: null });
      const login = await portal.call('POST', '/api/v1/auth/email/login', {
        body: { email: claimed, password: 'a long enough password' },
      });
      expect(login.body.user.id).toBe(claimer.userId);
      expect(await signInWith({ email: at(domain), hd })).toMatchObject({ emailVerified: false });
    });
  });

  describe('Apple', () => {
    const post = (fields: Record<string, string>, inBrowser = browser, redirects = 20) =>
      inBrowser.visit('/api/v1/auth/APPLE/callback', { form: fields, redirects });

    test('posts its response without the portal’s cookie, and a navigation then sends it with the cookie', async () => {
      const url = await begin('apple');
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        client_id: 'com.example.portal',
        scope: 'openid email name',
        response_mode: 'form_post',
        redirect_uri: `${portal.url}/api/v1/auth/APPLE/callback`,
      });
      const fields = Object.fromEntries(apple.approve(url, { sub: newSubject(), email_verified: 'true' }));
      const name = { name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'victim@example.com' };
      const withoutCookie = await post(
        { ...fields, user: JSON.stringify(name) },
        new TestBrowser(portal.url),
        0,
      );
      expect(withoutCookie.status).toBe(303);
      expect(withoutCookie.headers.get('cache-control')).toBe('no-store');
      const onward = withoutCookie.headers.get('location') as string;
      expect(onward).toMatch(/^\/api\/v1\/auth\/APPLE\/callback\?/);
      const user = await userAt(await browser.visit(onward));
      // The name comes from the browser, unsigned; an email address from there would prove nothing.
      expect(user).toMatchObject({
        displayName: 'Ada Lovelace',
        firstName: 'Ada',
        email: null,
        provider: 'apple',
      });
    });

    test.each([
      ['empty', ''],
      ['null', 'null'],
      ['a number', '7'],
      ['a list', '[]'],
      ['without parts', '{"name":7}'],
      ['with parts of other types', '{"name":{"firstName":{}}}'],
      ['longer than an address may be', 'x'.repeat(3000)],
      ['that reaches for the prototype', '{"__proto__":1}'],
    ])('a name that is %s is ignored without an error', async (_, user) => {
      const fields = Object.fromEntries(apple.approve(await begin('apple'), { sub: newSubject() }));
      expect(await userAt(await post({ ...fields, user }))).toMatchObject({ displayName: null });
    });

    test('gets a client secret that the portal’s key signed for this request', async () => {
      const fields = Object.fromEntries(apple.approve(await begin('apple'), { sub: newSubject() }));
      await post(fields);
      const sent = apple.tokenRequests.at(-1);
      expect(sent).toMatchObject({ client_id: 'com.example.portal' });
      const { payload, protectedHeader } = await jwtVerify(
        sent?.['client_secret'] as string,
        appleKey.publicKey,
        { issuer: 'TEAM123456', subject: 'com.example.portal', audience: apple.issuer },
      );
      expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY1234567' });
      expect(payload.exp).toBeGreaterThan(seconds());
      expect((payload.exp as number) - (payload.iat as number)).toBeLessThanOrEqual(300);
    });

    test.each([
      ['{}', 'application/json'],
      ['[]', 'application/json'],
      ['"state"', 'application/json'],
      ['state[]=a&code=b', 'application/x-www-form-urlencoded'],
      ['', 'application/x-www-form-urlencoded'],
    ])('a post of %p leads to the page that explains the error', async (body, type) => {
      const answer = await fetch(`${portal.url}/api/v1/auth/APPLE/callback`, {
        method: 'POST',
        headers: { 'content-type': type, accept: 'text/html' },
        body,
      });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('Sign-in with Apple can’t continue');
    });

    test('is the only provider that posts its response: Google’s callback returns 404 for a POST', async () => {
      const answer = await fetch(`${portal.url}/api/v1/auth/GOOGLE/callback`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'state=a',
      });
      expect(answer.status).toBe(404);
    });
  });
});
