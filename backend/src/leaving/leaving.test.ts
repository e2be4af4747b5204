import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deletionState } from '@orange-id/contract/leaving.schema';
import { limits } from '@orange-id/contract/limits';
import { randomBytes } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { askFor, beginFor, handTo, tab } from '../testing/app.sign-in.js';
import { inBrowserOf } from '../testing/browser.cookie.js';
import { mailTo } from '../testing/mailbox.js';
import { type SignedUp, signUp } from '../testing/sign.up.js';
import { openLive } from '../testing/open.live.js';
import { signedMessage } from '../testing/signed.message.js';
import { signInAs, tokensAt } from '../testing/social.browser.js';
import { type Answer, startAnother, startTestApp, type TestApp } from '../testing/test.app.js';
import { makeTenant, pageOf } from '../testing/tenant.page.js';
import { TestBrowser } from '../testing/test.browser.js';
import { tokenIn } from '../testing/smtp.server.js';
import { until } from '../testing/until.js';
import { AccountRemoval } from './account.removal.js';

const site = 'https://app.example.com';
const password = 'a long enough password';
const dayMs = 86_400_000;
const keptMs = limits.deletedAccountKeptDays * dayMs;

describe('deleting an account', () => {
  let portal: TestApp;
  let other: Awaited<ReturnType<typeof startAnother>>;
  beforeAll(async () => {
    portal = await startTestApp({ SIGN_IN_LIMIT_PER_ACCOUNT: '1000' });
    other = await startAnother(portal);
  }, 30_000);
  afterAll(async () => {
    await other.close();
    await portal.close();
  });

  const remove = (token: string, headers: Record<string, string>, body: unknown = { word: 'delete' }) =>
    portal.call('POST', '/api/account/deletion', { token, headers, body });
  const deleted = async ({ token }: Pick<SignedUp, 'token'>): Promise<Answer> => {
    const answer = await remove(token, await inBrowserOf(portal, token));
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer;
  };
  const logIn = (email: string) =>
    portal.call('POST', '/api/v1/auth/email/login', { body: { email, password } });
  const accountOf = (token: string, at: Pick<TestApp, 'call'> = portal) =>
    at.call('GET', '/api/v1/auth/user', { token });
  const keep = (refreshToken: string) =>
    portal.call('POST', '/api/account/deletion/keep', { body: { refreshToken } });
  const removeAt = (ms: number) => portal.app.get(AccountRemoval).removeDue(new Date(ms));
  const isThere = async (userId: string): Promise<boolean> =>
    (await portal.db.query('select from users where id = $1', [userId])).length === 1;
  const expectDeleted = (answer: Answer) =>
    expect([answer.status, answer.body.code]).toEqual([403, 'account.deleted']);

  test('ends its sessions, keys and tenants on every instance, and nobody else’s', async () => {
    const tenant = await makeTenant(portal, [site]);
    const { owner, code } = tenant;
    const { token } = owner;
    const otherTenant = await makeTenant(portal, ['https://other.example.com']);
    const keyOf = async (of: SignedUp) =>
      (await portal.call('POST', '/api/keys', { token: of.token, body: { name: 'K' } })).body.key;
    const [key, otherKey] = [await keyOf(owner), await keyOf(otherTenant.owner)];
    const called = (at: Pick<TestApp, 'call'>, value: string) =>
      at.call('GET', '/api/v1/key', { headers: { 'x-api-key': value } });
    const person = await signUp(portal);
    const page = pageOf(portal, site, code);
    const signIn = { email: person.email, password };
    const inApp = (await page.call('POST', '/api/v1/auth/email/login', { body: signIn })).body.token;
    for (const at of [portal, other]) {
      expect((await called(at, key)).status).toBe(200);
      expect(
        (await pageOf(at, site).call('GET', '/api/v1/auth/user', { token: inApp.accessToken })).status,
      ).toBe(200);
    }

    const answer = await deleted(owner);
    expect(deletionState.parse(answer.body)).toEqual(answer.body);
    expect(Math.abs(Date.parse(answer.body.deletesAt) - Date.now() - keptMs)).toBeLessThan(60_000);
    for (const at of [portal, other]) {
      expect((await accountOf(token, at)).body.code).toBe('auth.tokenInvalid');
      const asApp = pageOf(at, site, code);
      expect((await asApp.call('GET', '/api/v1/auth/user', { token: inApp.accessToken })).status).toBe(401);
      const { refreshToken } = inApp;
      expect((await asApp.call('POST', '/api/v1/auth/refresh', { body: { refreshToken } })).status).toBe(401);
      expect((await asApp.call('POST', '/api/v1/auth/email/login', { body: signIn })).body.code).toBe(
        'auth.tenantUnknown',
      );
      const refused = await until('the key stops', async () => {
        const { status, body } = await called(at, key);
        return status === 401 && body;
      });
      expect(refused.code).toBe('key.invalid');
    }
    expect((await called(other, otherKey)).status).toBe(200);
    expect((await accountOf(otherTenant.owner.token, other)).status).toBe(200);
    expect((await logIn(person.email)).status).toBe(200);
  });

  describe('is refused', () => {
    const refused = async (owner: SignedUp, answer: Answer, status: number, code: string) => {
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect((await accountOf(owner.token)).status).toBe(200);
    };

    test('with a stolen access token', async () => {
      const owner = await signUp(portal);
      await refused(owner, await remove(owner.token, {}), 403, 'auth.proofRequired');
    });

    test('with a stolen access token and the thief’s own browser', async () => {
      const [owner, thief] = [await signUp(portal), await signUp(portal)];
      const own = await inBrowserOf(portal, thief.token);
      await refused(owner, await remove(owner.token, own), 403, 'auth.proofRequired');
    });

    test('with an old confirmation', async () => {
      const owner = await signUp(portal);
      const old = await inBrowserOf(portal, owner.token, limits.freshProofSeconds + 1);
      await refused(owner, await remove(owner.token, old), 403, 'auth.proofRequired');
    });

    test('with the token of an app, from the owner’s own browser', async () => {
      const { code } = await makeTenant(portal, [site]);
      const owner = await signUp(portal);
      const body = { email: owner.email, password };
      const signedIn = await pageOf(portal, site, code).call('POST', '/api/v1/auth/email/login', { body });
      const browser = await inBrowserOf(portal, owner.token);
      const answer = await remove(signedIn.body.token.accessToken, browser);
      await refused(owner, answer, 401, 'auth.tokenForeign');
    });

    test.each([[{}], [{ word: 'Delete' }], [{ word: '' }], [{ word: ['delete'] }]])(
      'without the word: %j',
      async (body) => {
        const owner = await signUp(portal);
        const answer = await remove(owner.token, await inBrowserOf(portal, owner.token), body);
        await refused(owner, answer, 400, 'request.invalid');
      },
    );
  });

  describe('leaves the owner a week in which', () => {
    const newWallet = () => privateKeyToAccount(generatePrivateKey());
    const onlyKeeps = async ({ token, refreshToken }: Pick<SignedUp, 'token' | 'refreshToken'>) => {
      const browser = new TestBrowser(portal.url);
      const bound = await browser.send('/api/auth/bedrock', { token, refreshToken });
      expect([bound.status, ((await bound.json()) as { code: string }).code]).toEqual([
        403,
        'account.deleted',
      ]);
      for (const path of ['/api/v1/auth/user', '/api/v1/auth/sessions', '/devportal/v1/user/projects']) {
        expectDeleted(await portal.call('GET', path, { token }));
      }
      expectDeleted(await portal.call('POST', '/api/keys', { token, body: { name: 'K' } }));
      expectDeleted(await remove(token, await inBrowserOf(portal, token)));
      const state = await portal.call('POST', '/api/account/deletion/state', { body: { refreshToken } });
      expect(state.status).toBe(200);
      expect((await keep(refreshToken)).status).toBe(204);
      expect((await accountOf(token)).status).toBe(200);
      expect((await browser.send('/api/auth/bedrock', { token, refreshToken })).status).toBe(200);
    };
    const tokensOf = ({ body }: Answer) => ({
      token: body.token.accessToken,
      refreshToken: body.token.refreshToken,
    });

    test('a sign-in by password can only keep the account, which then works as before', async () => {
      const { owner } = await makeTenant(portal, [site]);
      const list = (await portal.call('GET', '/devportal/v1/user/projects', { token: owner.token })).body;
      const key = list[0].apiKey;
      await portal.db.query('update credentials set email_verified = true where user_id = $1', [
        owner.userId,
      ]);
      await deleted(owner);
      await mailTo(portal, owner.email, 'Your account was deleted');
      const again = tokensOf(await logIn(owner.email));
      await onlyKeeps(again);
      await mailTo(portal, owner.email, 'Your account is kept');
      const after = await portal.call('GET', '/devportal/v1/user/projects', { token: again.token });
      expect(after.body).toEqual(list);
      for (const at of [portal, other]) {
        await until('the key works again', async () => {
          const headers = { 'x-api-key': key, origin: site };
          return (await at.call('GET', '/api/v1/key', { headers })).status === 200;
        });
      }
      const changes = await portal.call('GET', '/api/v1/auth/changes', { token: again.token });
      expect(changes.body).toMatchObject([{ kind: 'kept' }, { kind: 'deleted' }]);
    });

    test('an owner who leaves it deleted is signed out, and can sign in again to keep it', async () => {
      const owner = await signUp(portal);
      await deleted(owner);
      const [left, stays] = [tokensOf(await logIn(owner.email)), tokensOf(await logIn(owner.email))];
      const leave = (refreshToken: string) =>
        portal.call('POST', '/api/account/deletion/leave', { body: { refreshToken } });
      const state = async ({ refreshToken }: typeof left) =>
        (await portal.call('POST', '/api/account/deletion/state', { body: { refreshToken } })).status;
      expect((await leave(left.refreshToken)).status).toBe(204);
      expect([await state(left), await state(stays)]).toEqual([401, 200]);
      expect((await accountOf(left.token)).status).toBe(401);
      for (const gone of [left.refreshToken, 'made-up']) expect((await leave(gone)).status).toBe(401);
      expect((await keep(left.refreshToken)).status).toBe(401);
      await onlyKeeps(stays);
    });

    test('a sign-in by wallet can only keep the account', async () => {
      const wallet = newWallet();
      const verify = async () =>
        portal.call('POST', '/api/v1/message/verify', { body: await signedMessage(portal, wallet) });
      await deleted(tokensOf(await verify()));
      await onlyKeeps(tokensOf(await verify()));
    });

    test('a sign-in by Google can only keep the account', async () => {
      const email = `google-${randomBytes(4).toString('hex')}@example.com`;
      const signIn = async () =>
        tokensAt(await signInAs(new TestBrowser(portal.url), 'google', { email, verified: 'yes' }));
      await deleted(await signIn());
      await onlyKeeps(await signIn());
    });

    test('a new password by a link from the mailbox can only keep the account', async () => {
      const owner = await signUp(portal);
      await deleted(owner);
      await portal.call('POST', '/api/v1/auth/email/reset', { body: { email: owner.email } });
      const token = tokenIn(await mailTo(portal, owner.email, 'Reset your password'));
      const body = { token, password, passwordConfirm: password };
      await onlyKeeps(tokensOf(await portal.call('POST', '/api/v1/auth/email/password', { body })));
    });

    test('the address stays taken, and no app signs the owner in', async () => {
      const { code } = await makeTenant(portal, [site]);
      const owner = await signUp(portal);
      const { email, userId } = owner;
      const flow = { tenantId: code, callback: `${site}/`, tab };
      const browser = new TestBrowser(portal.url);
      const { page } = await askFor(browser, flow, owner);
      const asked = await browser.submit(page, 'Continue');
      expect(asked.url.origin).toBe(site);
      await deleted(owner);
      const body = { email, password };
      expectDeleted(await pageOf(portal, site, code).call('POST', '/api/v1/auth/email/login', { body }));
      const taken = { ...body, passwordConfirm: password };
      expect((await portal.call('POST', '/api/v1/auth/email/register', { body: taken })).body.code).toBe(
        'auth.emailTaken',
      );
      const again = tokensOf(await logIn(email));
      const handed = await handTo(browser, await beginFor(browser, flow), { ...again });
      expect(handed.status).toBe(403);
      const [{ count }] = await portal.db.query(
        `select count(*)::int as count from refresh_tokens
         where user_id = $1 and connection_id is not null and revoked_at is null`,
        [userId],
      );
      expect(count).toBe(0);
    });

    test('the owners of its apps no longer see the name, also on an open page, until the account is kept', async () => {
      const tenant = await makeTenant(portal, [site]);
      const owner = await signUp(portal);
      const flow = { tenantId: tenant.code, callback: `${site}/`, tab };
      const browser = new TestBrowser(portal.url);
      const { page } = await askFor(browser, flow, owner);
      await browser.submit(page, 'Continue', { email: 'yes' });
      await portal.db.query('update users set email_verified = true where id = $1', [owner.userId]);
      const { token } = tenant.owner;
      const seen = async () =>
        (await portal.call('GET', `/api/projects/${tenant.code}/users`, { token })).body.users;
      const live = await openLive(portal.url, { token });
      try {
        const told = () =>
          until('the page hears of it', () => live.changes.pop()?.kind === 'consented', 1_000);
        expect(await seen()).toMatchObject([{ email: owner.email, isConnected: true }]);
        await deleted(owner);
        await told();
        expect(await seen()).toMatchObject([{ email: null, isConnected: false }]);
        await keep(tokensOf(await logIn(owner.email)).refreshToken);
        await told();
        expect(await seen()).toMatchObject([{ email: owner.email, isConnected: true }]);
      } finally {
        live.close();
      }
    });

    test('neither the session of an app nor an ended one keeps the account', async () => {
      const { code } = await makeTenant(portal, [site]);
      const owner = await signUp(portal);
      const body = { email: owner.email, password };
      const inApp = await pageOf(portal, site, code).call('POST', '/api/v1/auth/email/login', { body });
      await deleted(owner);
      for (const refreshToken of [owner.refreshToken, inApp.body.token.refreshToken, 'made-up']) {
        const answer = await keep(refreshToken);
        expect([answer.status, answer.body.code]).toEqual([401, 'auth.refreshInvalid']);
        const state = await portal.call('POST', '/api/account/deletion/state', { body: { refreshToken } });
        expect(state.status).toBe(401);
      }
      expectDeleted(await accountOf(tokensOf(await logIn(owner.email)).token));
    });

    test('keeping an account that is not deleted changes nothing', async () => {
      const owner = await signUp(portal);
      expect((await keep(owner.refreshToken)).status).toBe(204);
      const { refreshToken } = owner;
      const state = await portal.call('POST', '/api/account/deletion/state', { body: { refreshToken } });
      expect([state.status, state.body.code]).toEqual([409, 'account.notDeleted']);
      const changes = await portal.call('GET', '/api/v1/auth/changes', { token: owner.token });
      expect(changes.body).toEqual([]);
    });
  });

  describe('after a week', () => {
    test('removes the account, and not a minute before', async () => {
      const [owner, stays] = [await signUp(portal), await signUp(portal)];
      const dueAt = Date.parse((await deleted(owner)).body.deletesAt);
      await removeAt(dueAt - 60_000);
      expect(await isThere(owner.userId)).toBe(true);
      await removeAt(dueAt);
      expect([await isThere(owner.userId), await isThere(stays.userId)]).toEqual([false, true]);
      expect((await logIn(owner.email)).body.code).toBe('auth.credentialsInvalid');
    });

    test('leaves an account that its owner has kept', async () => {
      const owner = await signUp(portal);
      const dueAt = Date.parse((await deleted(owner)).body.deletesAt);
      expect((await keep((await logIn(owner.email)).body.token.refreshToken)).status).toBe(204);
      await removeAt(dueAt + dayMs);
      expect(await isThere(owner.userId)).toBe(true);
    });

    test('either keeps or removes an account that is kept at the last moment', async () => {
      const outcomes: boolean[][] = [];
      for (let turn = 0; turn < 8; turn++) {
        const owner = await signUp(portal);
        const dueAt = Date.parse((await deleted(owner)).body.deletesAt);
        const { accessToken, refreshToken } = (await logIn(owner.email)).body.token;
        const [kept] = await Promise.all([keep(refreshToken), removeAt(dueAt)]);
        const works = (await accountOf(accessToken)).status === 200;
        outcomes.push([kept.status === 204, works, await isThere(owner.userId)]);
      }
      // Kept before the removal, or after it: then there is nothing to keep.
      expect(outcomes.filter(([kept, works, there]) => kept !== works || works !== there)).toEqual([]);
    });

    test('two instances remove the same accounts without an error', async () => {
      const owners = await Promise.all([1, 2, 3].map(() => signUp(portal)));
      for (const owner of owners) await deleted(owner);
      const at = new Date(Date.now() + keptMs + dayMs);
      await Promise.all([portal, other].map(({ app }) => app.get(AccountRemoval).removeDue(at)));
      expect(await Promise.all(owners.map(({ userId }) => isThere(userId)))).toEqual([false, false, false]);
    });
  });
});
