import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { providers } from '@orange-id/contract/sign-in.methods';
import { decodeJwt } from 'jose';
import { randomBytes } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { devOpenidPlugin } from '../../dev-openid/dev.openid.plugin.js';
import { forwardedHeaders } from '../../testing/forwarded.headers.js';
import { inBrowserOf } from '../../testing/browser.cookie.js';
import { mailTo } from '../../testing/mailbox.js';
import { signUp } from '../../testing/sign.up.js';
import { signedMessage } from '../../testing/signed.message.js';
import { linkIn, tokenIn } from '../../testing/smtp.server.js';
import { comeBack, settle, signInAs, signUpIn, tokensAt } from '../../testing/social.browser.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';
import { TestBrowser, Visited } from '../../testing/test.browser.js';

const newEmail = () => `user-${randomBytes(6).toString('hex')}@example.com`;
const password = 'a long enough password';

describe('sign-in through the built-in OpenID provider', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  const newBrowser = () => new TestBrowser(portal.url);
  const userAt = async (page: Visited) =>
    (await portal.call('GET', '/api/v1/auth/user', { token: tokensAt(page).token })).body;

  describe.each(providers)('%s', (provider) => {
    const title = provider === 'google' ? 'Google' : 'Apple';

    test('the first time creates an account with the data that the provider vouches for', async () => {
      const email = newEmail();
      const person = { email, name: 'Ada Lovelace', verified: 'yes' } as const;
      const page = await signInAs(newBrowser(), provider, person);
      expect(await userAt(page)).toMatchObject({
        email,
        emailVerified: true,
        displayName: 'Ada Lovelace',
        firstName: 'Ada',
        provider,
      });
      expect(decodeJwt(tokensAt(page).token)).toMatchObject({ provider });
    });

    test('a user who enters no name gets none', async () => {
      const page = await signInAs(newBrowser(), provider, { email: newEmail(), verified: 'yes' });
      expect(await userAt(page)).toMatchObject({ displayName: null, firstName: null, userName: null });
    });

    test('the second time finds the account, in another browser too, and after its email changed in the profile', async () => {
      const person = { email: newEmail(), verified: 'yes' } as const;
      const first = await signInAs(newBrowser(), provider, person);
      await portal.call('POST', '/api/v1/user/profile', {
        token: tokensAt(first).token,
        body: { email: newEmail() },
      });
      const second = await signInAs(newBrowser(), provider, person);
      expect((await userAt(second)).id).toBe((await userAt(first)).id);
    });

    test('the marker of a tab is returned to it, and no other value of that parameter is', async () => {
      const person = { email: newEmail(), verified: 'yes' } as const;
      const tabAt = async (query: string) => {
        const browser = newBrowser();
        const page = await browser.visit(`/api/login?provider=${provider}${query}`);
        return (await comeBack(browser, page, provider, person)).url.searchParams.get('tab');
      };
      const tab = 'A-b_'.padEnd(22, 'z');
      expect(await tabAt(`&tab=${tab}`)).toBe(tab);
      expect(await tabAt('')).toBeNull();
      for (const other of [`${tab}z`, 'short', '', '%26token=x', `${tab}&tab=${tab}`]) {
        expect(await tabAt(`&tab=${other}`)).toBeNull();
      }
    });

    test('both tokens work, and no address before the callback contains the refresh token', async () => {
      const browser = newBrowser();
      const page = await browser.visit(`/api/login?provider=${provider}`);
      let answer = await browser.submit(page, 'Continue', { email: newEmail(), verified: 'yes' });
      if (provider === 'apple') answer = await browser.submit(answer, 'Continue');
      const callback = answer.way.at(-2) as string;
      expect(callback).toContain(`/api/v1/auth/${provider.toUpperCase()}/callback?`);
      const tokens = tokensAt(answer);
      await settle(browser, tokens);
      const refreshed = await portal.call('POST', '/api/v1/auth/refresh', {
        body: { refreshToken: tokens.refreshToken, provider },
      });
      expect(refreshed.status).toBe(200);
      for (const address of answer.way.slice(0, -1)) expect(address).not.toContain(tokens.refreshToken);
    });

    test('a user who cancels gets a message and can continue', async () => {
      const browser = newBrowser();
      const page = await browser.visit(`/api/login?provider=${provider}`);
      const next = await browser.submit(page, 'Cancel');
      const cancelled = provider === 'apple' ? await browser.submit(next, 'Continue') : next;
      expect(cancelled.status).toBe(400);
      expect(cancelled.text).toContain(`<h1>Sign-in with ${title} was cancelled</h1>`);
      expect(cancelled.text).toContain('You’re not signed in.');
      expect(cancelled.text).toContain(`href="${portal.url}/login"`);
      expect(cancelled.headers.get('cache-control')).toBe('no-store');
    });

    test('the account page offers the accounts used before, and refuses an invalid email address', async () => {
      const email = newEmail();
      await signInAs(newBrowser(), provider, { email, name: 'Grace Hopper' });
      const browser = newBrowser();
      const page = await browser.visit(`/api/login?provider=${provider}`);
      const refused = await browser.submit(page, 'Continue', { email: 'nobody', name: 'x' });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('Enter an email like name@example.com.');
      const next = await browser.submit(refused, `Grace Hopper, ${email} (not verified)`);
      const back = provider === 'apple' ? await browser.submit(next, 'Continue') : next;
      expect(await userAt(back)).toMatchObject({ email, emailVerified: false });
    });
  });

  test('two concurrent tabs of one browser, at both providers, all complete', async () => {
    const browser = newBrowser();
    await browser.visit('/api/login?provider=google');
    const pages = await Promise.all(
      [...providers, ...providers].map(async (provider) => ({
        provider,
        page: await browser.visit(`/api/login?provider=${provider}`),
      })),
    );
    for (const { provider, page } of pages) {
      const back = await comeBack(browser, page, provider, { email: newEmail() });
      expect(tokensAt(back).token).not.toBe('');
    }
  });

  describe('an email address', () => {
    test('that the provider has not verified joins no existing account: there are two accounts', async () => {
      const { email, userId, token } = await signUp(portal);
      const page = await signInAs(newBrowser(), 'google', { email });
      const user = await userAt(page);
      expect(user.id).not.toBe(userId);
      expect(user).toMatchObject({ email: null, emailVerified: false });
      expect((await portal.call('GET', '/api/v1/auth/user', { token })).body.email).toBe(email);
      const login = await portal.call('POST', '/api/v1/auth/email/login', { body: { email, password } });
      expect(login.body.user.id).toBe(userId);
    });

    test('that the provider verified is taken from the user who registered it unconfirmed: the old password stops working', async () => {
      const attacker = await signUp(portal);
      const { email } = attacker;
      const page = await signInAs(newBrowser(), 'google', { email, verified: 'yes' });
      const user = await userAt(page);
      expect(user.id).not.toBe(attacker.userId);
      expect(user).toMatchObject({ email, emailVerified: true });
      const login = await portal.call('POST', '/api/v1/auth/email/login', { body: { email, password } });
      expect(login.status).toBe(401);
      expect((await portal.call('GET', '/api/v1/auth/user', { token: attacker.token })).status).toBe(401);
      const refresh = await portal.call('POST', '/api/v1/auth/refresh', {
        body: { refreshToken: attacker.refreshToken },
      });
      expect(refresh.status).toBe(401);
    });

    /** Opens the link in this browser, whoever reads the mailbox. */
    const confirmIn = async (browser: TestBrowser, email: string) => {
      const page = await browser.visit(linkIn(await mailTo(portal, email, 'Confirm')));
      const done = await browser.submit(page, 'Confirm email address');
      expect(done.text).toContain('Your email address is confirmed');
    };
    const confirmElsewhere = async (email: string) => {
      const confirmed = await portal.call('POST', '/api/v1/auth/email/confirm', {
        body: { token: tokenIn(await mailTo(portal, email, 'Confirm')) },
      });
      expect(confirmed.body).toEqual({ email, emailVerified: true });
    };
    const resetByLink = async (email: string) => {
      await portal.call('POST', '/api/v1/auth/email/reset', { body: { email } });
      const owners = 'a password of the owner';
      return portal.call('POST', '/api/v1/auth/email/password', {
        body: {
          token: tokenIn(await mailTo(portal, email, 'Reset your password')),
          password: owners,
          passwordConfirm: owners,
        },
      });
    };
    const changePassword = async (browser: TestBrowser, token: string, to: string) => {
      const body = { currentPassword: password, password: to, passwordConfirm: to };
      const changed = await browser.send('/api/v1/auth/email/change', body, {
        authorization: `Bearer ${token}`,
      });
      expect(changed.status).toBe(200);
    };
    const loginWith = (email: string, typed: string) =>
      portal.call('POST', '/api/v1/auth/email/login', { body: { email, password: typed } });

    test('that a stranger registered and its owner confirmed leads to another account, which the stranger’s password does not open', async () => {
      const stranger = await signUp(portal);
      const { email } = stranger;
      const strangers = newBrowser();
      await settle(strangers, stranger);
      const browser = newBrowser();
      await settle(browser, await signUp(portal));
      await confirmIn(browser, email);

      const page = await signInAs(browser, 'google', { email, verified: 'yes' });
      const owner = await userAt(page);
      expect(owner.id).not.toBe(stranger.userId);
      // The email belongs to the account that confirmed it.
      expect(owner).toMatchObject({ email: null, emailVerified: false });
      expect((await loginWith(email, password)).body.user.id).toBe(stranger.userId);
      const again = await signInAs(newBrowser(), 'apple', { email, verified: 'yes' });
      expect((await userAt(again)).id).not.toBe(stranger.userId);
    });

    test.each(['only that', 'signed out since', 'another password set there since'])(
      'that a stranger registered, whose tokens were put into its owner’s browser (%s), leads to another account',
      async (since) => {
        const strangers = newBrowser();
        const stranger = await signUpIn(strangers);
        const { email } = stranger;
        const browser = newBrowser();
        await settle(browser, stranger);
        if (since === 'signed out since') {
          await portal.call('POST', '/api/v1/auth/logout', { token: stranger.token });
        }
        if (since === 'another password set there since') {
          await changePassword(strangers, stranger.token, 'another long password');
        }
        await confirmIn(browser, email);
        const page = await signInAs(browser, 'google', { email, verified: 'yes' });
        expect((await userAt(page)).id).not.toBe(stranger.userId);
      },
    );

    test('that was confirmed in the browser that created the account leads to it', async () => {
      const browser = newBrowser();
      const account = await signUpIn(browser);
      const { email, userId } = account;
      await settle(browser, account);
      await confirmIn(browser, email);
      const page = await signInAs(newBrowser(), 'google', { email: email.toUpperCase(), verified: 'yes' });
      expect(await userAt(page)).toMatchObject({ id: userId, email, emailVerified: true });
      expect((await loginWith(email, password)).body.user.id).toBe(userId);
    });

    test('that was confirmed by setting a new password by link leads to the account', async () => {
      const { email, userId } = await signUp(portal);
      await confirmElsewhere(email);
      const reset = await resetByLink(email);
      expect(reset.status).toBe(200);
      const page = await signInAs(newBrowser(), 'google', { email, verified: 'yes' });
      expect((await userAt(page)).id).toBe(userId);
    });

    test('of an account whose password was set by link after a second method was added leads to the new account', async () => {
      const stranger = await signUp(portal);
      const { email } = stranger;
      await portal.call('POST', '/api/v1/auth/identifier/wallet', {
        token: stranger.token,
        headers: await inBrowserOf(portal, stranger.token),
        body: await signedMessage(portal, privateKeyToAccount(generatePrivateKey())),
      });
      const reset = await resetByLink(email);
      expect(reset.body.user.id).not.toBe(stranger.userId);
      const page = await signInAs(newBrowser(), 'google', { email, verified: 'yes' });
      expect((await userAt(page)).id).toBe(reset.body.user.id);
    });

    test.each(['that browser', 'another one'])(
      'that was confirmed in the browser that created the account leads to it only if a later password is set there too (set in %s)',
      async (where) => {
        const isSame = where === 'that browser';
        const browser = newBrowser();
        const account = await signUpIn(browser);
        await settle(browser, account);
        await confirmIn(browser, account.email);
        await changePassword(isSame ? browser : newBrowser(), account.token, 'another long password');
        const page = await signInAs(newBrowser(), 'google', { email: account.email, verified: 'yes' });
        expect((await userAt(page)).id === account.userId).toBe(isSame);
      },
    );

    test('that both verified leads to the account that has it', async () => {
      const { email, userId } = await signUp(portal);
      await portal.db.query(
        'update credentials set email_verified = true, vouched = true where user_id = $1',
        [userId],
      );
      await portal.db.query('update users set email_verified = true where id = $1', [userId]);
      const page = await signInAs(newBrowser(), 'google', { email: email.toUpperCase(), verified: 'yes' });
      expect((await userAt(page)).id).toBe(userId);
      const login = await portal.call('POST', '/api/v1/auth/email/login', { body: { email, password } });
      expect(login.status).toBe(200);
    });

    test('that both verified does not lead to an account with a wallet: the owner of the address gets a separate account', async () => {
      const browser = newBrowser();
      const stranger = await signUpIn(browser);
      const { email, userId, token } = stranger;
      await settle(browser, stranger);
      const wallet = privateKeyToAccount(generatePrivateKey());
      const linked = await portal.call('POST', '/api/v1/auth/identifier/wallet', {
        token,
        headers: await inBrowserOf(portal, token),
        body: await signedMessage(portal, wallet),
      });
      expect(linked.status).toBe(200);
      await confirmIn(browser, email);

      const owner = await userAt(await signInAs(newBrowser(), 'google', { email, verified: 'yes' }));
      expect(owner.id).not.toBe(userId);
      const again = await userAt(await signInAs(newBrowser(), 'google', { email, verified: 'yes' }));
      expect(again.id).toBe(owner.id);
      const methods = await portal.call('GET', '/api/v1/auth/identifiers', { token });
      expect(methods.body.map(({ provider }: { provider: string }) => provider)).toEqual(['email', 'wallet']);
    });

    test.each([
      ['an account at a provider that does not vouch for it', `'google', $2, false`],
      ['an account at a provider by another address', `'google', 'other@example.com', true`],
      ['an account at a provider without an address', `'google', null, false`],
    ])('that both verified does not lead to an account that %s opens', async (_, values) => {
      const { email, userId } = await signUp(portal);
      await portal.db.query(
        'update credentials set email_verified = true, vouched = true where user_id = $1',
        [userId],
      );
      await portal.db.query(
        `insert into linked_identities (id, user_id, provider, email, email_verified, subject)
         values (gen_random_uuid(), $1, ${values}, gen_random_uuid()::text || left($2, 0))`,
        [userId, email],
      );
      const page = await signInAs(newBrowser(), 'apple', { email, verified: 'yes' });
      expect((await userAt(page)).id).not.toBe(userId);
    });

    test('that this service verified, but the provider did not, leads to no existing account', async () => {
      const { email, userId } = await signUp(portal);
      await portal.db.query(
        'update credentials set email_verified = true, vouched = true where user_id = $1',
        [userId],
      );
      await portal.db.query('update users set email_verified = true where id = $1', [userId]);
      const page = await signInAs(newBrowser(), 'apple', { email });
      const user = await userAt(page);
      expect(user.id).not.toBe(userId);
      expect(user.email).toBeNull();
    });

    test.each([true, false])(
      'that an account of a previous identity service has (verified there: %s) is ignored',
      async (isVerified) => {
        const email = newEmail();
        const [{ id }] = await portal.db.query(
          `insert into users (id, issuer, subject, email, email_verified, provider)
           values (gen_random_uuid(), 'https://id.example.com', $1, $1, $2, 'passport') returning id`,
          [email, isVerified],
        );
        const person = { email, verified: 'yes' } as const;
        const google = await userAt(await signInAs(newBrowser(), 'google', person));
        expect(google.id).not.toBe(id);
        expect(google.email).toBeNull();
        const [kept] = await portal.db.query(
          'select email, email_verified as "isVerified" from users where id = $1',
          [id],
        );
        expect(kept).toEqual({ email, isVerified });
        expect((await userAt(await signInAs(newBrowser(), 'google', person))).id).toBe(google.id);
      },
    );

    test('of one user at Google and Apple leads to one account if both verified it', async () => {
      const email = newEmail();
      const google = await signInAs(newBrowser(), 'google', { email, verified: 'yes' });
      const apple = await signInAs(newBrowser(), 'apple', { email, verified: 'yes' });
      expect((await userAt(apple)).id).toBe((await userAt(google)).id);
    });

    test('ten concurrent first sign-ins create one account', async () => {
      const email = newEmail();
      const pages = await Promise.all(
        Array.from({ length: 10 }, () => signInAs(newBrowser(), 'google', { email, verified: 'yes' })),
      );
      const users = await Promise.all(pages.map(userAt));
      expect(new Set(users.map(({ id }) => id)).size).toBe(1);
    });
  });
});

