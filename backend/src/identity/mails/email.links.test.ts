import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mailTo } from '../../testing/mailbox.js';
import { settle, signInAs, signUpIn, tokensAt } from '../../testing/social.browser.js';
import { openLive } from '../../testing/open.live.js';
import { pageText } from '../../testing/page.text.js';
import { SignedUp, signUp } from '../../testing/sign.up.js';
import { ForumMails } from '../../forum/forum.mails.js';
import { AccountNotices } from './account.notices.js';
import { MailOutbox } from '../../mail/mail.outbox.js';
import { linkIn, tokenIn } from '../../testing/smtp.server.js';
import { TestBrowser, Visited } from '../../testing/test.browser.js';
import { until } from '../../testing/until.js';
import { Answer, startTestApp, TestApp } from '../../testing/test.app.js';

const oldPassword = 'a long enough password';
const newPassword = 'another long password';
const browser = { accept: 'text/html,application/xhtml+xml' };

describe('links sent by email', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ SIGN_IN_LIMIT_PER_ACCOUNT: '1000' });
  });
  afterAll(() => portal.close());

  const user = async (token: string) => (await portal.call('GET', '/api/v1/auth/user', { token })).body;
  const login = (email: string, password: string): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/email/login', { body: { email, password } });
  const confirm = (token: string, more: object = {}): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/email/confirm', { body: { token, ...more } });
  const ask = (email: string): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/email/reset', { body: { email } });
  const reset = (token: string, password = newPassword): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/email/password', {
      body: { token, password, passwordConfirm: password },
    });
  const open = (link: string, method = 'GET'): Promise<Answer> =>
    portal.call(method, link.replace(portal.url, ''), { headers: browser });
  const submit = async (path: string, fields: Record<string, string>): Promise<Answer> => {
    const response = await fetch(portal.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...browser, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text };
  };
  /** An account and the token of the link that confirms its address. */
  const withConfirmation = async (
    email?: string,
  ): Promise<SignedUp & { link: string; confirmToken: string }> => {
    const account = await signUp(portal, email);
    const mail = await mailTo(portal, account.email, 'Confirm');
    return { ...account, link: linkIn(mail), confirmToken: tokenIn(mail) };
  };
  /** An account and the token of a link to set its password. */
  const withReset = async (email?: string): Promise<SignedUp & { link: string; resetToken: string }> => {
    const account = await signUp(portal, email);
    expect((await ask(account.email)).status).toBe(200);
    const mail = await mailTo(portal, account.email, 'Reset your password');
    return { ...account, link: linkIn(mail), resetToken: tokenIn(mail) };
  };
  const addWallet = (userId: string, subject: string) =>
    portal.db.query(
      `insert into linked_identities (id, user_id, provider, subject) values (gen_random_uuid(), $1, 'wallet', $2)`,
      [userId, subject],
    );
  const addGoogleAccounts = (userId: string, count: number) =>
    portal.db.query(
      `insert into linked_identities (id, user_id, provider, subject, email)
       select gen_random_uuid(), $1, 'google', gen_random_uuid(), 'private@example.com' from generate_series(1, $2::int)`,
      [userId, count],
    );
  const passHours = (email: string, hours: number) =>
    portal.db.query(
      `update email_links set expires_at = expires_at - make_interval(hours => $2) where email = $1`,
      [email, hours],
    );

  describe('confirming an address', () => {
    test('registering sends a link; opening it changes nothing; submitting its form confirms, once', async () => {
      const { token, email, link, confirmToken } = await withConfirmation();
      expect((await user(token)).emailVerified).toBe(false);

      for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
        const page = await open(link, method);
        expect(page.status).toBe(200);
        expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(page.headers.get('cache-control')).toBe('no-store');
        expect(page.headers.get('referrer-policy')).toBe('no-referrer');
        if (method === 'GET') expect(pageText(page.text)).toContain(email);
        expect(page.text).not.toMatch(/<script|<img|https?:/);
      }
      expect((await user(token)).emailVerified).toBe(false);

      const done = await submit('/api/v1/auth/email/confirm', { token: confirmToken });
      expect([done.status, done.text]).toEqual([200, expect.stringContaining('is confirmed')]);
      expect(done.headers.get('cache-control')).toBe('no-store');
      expect((await user(token)).emailVerified).toBe(true);

      const again = await submit('/api/v1/auth/email/confirm', { token: confirmToken });
      expect([again.status, again.text]).toEqual([410, expect.stringContaining('This link isn’t valid')]);
      expect(pageText(again.text)).not.toContain(email);
      expect((await open(link)).status).toBe(410);
      const json = await confirm(confirmToken);
      expect(json.status).toBe(410);
      expect(json.body).toMatchObject({ code: 'auth.linkInvalid', error: 'Gone' });
    });

    test('a client that names no type it accepts gets JSON', async () => {
      const { statusCode, headers } = await portal.app.inject({ url: '/api/v1/auth/email/confirm?token=x' });
      expect([statusCode, headers['content-type']]).toEqual([410, 'application/json; charset=utf-8']);
    });

    test('works as JSON', async () => {
      const { token, email, confirmToken } = await withConfirmation();
      const answer = await confirm(confirmToken);
      expect([answer.status, answer.body]).toEqual([200, { email, emailVerified: true }]);
      expect((await user(token)).emailVerified).toBe(true);
    });

    test('succeeds for one of ten concurrent requests', async () => {
      const { confirmToken } = await withConfirmation();
      const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(confirmToken)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(410)]);
    });

    test('fails a day later, because the link has expired', async () => {
      const { token, email, link, confirmToken } = await withConfirmation();
      await passHours(email, 23);
      expect((await open(link)).status).toBe(200);
      await passHours(email, 1);
      expect((await open(link)).status).toBe(410);
      expect((await confirm(confirmToken)).status).toBe(410);
      expect((await user(token)).emailVerified).toBe(false);
    });

    test('the mailbox owner can disown the account, which then loses the address, the password and its sessions', async () => {
      const { token, userId, email, confirmToken } = await withConfirmation();
      const page = await submit('/api/v1/auth/email/confirm', { token: confirmToken, answer: 'no' });
      expect([page.status, page.text]).toEqual([
        200,
        expect.stringContaining('Your email was removed from that account'),
      ]);
      expect((await portal.call('GET', '/api/v1/auth/user', { token })).status).toBe(401);
      expect((await login(email, oldPassword)).status).toBe(401);
      const [row] = await portal.db.query('select email from users where id = $1', [userId]);
      expect(row).toEqual({ email: null });
      expect((await confirm(confirmToken)).status).toBe(410);
    });

    test('a second link cannot disown the account after the first has confirmed the address, which stays', async () => {
      const { token, email, confirmToken } = await withConfirmation();
      const again = await portal.call('POST', '/api/v1/auth/email/confirm/again', { token });
      expect(again.status).toBe(200);
      const [second] = (await portal.app.get(MailOutbox).list(1000))
        .filter(({ to, text }) => to === email && text.includes('/email/confirm'))
        .map(tokenIn)
        .filter((each) => each !== confirmToken);
      expect((await confirm(confirmToken)).status).toBe(200);
      const page = await submit('/api/v1/auth/email/confirm', { token: second as string, answer: 'no' });
      expect([page.status, page.text]).toEqual([410, expect.stringContaining('This link isn’t valid')]);
      expect((await login(email, oldPassword)).status).toBe(200);
    });

    test('the page shows when the account was created and its other sign-in methods, and reveals no address', async () => {
      const { userId, link } = await withConfirmation();
      await portal.db.query(`update users set created_at = '2026-02-03T23:30:00Z' where id = $1`, [userId]);
      const before = (await open(link)).text;
      expect(before).toContain('It was created on 3 February 2026.');
      expect(before).toContain('Its only sign-in method is a password. Confirm only if you set it.');
      await addWallet(userId, '0x1234000000000000000000000000000000005678');
      await addGoogleAccounts(userId, 2);
      const page = (await open(link)).text;
      expect(page).toContain('the wallet 0x1234…5678');
      expect(page).toContain('2 Google accounts');
      expect(page).toContain('Confirm only if all of them are yours.');
      expect(pageText(page)).not.toMatch(/private@|0x12340/);
    });

    test('the page counts two Google accounts and hides neither', async () => {
      const { userId, link } = await withConfirmation();
      await portal.db.query('delete from credentials where user_id = $1', [userId]);
      await addGoogleAccounts(userId, 2);
      expect((await open(link)).text).toContain(
        'Its sign-in methods are 2 Google accounts. Confirm only if all of them are yours.',
      );
    });

    test('the page says so if the account has no sign-in method left', async () => {
      const { token, confirmToken } = await withConfirmation();
      const email = 'contact.of.an.account.without.methods@example.com';
      await portal.call('POST', '/api/v1/user/profile', { token, body: { email } });
      const link = linkIn(await mailTo(portal, email, 'Confirm'));
      await submit('/api/v1/auth/email/confirm', { token: confirmToken, answer: 'no' });
      expect((await open(link)).text).toContain('It has no sign-in method. Confirm only if you created it.');
    });

    test('the page mentions a password for another address without naming the address', async () => {
      const account = await signUp(portal);
      const email = 'contact.of.a.stranger@example.com';
      await portal.call('POST', '/api/v1/user/profile', { token: account.token, body: { email } });
      const page = (await open(linkIn(await mailTo(portal, email, 'Confirm')))).text;
      expect(page).toContain('Its only sign-in method is a password for another email address.');
      expect(pageText(page)).not.toContain(account.email);
      expect(page).not.toContain('a password.');
    });

    describe('in a browser signed in to another account', () => {
      /** A stranger's profile has the address of an account; the browser is signed in to that account. */
      const named = async (email: string) => {
        const stranger = await signUp(portal);
        const body = { email };
        await portal.call('POST', '/api/v1/user/profile', { token: stranger.token, body });
        const link = linkIn(await mailTo(portal, email, 'Confirm'));
        const owners = new TestBrowser(portal.url);
        const owner = await signUpIn(owners, email);
        await settle(owners, owner);
        return { stranger, owner, owners, link, token: new URL(link).searchParams.get('token') as string };
      };

      test('with the same address, the page says so and confirms nothing, and “This wasn’t me” removes the address from the account of the link', async () => {
        const { stranger, owner, owners, link, token } = await named('named.by.two@example.com');
        const page = await owners.visit(link);
        expect([page.status, page.text]).toEqual([
          200,
          expect.stringContaining('This link belongs to another account'),
        ]);
        expect(page.text).not.toContain('Confirm email address');
        const yes = await owners.visit('/api/v1/auth/email/confirm', { form: { token } });
        expect([yes.status, yes.text]).toEqual([
          409,
          expect.stringContaining('This link belongs to another'),
        ]);
        const json = await owners.send('/api/v1/auth/email/confirm', { token });
        expect([json.status, await json.json()]).toEqual([
          409,
          expect.objectContaining({ code: 'auth.emailOnOtherAccount' }),
        ]);
        expect(await user(stranger.token)).toMatchObject({ email: owner.email, emailVerified: false });
        expect((await login(owner.email, oldPassword)).body.user.id).toBe(owner.userId);

        const no = await owners.submit(page, 'This wasn’t me');
        expect([no.status, no.text]).toEqual([
          200,
          expect.stringContaining('Your email was removed from that account'),
        ]);
        expect(await user(stranger.token)).toMatchObject({ email: null });
        expect((await user(owner.token)).id).toBe(owner.userId);
      });

      test('with a Google account of the same address, the page says so, whatever address the profile has', async () => {
        const email = 'google.of.the.owner@example.com';
        const owners = new TestBrowser(portal.url);
        const tokens = tokensAt(await signInAs(owners, 'google', { email, verified: 'yes' }));
        await settle(owners, tokens);
        const { token } = tokens;
        const body = { email: 'new.contact.of.the.owner@example.com' };
        expect((await portal.call('POST', '/api/v1/user/profile', { token, body })).status).toBe(200);
        await confirm(tokenIn(await mailTo(portal, body.email, 'Confirm')));

        const stranger = await signUp(portal, email);
        const page = await owners.visit(linkIn(await mailTo(portal, email, 'Confirm')));
        expect(page.text).toContain('This link belongs to another account');
        expect(page.text).not.toContain('Confirm email address');
        const form = { token: new URL(page.url).searchParams.get('token') as string };
        expect((await owners.visit('/api/v1/auth/email/confirm', { form })).status).toBe(409);
        expect(await user(stranger.token)).toMatchObject({ email, emailVerified: false });
      });

      test('that has since been signed out, or has another address, the page asks as usual', async () => {
        const { stranger, owner, owners, link } = await named('named.by.two.again@example.com');
        await portal.call('POST', '/api/v1/auth/logout', { token: owner.token });
        const page = await owners.visit(link);
        expect((await owners.submit(page, 'Confirm email address')).status).toBe(200);
        expect(await user(stranger.token)).toMatchObject({ email: owner.email, emailVerified: true });

        const another = await withConfirmation();
        const elsewhere = new TestBrowser(portal.url);
        await settle(elsewhere, await signUp(portal));
        const asked = await elsewhere.visit(another.link);
        expect((await elsewhere.submit(asked, 'Confirm email address')).status).toBe(200);
        expect((await user(another.token)).emailVerified).toBe(true);
      });
    });

    test('a sign-in method added since the page was opened shows the page again, and the next confirmation counts', async () => {
      const { token, userId, link, email } = await withConfirmation();
      const reader = new TestBrowser(portal.url);
      const page = await reader.visit(link);
      await addWallet(userId, '0x00000000000000000000000000000000000000B1');
      const again = await reader.submit(page, 'Confirm email address');
      expect([again.status, again.text]).toEqual([
        409,
        expect.stringContaining('The account has changed since this page was opened'),
      ]);
      expect(again.text).toContain('the wallet 0x0000…00B1');
      expect((await user(token)).emailVerified).toBe(false);
      const done = await reader.submit(again, 'Confirm email address');
      expect([done.status, pageText(done.text)]).toEqual([
        200,
        expect.stringContaining(`${email} is now confirmed for your Orange ID account`),
      ]);
      expect((await user(token)).emailVerified).toBe(true);
    });

    test('a confirmation during which a sign-in method is added returns 409 and confirms nothing', async () => {
      const { token, userId, link } = await withConfirmation();
      const reader = new TestBrowser(portal.url);
      const page = await reader.visit(link);
      let answer: Promise<Visited> | undefined;
      await portal.db.transaction(async (manager) => {
        await manager.query('select from users where id = $1 for no key update', [userId]);
        await manager.query(
          `insert into linked_identities (id, user_id, provider, subject)
           values (gen_random_uuid(), $1, 'wallet', '0x00000000000000000000000000000000000000B2')`,
          [userId],
        );
        answer = reader.submit(page, 'Confirm email address');
        await until('it waits for the account', async () => {
          const waiting: unknown[] = await portal.db.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return waiting.length > 0;
        });
      });
      expect((await answer)?.status).toBe(409);
      expect((await user(token)).emailVerified).toBe(false);
    });

    test('a link is sent again on request, until there is nothing left to confirm', async () => {
      const { token, email, confirmToken } = await withConfirmation();
      const again = () => portal.call('POST', '/api/v1/auth/email/confirm/again', { token });
      expect((await again()).body).toEqual({ sent: 1 });
      const second = tokenIn(await mailTo(portal, email, 'Confirm'));
      expect(second).not.toBe(confirmToken);
      expect((await confirm(second)).status).toBe(200);
      expect((await again()).body).toEqual({ sent: 0 });
    });

    test('returns 429 with Retry-After if one address would get too many emails', async () => {
      const { token } = await withConfirmation();
      const again = () => portal.call('POST', '/api/v1/auth/email/confirm/again', { token });
      // The email of the registration was the first of five.
      for (let i = 0; i < 4; i++) expect((await again()).status).toBe(200);
      const limited = await again();
      expect([limited.status, limited.body.code]).toEqual([429, 'request.rateLimited']);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    });

    test('refused requests do not count towards the emails of an address', async () => {
      const [{ token }, holder] = [await signUp(portal), await signUp(portal)];
      const save = (bearer: string, body: object) =>
        portal.call('POST', '/api/v1/user/profile', { token: bearer, body });
      await save(holder.token, { userName: 'taken-name' });
      const email = 'refused.often@example.com';
      for (let i = 0; i < 6; i++) {
        const refused = await save(token, { email, userName: 'taken-name' });
        expect([refused.status, refused.body.code]).toEqual([409, 'profile.userNameTaken']);
      }
      const owner = await withConfirmation(email);
      const again = () => portal.call('POST', '/api/v1/auth/email/confirm/again', { token: owner.token });
      for (let i = 0; i < 4; i++) expect((await again()).status).toBe(200);
      expect((await again()).status).toBe(429);
      // Nor do they count towards the emails of the refused account, which still has its five.
      for (let i = 0; i < 4; i++)
        expect((await save(token, { email: `own-${i}@example.com` })).status).toBe(200);
      await mailTo(portal, 'own-3@example.com', 'Confirm');
    });

    test('an address over its limit can be registered and used in a profile, but gets no email; a new request returns 429 with Retry-After', async () => {
      const { email, confirmToken, token } = await withConfirmation();
      const mails = async () =>
        (await portal.app.get(MailOutbox).list(1000)).filter(({ to }) => to === email).length;
      const again = (bearer: string) =>
        portal.call('POST', '/api/v1/auth/email/confirm/again', { token: bearer });
      for (let i = 0; i < 4; i++) expect((await again(token)).status).toBe(200);
      expect((await confirm(confirmToken, { answer: 'no' })).status).toBe(200);
      expect(await mails()).toBe(5);

      const named = await signUp(portal);
      const saved = await portal.call('POST', '/api/v1/user/profile', {
        token: named.token,
        body: { email },
      });
      expect([saved.status, saved.body.data.email]).toEqual([200, email]);
      const owner = await signUp(portal, email);
      expect((await login(email, oldPassword)).body.user.id).toBe(owner.userId);
      expect(await mails()).toBe(5);
      const limited = await again(owner.token);
      expect([limited.status, limited.body.code]).toEqual([429, 'request.rateLimited']);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await mails()).toBe(5);
    });
  });

  describe('a new password', () => {
    test('the page changes nothing until its form is submitted, and then all sessions end', async () => {
      const account = await withReset();
      const { email, link, resetToken } = account;
      const second = (await login(email, oldPassword)).body.token;
      const live = await openLive(portal.url, { token: second.accessToken });
      for (const method of ['GET', 'HEAD', 'GET']) {
        const page = await open(link, method);
        expect(page.status).toBe(200);
        expect(page.headers.get('referrer-policy')).toBe('no-referrer');
        expect(page.headers.get('cache-control')).toBe('no-store');
      }
      // Password managers offer a new password for both fields.
      expect((await open(link)).text.match(/autocomplete="new-password"/g)).toHaveLength(2);
      expect((await login(email, oldPassword)).status).toBe(200);

      const page = await submit('/api/v1/auth/email/password', {
        token: resetToken,
        password: newPassword,
        passwordConfirm: newPassword,
      });
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('Your password was changed')]);
      for (const token of [account.token, second.accessToken]) {
        expect((await portal.call('GET', '/api/v1/auth/user', { token })).status).toBe(401);
      }
      // The socket is notified, and does not wait for the check every 5 s.
      await until('the live connection is ended', () => live.endings.includes('signedOut'), 4_000);
      for (const refreshToken of [account.refreshToken, second.refreshToken]) {
        const refreshed = await portal.call('POST', '/api/v1/auth/refresh', { body: { refreshToken } });
        expect(refreshed.status).toBe(401);
      }
      expect((await login(email, oldPassword)).status).toBe(401);
      const entered = await login(email, newPassword);
      expect(entered.body.user.id).toBe(account.userId);
      // Only the owner of a mailbox could get here.
      expect((await user(entered.body.token.accessToken)).emailVerified).toBe(true);
      // Submitting the form creates no session, because nobody would get its tokens.
      const [{ count }] = await portal.db.query(
        'select count(*)::int from refresh_tokens where user_id = $1 and revoked_at is null',
        [account.userId],
      );
      expect(count).toBe(1);

      const again = await submit('/api/v1/auth/email/password', {
        token: resetToken,
        password: oldPassword,
        passwordConfirm: oldPassword,
      });
      expect(again.status).toBe(410);
      expect((await open(link)).status).toBe(410);
    });

    test.each([
      [0, null],
      [
        1,
        'Your API key still works. If you didn’t create it, or others may know it, delete it in API Keys or update it in My Projects.',
      ],
      [
        2,
        'Your 2 API keys still work. If there’s a key you didn’t create, or that others may know, delete it in API Keys or update it in My Projects.',
      ],
    ])('the page for an account with %i API keys says that they still work, if any', async (count, words) => {
      const { token, email, confirmToken } = await withConfirmation();
      await confirm(confirmToken);
      for (let i = 0; i < count; i++) {
        const made = await portal.call('POST', '/api/keys', { token, body: { name: `Made before ${i}` } });
        expect(made.status).toBe(201);
      }
      await ask(email);
      const page = await submit('/api/v1/auth/email/password', {
        token: tokenIn(await mailTo(portal, email, 'Reset your password')),
        password: newPassword,
        passwordConfirm: newPassword,
      });
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('Your password was changed')]);
      if (words === null) expect(page.text).not.toContain('API key');
      else expect(page.text).toContain(words);
    });

    test('fails once the account has another address, which the link does not name', async () => {
      const { userId, resetToken } = await withReset();
      const next = `next.${userId}@example.com`;
      await portal.db.query('update credentials set email = $2 where user_id = $1', [userId, next]);
      const answer = await reset(resetToken);
      expect([answer.status, answer.body.code]).toEqual([410, 'auth.linkInvalid']);
      expect((await login(next, oldPassword)).status).toBe(200);
    });

    test('a request in JSON also signs in, as the client of the identity service expects', async () => {
      const { userId, resetToken } = await withReset();
      const answer = await reset(resetToken);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        user: { id: userId },
        token: { accessToken: expect.any(String), refreshToken: expect.any(String) },
      });
      expect((await user(answer.body.token.accessToken)).id).toBe(userId);
      expect((await reset(resetToken)).body.code).toBe('auth.linkInvalid');
    });

    test('of ten concurrent requests one succeeds and sets its password', async () => {
      const { email, resetToken } = await withReset();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => reset(resetToken, `password number ${i}`)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(410)]);
      const winner = answers.findIndex(({ status }) => status === 200);
      expect((await login(email, `password number ${winner}`)).status).toBe(200);
    });

    test('fails an hour later, because the link has expired', async () => {
      const { email, link, resetToken } = await withReset();
      await passHours(email, 1);
      expect((await open(link)).status).toBe(410);
      expect((await reset(resetToken)).status).toBe(410);
      expect((await login(email, oldPassword)).status).toBe(200);
    });

    test('changing the password leaves the link valid, so that knowing the password does not prevent a reset', async () => {
      const { token, email, resetToken } = await withReset();
      const changed = await portal.call('POST', '/api/v1/auth/email/change', {
        token,
        body: { currentPassword: oldPassword, password: newPassword, passwordConfirm: newPassword },
      });
      expect(changed.status).toBe(200);
      expect((await reset(resetToken, 'the password of the owner')).status).toBe(200);
      expect((await login(email, newPassword)).status).toBe(401);
      expect((await login(email, 'the password of the owner')).status).toBe(200);
    });

    test('the page names every other sign-in method of the account', async () => {
      const owner = await withConfirmation();
      await confirm(owner.confirmToken);
      await addWallet(owner.userId, '0x00000000000000000000000000000000000000A9');
      await ask(owner.email);
      const page = await submit('/api/v1/auth/email/password', {
        token: tokenIn(await mailTo(portal, owner.email, 'Reset your password')),
        password: newPassword,
        passwordConfirm: newPassword,
      });
      expect(page.text).toContain(
        'You can also sign in with the wallet 0x0000…00A9. If it isn’t yours, remove it on your profile.',
      );
    });

    test.each([
      [{ password: 'short', passwordConfirm: 'short' }, 'The new password must have at least 8 characters.'],
      [
        { password: 'x'.repeat(129), passwordConfirm: 'x'.repeat(129) },
        'The new password must have at most 128 characters.',
      ],
      [{ password: newPassword, passwordConfirm: 'something else' }, 'The passwords don’t match.'],
      [{}, 'The new password is missing; it must be text.'],
    ])(
      'returns 400: the page explains the fault in %j and keeps the form, and the link stays valid',
      async (fields, words) => {
        const { resetToken } = await withReset();
        const page = await submit('/api/v1/auth/email/password', { token: resetToken, ...fields });
        expect(page.status).toBe(400);
        expect(page.text).toContain(words);
        expect(page.text).toContain('aria-invalid="true"');
        expect(page.text).toContain(`value="${resetToken}"`);
        for (const value of Object.values(fields)) expect(page.text).not.toContain(`"${value}"`);
        expect((await reset(resetToken)).status).toBe(200);
      },
    );

    test.each(['', 'x', 'A'.repeat(43), '"><script>alert(1)</script>', '%00', 'x'.repeat(200)])(
      'the token %j returns 410 and adds no script to the page',
      async (token) => {
        for (const path of ['confirm', 'password']) {
          const page = await open(
            `${portal.url}/api/v1/auth/email/${path}?token=${encodeURIComponent(token)}`,
          );
          expect(page.status).toBe(410);
          expect(page.text).not.toContain('<script');
        }
        expect((await open(`${portal.url}/api/v1/auth/email/password?token=a&token=b`)).status).toBe(410);
        const page = await submit('/api/v1/auth/email/password', {
          token,
          password: newPassword,
          passwordConfirm: newPassword,
        });
        expect(page.status).toBe(410);
      },
    );

    test('a confirmation link sets no password, and a reset link is refused as a confirmation link', async () => {
      const { confirmToken } = await withConfirmation();
      expect((await reset(confirmToken)).status).toBe(410);
      const { resetToken } = await withReset();
      expect((await confirm(resetToken)).status).toBe(410);
    });

    test('other clients get JSON', async () => {
      const answer = await portal.call('GET', '/api/v1/auth/email/password?token=x');
      expect([answer.status, answer.body.code]).toEqual([410, 'auth.linkInvalid']);
    });
  });

  describe('requesting a new password does not reveal which addresses are known', () => {
    test('a known and an unknown address get the same response after the same statements', async () => {
      const { email } = await signUp(portal);
      // The only other work that would send statements meanwhile.
      await portal.app.get(ForumMails).onApplicationShutdown();
      const logger = portal.db.logger;
      const asked = [];
      try {
        for (const address of [email, 'nobody.here@example.com']) {
          const statements: string[] = [];
          portal.db.logger = { ...quiet, logQuery: (text) => void statements.push(text) };
          const { status, text, headers } = await ask(address);
          const names = [...headers.keys()].sort();
          // The look-up begins with a separate transaction, after the response; the last transaction finds no more
          // requests.
          await until(
            'all requests are worked off',
            () => statements.at(-1) === 'COMMIT' && statements.at(-3) === 'START TRANSACTION',
          );
          const before = statements.slice(0, statements.indexOf('START TRANSACTION'));
          asked.push({ status, text, names, before });
        }
      } finally {
        portal.db.logger = logger;
      }
      expect(asked[0]).toMatchObject({ status: 200, text: '{"code":200,"status":"success"}' });
      expect(asked[0]?.before).toEqual([expect.stringMatching(/^insert into reset_requests/)]);
      expect(asked[1]).toEqual(asked[0]);
    });

    test('the response does not wait for the look-up: a known address gets it while links cannot be created', async () => {
      const { email } = await signUp(portal);
      const runner = portal.db.createQueryRunner();
      await runner.startTransaction();
      await runner.query('lock table email_links in access exclusive mode');
      expect([(await ask(email)).status, (await ask('nobody.there@example.com')).status]).toEqual([200, 200]);
      await runner.rollbackTransaction();
      await runner.release();
      await mailTo(portal, email, 'Reset your password');
    });

    test('an unknown address gets no email', async () => {
      await ask('nobody.at.all@example.com');
      await until('all requests are worked off', async () => {
        const [{ count }] = await portal.db.query('select count(*)::int from reset_requests');
        return count === 0;
      });
      const [{ links }] = await portal.db.query(
        `select count(*)::int as links from email_links where email = 'nobody.at.all@example.com'`,
      );
      expect(links).toBe(0);
    });

    test('returns 429 after the same number of requests, whether the address is known or not', async () => {
      const { email } = await signUp(portal);
      const statuses = { known: [] as number[], unknown: [] as number[] };
      for (let i = 0; i < 7; i++) {
        statuses.known.push((await ask(email)).status);
        statuses.unknown.push((await ask('another.nobody@example.com')).status);
      }
      expect(statuses.known).toEqual([200, 200, 200, 200, 200, 429, 429]);
      expect(statuses.unknown).toEqual(statuses.known);
    });
  });

  describe('an unconfirmed address yields to a confirmed one', () => {
    test('pre-hijack: a user who registered the address first loses access once its owner resets the password', async () => {
      const squatter = await withReset('victim.one@example.com');
      const answer = await reset(squatter.resetToken);
      expect(answer.body.user.id).toBe(squatter.userId);
      expect((await portal.call('GET', '/api/v1/auth/user', { token: squatter.token })).status).toBe(401);
      expect((await login(squatter.email, oldPassword)).status).toBe(401);
    });

    test.each(['before', 'after'])(
      'pre-hijack with a profile address that the squatter confirms %s the reset: the account keeps only its owner’s address',
      async (when) => {
        const { token, email, resetToken } = await withReset(`victim.renamed.${when}@example.com`);
        const squatter = `squatter.${when}@example.com`;
        await portal.call('POST', '/api/v1/user/profile', { token, body: { email: squatter } });
        const confirmToken = tokenIn(await mailTo(portal, squatter, 'Confirm'));
        if (when === 'before') expect((await confirm(confirmToken)).status).toBe(200);
        const body = { token: resetToken, password: newPassword, passwordConfirm: newPassword };
        const reset = await portal.call('POST', '/api/v1/auth/email/password', { body });
        if (when === 'after') expect((await confirm(confirmToken)).status).toBe(410);
        const owner = reset.body.token.accessToken;
        const user = await portal.call('GET', '/api/v1/auth/user', { token: owner });
        expect(user.body).toMatchObject({ email, emailVerified: true });
        const preview = await portal.call('GET', '/api/auth/bedrock', { token: owner });
        expect(preview.body.identifiers).toEqual([{ provider: 'email', label: email }]);
      },
    );

    test('pre-hijack with API keys: keys that the squatter knows are revoked by the reset, and the owner is informed', async () => {
      const { token, email, resetToken } = await withReset('victim.of.keys@example.com');
      const project = await portal.call('POST', '/devportal/v1/project', {
        token,
        body: { projectName: 'Planted', whitelistURL: ['https://example.com'] },
      });
      const saved = await portal.call('POST', '/api/keys', { token, body: { name: 'Planted' } });
      const known: string[] = [project.body.apiKey, saved.body.key];
      const statusOf = async (key: string) =>
        (await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': key } })).status;
      expect(await Promise.all(known.map(statusOf))).toEqual([200, 200]);

      const fields = { token: resetToken, password: newPassword, passwordConfirm: newPassword };
      const page = await submit('/api/v1/auth/email/password', fields);
      const words = '2 API keys no longer work. They were created before this address was confirmed';
      expect([page.status, page.text]).toEqual([200, expect.stringContaining(words)]);
      expect(page.text).toContain(
        'Each affected project has a new key. Don’t use a project you didn’t create.',
      );
      expect(page.text).not.toMatch(/still works?\b/);
      expect((await mailTo(portal, email, 'Your password was changed')).text).toContain(words);
      await until('the keys are refused', async () =>
        (await Promise.all(known.map(statusOf))).every((status) => status === 401),
      );

      const owner = (await login(email, newPassword)).body.token.accessToken;
      const { body: projects } = await portal.call('GET', '/devportal/v1/user/projects', { token: owner });
      expect(projects).toEqual([expect.objectContaining({ projectName: 'Planted' })]);
      expect(known).not.toContain(projects[0].apiKey);
      expect(await statusOf(projects[0].apiKey)).toBe(200);
      expect((await portal.call('GET', '/api/keys', { token: owner })).body).toEqual([]);
    });

    test('pre-hijack with a second method: the owner gets a new account, the squatter keeps the old one without the address', async () => {
      const squatter = await withReset('victim.two@example.com');
      await addWallet(squatter.userId, '0x00000000000000000000000000000000000000A1');
      const answer = await reset(squatter.resetToken);
      expect(answer.status).toBe(200);
      expect(answer.body.user.id).not.toBe(squatter.userId);
      expect(await user(answer.body.token.accessToken)).toMatchObject({
        email: squatter.email,
        emailVerified: true,
        ethAddress: null,
        displayName: null,
      });
      expect((await portal.call('GET', '/api/v1/auth/user', { token: squatter.token })).status).toBe(401);
      expect((await login(squatter.email, oldPassword)).status).toBe(401);
      expect((await login(squatter.email, newPassword)).body.user.id).toBe(answer.body.user.id);
      const [row] = await portal.db.query(
        `select email, (select count(*)::int from linked_identities where user_id = users.id) as methods
         from users where id = $1`,
        [squatter.userId],
      );
      expect(row).toEqual({ email: null, methods: 1 });
    });

    test('pre-hijack with a second method: the page and the email say that the account is new, and nothing about the other', async () => {
      const { userId, email, resetToken } = await withReset('victim.informed@example.com');
      await addWallet(userId, '0x00000000000000000000000000000000000000A3');
      const page = await submit('/api/v1/auth/email/password', {
        token: resetToken,
        password: newPassword,
        passwordConfirm: newPassword,
      });
      const title = 'You have a new Orange ID account';
      expect([page.status, page.text]).toEqual([200, expect.stringContaining(title)]);
      const { text } = await mailTo(portal, email, title);
      for (const words of [pageText(page.text), text]) {
        expect(words).toContain(
          `${email} was never confirmed for the account that used it, so we removed it from that account and created a new account for it.`,
        );
        expect(words).toContain(
          'If that account is yours, sign in to it with another of its sign-in methods.',
        );
        expect(words).not.toMatch(/0x0000|wallet|password was changed|sessions for/i);
      }
      const sent = await portal.app.get(MailOutbox).list(500);
      expect(sent.filter(({ to, subject }) => to === email && /password was/.test(subject))).toEqual([]);
    });

    test('a reset by a user who has confirmed the address keeps the account and its other methods', async () => {
      const owner = await withConfirmation();
      await confirm(owner.confirmToken);
      await addWallet(owner.userId, '0x00000000000000000000000000000000000000A2');
      await ask(owner.email);
      const answer = await reset(tokenIn(await mailTo(portal, owner.email, 'Reset your password')));
      expect(answer.body.user.id).toBe(owner.userId);
      const [{ methods }] = await portal.db.query(
        'select count(*)::int as methods from linked_identities where user_id = $1',
        [owner.userId],
      );
      expect(methods).toBe(1);
    });

    test('a squatted profile address yields: its owner can register, and gets it by confirming', async () => {
      const email = 'victim.three@example.com';
      const squatter = await signUp(portal);
      const save = (token: string, body: object) =>
        portal.call('POST', '/api/v1/user/profile', { token, body });
      expect((await save(squatter.token, { email })).status).toBe(200);

      const owner = await withConfirmation(email);
      expect(await user(owner.token)).toMatchObject({ email: null, emailVerified: false });
      expect((await confirm(owner.confirmToken)).status).toBe(200);
      expect(await user(owner.token)).toMatchObject({ email, emailVerified: true });
      // The address was not a sign-in method, so nothing else is removed.
      expect(await user(squatter.token)).toMatchObject({ id: squatter.userId, email: null });
      expect((await login(squatter.email, oldPassword)).status).toBe(200);
    });

    test('a confirmed address never yields', async () => {
      const owner = await withConfirmation();
      await confirm(owner.confirmToken);
      const again = await portal.call('POST', '/api/v1/auth/email/register', {
        body: { email: owner.email, password: newPassword, passwordConfirm: newPassword },
      });
      expect(again.body.code).toBe('auth.emailTaken');
      const other = await signUp(portal);
      const squat = await portal.call('POST', '/api/v1/user/profile', {
        token: other.token,
        body: { email: owner.email },
      });
      expect(squat.body.code).toBe('profile.emailTaken');
      expect((await login(owner.email, oldPassword)).status).toBe(200);
    });
  });

  describe('a changed profile address', () => {
    test('gets a link; confirming it does not affect signing in', async () => {
      const { token, email } = await signUp(portal);
      const contact = 'contact.one@example.com';
      await portal.call('POST', '/api/v1/user/profile', { token, body: { email: contact } });
      expect(await user(token)).toMatchObject({ email: contact, emailVerified: false });
      expect((await confirm(tokenIn(await mailTo(portal, contact)))).status).toBe(200);
      expect(await user(token)).toMatchObject({ email: contact, emailVerified: true });
      expect((await login(email, oldPassword)).status).toBe(200);
      expect((await login(contact, oldPassword)).status).toBe(401);
    });

    test('a link to an address that the profile no longer has says that nothing was changed', async () => {
      const { token } = await signUp(portal);
      const save = (email: string) => portal.call('POST', '/api/v1/user/profile', { token, body: { email } });
      await save('contact.two@example.com');
      const link = linkIn(await mailTo(portal, 'contact.two@example.com'));
      await save('contact.three@example.com');
      const page = await open(link);
      expect(page.status).toBe(410);
      expect(pageText(page.text)).toContain('Nothing was changed');
      const late = await confirm(new URL(link).searchParams.get('token') as string);
      expect([late.status, late.body.code]).toEqual([410, 'auth.linkOutdated']);
      expect(await user(token)).toMatchObject({ email: 'contact.three@example.com', emailVerified: false });
    });

    /** An account whose profile's address is confirmed, and a change of it to `next`. */
    async function changed(next: string) {
      const account = await withConfirmation();
      await confirm(account.confirmToken);
      const save = (address: string) =>
        portal.call('POST', '/api/v1/user/profile', { token: account.token, body: { email: address } });
      expect((await save(next)).body.data.email).toBe(next);
      return { ...account, save };
    }

    const restore = (token: string): Promise<Answer> =>
      portal.call('POST', '/api/v1/auth/email/restore', { body: { token } });
    const contactOf = async (userId: string): Promise<object> =>
      (
        await portal.db.query(
          'select email, email_verified as "isProven", pending_email as pending from users where id = $1',
          [userId],
        )
      )[0];

    test('waits beside the confirmed one, which gets the notices, until it is confirmed itself', async () => {
      const next = 'contact.waiting@example.com';
      const { token, userId, email } = await changed(next);
      expect(await user(token)).toMatchObject({ email: next, emailVerified: false, confirmedEmail: email });
      expect((await mailTo(portal, email, 'about to change')).text).toContain(`keep ${email}`);
      await portal.app.get(AccountNotices).accountKept(portal.db.manager, userId);
      expect((await mailTo(portal, email, 'kept')).to).toBe(email);
      const mails = await portal.app.get(MailOutbox).list(500);
      expect(mails.filter(({ to, subject }) => to === next && !subject.startsWith('Confirm'))).toEqual([]);
      expect((await login(email, oldPassword)).status).toBe(200);

      expect((await confirm(tokenIn(await mailTo(portal, next, 'Confirm')))).status).toBe(200);
      expect(await user(token)).toMatchObject({ email: next, emailVerified: true });
      expect((await user(token)).confirmedEmail).toBeUndefined();
      expect((await mailTo(portal, email, 'was replaced')).text).toContain('This wasn’t me');
    });

    test('entering the confirmed one again cancels the change', async () => {
      const next = 'contact.cancelled@example.com';
      const { token, email, save } = await changed(next);
      const confirmToken = tokenIn(await mailTo(portal, next, 'Confirm'));
      await save(email);
      expect(await user(token)).toMatchObject({ email, emailVerified: true });
      expect((await user(token)).confirmedEmail).toBeUndefined();
      expect((await confirm(confirmToken)).body.code).toBe('auth.linkOutdated');
    });

    test.each(['before', 'after'])(
      'with a stolen session: the old address undoes it %s the thief confirms theirs, and the session ends',
      async (when) => {
        const next = `thief.${when}@example.com`;
        const { token, userId, email } = await changed(next);
        const undo = tokenIn(await mailTo(portal, email, 'about to change'));
        const confirmToken = tokenIn(await mailTo(portal, next, 'Confirm'));
        if (when === 'after') expect((await confirm(confirmToken)).status).toBe(200);

        const page = await open(`/api/v1/auth/email/restore?token=${undo}`);
        expect([page.status, pageText(page.text)]).toEqual([200, expect.stringContaining(email)]);
        expect(pageText(page.text)).not.toContain(next);
        expect((await restore(undo)).body).toEqual({ email, emailVerified: true });
        expect(await contactOf(userId)).toEqual({ email, isProven: true, pending: null });
        expect((await portal.call('GET', '/api/v1/auth/user', { token })).status).toBe(401);
        if (when === 'before') expect((await confirm(confirmToken)).status).toBe(410);
        expect((await restore(undo)).body.code).toBe('auth.linkInvalid');
      },
    );

    test('a thief’s link to restore a later address yields to the older one, not the other way round', async () => {
      const first = 'thief.first@example.com';
      const { userId, email, save } = await changed(first);
      const undo = tokenIn(await mailTo(portal, email, 'about to change'));
      await confirm(tokenIn(await mailTo(portal, first, 'Confirm')));
      await save('thief.second@example.com');
      const theirs = tokenIn(await mailTo(portal, first, 'about to change'));
      expect((await restore(theirs)).body.email).toBe(first);
      expect((await restore(undo)).body.email).toBe(email);
      expect(await contactOf(userId)).toEqual({ email, isProven: true, pending: null });

      const other = await changed('thief.third@example.com');
      const oldest = tokenIn(await mailTo(portal, other.email, 'about to change'));
      await confirm(tokenIn(await mailTo(portal, 'thief.third@example.com', 'Confirm')));
      await other.save('thief.fourth@example.com');
      const later = tokenIn(await mailTo(portal, 'thief.third@example.com', 'about to change'));
      await restore(oldest);
      expect((await restore(later)).body.code).toBe('auth.linkInvalid');
    });

    test('an address that another account has confirmed since is not restored', async () => {
      const next = 'contact.moved@example.com';
      const { token, userId, email } = await changed(next);
      const undo = tokenIn(await mailTo(portal, email, 'about to change'));
      await confirm(tokenIn(await mailTo(portal, next, 'Confirm')));
      await portal.db.query('delete from credentials where user_id = $1', [userId]);
      const other = await withConfirmation(email);
      await confirm(other.confirmToken);
      expect((await restore(undo)).body.code).toBe('auth.linkOutdated');
      expect(await user(token)).toMatchObject({ email: next, emailVerified: true });
    });

    test('a squatter blocks nobody: of several profiles that have the address, the one that confirms it gets it', async () => {
      const wanted = 'contact.wanted@example.com';
      const save = (token: string) =>
        portal.call('POST', '/api/v1/user/profile', { token, body: { email: wanted } });
      const squatter = await signUp(portal);
      expect((await save(squatter.token)).status).toBe(200);
      const waiting = await withConfirmation();
      await confirm(waiting.confirmToken);
      expect((await save(waiting.token)).status).toBe(200);

      const owner = await signUp(portal);
      expect((await save(owner.token)).status).toBe(200);
      expect(await user(owner.token)).toMatchObject({ email: wanted, emailVerified: false });
      // The newest.
      expect((await confirm(tokenIn(await mailTo(portal, wanted, 'Confirm')))).status).toBe(200);
      expect(await user(owner.token)).toMatchObject({ email: wanted, emailVerified: true });
      expect(await user(squatter.token)).toMatchObject({ email: null, emailVerified: false });
      expect(await user(waiting.token)).toMatchObject({ email: waiting.email, emailVerified: true });
      expect((await save(squatter.token)).body.code).toBe('profile.emailTaken');
    });

    test('a squatter of the confirmed sign-in address loses it when its owner takes it back', async () => {
      const { token, email } = await changed('contact.away@example.com');
      await confirm(tokenIn(await mailTo(portal, 'contact.away@example.com', 'Confirm')));
      const squatter = await signUp(portal);
      const save = (bearer: string) =>
        portal.call('POST', '/api/v1/user/profile', { token: bearer, body: { email } });
      expect((await save(squatter.token)).status).toBe(200);
      expect((await save(token)).status).toBe(200);
      expect(await user(token)).toMatchObject({ email, emailVerified: true });
      expect(await user(squatter.token)).toMatchObject({ email: null });
    });

    test.each([
      ['unconfirmed', 'is now confirmed as the email you sign in with'],
      ['confirmed', 'stays the email of your Orange ID account for now'],
    ])('a late confirmation of the %s old address says what it did', async (state, text) => {
      const next = `contact.late.${state}@example.com`;
      const { token, email, confirmToken } = await withConfirmation();
      let late = confirmToken;
      if (state === 'confirmed') {
        await portal.call('POST', '/api/v1/auth/email/confirm/again', { token });
        late = tokenIn(await mailTo(portal, email, 'Confirm'));
        expect(late).not.toBe(confirmToken);
        await confirm(confirmToken);
      }
      await portal.call('POST', '/api/v1/user/profile', { token, body: { email: next } });
      const page = await submit('/api/v1/auth/email/confirm', { token: late });
      expect([page.status, pageText(page.text)]).toEqual([200, expect.stringContaining(`${email} is`)]);
      expect(pageText(page.text)).toContain(text);
      expect(pageText(page.text)).not.toContain(next);
      expect(await user(token)).toMatchObject({ email: next, emailVerified: false });
    });

    test('a password set by link cancels a change that somebody else may have begun', async () => {
      const next = 'thief.at.reset@example.com';
      const { userId, email } = await changed(next);
      await ask(email);
      await reset(tokenIn(await mailTo(portal, email, 'Reset your password')));
      expect(await contactOf(userId)).toEqual({ email, isProven: true, pending: null });
    });

    test('changed back to the confirmed sign-in address, is confirmed at once', async () => {
      const { token, email, confirmToken } = await withConfirmation();
      await confirm(confirmToken);
      const save = (address: string) =>
        portal.call('POST', '/api/v1/user/profile', { token, body: { email: address } });
      await save('contact.four@example.com');
      await save(email);
      expect(await user(token)).toMatchObject({ email, emailVerified: true });
    });
  });

  describe('changing the password', () => {
    const change = (token: string, currentPassword: string, password = newPassword): Promise<Answer> =>
      portal.call('POST', '/api/v1/auth/email/change', {
        token,
        body: { currentPassword, password, passwordConfirm: password },
      });

    test('ends every session and returns the tokens of a new one', async () => {
      const account = await signUp(portal);
      const second = (await login(account.email, oldPassword)).body.token.accessToken;
      const answer = await change(account.token, oldPassword);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      for (const token of [account.token, second]) {
        expect((await portal.call('GET', '/api/v1/auth/user', { token })).status).toBe(401);
      }
      expect((await user(answer.body.token.accessToken)).id).toBe(account.userId);
      expect((await login(account.email, oldPassword)).status).toBe(401);
      expect((await login(account.email, newPassword)).status).toBe(200);
    });

    test('returns 403 if the current password is wrong, and the session stays valid', async () => {
      const { token } = await signUp(portal);
      const answer = await change(token, 'not the password');
      expect([answer.status, answer.body.code]).toEqual([403, 'auth.passwordWrong']);
      expect((await user(token)).id).toBeDefined();
    });

    test('returns 404 for an account without a password', async () => {
      const { token, userId } = await signUp(portal);
      await portal.db.query('delete from credentials where user_id = $1', [userId]);
      const answer = await change(token, oldPassword);
      expect([answer.status, answer.body.code]).toEqual([404, 'auth.methodNotFound']);
      expect(answer.body.message).toBe('Your account has no password. Add email as a sign-in method first');
    });

    test('of five concurrent requests one succeeds, and a session begun with the old password at that moment ends', async () => {
      const { token, email } = await signUp(portal);
      const [changes, logins] = await Promise.all([
        Promise.all(Array.from({ length: 5 }, (_, i) => change(token, oldPassword, `password number ${i}`))),
        Promise.all(Array.from({ length: 5 }, () => login(email, oldPassword))),
      ]);
      expect(changes.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status, body } of logins.filter((answer) => answer.status === 200)) {
        expect(status).toBe(200);
        const seen = await portal.call('GET', '/api/v1/auth/user', { token: body.token.accessToken });
        expect(seen.status).toBe(401);
      }
    });
  });

  test('Host and X-Forwarded-Host do not affect where a link leads', async () => {
    const email = 'poisoned@example.com';
    const forgedHeaders = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    const post = async (path: string, body: object) => {
      const answer = await portal.app.inject({
        method: 'POST',
        url: path,
        headers: { host: 'evil.example', origin: 'https://evil.example', ...forgedHeaders },
        payload: body,
      });
      expect(answer.statusCode).toBe(200);
      return answer;
    };
    await post('/api/v1/auth/email/register', { email, password: oldPassword, passwordConfirm: oldPassword });
    await post('/api/v1/auth/email/reset', { email });
    for (const [subject, path] of [
      ['Confirm', 'confirm'],
      ['Reset your password', 'password'],
    ] as const) {
      const mail = await mailTo(portal, email, subject);
      expect(linkIn(mail)).toMatch(
        new RegExp(`^${portal.url}/api/v1/auth/email/${path}\\?token=[\\w-]{43}$`),
      );
      expect(mail.text + mail.html).not.toContain('evil');
    }
  });
});

const quiet = {
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
};
