import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { providers } from '@orange-id/contract/sign-in.methods';
import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { limits } from '@orange-id/contract/limits';
import { randomBytes } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { inBrowserOf } from '../../testing/browser.cookie.js';
import { pageText } from '../../testing/page.text.js';
import { SignedUp, signUp } from '../../testing/sign.up.js';
import { signedMessage } from '../../testing/signed.message.js';
import { comeBack, settle, signInAs, tokensAt } from '../../testing/social.browser.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';
import { formOf, TestBrowser, Visited } from '../../testing/test.browser.js';

const newEmail = () => `user-${randomBytes(6).toString('hex')}@example.com`;

describe('linking an account of a provider', () => {
  let portal: TestApp;
  let user: SignedUp;
  let browser: TestBrowser;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    [user, browser] = await signedIn();
  });

  /** A user who signed in with a browser, as the callback page completes it. */
  const signedIn = async (): Promise<[SignedUp, TestBrowser]> => {
    const someone = await signUp(portal);
    const theirs = new TestBrowser(portal.url);
    await settle(theirs, someone);
    return [someone, theirs];
  };
  /** Adds a new wallet to the account and returns its address. */
  const addWallet = async (token: string): Promise<string> => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const body = await signedMessage(portal, wallet);
    const added = await portal.call('POST', '/api/v1/auth/identifier/wallet', {
      token,
      headers: await inBrowserOf(portal, token),
      body,
    });
    expect(added.status).toBe(200);
    return wallet.address;
  };
  const linkPath = (token: string, provider: ProviderName = 'google') =>
    `/api/v1/auth/identifier/${provider.toUpperCase()}?state=${portal.url}/auth/callback&token=${token}`;
  const methodsOf = async ({ token }: Pick<SignedUp, 'token'>): Promise<string[]> => {
    const answer = await portal.call('GET', '/api/v1/auth/identifiers', { token });
    expect(answer.status).toBe(200);
    return answer.body.map(
      ({ provider, label }: { provider: string; label: string }) => `${provider} ${label}`,
    );
  };
  const expectPage = (page: Visited, status: number, title: string) => {
    expect({ status: page.status, text: page.text }).toEqual({
      status,
      text: expect.stringContaining(`<h1>${title}</h1>`),
    });
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.text).not.toContain('<script');
  };
  const notHere = 'Connecting Google can’t continue';

  test.each(providers)('%s: asks first, then the account has one more sign-in method', async (provider) => {
    const title = provider === 'google' ? 'Google' : 'Apple';
    const page = await browser.visit(linkPath(user.token, provider));
    expectPage(page, 200, `Connect ${title} to your account?`);
    expect(page.text).toContain('You’re signed in to an Orange ID account without a confirmed email address');
    expect(page.text).toContain('We don’t show its email because it isn’t confirmed.');
    expect(pageText(page.text)).not.toContain(user.email);
    expect(page.text).toContain(`<a class="aside" href="${portal.url}/login?from=profile">Cancel</a>`);
    // The access token leaves the URL at once.
    expect(page.url.search).toMatch(/^\?flow=[\w-]{43}$/);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await methodsOf(user)).toEqual([`email ${user.email}`]);

    const email = newEmail();
    const there = await browser.submit(page, `Continue with ${title}`);
    const back = await comeBack(browser, there, provider, { email });
    const tokens = tokensAt(back);
    const me = await portal.call('GET', '/api/v1/auth/user', { token: tokens.token });
    expect(me.body.id).toBe(user.userId);
    expect(await methodsOf(tokens)).toEqual([`email ${user.email}`, `${provider} ${email}`]);

    const later = await signInAs(new TestBrowser(portal.url), provider, { email });
    const again = await portal.call('GET', '/api/v1/auth/user', { token: tokensAt(later).token });
    expect(again.body.id).toBe(user.userId);
  });

  test('the page allows its form to lead to the provider, and nowhere else', async () => {
    const formAction = ({ headers }: Visited) =>
      /form-action ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];
    expect(formAction(await browser.visit(linkPath(user.token)))).toBe(`'self' ${portal.url}`);
    expect(formAction(await browser.visit('/nowhere'))).toBe("'self'");
  });

  test('the page names the wallet that signed and the confirmed email address', async () => {
    const wallet = await addWallet(user.token);
    await portal.db.query('update credentials set email_verified = true where user_id = $1', [user.userId]);
    const page = await browser.visit(linkPath(user.token));
    expect(pageText(page.text)).toContain(
      `You’re signed in to the Orange ID account linked to ${user.email} and the wallet ${wallet}.`,
    );
    expect(page.text).not.toContain('We don’t show its email');
  });

  test("the page does not show the victim's email and name that an attacker typed into their own profile", async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const { body } = await portal.call('POST', '/api/v1/message/verify', {
      body: await signedMessage(portal, wallet),
    });
    const { accessToken: token, refreshToken } = body.token;
    await portal.call('POST', '/api/v1/user/profile', {
      token,
      body: { email: newEmail(), displayName: 'The Victim' },
    });
    const { email } = (await portal.call('GET', '/api/v1/auth/user', { token })).body;
    const theirs = new TestBrowser(portal.url);
    await settle(theirs, { token, refreshToken });
    const page = await theirs.visit(linkPath(token));
    expectPage(page, 200, 'Connect Google to your account?');
    expect(pageText(page.text)).not.toContain(email);
    expect(page.text).not.toContain('The Victim');
    expect(page.text).toContain(
      `You’re signed in to the Orange ID account linked to the wallet ${wallet.address}.`,
    );
  });

  test('a provider account is named if the provider vouches for it, and its name cannot inject HTML', async () => {
    await portal.db.query(
      `insert into linked_identities (id, user_id, provider, subject, email, email_verified) values
         (gen_random_uuid(), $1::uuid, 'google', $1::uuid::text || '-1', '<img src=x onerror=alert(1)>@example.com', true),
         (gen_random_uuid(), $1::uuid, 'apple', $1::uuid::text || '-2', 'unvouched@example.com', false)`,
      [user.userId],
    );
    const page = await browser.visit(linkPath(user.token));
    expect(page.text).toContain('the Google account &lt;img src=x onerror=alert(1)&gt;@example.com');
    expect(page.text).toContain('an Apple account');
    expect(pageText(page.text)).not.toContain('unvouched@example.com');
    expect(page.text).not.toContain('<img');
  });

  test('the marker of the tab is returned to the callback', async () => {
    const tab = 'A-b_'.padEnd(22, 'z');
    const page = await browser.visit(`${linkPath(user.token)}&tab=${tab}`);
    const there = await browser.submit(page, 'Continue with Google');
    const back = await comeBack(browser, there, 'google', { email: newEmail() });
    expect(back.url.searchParams.get('tab')).toBe(tab);
    expect([...back.url.searchParams.keys()]).toEqual(['token', 'refreshToken', 'tab']);
  });

  describe('an attacker’s link connects nothing to the account of a victim who follows it', () => {
    test('and is signed in: the page gives the reason and has no form', async () => {
      const [attacker] = await signedIn();
      const page = await browser.visit(linkPath(attacker.token));
      expectPage(page, 403, 'Nothing was connected');
      expect(page.text).not.toContain('<form');
      expect(pageText(page.text)).not.toContain(attacker.email);
      expect(await methodsOf(attacker)).toEqual([`email ${attacker.email}`]);
      expect(await methodsOf(user)).toEqual([`email ${user.email}`]);
    });

    test('and is signed out, or has never signed in', async () => {
      const [attacker] = await signedIn();
      const fresh = new TestBrowser(portal.url);
      expectPage(await fresh.visit(linkPath(attacker.token)), 403, 'Nothing was connected');
      await fresh.visit('/api/login?provider=google');
      expectPage(await fresh.visit(linkPath(attacker.token)), 403, 'Nothing was connected');
      await portal.call('POST', '/api/v1/auth/logout', { token: user.token });
      expectPage(await browser.visit(linkPath(attacker.token)), 403, 'Nothing was connected');
    });

    test('at any later step: the page, its form, the callback of the provider', async () => {
      const [attacker, theirs] = await signedIn();
      const page = await theirs.visit(linkPath(attacker.token));
      expectPage(await browser.visit(page.url.href), 400, notHere);
      const { action, hidden } = formOf(page);
      expectPage(await browser.visit(action, { form: hidden }), 400, notHere);

      const there = await theirs.submit(page, 'Continue with Google', {}, { redirects: 0 });
      const authorization = there.headers.get('location') as string;
      // The victim visits the provider with the attacker's URL, signs in there and is redirected back.
      const victims = await comeBack(browser, await browser.visit(authorization), 'google', {
        email: newEmail(),
        verified: 'yes',
      });
      expect(victims.status).toBe(400);
      expect(victims.text).toContain('can’t continue');
      expect(await methodsOf(attacker)).toEqual([`email ${attacker.email}`]);
      expect(await methodsOf(user)).toEqual([`email ${user.email}`]);
    });

    test('a program gets JSON', async () => {
      const [attacker] = await signedIn();
      const page = await browser.visit(linkPath(attacker.token), { headers: { accept: '*/*' } });
      expect(JSON.parse(page.text)).toMatchObject({ statusCode: 403, code: 'auth.linkOtherAccount' });
    });
  });

  describe('the form', () => {
    test('is refused with a wrong CSRF token or that of another page; the right token still works', async () => {
      const page = await browser.visit(linkPath(user.token));
      const other = await browser.visit(linkPath(user.token));
      const { action, hidden } = formOf(page);
      const wrong: Record<string, string>[] = [
        { ...hidden, csrf: 'A'.repeat(43) },
        { ...hidden, csrf: '' },
        { flow: hidden['flow'] as string },
        { ...hidden, csrf: formOf(other).hidden['csrf'] as string },
        { ...hidden, flow: '__proto__' },
        { ...hidden, more: 'x' },
      ];
      for (const form of wrong) {
        expectPage(await browser.visit(action, { form }), 400, notHere);
      }
      const right = await browser.visit(action, { form: hidden, redirects: 0 });
      expect(right.status).toBe(303);
    });

    test('submitted twice, or again after Back, leads to the provider each time; after linking it is refused', async () => {
      const page = await browser.visit(linkPath(user.token));
      const { action, hidden } = formOf(page);
      const pressed = await Promise.all(
        Array.from({ length: 3 }, () => browser.visit(action, { form: hidden, redirects: 0 })),
      );
      expect(pressed.map(({ status }) => status)).toEqual([303, 303, 303]);
      expectPage(await browser.visit(page.url.href), 200, 'Connect Google to your account?');

      const email = newEmail();
      const there = await browser.visit(action, { form: hidden });
      await comeBack(browser, there, 'google', { email });
      expect(await methodsOf(user)).toEqual([`email ${user.email}`, `google ${email}`]);
      expectPage(await browser.visit(action, { form: hidden }), 400, notHere);
      expectPage(await browser.visit(page.url.href), 400, notHere);
    });

    test('at the other provider is refused', async () => {
      const { hidden } = formOf(await browser.visit(linkPath(user.token)));
      const page = await browser.visit('/api/v1/auth/identifier/APPLE', { form: hidden });
      expectPage(page, 400, 'Connecting Apple can’t continue');
    });

    test('after its time limit is refused', async () => {
      const page = await browser.visit(linkPath(user.token));
      const { action, hidden } = formOf(page);
      await portal.db.query(
        `update sessions set sess = jsonb_set(sess, array['flows', $1, 'expiresAtMs'], '1')
         where sess->'flows' ? $1`,
        [hidden['flow']],
      );
      expectPage(await browser.visit(page.url.href), 400, notHere);
      expectPage(await browser.visit(action, { form: hidden }), 400, notHere);
    });

    test('after another user signed in with this browser is refused', async () => {
      const page = await browser.visit(linkPath(user.token));
      const { action, hidden } = formOf(page);
      await settle(browser, await signUp(portal));
      expectPage(await browser.visit(page.url.href), 400, notHere);
      expectPage(await browser.visit(action, { form: hidden }), 400, notHere);
    });

    test('has an id that is not accepted as the state of a provider’s response', async () => {
      const { hidden } = formOf(await browser.visit(linkPath(user.token)));
      const page = await browser.visit(`/api/v1/auth/GOOGLE/callback?state=${hidden['flow']}&code=x`);
      expect(page.status).toBe(400);
    });
  });

  const confirmed = async (by: TestBrowser, { token }: Pick<SignedUp, 'token'>) =>
    by.submit(await by.visit(linkPath(token)), 'Continue with Google');

  test('an account that another user has linked stays theirs', async () => {
    const [other, theirs] = await signedIn();
    const email = newEmail();
    await comeBack(theirs, await confirmed(theirs, other), 'google', { email });
    const page = await comeBack(browser, await confirmed(browser, user), 'google', { email });
    expectPage(page, 409, 'Google wasn’t connected');
    expect(page.text).toContain('The account you chose is already linked to another Orange ID account.');
    expect(page.text).toContain('Go back and choose another account or method.');
    expect(page.text).toContain(`href="${portal.url}/login?from=profile"`);
    expect(await methodsOf(user)).toEqual([`email ${user.email}`]);
  });

  test('an account that another user signs in with stays theirs too', async () => {
    const email = newEmail();
    await signInAs(new TestBrowser(portal.url), 'google', { email });
    const page = await comeBack(browser, await confirmed(browser, user), 'google', { email });
    expectPage(page, 409, 'Google wasn’t connected');
  });

  test('linking the same account again reports that it is already linked', async () => {
    const email = newEmail();
    const tokens = tokensAt(await comeBack(browser, await confirmed(browser, user), 'google', { email }));
    const page = await comeBack(browser, await confirmed(browser, tokens), 'google', { email });
    expectPage(page, 409, 'Google wasn’t connected');
    expect(page.text).toContain('Your account already has this sign-in method.');
  });

  test('an account at its limit of sign-in methods is asked to remove one, not to choose another', async () => {
    const there = await confirmed(browser, user);
    await portal.db.query(
      `insert into linked_identities (id, user_id, provider, subject)
         select gen_random_uuid(), $1, 'apple', $2 || n from generate_series(2, $3::int) n`,
      [user.userId, user.email, limits.signInMethodsPerUser],
    );
    const page = await comeBack(browser, there, 'google', { email: newEmail() });
    expectPage(page, 409, 'Google wasn’t connected');
    expect(page.text).toContain('the maximum. Remove one to add another.</p>');
    expect(page.text).not.toContain('choose another');
  });

  test('cancelling at the provider links nothing and leads back to the sign-in methods', async () => {
    const page = await browser.submit(await confirmed(browser, user), 'Cancel');
    expectPage(page, 400, 'Connecting Google was cancelled');
    expect(page.text).toContain(`href="${portal.url}/login?from=profile"`);
    expect(await methodsOf(user)).toEqual([`email ${user.email}`]);
  });

  test('signing out in the meantime links nothing', async () => {
    const there = await confirmed(browser, user);
    await portal.call('POST', '/api/v1/auth/logout', { token: user.token });
    const email = newEmail();
    expectPage(await comeBack(browser, there, 'google', { email }), 401, 'You’re signed out');
    const [{ count }] = await portal.db.query(
      'select count(*)::int as count from linked_identities where email = $1',
      [email],
    );
    expect(count).toBe(0);
  });

  test('a verified email address of the linked account confirms the same address here', async () => {
    const { email } = user;
    const back = await comeBack(browser, await confirmed(browser, user), 'google', {
      email,
      verified: 'yes',
    });
    const me = await portal.call('GET', '/api/v1/auth/user', { token: tokensAt(back).token });
    expect(me.body).toMatchObject({ email, emailVerified: true });
  });

  test.each([
    ['token=abc', 401],
    ['token=', 401],
    ['', 401],
    ['token=a&token=b', 401],
  ])('without a valid token (%s) a page leads to sign-in', async (query, status) => {
    const page = await browser.visit(
      `/api/v1/auth/identifier/GOOGLE?state=${portal.url}/auth/callback&${query}`,
    );
    expectPage(page, status, 'You’re signed out');
    expect(page.text).toContain(`href="${portal.url}/login"`);
  });

  test('a refresh token is not accepted as an access token', async () => {
    expectPage(await browser.visit(linkPath(user.refreshToken)), 401, 'You’re signed out');
  });
});