test('the addresses of the built-in provider have the scheme of PUBLIC_URL', async () => {
  const portal = await startTestApp({ PUBLIC_URL: 'https://localhost:8443' });
  try {
    const { body } = await portal.call('GET', '/dev/openid/.well-known/openid-configuration');
    expect(body.authorization_endpoint).toBe('https://localhost:8443/dev/openid/auth');
  } finally {
    await portal.close();
  }
});

describe('in production without credentials', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://portal.example.com',
      PORTAL_SECRET: 'a secret of more than thirty-two characters',
      DATABASE_URL: 'postgres://not-used-by-tests/portal',
    });
  });
  afterAll(() => portal.close());

  test.each([
    ['GOOGLE', 'Google', 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET'],
    ['APPLE', 'Apple', 'APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID and APPLE_PRIVATE_KEY'],
  ])('returns 501 for %s: the page names the variables that are missing', async (path, title, variables) => {
    const state = 'https://portal.example.com/auth/callback';
    for (const [route, attempt] of [
      [path, 'Sign-in with'],
      [`identifier/${path}`, 'Connecting'],
    ]) {
      const { body } = await portal.call('GET', `/api/v1/auth/${route}?state=${state}`);
      expect(body.message).toMatch(
        new RegExp(
          `^${attempt} ${title} isn’t available on this portal. To enable it, set ${path}_CLIENT_ID`,
        ),
      );
    }
    const page = await portal.call('GET', `/api/v1/auth/${path}?state=${state}`, {
      headers: { accept: 'text/html' },
    });
    expect(page.status).toBe(501);
    expect(page.text).toContain(`<h1>Sign-in with ${title} isn’t available on this portal</h1>`);
    expect(page.text).toContain(`Do you run this portal? Set ${variables} to enable it.`);
    expect(page.text).toContain('href="https://portal.example.com/login"');
    expect(page.text).not.toMatch(/<script|\son\w+=/i);
    const json = await portal.call('GET', `/api/v1/auth/${path}?state=${state}`);
    expect(json.body.code).toBe('auth.providerNotConfigured');
    expect(json.body.message).toContain(variables.split(/, | and /)[0] as string);
  });

  test('confirming with a provider that is linked returns 501 once it is no longer configured', async () => {
    const site = { call: portal.call, url: portal.environment.PUBLIC_URL };
    const body = await signedMessage(site, privateKeyToAccount(generatePrivateKey()));
    const { user, token } = (await portal.call('POST', '/api/v1/message/verify', { body })).body;
    await portal.db.query(
      `insert into linked_identities (id, user_id, provider, subject) values (gen_random_uuid(), $1, 'google', 'x')`,
      [user.id],
    );
    const answer = await portal.call('POST', '/api/v1/auth/proof/GOOGLE', {
      token: token.accessToken,
      headers: await inBrowserOf(portal, token.accessToken),
    });
    expect([answer.status, answer.body.code]).toEqual([501, 'auth.providerNotConfigured']);
  });

  test('the built-in provider refuses to run', async () => {
    const { environment } = portal;
    const starting = devOpenidPlugin(portal.app.getHttpAdapter().getInstance(), { environment });
    await expect(starting).rejects.toThrow('The built-in OpenID provider does not run in production');
  });

  test('the buttons are not offered', async () => {
    const { features } = (await portal.call('GET', '/api/config')).body;
    expect(features).toMatchObject({ google: false, apple: false });
  });

  test.each(['/dev/openid/.well-known/openid-configuration', '/dev/openid/auth', '/dev/openid/account/x'])(
    '%s does not exist',
    async (path) => {
      expect((await portal.call('GET', path)).status).toBe(404);
    },
  );
});

test('the built-in provider does not exist for a portal at a public address, nor for other machines, clients of a proxy or foreign host names', async () => {
  const portal = await startTestApp({ PUBLIC_URL: 'http://portal.test' });
  const answer = await portal.call('GET', '/api/v1/auth/GOOGLE?state=http://portal.test/auth/callback');
  expect(answer.status).toBe(501);
  expect((await portal.call('GET', '/dev/openid/auth')).status).toBe(404);
  await portal.close();

  const local = await startTestApp();
  const path = '/dev/openid/.well-known/openid-configuration';
  const fromElsewhere = await local.app.inject({ url: path, remoteAddress: '192.0.2.7' });
  expect(fromElsewhere.statusCode).toBe(404);
  expect((await local.call('GET', path)).status).toBe(200);
  for (const headers of [...forwardedHeaders, { host: 'evil.example' }]) {
    for (const url of [path, '/dev/openid/account/x']) {
      const answer = await local.app.inject({ url, headers });
      expect([headers, url, answer.statusCode]).toEqual([headers, url, 404]);
    }
  }
  await local.close();
});
