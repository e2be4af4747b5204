import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountPreview, activeSessionList, identityUser } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { decodeJwt } from 'jose';
import { createHash } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { newId } from '../../database/new.id.js';
import { SignedUp, signUp } from '../../testing/sign.up.js';
import { signedMessage } from '../../testing/signed.message.js';
import { Answer, startAnother, startTestApp, TestApp } from '../../testing/test.app.js';
import { until } from '../../testing/until.js';
import { SessionEndings } from '../../auth/session.endings.js';
import { SessionsService } from './sessions.service.js';

type Tokens = Pick<SignedUp, 'token' | 'refreshToken'>;

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
  const bind = (body: object): Promise<Answer> => portal.call('PUT', '/api/auth/bedrock', { body });
  const setRow = (refreshToken: string, assignment: string) =>
    portal.db.query(`update refresh_tokens set ${assignment} where token_hash = $1`, [
      createHash('sha256').update(refreshToken).digest(),
    ]);

  describe('GET /api/v1/auth/user', () => {
    test('returns 200 with the user of the contract and no more', async () => {
      const { token, userId, email } = await signUp(portal);
      const answer = await user(token);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(identityUser.strict().parse(answer.body)).toEqual(answer.body);
      expect(answer.body).toMatchObject({ id: userId, email });
      expect(new Date(answer.body.createdAt).toISOString()).toBe(answer.body.createdAt);
    });

    test('the photo appears under each of its field names, and the name is the display name', async () => {
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
    test('returns 200 with a new access token of the same session; the refresh token stays', async () => {
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

    test('eight tabs that refresh at once, twice in a row, all stay signed in', async () => {
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
    ])('returns 401 for an ended session (%s), and so does its access token', async (_, assignment) => {
      const { token, refreshToken } = await signUp(portal);
      await setRow(refreshToken, assignment);
      const answer = await refresh(refreshToken);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        statusCode: 401,
        message: 'The refresh token isn’t valid or has expired. Sign in again',
        error: 'Unauthorized',
        code: 'auth.refreshInvalid',
      });
      expect((await user(token)).status).toBe(401);
    });

    test('use within 30 days prolongs the session, up to 90 days from the sign-in', async () => {
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
    ])('returns 401 for %s', async (_, refreshToken) => {
      const answer = await refresh(refreshToken);
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe('auth.refreshInvalid');
    });

    test('returns 401 for an access token', async () => {
      const { token } = await signUp(portal);
      expect((await refresh(token)).status).toBe(401);
    });

    test.each([[undefined], [null], [7], [{ $ne: '' }], [['a']], ['x'.repeat(4097)]])(
      'returns 400 for %j',
      async (refreshToken) => {
        expect((await refresh(refreshToken)).status).toBe(400);
      },
    );

    test('stores only the hash of the refresh token', async () => {
      const { refreshToken } = await signUp(portal);
      const [{ dump }] = await portal.db.query(
        `select string_agg(r::text, ' ') || ' ' || string_agg(encode(r.token_hash, 'escape'), ' ') as dump from refresh_tokens r`,
      );
      expect(dump).not.toContain(refreshToken);
    });
  });

  describe('POST /api/v1/auth/logout', () => {
    test('returns 204: all tokens of this session are invalid at once, refreshed ones too; another session continues', async () => {
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

    test('returns 401 without a token', async () => {
      expect((await portal.call('POST', '/api/v1/auth/logout')).status).toBe(401);
    });

    test('another user’s sign-out does not end my session', async () => {
      const mine = await signUp(portal);
      const theirs = await signUp(portal);
      await logout(theirs.token);
      expect((await user(mine.token)).status).toBe(200);
      expect((await refresh(mine.refreshToken)).status).toBe(200);
    });
  });

  const password = 'a long enough password';
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140 Safari/537.36';
  const signInAgain = async (email: string, userAgent = 'curl/8.14.1', from = portal): Promise<Tokens> => {
    const answer = await from.call('POST', '/api/v1/auth/email/login', {
      body: { email, password },
      headers: { 'user-agent': userAgent },
    });
    const { accessToken: token, refreshToken } = answer.body.token;
    return { token, refreshToken };
  };
  const sessions = (token: string): Promise<Answer> => portal.call('GET', '/api/v1/auth/sessions', { token });
  const idOf = (token: string) => decodeJwt(token)['sid'] as string;

  describe('GET /api/v1/auth/sessions', () => {
    test('returns 200 with the active sessions, by device, the latest use first, and marks the requesting one', async () => {
      const { email, token } = await signUp(portal);
      const desk = await signInAgain(email, chrome);
      const script = await signInAgain(email);
      const over = await signInAgain(email);
      const idle = await signInAgain(email);
      await logout(over.token);
      await setRow(idle.refreshToken, `last_used_at = now() - interval '31 days'`);
      await refresh(desk.refreshToken);

      const answer = await sessions(script.token);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(activeSessionList.parse(answer.body)).toEqual(answer.body);
      expect(answer.body).toMatchObject([
        { id: idOf(desk.token), provider: 'email', device: 'Chrome on Linux', isCurrent: false },
        { id: idOf(script.token), provider: 'email', device: 'curl', isCurrent: true },
        { id: idOf(token), provider: 'email', isCurrent: false },
      ]);
      for (const secret of [desk, script].flatMap((each) => [each.token, each.refreshToken])) {
        expect(answer.text).not.toContain(secret);
      }
    });

    test('a User-Agent is stored in part, and shown as a short description', async () => {
      const { email } = await signUp(portal);
      const odd = await signInAgain(email, `x${'\u00e9'.repeat(4000)}`);
      const markup = await signInAgain(email, '<img src=x onerror=alert(1)>');
      const long = await signInAgain(email, 'a'.repeat(5000));
      const devices = (await sessions(odd.token)).body.map(({ device }: { device: unknown }) => device);
      expect(devices.slice(0, 3)).toEqual(['a'.repeat(40), null, 'x']);
      const [{ longest }] = await portal.db.query(
        'select max(length(user_agent)) as longest from refresh_tokens where id = any($1)',
        [[odd, markup, long].map(({ token }) => idOf(token))],
      );
      expect(longest).toBe(512);
    });

    test('an account has a limited number of sessions: one more ends the least recently used', async () => {
      const { email, token, refreshToken, userId } = await signUp(portal);
      const oldest = await signInAgain(email);
      expect((await user(oldest.token)).status).toBe(200);
      await setRow(oldest.refreshToken, `last_used_at = now() - interval '2 hours'`);
      await portal.db.query(
        `insert into refresh_tokens (id, chain_id, user_id, token_hash, provider, expires_at, last_used_at)
         select id, id, $1, sha256(n::text::bytea), 'email', now() + interval '1 day', now() - interval '1 hour'
         from (select n, gen_random_uuid() as id from generate_series(1, $2) n) as rows`,
        [userId, limits.sessionsPerUser - 2],
      );
      expect((await sessions(token)).body).toHaveLength(limits.sessionsPerUser);
      const newest = await signInAgain(email);
      expect((await sessions(token)).body).toHaveLength(limits.sessionsPerUser);
      expect((await user(oldest.token)).status).toBe(401);
      expect((await user(newest.token)).status).toBe(200);
      expect((await refresh(refreshToken)).status).toBe(200);
    });

    test('four concurrent sign-ins leave no more sessions than the limit', async () => {
      const { email, token, userId } = await signUp(portal);
      await portal.db.query(
        `insert into refresh_tokens (id, chain_id, user_id, token_hash, provider, expires_at, last_used_at)
         select id, id, $1, sha256(('crowd' || n)::bytea), 'email', now() + interval '1 day', now() - interval '1 hour'
         from (select n, gen_random_uuid() as id from generate_series(1, $2) n) as rows`,
        [userId, limits.sessionsPerUser - 1],
      );
      const waiting = () =>
        portal.db.query<unknown[]>(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
      const signIns = await portal.db.transaction(async (manager) => {
        await manager.query('select from users where id = $1 for update', [userId]);
        const begun = Array.from({ length: 4 }, () => signInAgain(email));
        await until('all wait for the account', async () => (await waiting()).length >= 4);
        return { begun };
      });
      await Promise.all(signIns.begun);
      expect((await sessions(token)).body).toHaveLength(limits.sessionsPerUser);
    });

    test('using an access token counts as use of its session, recorded at most once a minute', async () => {
      const { token, refreshToken } = await signUp(portal);
      const lastUsed = async (): Promise<number> => {
        const [{ at }] = await portal.db.query(
          'select last_used_at as at from refresh_tokens where id = $1',
          [idOf(token)],
        );
        return (at as Date).getTime();
      };
      await setRow(refreshToken, `last_used_at = now() - interval '15 minutes'`);
      const before = await lastUsed();
      expect((await user(token)).status).toBe(200);
      const noted = await lastUsed();
      expect(noted - before).toBeGreaterThanOrEqual(15 * 60_000);
      expect((await sessions(token)).body).toMatchObject([{ lastUsedAt: new Date(noted).toISOString() }]);
      expect(await lastUsed()).toBe(noted);
    });

    test('a request does not wait for a lock on its session', async () => {
      const { token, refreshToken } = await signUp(portal);
      await setRow(refreshToken, `last_used_at = now() - interval '15 minutes'`);
      await portal.db.transaction(async (manager) => {
        await manager.query('select from refresh_tokens where id = $1 for update', [idOf(token)]);
        expect((await user(token)).status).toBe(200);
      });
    });

    test('sessions that replaced each other are shown as one, and end together', async () => {
      const { email, token, refreshToken, userId } = await signUp(portal);
      const linking = await signInAgain(email);
      const elsewhere = await signInAgain(email);
      await portal.db.query(
        `insert into refresh_tokens (id, chain_id, user_id, token_hash, provider, expires_at, last_used_at)
         select gen_random_uuid(), $2, $1, sha256(('chain' || n)::bytea), 'email', now() + interval '1 day',
           now() - make_interval(hours => n)
         from generate_series(1, $3) n`,
        [userId, idOf(linking.token), limits.sessionsPerUser],
      );
      await setRow(refreshToken, `last_used_at = now() - interval '10 days'`);
      await signInAgain(email);
      expect((await user(token)).status).toBe(200);
      expect((await sessions(token)).body).toHaveLength(4);

      await portal.db.query(
        `insert into refresh_tokens (id, chain_id, user_id, token_hash, provider, expires_at)
         select id, id, $1, sha256(('more' || n)::bytea), 'email', now() + interval '1 day'
         from (select n, gen_random_uuid() as id from generate_series(1, $2) n) as rows`,
        [userId, limits.sessionsPerUser - 4],
      );
      await setRow(refreshToken, 'last_used_at = now()');
      await setRow(linking.refreshToken, `last_used_at = now() - interval '10 minutes'`);
      await setRow(elsewhere.refreshToken, `last_used_at = now() - interval '5 minutes'`);
      await signInAgain(email);
      expect((await sessions(token)).body).toHaveLength(limits.sessionsPerUser);
      expect((await user(elsewhere.token)).status).toBe(200);
      expect((await user(linking.token)).status).toBe(401);
      const [{ left }] = await portal.db.query(
        'select count(*)::int as left from refresh_tokens where chain_id = $1 and revoked_at is null',
        [idOf(linking.token)],
      );
      expect(left).toBe(0);
    });
  });

  describe('DELETE /api/v1/auth/sessions/:id', () => {
    const end = (token: string, id: string): Promise<Answer> =>
      portal.call('DELETE', `/api/v1/auth/sessions/${id}`, { token });

    test('returns 204: that session ends at once, the others continue', async () => {
      const { email, token, refreshToken } = await signUp(portal);
      const elsewhere = await signInAgain(email);
      expect((await end(token, idOf(elsewhere.token))).status).toBe(204);
      expect((await user(elsewhere.token)).status).toBe(401);
      expect((await refresh(elsewhere.refreshToken)).status).toBe(401);
      expect((await user(token)).status).toBe(200);
      expect((await refresh(refreshToken)).status).toBe(200);
      expect((await sessions(token)).body).toHaveLength(1);
    });

    test('returns 204 for the requesting session too', async () => {
      const { token } = await signUp(portal);
      expect((await end(token, idOf(token))).status).toBe(204);
      expect((await user(token)).status).toBe(401);
    });

    test('returns 404 for another user’s session, which continues', async () => {
      const mine = await signUp(portal);
      const theirs = await signUp(portal);
      const answer = await end(theirs.token, idOf(mine.token));
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({
        code: 'auth.sessionNotFound',
        message: 'This session has already ended',
      });
      expect((await user(mine.token)).status).toBe(200);
    });

    test('returns 404 for an ended session, an unknown one, and an invalid id', async () => {
      const { email, token } = await signUp(portal);
      const [over, idle] = [await signInAgain(email), await signInAgain(email)];
      await logout(over.token);
      await setRow(idle.refreshToken, `last_used_at = now() - interval '31 days'`);
      for (const id of [idOf(over.token), idOf(idle.token), newId(), 'undefined', '%00', 'x'.repeat(90)]) {
        const answer = await end(token, id);
        expect([id, answer.status, answer.body.code]).toEqual([id, 404, 'auth.sessionNotFound']);
      }
    });
  });

  describe('DELETE /api/v1/auth/sessions', () => {
    test('returns 204: every session of the account ends, including this one, and none of another account', async () => {
      const { email, token, refreshToken } = await signUp(portal);
      const other = await signUp(portal);
      const elsewhere = await signInAgain(email);
      expect((await portal.call('DELETE', '/api/v1/auth/sessions', { token })).status).toBe(204);
      for (const each of [{ token, refreshToken }, elsewhere]) {
        expect((await user(each.token)).status).toBe(401);
        expect((await refresh(each.refreshToken)).status).toBe(401);
      }
      expect((await user(other.token)).status).toBe(200);
      expect((await sessions((await signInAgain(email)).token)).body).toHaveLength(1);
    });

    test('notifies only after the change commits', async () => {
      const { userId, token } = await signUp(portal);
      const ended: string[] = [];
      const unsubscribe = portal.app.get(SessionEndings).subscribe((id) => ended.push(id));
      const sessions = portal.app.get(SessionsService);
      const undone = portal.db.transaction(async (manager) => {
        await sessions.endAll(userId, manager);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(ended).toEqual([]);
      expect((await user(token)).status).toBe(200);
      await portal.db.transaction(async (manager) => {
        await sessions.endAll(userId, manager);
        expect(ended).toEqual([]);
      });
      expect(ended).toEqual([idOf(token)]);
      unsubscribe();
    });
  });

  describe('a stolen refresh token, at each of two instances', () => {
    let second: Awaited<ReturnType<typeof startAnother>>;
    beforeAll(async () => {
      second = await startAnother(portal);
    });
    afterAll(() => second.close());

    test.each<[string, (mine: Tokens & { email: string }) => Promise<unknown>]>([
      ['logout', ({ token }) => logout(token)],
      [
        'the list of sessions',
        async ({ email, token }) =>
          portal.call('DELETE', `/api/v1/auth/sessions/${idOf(token)}`, {
            token: (await signInAgain(email)).token,
          }),
      ],
      ["'sign out everywhere'", ({ token }) => portal.call('DELETE', '/api/v1/auth/sessions', { token })],
      [
        'a new password',
        ({ token }) =>
          portal.call('POST', '/api/v1/auth/email/change', {
            token,
            body: {
              currentPassword: password,
              password: 'another long password',
              passwordConfirm: 'another long password',
            },
          }),
      ],
      [
        '30 idle days',
        ({ refreshToken }) => setRow(refreshToken, `last_used_at = now() - interval '30 days'`),
      ],
      ['90 days', ({ refreshToken }) => setRow(refreshToken, 'expires_at = now()')],
    ])('%s ends it and every access token that it issued', async (_, end) => {
      const mine = await signUp(portal);
      const refreshed = (await refresh(mine.refreshToken)).body.accessToken;
      const instances = [portal, second];
      for (const { call } of instances) {
        expect((await call('GET', '/api/v1/auth/user', { token: refreshed })).status).toBe(200);
      }
      await end(mine);
      for (const { call } of instances) {
        for (const token of [mine.token, refreshed]) {
          const answer = await call('GET', '/api/v1/auth/user', { token });
          expect([answer.status, answer.body.code]).toEqual([401, 'auth.tokenInvalid']);
        }
        // Repeatedly: no attempt restores it.
        for (let attempt = 0; attempt < 2; attempt++) {
          const { refreshToken } = mine;
          const answer = await call('POST', '/api/v1/auth/refresh', { body: { refreshToken } });
          expect([answer.status, answer.body.code]).toEqual([401, 'auth.refreshInvalid']);
        }
      }
    });

    test('eight tabs refresh at both instances while another signs out: none gets a valid token', async () => {
      const { token, refreshToken } = await signUp(portal);
      const [out, ...answers] = await Promise.all([
        logout(token),
        ...Array.from({ length: 8 }, (_, tab) =>
          [portal, second][tab % 2]!.call('POST', '/api/v1/auth/refresh', { body: { refreshToken } }),
        ),
      ]);
      expect(out.status).toBe(204);
      expect(answers.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
      for (const { status, body } of answers) {
        if (status === 200) expect((await user(body.accessToken)).status).toBe(401);
      }
      expect((await refresh(refreshToken)).status).toBe(401);
    });
  });

  test('an access token is valid for an hour, and not beyond its session', async () => {
    const { token, refreshToken } = await signUp(portal);
    const { exp, iat } = decodeJwt(token) as { exp: number; iat: number };
    expect(exp - iat).toBe(3600);
    await setRow(refreshToken, `expires_at = now() + interval '10 minutes'`);
    const last = decodeJwt((await refresh(refreshToken)).body.accessToken) as { exp: number; iat: number };
    expect(last.exp - last.iat).toBeGreaterThan(0);
    expect(last.exp - last.iat).toBeLessThanOrEqual(600);
  });

  describe('POST /api/auth/bedrock', () => {
    test('returns 200 with the user of these tokens', async () => {
      const { token, refreshToken, userId } = await signUp(portal);
      const answer = await confirm({ token, refreshToken });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(identityUser.strict().parse(answer.body.user)).toMatchObject({ id: userId });
    });

    test('the refresh token from the URL is invalid afterwards, and the one in the response works', async () => {
      const { token, refreshToken } = await signUp(portal);
      const { body } = await confirm({ token, refreshToken });
      expect(body.refreshToken).toMatch(/^[\w-]{43}$/);
      expect(body.refreshToken).not.toBe(refreshToken);
      expect((await refresh(refreshToken)).body.code).toBe('auth.refreshInvalid');
      expect((await confirm({ token, refreshToken })).body.code).toBe('auth.refreshInvalid');
      expect((await bind({ token, refreshToken })).body.code).toBe('auth.refreshInvalid');
      const refreshed = await refresh(body.refreshToken);
      expect(refreshed.status).toBe(200);
      // The session is the same one: it is listed once, and its access tokens stay valid.
      expect(decodeJwt(refreshed.body.accessToken)['sid']).toBe(decodeJwt(token)['sid']);
      expect((await portal.call('GET', '/api/v1/auth/sessions', { token })).body).toHaveLength(1);
    });

    test('of ten concurrent calls with the same tokens one succeeds, and its refresh token works', async () => {
      const { token, refreshToken } = await signUp(portal);
      const answers = await Promise.all(Array.from({ length: 10 }, () => confirm({ token, refreshToken })));
      const [won, ...more] = answers.filter(({ status }) => status === 200);
      expect(more).toEqual([]);
      const lost = answers.filter(({ status }) => status !== 200);
      expect(lost.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
        Array.from({ length: 9 }, () => '401 auth.refreshInvalid'),
      );
      // The other calls do not bind their browser either.
      for (const { headers } of lost) expect(headers.get('set-cookie')).toBeNull();
      expect((await refresh(won?.body.refreshToken)).status).toBe(200);
    });

    test('returns 401 for the refresh token of another user, or of another session of the same user', async () => {
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

    test('returns 401 for tokens of an ended session, swapped tokens, and no tokens', async () => {
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
    ])('returns 400 for %j', async (body) => {
      expect((await confirm(body)).status).toBe(400);
    });
  });

  describe('PUT /api/auth/bedrock', () => {
    test('returns 204 and binds the browser, any number of times, and the refresh token stays', async () => {
      const { token, refreshToken } = await signUp(portal);
      const answers = await Promise.all(Array.from({ length: 5 }, () => bind({ token, refreshToken })));
      expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(Array(5).fill('204 '));
      for (const { headers } of answers) expect(headers.get('set-cookie')).toContain('portal_session=');
      expect((await refresh(refreshToken)).status).toBe(200);
    });

    test('returns 429 if one account binds too many browsers without cookies, with PUT or POST', async () => {
      const { token, refreshToken, userId } = await signUp(portal);
      // A call refused for other reasons does not count: otherwise a stolen access token could lock its owner out.
      expect((await confirm({ token, refreshToken: 'abc' })).status).toBe(401);
      const statuses: number[] = [];
      for (let n = 0; n < limits.browsersPerAccountPerHour; n++) {
        statuses.push((await bind({ token, refreshToken })).status);
      }
      expect(new Set(statuses)).toEqual(new Set([204]));
      const refused = [await bind({ token, refreshToken }), await confirm({ token, refreshToken })];
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
        Array(2).fill([429, 'request.rateLimited']),
      );
      expect(refused[0]?.headers.get('retry-after')).not.toBeNull();
      const [{ count }] = await portal.db.query(
        `select count(*)::int as count from sessions where sess->>'userId' = $1`,
        [userId],
      );
      expect(count).toBe(limits.browsersPerAccountPerHour);
      // Refused calls have not counted.
      expect((await refresh(refreshToken)).status).toBe(200);
      const other = await signUp(portal);
      expect((await bind({ token: other.token, refreshToken: other.refreshToken })).status).toBe(204);
    });

    test('returns 401 for the refresh token of another user or an ended session, and binds nothing', async () => {
      const { token, refreshToken } = await signUp(portal);
      const other = await signUp(portal);
      const foreign = await bind({ token, refreshToken: other.refreshToken });
      expect([foreign.status, foreign.body.code]).toEqual([401, 'auth.refreshInvalid']);
      await logout(token);
      const ended = await bind({ token, refreshToken });
      expect([ended.status, ended.body.code]).toEqual([401, 'auth.tokenInvalid']);
      for (const { headers } of [foreign, ended]) expect(headers.get('set-cookie')).toBeNull();
    });
  });

  describe('GET /api/auth/bedrock', () => {
    const preview = (token: string) => portal.call('GET', '/api/auth/bedrock', { token });

    test('returns 200 and names the account by the wallet that signed, not by the typed email and name, and stores nothing', async () => {
      const wallet = privateKeyToAccount(generatePrivateKey());
      const signedIn = await portal.call('POST', '/api/v1/message/verify', {
        body: await signedMessage(portal, wallet),
      });
      const token = signedIn.body.token.accessToken;
      const typed = await portal.call('POST', '/api/v1/user/profile', {
        token,
        body: { email: 'victim@example.com', displayName: 'The Victim' },
      });
      expect(typed.status).toBe(200);
      const answer = await preview(token);
      expect(answer.status).toBe(200);
      expect(accountPreview.strict().parse(answer.body)).toEqual({
        identifiers: [{ provider: 'wallet', label: wallet.address }],
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
      expect(answer.text).not.toMatch(/victim/i);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(answer.headers.get('cache-control')).toBe('no-store');
    });

    test('returns 200 with no identifiers while the account’s email is unconfirmed, and lists the email once after it is confirmed', async () => {
      const { token, userId, email } = await signUp(portal);
      expect((await preview(token)).body.identifiers).toEqual([]);
      await portal.db.query('update credentials set email_verified = true where user_id = $1', [userId]);
      await portal.db.query('update users set email_verified = true where id = $1', [userId]);
      expect((await preview(token)).body.identifiers).toEqual([{ provider: 'email', label: email }]);
    });

    test('returns 200: an account at a provider is named by the address that the provider vouches for', async () => {
      const { token, userId } = await signUp(portal);
      await portal.db.query(
        `insert into linked_identities (id, user_id, provider, subject, email, email_verified) values
           (gen_random_uuid(), $1::uuid, 'google', $1::uuid::text || '-1', 'vouched@example.com', true),
           (gen_random_uuid(), $1::uuid, 'apple', $1::uuid::text || '-2', 'said@example.com', false)`,
        [userId],
      );
      const { identifiers } = (await preview(token)).body;
      expect(identifiers).toHaveLength(2);
      expect(identifiers).toEqual(
        expect.arrayContaining([
          { provider: 'google', label: 'vouched@example.com' },
          { provider: 'apple', label: null },
        ]),
      );
    });

    test('returns 401 without a token, with a refresh token, and after signing out', async () => {
      const { token, refreshToken } = await signUp(portal);
      expect((await portal.call('GET', '/api/auth/bedrock')).status).toBe(401);
      expect((await preview(refreshToken)).status).toBe(401);
      await logout(token);
      expect((await preview(token)).status).toBe(401);
    });
  });
});
