import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { identityUser } from '@orange-id/contract/identity.schema';
import { decodeJwt } from 'jose';
import { createHash } from 'node:crypto';
import { signUp } from '../../testing/sign.up.js';
import { Answer, startTestApp, TestApp } from '../../testing/test.app.js';
import { SessionEndings } from './session.endings.js';

describe('sessions', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  const user = (token: string): Promise<Answer> => portal.call('GET', '/api/v1/auth/user', { token });
  const refresh = (refreshToken: unknown, more: object = {}): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/refresh', { body: { refreshToken, ...more } });
  const logout = (token: string): Promise<Answer> => portal.call('POST', '/api/v1/auth/logout', { token });
  const confirm = (body: object): Promise<Answer> => portal.call('POST', '/api/auth/bedrock', { body });
  const setRow = (refreshToken: string, assignment: string) =>
    portal.db.query(`update refresh_tokens set ${assignment} where token_hash = $1`, [
      createHash('sha256').update(refreshToken).digest(),
    ]);

  describe('GET /api/v1/auth/user', () => {
    test('200: the contract’s user and no more', async () => {
      const { token, userId, email } = await signUp(portal);
      const answer = await user(token);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(identityUser.strict().parse(answer.body)).toEqual(answer.body);
      expect(answer.body).toMatchObject({ id: userId, email });
      expect(new Date(answer.body.createdAt).toISOString()).toBe(answer.body.createdAt);
    });

    test('the picture goes by each of its names, the name is the display name', async () => {
      const { token, userId } = await signUp(portal);
      await portal.db.query(
        `update users set profile_image_url = '/avatars/1.jpg', display_name = 'Ada' where id = $1`,
        [userId],
      );
      expect((await user(token)).body).toMatchObject({
        picture: '/avatars/1.jpg',
        photoUrl: '/avatars/1.jpg',
        profilePicture: '/avatars/1.jpg',
        name: 'Ada',
        displayName: 'Ada',
      });
    });
  });

  describe('POST /api/v1/auth/refresh', () => {
    test('200: a new access token of the same sign-in; the refresh token stays', async () => {
      const { token, refreshToken, userId } = await signUp(portal);
      const answer = await refresh(refreshToken, { provider: 'email' });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(Object.keys(answer.body)).toEqual(['accessToken']);
      expect(decodeJwt(answer.body.accessToken)).toMatchObject({
        sub: userId,
        sid: decodeJwt(token)['sid'],
        provider: 'email',
      });
      expect((await user(answer.body.accessToken)).status).toBe(200);
      expect((await user(token)).status).toBe(200);
    });

    test('eight tabs at once, twice over, all stay signed in', async () => {
      const { refreshToken } = await signUp(portal);
      for (let round = 0; round < 2; round++) {
        const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)));
        expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      }
    });

    test.each([
      ['30 idle days', `last_used_at = now() - interval '30 days'`],
      ['90 days after the sign-in', `expires_at = now()`],
      ['revoked', `revoked_at = now()`],
    ])('401: %s, and the access token is dead with it', async (_, assignment) => {
      const { token, refreshToken } = await signUp(portal);
      await setRow(refreshToken, assignment);
      const answer = await refresh(refreshToken);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        statusCode: 401,
        message: 'The refresh token is not valid or has expired',
        error: 'Unauthorized',
        code: 'auth.refreshInvalid',
      });
      expect((await user(token)).status).toBe(401);
    });

    test('using it within 30 days keeps it, up to 90 days from the sign-in', async () => {
      const { refreshToken } = await signUp(portal);
      await setRow(refreshToken, `last_used_at = now() - interval '29 days 23 hours'`);
      expect((await refresh(refreshToken)).status).toBe(200);
      const [row] = await portal.db.query(
        `select last_used_at > now() - interval '1 minute' as used,
                expires_at between created_at + interval '89 days 23 hours' and created_at + interval '90 days 1 hour' as bounded
         from refresh_tokens where token_hash = $1`,
        [createHash('sha256').update(refreshToken).digest()],
      );
      expect(row).toEqual({ used: true, bounded: true });
    });

    test.each([
      ['an unknown one', 'abc'],
      ['an empty one', ''],
      ['undefined as text', 'undefined'],
      ['one with a null byte', 'a\u0000b'],
    ])('401: %s', async (_, refreshToken) => {
      const answer = await refresh(refreshToken);
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe('auth.refreshInvalid');
    });

    test('401: an access token is no refresh token', async () => {
      const { token } = await signUp(portal);
      expect((await refresh(token)).status).toBe(401);
    });

    test.each([[undefined], [null], [7], [{ $ne: '' }], [['a']], ['x'.repeat(4097)]])(
      '400: %j',
      async (refreshToken) => {
        expect((await refresh(refreshToken)).status).toBe(400);
      },
    );

    test('is stored as its hash only', async () => {
      const { refreshToken } = await signUp(portal);
      const [{ dump }] = await portal.db.query(
        `select string_agg(r::text, ' ') || ' ' || string_agg(encode(r.token_hash, 'escape'), ' ') as dump from refresh_tokens r`,
      );
      expect(dump).not.toContain(refreshToken);
    });
  });

  describe('POST /api/v1/auth/logout', () => {
    test('204: both tokens of this sign-in are dead at once, refreshed ones too; another sign-in lives', async () => {
      const { email, token, refreshToken } = await signUp(portal);
      const again = (await refresh(refreshToken)).body.accessToken;
      const elsewhere = await portal.call('POST', '/api/v1/auth/email/login', {
        body: { email, password: 'a long enough password' },
      });
      const ended: string[] = [];
      const unsubscribe = portal.app.get(SessionEndings).subscribe((id, why) => ended.push(`${id} ${why}`));

      expect((await logout(token)).status).toBe(204);
      expect(ended).toEqual([`${decodeJwt(token)['sid']} signedOut`]);
      unsubscribe();

      expect((await user(token)).status).toBe(401);
      expect((await user(again)).status).toBe(401);
      expect((await refresh(refreshToken)).status).toBe(401);
      expect((await logout(token)).status).toBe(401);
      expect((await user(elsewhere.body.token.accessToken)).status).toBe(200);
      expect((await refresh(elsewhere.body.token.refreshToken)).status).toBe(200);
      expect(ended).toHaveLength(1);
    });

    test('a JSON content type without a body is accepted, as clients send it', async () => {
      const { token } = await signUp(portal);
      const answer = await portal.call('POST', '/api/v1/auth/logout', { token, body: {} });
      expect(answer.status).toBe(204);
    });

    test('401 without a token', async () => {
      expect((await portal.call('POST', '/api/v1/auth/logout')).status).toBe(401);
    });

    test('another user’s logout ends nothing of mine', async () => {
      const mine = await signUp(portal);
      const theirs = await signUp(portal);
      await logout(theirs.token);
      expect((await user(mine.token)).status).toBe(200);
      expect((await refresh(mine.refreshToken)).status).toBe(200);
    });
  });

  describe('POST /api/auth/bedrock', () => {
    test('200: whose tokens these are', async () => {
      const { token, refreshToken, userId } = await signUp(portal);
      const answer = await confirm({ token, refreshToken });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(identityUser.strict().parse(answer.body.user)).toMatchObject({ id: userId });
    });

    test('401: the refresh token of another user, or of another sign-in of the same user', async () => {
      const { email, token } = await signUp(portal);
      const other = await signUp(portal);
      const elsewhere = await portal.call('POST', '/api/v1/auth/email/login', {
        body: { email, password: 'a long enough password' },
      });
      for (const refreshToken of [other.refreshToken, elsewhere.body.token.refreshToken, 'abc']) {
        const answer = await confirm({ token, refreshToken });
        expect(answer.status).toBe(401);
        expect(answer.body.code).toBe('auth.refreshInvalid');
      }
    });

    test('401: tokens of an ended sign-in, swapped tokens, no tokens', async () => {
      const { token, refreshToken } = await signUp(portal);
      expect((await confirm({ token: refreshToken, refreshToken: token })).status).toBe(401);
      expect((await confirm({ token: 'undefined', refreshToken: 'undefined' })).status).toBe(401);
      await logout(token);
      const answer = await confirm({ token, refreshToken });
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe('auth.tokenInvalid');
    });

    test.each([
      [{}],
      [{ token: 'a' }],
      [{ token: 1, refreshToken: 2 }],
      [{ token: 'a', refreshToken: 'b', userId: 'c' }],
    ])('400: %j', async (body) => {
      expect((await confirm(body)).status).toBe(400);
    });
  });
});
