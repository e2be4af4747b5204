import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { MailOutbox } from '../mail/mail.outbox.js';
import { inBrowserOf } from '../testing/browser.cookie.js';
import { mailTo } from '../testing/mailbox.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { signedMessage } from '../testing/signed.message.js';
import { tokenIn } from '../testing/smtp.server.js';
import { comeBack, tokensAt } from '../testing/social.browser.js';
import { Answer, startTestApp, TestApp } from '../testing/test.app.js';
import { TestBrowser } from '../testing/test.browser.js';
import { until } from '../testing/until.js';

const password = 'a password of the owner';
const newWallet = () => privateKeyToAccount(generatePrivateKey());

/**
 * Adds and removes sign-in methods concurrently, in either order: each test locks the account's row, lets both changes
 * queue up, and releases it.
 */
describe('races for an account', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  const waiting = async (): Promise<number> =>
    (
      await portal.db.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'
           and (query ilike '%for no key update%' or query like '%pg_advisory_xact_lock%')`,
      )
    ).length;
  const inOrder = async (userId: string, acts: (() => Promise<Answer>)[]): Promise<Answer[]> => {
    const answers: Promise<Answer>[] = [];
    await portal.db.transaction(async (manager) => {
      await manager.query('select from users where id = $1 for no key update', [userId]);
      for (const act of acts) {
        answers.push(act());
        await until('it waits for the account', async () => (await waiting()) >= answers.length);
      }
    });
    return Promise.all(answers);
  };

  const link = async ({ token }: SignedUp, wallet = newWallet()): Promise<() => Promise<Answer>> => {
    const body = await signedMessage(portal, wallet);
    const headers = await inBrowserOf(portal, token);
    return () => portal.call('POST', '/api/v1/auth/identifier/wallet', { token, headers, body });
  };
  const statusOf = async ({ body }: Answer): Promise<number[]> => {
    const { accessToken, refreshToken } = body.token;
    const user = await portal.call('GET', '/api/v1/auth/user', { token: accessToken });
    const renewed = await portal.call('POST', '/api/v1/auth/refresh', { body: { refreshToken } });
    return [user.status, renewed.status];
  };
  const standing = async ({ userId }: SignedUp): Promise<number> => {
    const [{ count }] = await portal.db.query(
      'select count(*)::int from refresh_tokens where user_id = $1 and revoked_at is null',
      [userId],
    );
    return count;
  };
  const everywhere =
    ({ token }: SignedUp) =>
    () =>
      portal.call('DELETE', '/api/v1/auth/sessions', { token });

  test('signing out everywhere ends the tokens of a linking that came first', async () => {
    const owner = await signUp(portal);
    const [linked, ended] = await inOrder(owner.userId, [await link(owner), everywhere(owner)]);
    expect([linked?.status, ended?.status]).toEqual([200, 204]);
    expect(await statusOf(linked as Answer)).toEqual([401, 401]);
    expect(await standing(owner)).toBe(0);
  });

  test('a linking after signing out everywhere is refused, and nothing is linked', async () => {
    const owner = await signUp(portal);
    const [ended, linked] = await inOrder(owner.userId, [everywhere(owner), await link(owner)]);
    expect([ended?.status, linked?.status]).toEqual([204, 401]);
    expect(await standing(owner)).toBe(0);
    const rows = await portal.db.query('select from linked_identities where user_id = $1', [owner.userId]);
    expect(rows).toHaveLength(0);
  });

  test('a changed password ends the tokens of a linking that came first', async () => {
    const owner = await signUp(portal);
    const change = () =>
      portal.call('POST', '/api/v1/auth/email/change', {
        token: owner.token,
        body: { currentPassword: 'a long enough password', password, passwordConfirm: password },
      });
    const [linked, changed] = await inOrder(owner.userId, [await link(owner), change]);
    expect([linked?.status, changed?.status]).toEqual([200, 200]);
    expect(await statusOf(linked as Answer)).toEqual([401, 401]);
    expect(await statusOf(changed as Answer)).toEqual([200, 200]);
  });

  test('signing out ends the session that a linking replaced, and the list shows both as one', async () => {
    const owner = await signUp(portal);
    const { body } = await (await link(owner))();
    const tokens = [owner.token, body.token.accessToken];
    for (const token of tokens) {
      const sessions = await portal.call('GET', '/api/v1/auth/sessions', { token });
      expect(sessions.body).toMatchObject([{ isCurrent: true }]);
    }
    const out = await portal.call('POST', '/api/v1/auth/logout', { token: body.token.accessToken });
    expect(out.status).toBe(204);
    for (const token of tokens) {
      expect((await portal.call('GET', '/api/v1/auth/user', { token })).status).toBe(401);
    }
    for (const refreshToken of [owner.refreshToken, body.token.refreshToken]) {
      const answer = await portal.call('POST', '/api/v1/auth/refresh', { body: { refreshToken } });
      expect(answer.status).toBe(401);
    }
  });

  test('Google does not join an account while a wallet is being linked to it', async () => {
    const account = await signUp(portal);
    const { email, userId } = account;
    await portal.db.query('update users set email_verified = true where id = $1', [userId]);
    await portal.db.query('update credentials set email_verified = true, vouched = true where user_id = $1', [
      userId,
    ]);
    const browser = new TestBrowser(portal.url);
    const page = await browser.visit('/api/login?provider=google');
    let token = '';
    const google = async () => {
      token = tokensAt(await comeBack(browser, page, 'google', { email, verified: 'yes' })).token;
      return portal.call('GET', '/api/v1/auth/user', { token });
    };
    const [linked, signedIn] = await inOrder(userId, [await link(account), google]);
    expect(linked?.status).toBe(200);
    expect(signedIn?.body.id).not.toBe(userId);
    const methods = await portal.call('GET', '/api/v1/auth/identifiers', { token });
    expect(methods.body).toMatchObject([{ provider: 'google', label: email }]);
  });

  test('two accounts with each other’s address in their profiles can each confirm their own concurrently', async () => {
    for (let round = 0; round < 3; round++) {
      const [ada, bob] = [await signUp(portal), await signUp(portal)];
      const save = async ({ token }: SignedUp, email: string) =>
        expect((await portal.call('POST', '/api/v1/user/profile', { token, body: { email } })).status).toBe(
          200,
        );
      await save(ada, `aside.${ada.email}`);
      await save(bob, ada.email);
      await save(ada, bob.email);
      const resets: (() => Promise<Answer>)[] = [];
      for (const { email } of [ada, bob]) {
        await portal.call('POST', '/api/v1/auth/email/reset', { body: { email } });
        const token = tokenIn(await mailTo(portal, email, 'Reset your password'));
        resets.push(() =>
          portal.call('POST', '/api/v1/auth/email/password', {
            body: { token, password, passwordConfirm: password },
          }),
        );
      }
      const answers: Promise<Answer>[] = [];
      await portal.db.transaction(async (manager) => {
        await manager.query('select from users where id = any($1) for no key update', [
          [ada.userId, bob.userId],
        ]);
        answers.push(...resets.map((reset) => reset()));
        await until('both wait for the accounts', async () => (await waiting()) === 2);
      });
      const [first, second] = await Promise.all(answers);
      expect([first?.status, second?.status]).toEqual([200, 200]);
      expect([first?.body.user.id, second?.body.user.id]).toEqual([ada.userId, bob.userId]);
      const rows = await portal.db.query(
        'select email, email_verified as "isVerified" from credentials where user_id = any($1) order by user_id',
        [[ada.userId, bob.userId]],
      );
      expect(rows).toEqual([
        { email: ada.email, isVerified: true },
        { email: bob.email, isVerified: true },
      ]);
    }
  });

  test('a user who only entered an address keeps no sign-in method by linking a wallet just before or after the owner’s reset', async () => {
    for (const isLinkFirst of [true, false]) {
      const squatter = await signUp(portal);
      await portal.call('POST', '/api/v1/auth/email/reset', { body: { email: squatter.email } });
      const mail = await until('the link is sent', async () =>
        (await portal.app.get(MailOutbox).list(1000)).find(
          ({ to, text }) => to === squatter.email && text.includes('/email/password'),
        ),
      );
      const reset = () =>
        portal.call('POST', '/api/v1/auth/email/password', {
          body: { token: tokenIn(mail), password, passwordConfirm: password },
        });
      const wallet = newWallet();
      const linking = await link(squatter, wallet);
      const acts = isLinkFirst ? [linking, reset] : [reset, linking];
      const answers = await inOrder(squatter.userId, acts);
      expect(answers.map(({ status }) => status)).toEqual([200, isLinkFirst ? 200 : 401]);
      const mine = (isLinkFirst ? answers[1] : answers[0]) as Answer;
      const token = mine.body.token.accessToken;
      const methods = await portal.call('GET', '/api/v1/auth/identifiers', { token });
      expect(methods.body).toMatchObject([{ provider: 'email', label: squatter.email, isVerified: true }]);
      const signedIn = await portal.call('POST', '/api/v1/message/verify', {
        body: await signedMessage(portal, wallet),
      });
      expect(signedIn.body.user.id).not.toBe(mine.body.user.id);
    }
  });

  test('requests of a squatter during the owner’s reset are refused and leave no key and no address', async () => {
    const squatter = await signUp(portal);
    const ask = (path: string, body: object) => () =>
      portal.call('POST', path, { token: squatter.token, body });
    const whitelistURL = ['https://example.com'];
    await ask('/devportal/v1/project', { projectName: 'Planted', whitelistURL })();
    await portal.call('POST', '/api/v1/auth/email/reset', { body: { email: squatter.email } });
    const resetToken = tokenIn(await mailTo(portal, squatter.email, 'Reset your password'));
    const fields = { token: resetToken, password, passwordConfirm: password };
    const [reset, ...late] = await inOrder(squatter.userId, [
      () => portal.call('POST', '/api/v1/auth/email/password', { body: fields }),
      ask('/api/keys', { name: 'Late' }),
      ask('/devportal/v1/project', { projectName: 'Late', whitelistURL }),
      ask('/devportal/v1/project/generateKey', { projectName: 'Planted' }),
      ask('/api/v1/user/profile', { email: `aside.${squatter.email}` }),
    ]);
    expect(reset?.status).toBe(200);
    expect(late.map(({ status, body }) => [status, body.code])).toEqual(
      late.map(() => [401, 'auth.tokenInvalid']),
    );
    const token = reset?.body.token.accessToken;
    expect((await portal.call('GET', '/api/keys', { token })).body).toEqual([]);
    const projects = await portal.call('GET', '/devportal/v1/user/projects', { token });
    expect(projects.body).toMatchObject([{ projectName: 'Planted' }]);
    const user = await portal.call('GET', '/api/v1/auth/user', { token });
    expect(user.body).toMatchObject({ email: squatter.email, emailVerified: true });
  });

  test('a request to remove a sign-in method is refused if its session ends at the same moment', async () => {
    const owner = await signUp(portal);
    await (
      await link(owner)
    )();
    const { body: methods } = await portal.call('GET', '/api/v1/auth/identifiers', { token: owner.token });
    const headers = await inBrowserOf(portal, owner.token);
    const unlink = () =>
      portal.call('DELETE', `/api/v1/auth/identifiers/${methods[0].id}`, { token: owner.token, headers });
    const [ended, removed] = await inOrder(owner.userId, [everywhere(owner), unlink]);
    expect([ended?.status, removed?.status]).toEqual([204, 401]);
    const [{ count }] = await portal.db.query(
      `select (select count(*) from credentials where user_id = $1)::int
        + (select count(*) from linked_identities where user_id = $1)::int as count`,
      [owner.userId],
    );
    expect(count).toBe(2);
  });
});
