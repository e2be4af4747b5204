import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mailTo } from '../../testing/mailbox.js';
import { signUp } from '../../testing/sign.up.js';
import { tokenIn } from '../../testing/smtp.server.js';
import { taken } from '../../testing/taken.js';
import { Answer, startTestApp, TestApp } from '../../testing/test.app.js';

const password = 'a long enough password';

describe('email sign-in', () => {
  let portal: TestApp;
  const register = (email: string, more: object = {}): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/email/register', {
      body: { email, password, passwordConfirm: password, ...more },
    });
  const login = (email: string, secret = password): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/email/login', { body: { email, password: secret } });

  beforeAll(async () => {
    portal = await startTestApp({ SIGN_IN_LIMIT_PER_ACCOUNT: '100' });
  });
  afterAll(() => portal.close());

  test('a wrong password takes as long whether the account exists or not', async () => {
    const known = 'known.work@example.com';
    await signUp(portal, known);
    const took = async (email: string): Promise<number> => {
      const from = performance.now();
      const answer = await login(email, 'not the password at all');
      expect([answer.status, answer.body.code]).toEqual([401, 'auth.credentialsInvalid']);
      return performance.now() - from;
    };
    const times = { known: [] as number[], unknown: [] as number[] };
    // Alternates, so that other load on the machine affects both equally.
    for (let i = 0; i < 31; i++) {
      times.known.push(await took(known));
      times.unknown.push(await took('nobody.works@example.com'));
    }
    const median = (all: number[]) => all.sort((a, b) => a - b)[15] as number;
    const ratio = median(times.unknown) / median(times.known);
    // A hash is most of the work: without it the ratio falls to about a tenth.
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.67);
  });

  describe('register', () => {
    test('returns 200 with a session, an unverified email address and no name', async () => {
      const answer = await register('  first.Person@EXAMPLE.com ');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.body).toEqual({
        user: { id: expect.any(String) },
        token: { accessToken: expect.any(String), refreshToken: expect.any(String) },
      });
      const user = await portal.call('GET', '/api/v1/auth/user', {
        token: answer.body.token.accessToken,
      });
      expect(user.body).toMatchObject({
        id: answer.body.user.id,
        email: 'first.Person@example.com',
        emailVerified: false,
        displayName: null,
        name: null,
        userName: null,
        picture: null,
        provider: 'email',
        ethAddress: null,
      });
    });

    test('returns 200 for the longest password', async () => {
      const longest = 'x'.repeat(128);
      const answer = await register('longest@example.com', {
        password: longest,
        passwordConfirm: longest,
      });
      expect(answer.status).toBe(200);
      expect((await login('longest@example.com', longest)).status).toBe(200);
      expect((await login('longest@example.com', longest.slice(1))).status).toBe(401);
    });

    test('returns 409 for a taken email address, ignoring case', async () => {
      await signUp(portal, 'taken@example.com');
      const answer = await register('TAKEN@example.com');
      expect(answer.status).toBe(409);
      expect(answer.body).toEqual({
        statusCode: 409,
        message: 'Another account already uses this email. Use a different one, or sign in to that account',
        error: 'Conflict',
        code: 'auth.emailTaken',
      });
      expect((await login('taken@example.com')).status).toBe(200);
    });

    test('20 concurrent requests for one email address make one account, the others return 409', async () => {
      const answers = taken(
        await Promise.all(Array.from({ length: 20 }, () => register('twenty@example.com'))),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...answers.slice(1).map(() => 409)]);
      const [row] = await portal.db.query(
        `select (select count(*)::int from users where lower(email) = 'twenty@example.com') as users,
                (select count(*)::int from credentials c join users u on u.id = c.user_id
                 where lower(u.email) = 'twenty@example.com') as credentials`,
      );
      expect(row).toEqual({ users: 1, credentials: 1 });
    });

    test.each([
      [
        { password: 'x'.repeat(129), passwordConfirm: 'x'.repeat(129) },
        'password: must have at most 128 characters',
      ],
      [{ password: 'short', passwordConfirm: 'short' }, 'password: must have at least 8 characters'],
      [{ passwordConfirm: 'something else' }, 'passwordConfirm: must be the same as the password'],
      [{ email: 'nobody' }, 'email: must be an email like name@example.com (given "nobody")'],
      [
        { email: `${'a'.repeat(250)}@example.com` },
        `email: must have at most 254 characters (given "${'a'.repeat(60)}…", 262 characters)`,
      ],
      [
        { email: `${'a'.repeat(65)}@example.com` },
        `email: must have at most 64 characters before the @ (given "${'a'.repeat(60)}…", 77 characters)`,
      ],
      [
        { email: 'null\u0000byte@example.com' },
        'email: must be an email like name@example.com (given "null\\u{0}byte@example.com")',
      ],
      [
        { emailVerified: true },
        'emailVerified: isn’t a known field; known fields are email, password, passwordConfirm',
      ],
      [
        { id: '01890000-0000-7000-8000-000000000000' },
        'id: isn’t a known field; known fields are email, password, passwordConfirm',
      ],
    ])('returns 400 for %j', async (more, message) => {
      const answer = await register('refused@example.com', more);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'request.invalid', message });
    });

    test('returns 400 without a body, and for a body that is not JSON', async () => {
      expect((await portal.call('POST', '/api/v1/auth/email/register')).status).toBe(400);
      const broken = await fetch(`${portal.url}/api/v1/auth/email/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"email":',
      });
      expect(broken.status).toBe(400);
    });
  });

  describe('login', () => {
    test('returns 200 with a separate session each time', async () => {
      const first = await signUp(portal, 'again@example.com');
      const second = await login('Again@Example.COM');
      expect(second.status).toBe(200);
      expect(second.headers.get('cache-control')).toBe('no-store');
      expect(second.body.user.id).toBe(first.userId);
      expect(second.body.token.refreshToken).not.toBe(first.refreshToken);
    });

    test('accepts the same password in another Unicode form', async () => {
      const composed = 'pässwörd-é';
      await register('umlaut@example.com', { password: composed, passwordConfirm: composed });
      expect((await login('umlaut@example.com', composed.normalize('NFD'))).status).toBe(200);
    });

    test('returns 200 for an older account with a local part above the limit, which can also request a reset link', async () => {
      const { userId } = await signUp(portal, 'older@example.com');
      const older = `${'a'.repeat(65)}@example.com`;
      await portal.db.query('update credentials set email = $2 where user_id = $1', [userId, older]);
      expect((await login(older)).status).toBe(200);
      const reset = await portal.call('POST', '/api/v1/auth/email/reset', { body: { email: older } });
      expect(reset.status).toBe(200);
      expect((await mailTo(portal, older)).subject).toContain('password');
    });

    test('returns the same 401 for a wrong password and an unknown email address', async () => {
      await signUp(portal, 'known@example.com');
      const wrong = await login('known@example.com', 'not the password');
      const unknown = await login('unknown@example.com', 'not the password');
      const wallet = await portal.db.query(
        `insert into users (id, issuer, subject, email, provider)
         values (gen_random_uuid(), 'embedded', 'no-password', 'nopassword@example.com', 'wallet') returning id`,
      );
      expect(wallet).toHaveLength(1);
      const withoutPassword = await login('nopassword@example.com', 'not the password');
      const seen = [wrong, unknown, withoutPassword].map(({ status, text, headers }) => ({
        status,
        text,
        names: [...headers.keys()].sort(),
      }));
      expect(wrong.status).toBe(401);
      expect(wrong.body).toEqual({
        statusCode: 401,
        message: 'The email or password is wrong',
        error: 'Unauthorized',
        code: 'auth.credentialsInvalid',
      });
      expect(seen[1]).toEqual(seen[0]);
      expect(seen[2]).toEqual(seen[0]);
    });

    test('returns 400 for a password longer than any stored one, before hashing it', async () => {
      const answer = await login('known@example.com', 'x'.repeat(129));
      expect(answer.status).toBe(400);
      expect(answer.body.message).toBe('password: must have at most 128 characters');
    });
  });

  describe('limits', () => {
    let strict: TestApp;
    beforeAll(async () => {
      strict = await startTestApp({ SIGN_IN_LIMIT_PER_ADDRESS: '13', SIGN_IN_LIMIT_PER_ACCOUNT: '3' });
    });
    afterAll(() => strict.close());
    const attempt = (email: string) =>
      strict.call('POST', '/api/v1/auth/email/login', { body: { email, password } });

    test('return 429 with Retry-After: per account, known or not, then per address', async () => {
      const { email } = await signUp(strict);
      const wrong = (name: string) =>
        strict.call('POST', '/api/v1/auth/email/login', { body: { email: name, password: 'wrong' } });
      const known = [];
      const unknown = [];
      for (let i = 0; i < 4; i++) known.push((await wrong(email)).status);
      for (let i = 0; i < 4; i++) unknown.push((await wrong('who@example.com')).status);
      // Registering succeeded, so it does not count as an attempt at the known account.
      expect([known, unknown]).toEqual(Array(2).fill([401, 401, 401, 429]));

      const limited = await attempt(email);
      expect(limited.status).toBe(429);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(limited.body).toMatchObject({ code: 'request.rateLimited', error: 'Too Many Requests' });

      const others = [];
      for (let i = 0; i < 4; i++) others.push((await attempt(`person-${i}@example.com`)).status);
      expect(others).toEqual([401, 401, 401, 429]);
      expect((await strict.call('GET', '/api/v1/message/nonce')).status).toBe(429);
    });

    describe('of one account, from several addresses', () => {
      let proxied: TestApp;
      beforeAll(async () => {
        proxied = await startTestApp({ SIGN_IN_LIMIT_PER_ACCOUNT: '3', TRUST_PROXY: '1' });
      });
      afterAll(() => proxied.close());
      const loginFrom = (from: string, email: string, typed: string) =>
        proxied.call('POST', '/api/v1/auth/email/login', {
          body: { email, password: typed },
          headers: { 'x-forwarded-for': from },
        });
      const resetFrom = (from: string, email: string) =>
        proxied.call('POST', '/api/v1/auth/email/reset', {
          body: { email },
          headers: { 'x-forwarded-for': from },
        });

      test('wrong passwords from elsewhere do not lock the owner out', async () => {
        const { email } = await signUp(proxied);
        const elsewhere = await Promise.all(
          Array.from({ length: 12 }, (_, i) => loginFrom(`203.0.113.${i % 4}`, email, 'wrong')),
        );
        expect(elsewhere.map(({ status }) => status)).toEqual(Array(12).fill(401));
        expect((await loginFrom('203.0.113.0', email, 'wrong')).status).toBe(429);
        // Upper case names the same account, and the IPv4-mapped IPv6 address the same client.
        expect((await loginFrom('::ffff:203.0.113.0', email.toUpperCase(), 'wrong')).status).toBe(429);
        expect((await loginFrom('198.51.100.1', email, password)).status).toBe(200);
      });

      test('attempts from all addresses together are limited too', async () => {
        const email = 'stuffed@example.com';
        const answers = await Promise.all(
          Array.from({ length: 45 }, (_, i) => loginFrom(`192.0.2.${i}`, email, 'wrong')),
        );
        const limited = answers.filter(({ status }) => status === 429);
        expect(answers.length - limited.length).toBeGreaterThanOrEqual(30);
        expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
        expect((await loginFrom('192.0.2.200', 'another@example.com', 'wrong')).status).toBe(401);
      });

      test('an owner who signed in before, by password or by a reset link, is not affected by attempts from elsewhere', async () => {
        const { email } = await signUp(proxied);
        expect((await loginFrom('198.51.100.1', email, password)).status).toBe(200);
        /**
         * The status of the last of many concurrent attempts, which come from enough addresses to use up the shared
         * limit.
         */
        const loginDuringAttack = async (from: string, typed: string) => {
          const others = Array.from({ length: 60 }, (_, i) => loginFrom(`192.0.2.${i}`, email, 'wrong'));
          const mine = loginFrom(from, email, typed);
          expect((await Promise.all(others)).map(({ status }) => status)).toContain(429);
          return (await mine).status;
        };
        expect(await loginDuringAttack('198.51.100.1', password)).toBe(200);

        await resetFrom('198.51.100.2', email);
        const set = await proxied.call('POST', '/api/v1/auth/email/password', {
          body: {
            token: tokenIn(await mailTo(proxied, email, 'Reset your password')),
            password: 'a password set by link',
            passwordConfirm: 'a password set by link',
          },
          headers: { 'x-forwarded-for': '198.51.100.2' },
        });
        expect(set.status).toBe(200);
        expect(await loginDuringAttack('198.51.100.2', 'a password set by link')).toBe(200);
      });

      test('requesting reset links does not keep the owner from signing in', async () => {
        const { email } = await signUp(proxied);
        const asked = [];
        for (let i = 0; i < 4; i++) asked.push((await resetFrom('198.51.100.7', email)).status);
        expect(asked).toEqual([200, 200, 200, 429]);
        expect((await loginFrom('198.51.100.7', email, password)).status).toBe(200);
      });
    });
  });
});
