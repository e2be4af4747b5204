import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, importPKCS8, SignJWT } from 'jose';
import type { CryptoKey, JWTHeaderParameters, JWTPayload } from 'jose';
import { newId } from '../../database/new.id.js';
import { SecretsService } from '../../secrets/secrets.service.js';
import { SignedUp, signUp } from '../../testing/sign.up.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';
import { AccessTokenVerifier } from '../../auth/access-token.verifier.js';

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('access tokens', () => {
  let portal: TestApp;
  let somebody: SignedUp;
  let other: SignedUp;
  let header: JWTHeaderParameters;
  let claims: JWTPayload;
  let realKey: CryptoKey;
  let realPublicKey: Record<string, unknown>;

  beforeAll(async () => {
    portal = await startTestApp();
    somebody = await signUp(portal);
    other = await signUp(portal);
    header = decodeProtectedHeader(somebody.token) as JWTHeaderParameters;
    claims = decodeJwt(somebody.token);
    const [row] = await portal.db.query('select * from signing_keys');
    const sealed = { bytes: row.private_key, version: row.secret_version };
    realKey = await importPKCS8(
      portal.app.get(SecretsService).open('signing-key.store', sealed, row.kid),
      'ES256',
    );
    realPublicKey = row.public_key;
  });
  afterAll(() => portal.close());

  const user = (token: string) => portal.call('GET', '/api/v1/auth/user', { token });
  const forged = (payload: JWTPayload, key = realKey, head: Partial<JWTHeaderParameters> = {}) =>
    new SignJWT(payload).setProtectedHeader({ ...header, ...head } as JWTHeaderParameters).sign(key);

  test('contain the claims of the contract, for one hour, and no personal data', async () => {
    expect(header).toEqual({ alg: 'ES256', typ: 'JWT', kid: expect.any(String) });
    expect(claims).toEqual({
      sub: somebody.userId,
      sid: expect.any(String),
      iss: portal.environment.PUBLIC_URL,
      aud: 'orange-0000000000',
      azp: portal.environment.PUBLIC_URL,
      provider: 'email',
      iat: expect.any(Number),
      exp: (claims.iat as number) + 3600,
    });
  });

  test('are accepted as issued, and when signed again with the real key', async () => {
    expect((await user(somebody.token)).status).toBe(200);
    expect((await user(await forged(claims))).status).toBe(200);
  });

  describe('return 401, never 500', () => {
    const now = () => Math.floor(Date.now() / 1000);
    test.each<[string, () => string | Promise<string>]>([
      ['made for a portal that is not served', () => forged({ ...claims, azp: 'https://other.example' })],
      ['made for several portals', () => forged({ ...claims, azp: [claims['azp']] })],
      ['made for a portal without a name', () => forged({ ...claims, azp: '' })],
      ['alg none', () => `${base64url({ alg: 'none', typ: 'JWT' })}.${base64url(claims)}.`],
      ['alg none with our kid', () => `${base64url({ ...header, alg: 'none' })}.${base64url(claims)}.`],
      ['alg NONE in capitals', () => `${base64url({ ...header, alg: 'NONE' })}.${base64url(claims)}.`],
      [
        'HS256 with the public key as secret, as JSON',
        () => hmac({ ...header, alg: 'HS256' }, JSON.stringify(realPublicKey)),
      ],
      [
        'HS256 with the public key as secret, its x coordinate',
        () => hmac({ ...header, alg: 'HS256' }, Buffer.from(String(realPublicKey['x']), 'base64url')),
      ],
      ['HS256 with an empty secret', () => hmac({ ...header, alg: 'HS256' }, '')],
      ['another key under our kid', async () => forged(claims, (await generateKeyPair('ES256')).privateKey)],
      [
        'another key under its own kid',
        async () => forged(claims, (await generateKeyPair('ES256')).privateKey, { kid: 'foreign' }),
      ],
      [
        'another key that brings itself as jwk',
        async () => {
          const pair = await generateKeyPair('ES256');
          return forged(claims, pair.privateKey, { jwk: await exportJWK(pair.publicKey), kid: undefined });
        },
      ],
      [
        'another key with jku of its maker',
        async () =>
          forged(claims, (await generateKeyPair('ES256')).privateKey, {
            jku: 'https://evil.example/jwks.json',
            kid: 'evil',
          }),
      ],
      ['our key without kid', () => forged(claims, realKey, { kid: undefined })],
      ['kid that is a path', () => forged(claims, realKey, { kid: '../../etc/passwd' })],
      ['kid that is SQL', () => forged(claims, realKey, { kid: "' or 1=1 --" })],
      ['kid with a null byte', () => forged(claims, realKey, { kid: 'a\u0000b' })],
      ['kid __proto__', () => forged(claims, realKey, { kid: '__proto__' })],
      ['kid that is a number', () => raw({ ...header, kid: 7 })],
      ['kid that is an object', () => raw({ ...header, kid: { a: 1 } })],
      ['ES384', async () => forged(claims, (await generateKeyPair('ES384')).privateKey, { alg: 'ES384' })],
      [
        'RS256',
        async () => {
          const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
          return forged(claims, privateKey as unknown as CryptoKey, { alg: 'RS256' });
        },
      ],
      ['an unknown critical header', () => raw({ ...header, crit: ['exp'], exp: now() + 60 })],
      ['another issuer', () => forged({ ...claims, iss: 'https://evil.example' })],
      ['no issuer', () => forged({ ...claims, iss: undefined })],
      ['another audience', () => forged({ ...claims, aud: 'orange-1111111111' })],
      ['no audience', () => forged({ ...claims, aud: undefined })],
      ['no expiry', () => forged({ ...claims, exp: undefined })],
      ['expiry as text', () => forged({ ...claims, exp: '9999999999' as unknown as number })],
      ['expired a minute ago', () => forged({ ...claims, exp: now() - 60 })],
      ['not valid yet', () => forged({ ...claims, nbf: now() + 600 })],
      ['no subject', () => forged({ ...claims, sub: undefined })],
      ['a subject that is no id', () => forged({ ...claims, sub: 'admin' })],
      ['a subject with a null byte', () => forged({ ...claims, sub: 'a\u0000' })],
      ['another user’s subject with our session', () => forged({ ...claims, sub: other.userId })],
      ['no session', () => forged({ ...claims, sid: undefined })],
      ['an unknown session', () => forged({ ...claims, sid: newId() })],
      ['a session that is an object', () => forged({ ...claims, sid: { $ne: null } })],
      ['undefined', () => 'undefined'],
      ['null', () => 'null'],
      ['[object Object]', () => '[object%20Object]'],
      ['two parts', () => 'a.b'],
      ['three dots', () => '...'],
      ['five parts, encrypted', () => 'a.b.c.d.e'],
      ['not base64', () => '%%%.%%%.%%%'],
      ['a header that is not JSON', () => `${Buffer.from('{').toString('base64url')}.e30.AA`],
      ['a header that is a list', () => `${base64url([])}.e30.AA`],
      ['random bytes', () => randomBytes(300).toString('base64url')],
      ['the real one with its signature cut', () => somebody.token.slice(0, -4)],
      ['the real one without its signature', () => `${somebody.token.split('.').slice(0, 2).join('.')}.`],
      ['the real one with other claims', () => raw(header, { ...claims, sub: other.userId })],
      ['the refresh token', () => somebody.refreshToken],
      ['a very long one', () => 'a'.repeat(12_000)],
    ])('%s', async (_, make) => {
      const answer = await user(await make());
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ statusCode: 401, code: 'auth.tokenInvalid' });
    });

    test.each([
      ['no header', {}],
      ['an empty header', { authorization: '' }],
      ['Bearer alone', { authorization: 'Bearer' }],
      ['Basic', { authorization: 'Basic dXNlcjpwYXNz' }],
      ['the token without its scheme', { authorization: 'TOKEN' }],
      ['two tokens', { authorization: 'Bearer a b' }],
    ])('%s is not authenticated', async (_, headers) => {
      const filled = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replace('TOKEN', somebody.token)]),
      );
      const answer = await portal.call('GET', '/api/v1/auth/user', { headers: filled });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        statusCode: 401,
        message: 'Not authenticated',
        error: 'Unauthorized',
        code: 'auth.required',
      });
    });

    test('in the query or in a cookie are not accepted', async () => {
      const query = await portal.call('GET', `/api/v1/auth/user?access_token=${somebody.token}`);
      expect(query.status).toBe(401);
      const cookie = await portal.call('GET', '/api/v1/auth/user', {
        headers: { cookie: `accessToken=${somebody.token}; token=${somebody.token}` },
      });
      expect(cookie.status).toBe(401);
    });
  });

  test('expire at exp, not a second later', async () => {
    const verifier = portal.app.get(AccessTokenVerifier);
    const exp = claims.exp as number;
    await expect(verifier.verify(somebody.token, exp * 1000 - 1)).resolves.toMatchObject({
      expiresAtMs: exp * 1000,
      sessionId: claims['sid'],
    });
    await expect(verifier.verify(somebody.token, exp * 1000)).rejects.toMatchObject({
      code: 'auth.tokenInvalid',
    });
  });

  test('are also accepted if the Bearer scheme is in lower case', async () => {
    const answer = await portal.call('GET', '/api/v1/auth/user', {
      headers: { authorization: `bearer ${somebody.token}` },
    });
    expect(answer.status).toBe(200);
  });

  test('of a deleted user are refused', async () => {
    const gone = await signUp(portal);
    await portal.db.query('delete from users where id = $1', [gone.userId]);
    expect((await user(gone.token)).status).toBe(401);
  });

  test('return 503, not 401, while the database is down', async () => {
    const shaken = await startTestApp();
    const { token } = await signUp(shaken);
    await shaken.db.destroy();
    try {
      const answer = await shaken.call('GET', '/api/v1/auth/user', { token });
      expect(answer.status).toBe(503);
      expect(answer.body.code).toBe('database.unavailable');
    } finally {
      await shaken.db.initialize();
      await shaken.close();
    }
  });

  test('two applications in one process accept only their own', async () => {
    const second = await startTestApp();
    try {
      const theirs = await signUp(second);
      expect((await second.call('GET', '/api/v1/auth/user', { token: theirs.token })).status).toBe(200);
      expect((await user(theirs.token)).status).toBe(401);
      expect((await user(somebody.token)).status).toBe(200);
    } finally {
      await second.close();
    }
  });

  const raw = (head: object, payload: object = claims) =>
    `${base64url(head)}.${base64url(payload)}.${somebody.token.split('.')[2]}`;
  const hmac = (head: object, secret: string | Buffer) => {
    const body = `${base64url(head)}.${base64url(claims)}`;
    return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
  };
});
