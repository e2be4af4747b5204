import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freshProof } from '@orange-id/contract/identity.schema';
import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { limits } from '@orange-id/contract/limits';
import type { JWTPayload } from 'jose';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { newId } from '../../database/new.id.js';
import { freePort } from '../../testing/test.app.js';
import { HandmadeProvider } from '../../testing/handmade.provider.js';
import { SignedUp, signUp } from '../../testing/sign.up.js';
import { signedMessage } from '../../testing/signed.message.js';
import { comeBack, settle, signInAs, tokensAt } from '../../testing/social.browser.js';
import { Answer, startTestApp, TestApp } from '../../testing/test.app.js';
import { TestBrowser } from '../../testing/test.browser.js';

const password = 'a long enough password';
const newWallet = () => privateKeyToAccount(generatePrivateKey());
const cookieName = 'portal_session';
/** Another portal that uses this identity service. */
const otherPortal = 'http://localhost:4999';

/** A browser that is signed in, and the tokens its page stores. */
interface SignedInBrowser {
  browser: TestBrowser;
  token: string;
  userId: string;
}

describe('confirming one’s identity again', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ IDENTITY_CALLBACKS: `${otherPortal}/auth/callback` });
  });
  afterAll(() => portal.close());

  /** Makes the confirmations in this user's browsers too old. */
  const makeStale = (userId: string, at = portal) =>
    at.db.query(
      `update sessions set sess = jsonb_set(sess, '{provenAtMs}', to_jsonb((sess->>'provenAtMs')::float8 - $2))
       where sess->>'userId' = $1`,
      [userId, (limits.freshProofSeconds + 1) * 1000],
    );
  const browserOf = async ({
    token,
    refreshToken,
    userId,
  }: Pick<SignedUp, 'token' | 'refreshToken' | 'userId'>) => {
    const browser = new TestBrowser(portal.url);
    await settle(browser, { token, refreshToken });
    return { browser, token, userId };
  };
  const withPassword = async (): Promise<SignedInBrowser & { email: string }> => {
    const account = await signUp(portal);
    return { ...(await browserOf(account)), email: account.email };
  };
  const withWallet = async (wallet = newWallet()): Promise<SignedInBrowser> => {
    const { body } = await portal.call('POST', '/api/v1/message/verify', {
      body: await signedMessage(portal, wallet),
    });
    return browserOf({
      token: body.token.accessToken,
      refreshToken: body.token.refreshToken,
      userId: body.user.id,
    });
  };
  const send = async ({ browser, token }: SignedInBrowser, path: string, body: unknown): Promise<Answer> => {
    const answer = await browser.send(path, body, { authorization: `Bearer ${token}` });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
  };
  const prove = (seat: SignedInBrowser, body: unknown) => send(seat, '/api/v1/auth/proof', body);
  const provenUntil = async ({ browser, token }: SignedInBrowser): Promise<string | null> => {
    const { body } = await portal.call('GET', '/api/v1/auth/proof', {
      token,
      headers: { cookie: `${cookieName}=${browser.cookie(cookieName)}` },
    });
    return body.provenUntil;
  };
  const expectRefused = async (seat: SignedInBrowser, answer: Answer, status: number, code: string) => {
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await provenUntil(seat)).toBeNull();
  };

  test('a sign-in counts as a confirmation for 5 minutes', async () => {
    const seat = await withPassword();
    const [{ at }] = await portal.db.query('select created_at as at from refresh_tokens where user_id = $1', [
      seat.userId,
    ]);
    const until = new Date((await provenUntil(seat)) as string).getTime();
    expect(until - (at as Date).getTime()).toBe(limits.freshProofSeconds * 1000);
  });

  describe('with the password', () => {
    test('returns 200: the browser may change sign-in methods again; its session continues with a new value', async () => {
      const seat = await withPassword();
      await makeStale(seat.userId);
      expect(await provenUntil(seat)).toBeNull();
      const before = seat.browser.cookie(cookieName);
      const answer = await prove(seat, { password });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(freshProof.parse(answer.body)).toEqual({ provenUntil: await provenUntil(seat) });
      expect(seat.browser.cookie(cookieName)).not.toBe(before);
      expect(
        (await send(seat, '/api/v1/auth/identifier/wallet', await signedMessage(portal, newWallet()))).status,
      ).toBe(200);
    });

    test('returns 403 for a wrong one, which counts towards the sign-in limit of the account', async () => {
      const seat = await withPassword();
      await makeStale(seat.userId);
      for (let i = 0; i < portal.environment.SIGN_IN_LIMIT_PER_ACCOUNT; i++) {
        await expectRefused(seat, await prove(seat, { password: 'a guess' }), 403, 'auth.passwordWrong');
      }
      await expectRefused(seat, await prove(seat, { password: 'a guess' }), 429, 'request.rateLimited');
      const login = await portal.call('POST', '/api/v1/auth/email/login', {
        body: { email: seat.email, password },
      });
      expect(login.status).toBe(429);
    });

    test('returns 403, without checking the password, in a browser that is not signed in to the account', async () => {
      const [mine, theirs] = [await withPassword(), await withPassword()];
      for (const browser of [new TestBrowser(portal.url), theirs.browser]) {
        const seat = { ...mine, browser };
        await expectRefused(seat, await prove(seat, { password }), 403, 'auth.browserUnbound');
        await expectRefused(seat, await prove(seat, { password: 'a guess' }), 403, 'auth.browserUnbound');
      }
    });

    test('returns 404 for an account without a password', async () => {
      const seat = await withWallet();
      await makeStale(seat.userId);
      const answer = await prove(seat, { password });
      await expectRefused(seat, answer, 404, 'auth.methodNotFound');
      expect(answer.body.message).toBe('Your account has no password. Confirm with another sign-in method');
    });

    test('a confirmation in progress when another user signs in with the browser confirms neither user', async () => {
      const [mine, theirs] = [await withPassword(), await signUp(portal)];
      await makeStale(mine.userId);
      await portal.db.query(
        `update refresh_tokens set created_at = now() - interval '1 hour' where user_id = $1`,
        [theirs.userId],
      );
      const [proven] = await Promise.all([prove(mine, { password }), settle(mine.browser, theirs)]);
      await settle(mine.browser, theirs);
      expect([200, 403]).toContain(proven.status);
      expect(await provenUntil(mine)).toBeNull();
      expect(await provenUntil({ ...mine, token: theirs.token })).toBeNull();
    });

    const either = 'The body must have either password, or message and signature';
    test.each<[string, unknown, string]>([
      ['nothing', {}, either],
      ['half a signed message', { message: 'x' }, either],
      ['an empty password', { password: '' }, 'password: must not be empty'],
      ['a number', { password: 1 }, either],
      ['a list', { password: [password] }, either],
      [
        'too long a password',
        { password: 'x'.repeat(limits.passwordMaxCharacters + 1) },
        `password: must have at most ${limits.passwordMaxCharacters} characters`,
      ],
      [
        'a field too many',
        { password, userId: newId() },
        'userId: isn’t a known field; known fields are password',
      ],
    ])('returns 400 for %s', async (_what, body, message) => {
      const seat = await withPassword();
      await makeStale(seat.userId);
      const answer = await prove(seat, body);
      await expectRefused(seat, answer, 400, 'request.invalid');
      expect(answer.body.message).toBe(message);
      expect(answer.text).not.toContain(password);
    });
  });

  describe('with a wallet', () => {
    test('returns 200 for one that is linked to the account, with a message that works once', async () => {
      const wallet = newWallet();
      const seat = await withWallet(wallet);
      await makeStale(seat.userId);
      const body = await signedMessage(portal, wallet);
      expect((await prove(seat, body)).status).toBe(200);
      expect(await provenUntil(seat)).not.toBeNull();
      await makeStale(seat.userId);
      await expectRefused(seat, await prove(seat, body), 401, 'auth.nonceInvalid');
    });

    test('returns 403 for a wallet that is linked to no account or to another account', async () => {
      const other = newWallet();
      await withWallet(other);
      const seat = await withWallet();
      await makeStale(seat.userId);
      for (const wallet of [other, newWallet()]) {
        const answer = await prove(seat, await signedMessage(portal, wallet));
        await expectRefused(seat, answer, 403, 'auth.proofInvalid');
        expect(answer.body.message).toBe(
          'This wallet isn’t linked to your account. Choose one that is, or confirm with another method',
        );
      }
    });

    test('returns 401 for a message that names another served portal, although it is valid for signing in there', async () => {
      const wallet = newWallet();
      const seat = await withWallet(wallet);
      await makeStale(seat.userId);
      const forOther = () => signedMessage({ call: portal.call, url: otherPortal }, wallet);
      const signedIn = await portal.call('POST', '/api/v1/message/verify', { body: await forOther() });
      expect(signedIn.status).toBe(200);
      await expectRefused(seat, await prove(seat, await forOther()), 401, 'auth.messageInvalid');
    });

    test('returns 401 for a message for another site or an old time', async () => {
      const wallet = newWallet();
      const seat = await withWallet(wallet);
      await makeStale(seat.userId);
      for (const change of [{ domain: 'evil.example' }, { issuedAt: '2026-01-01T00:00:00.000Z' }]) {
        const { message, signature } = await signedMessage(portal, wallet);
        const answer = await prove(seat, { message: { ...message, ...change }, signature });
        await expectRefused(seat, answer, 401, 'auth.messageInvalid');
      }
    });
  });

  describe('with the account of a provider', () => {
    const withProvider = async (provider: ProviderName, email: string): Promise<SignedInBrowser> => {
      const browser = new TestBrowser(portal.url);
      const { token } = tokensAt(await signInAs(browser, provider, { email }));
      const { body } = await portal.call('GET', '/api/v1/auth/user', { token });
      return { browser, token, userId: body.id };
    };
    const begin = (seat: SignedInBrowser, provider: ProviderName) =>
      send(seat, `/api/v1/auth/proof/${provider.toUpperCase()}`, {});
    const newEmail = () => `user-${newId()}@example.com`;
    const titles = { google: 'Google', apple: 'Apple' };

    test.each<ProviderName>(['google', 'apple'])(
      '%s: confirms the same user and returns to the list of sign-in methods, without new tokens',
      async (provider) => {
        const email = newEmail();
        const seat = await withProvider(provider, email);
        await makeStale(seat.userId);
        const { href } = (await begin(seat, provider)).body;
        expect(new URL(href).searchParams.get('max_age')).toBe('0');
        const page = await comeBack(seat.browser, await seat.browser.visit(href), provider, { email });
        expect(page.url.href).toBe(`${portal.url}/login?from=profile`);
        expect(await provenUntil(seat)).not.toBeNull();
        const sessions = await portal.call('GET', '/api/v1/auth/sessions', { token: seat.token });
        expect(sessions.body).toHaveLength(1);
      },
    );

    test.each<ProviderName>(['google', 'apple'])(
      '%s: signing in as another user confirms nothing',
      async (provider) => {
        const seat = await withProvider(provider, newEmail());
        const other = newEmail();
        await withProvider(provider, other);
        await makeStale(seat.userId);
        for (const email of [other, newEmail()]) {
          const { href } = (await begin(seat, provider)).body;
          const page = await comeBack(seat.browser, await seat.browser.visit(href), provider, { email });
          expect([page.status, page.text]).toEqual([
            403,
            expect.stringContaining(`<h1>Confirming with ${titles[provider]} didn’t work</h1>`),
          ]);
          expect(page.text).toContain(
            'The account you chose isn’t linked to your Orange ID account. Choose one that is.',
          );
          expect(page.text).toContain(
            'You’re still signed in. Go back to your sign-in methods to try again.',
          );
          expect(page.text).toContain(`href="${portal.url}/login?from=profile"`);
          expect(await provenUntil(seat)).toBeNull();
        }
      },
    );

    test('cancelling there confirms nothing, and the page says so', async () => {
      const seat = await withProvider('google', newEmail());
      await makeStale(seat.userId);
      const { href } = (await begin(seat, 'google')).body;
      const page = await seat.browser.submit(await seat.browser.visit(href), 'Cancel');
      expect(page.text).toContain('<h1>Confirming with Google was cancelled</h1>');
      expect(page.text).toContain('You’re still signed in. Go back to try again.');
      expect(page.text).not.toContain('another');
      expect(await provenUntil(seat)).toBeNull();
    });

    test('a response counts only in the requesting browser, and only while that account is signed in there', async () => {
      const email = newEmail();
      const seat = await withProvider('google', email);
      await makeStale(seat.userId);
      const { href } = (await begin(seat, 'google')).body;
      const elsewhere = new TestBrowser(portal.url);
      const lost = await comeBack(elsewhere, await elsewhere.visit(href), 'google', { email });
      expect(lost.status).toBe(400);
      const again = (await begin(seat, 'google')).body.href;
      const there = await seat.browser.visit(again);
      await settle(seat.browser, await signUp(portal));
      expect((await comeBack(seat.browser, there, 'google', { email })).status).toBe(400);
      expect(await provenUntil(seat)).toBeNull();
    });

    test('returns 403 in another browser, and 404 for a provider that is not linked', async () => {
      const seat = await withProvider('google', newEmail());
      const elsewhere = { ...seat, browser: new TestBrowser(portal.url) };
      const unbound = await begin(elsewhere, 'google');
      expect([unbound.status, unbound.body.code]).toEqual([403, 'auth.browserUnbound']);
      const unlinked = await begin(seat, 'apple');
      expect([unlinked.status, unlinked.body.code]).toEqual([404, 'auth.methodNotFound']);
    });
  });

  describe('with a provider that reports when the user signed in there', () => {
    let provider: HandmadeProvider;
    let other: TestApp;
    beforeAll(async () => {
      provider = await HandmadeProvider.start(await freePort());
      other = await startTestApp({
        GOOGLE_CLIENT_ID: 'portal',
        GOOGLE_CLIENT_SECRET: 'secret',
        GOOGLE_ISSUER: provider.issuer,
      });
    });
    afterAll(async () => {
      await other.close();
      await provider.close();
    });

    /** The provider approves at once, and the browser returns. */
    const approved = (browser: TestBrowser, address: string, claims: JWTPayload) =>
      browser.visit(
        `/api/v1/auth/GOOGLE/callback?${provider.approve(new URL(address), { sub: 'ada', ...claims })}`,
      );

    test.each([
      [limits.freshProofSeconds + 30, false],
      [limits.freshProofSeconds - 60, true],
      [-5, true],
    ])('a sign-in %i s ago counts from that time (still fresh: %s)', async (agoSeconds, isProven) => {
      const browser = new TestBrowser(other.url);
      const left = await browser.visit('/api/login?provider=google', { redirects: 1 });
      const { token } = tokensAt(await approved(browser, left.headers.get('location') as string, {}));
      const { body: user } = await other.call('GET', '/api/v1/auth/user', { token });
      await makeStale(user.id, other);
      const begun = await browser.send('/api/v1/auth/proof/GOOGLE', {}, { authorization: `Bearer ${token}` });
      const { href } = (await begun.json()) as { href: string };
      const signedInAt = Math.floor(Date.now() / 1000) - agoSeconds;
      const back = await approved(browser, href, { auth_time: signedInAt });
      expect(back.text.includes('Google used an earlier sign-in and didn’t ask for a new one')).toBe(
        !isProven,
      );
      const { body } = await other.call('GET', '/api/v1/auth/proof', {
        token,
        headers: { cookie: `${cookieName}=${browser.cookie(cookieName)}` },
      });
      if (!isProven) return expect(body.provenUntil).toBeNull();
      const until = Date.parse(body.provenUntil) / 1000 - limits.freshProofSeconds;
      expect(Math.abs(until - Math.min(signedInAt, Date.now() / 1000))).toBeLessThan(3);
    });
  });
});
