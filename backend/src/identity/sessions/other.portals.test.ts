import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { inBrowserOf } from '../../testing/browser.cookie.js';
import { Live, openLive } from '../../testing/open.live.js';
import { mailTo } from '../../testing/mailbox.js';
import { signedMessage } from '../../testing/signed.message.js';
import { SignedUp, signUp } from '../../testing/sign.up.js';
import { tokenIn } from '../../testing/smtp.server.js';
import { settle, signInAs, tokensAt } from '../../testing/social.browser.js';
import { Answer, startAnother, TestApp } from '../../testing/test.app.js';
import { TestBrowser } from '../../testing/test.browser.js';
import { until } from '../../testing/until.js';
import {
  fromPageOf,
  signInWithWallet,
  signUpAtOther,
  startTwoPortals,
  TwoPortals,
} from '../../testing/two.portals.js';

describe('two portals that share an identity service', () => {
  let portals: TwoPortals;
  /** Keeps the accounts. */
  let service: TestApp;
  /** Signs in at `service`; its operator sees every token created for it. */
  let other: TestApp;
  beforeAll(async () => {
    portals = await startTwoPortals();
    ({ service, other } = portals);
  }, 30_000);
  afterAll(() => portals.close());

  const foreign = () => ({
    statusCode: 401,
    error: 'Unauthorized',
    code: 'auth.tokenForeign',
    message: `The access token was issued for ${other.url}, not for ${service.url}`,
  });
  const refuses = (answer: Answer) =>
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 401, body: foreign() });
  const partyOf = (token: string) => decodeJwt(token)['azp'];
  const newWallet = () => privateKeyToAccount(generatePrivateKey());

  describe('with a token issued at one, the other', () => {
    let own: SignedUp;
    let stolen: string;
    /** One user at both: the projects are at the service, the token was created for the other portal. */
    beforeAll(async () => {
      own = await signUp(service);
      const made = await service.call('POST', '/devportal/v1/project', {
        token: own.token,
        body: { projectName: 'Own', whitelistURL: ['https://example.com'] },
      });
      expect(made.status).toBe(201);
      const { body } = await fromPageOf(other.url, service).call('POST', '/api/v1/auth/email/login', {
        body: { email: own.email, password: 'a long enough password' },
      });
      stolen = body.token.accessToken;
    });

    test('lists no project with its key', async () => {
      refuses(await service.call('GET', '/devportal/v1/user/projects', { token: stolen }));
    });

    test('does not replace an address of the profile that its owner is confirming at the same moment', async () => {
      const { email, userId } = await signUp(service);
      const login = await fromPageOf(other.url, service).call('POST', '/api/v1/auth/email/login', {
        body: { email, password: 'a long enough password' },
      });
      const link = tokenIn(await mailTo(service, email, 'Confirm'));
      const waiting = async (): Promise<number> => {
        const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return (await service.db.query(sql)).length;
      };
      const answers: Promise<Answer>[] = [];
      await service.db.transaction(async (manager) => {
        await manager.query('select from users where id = $1 for no key update', [userId]);
        answers.push(service.call('POST', '/api/v1/auth/email/confirm', { body: { token: link } }));
        await until('the proof waits', async () => (await waiting()) === 1);
        const body = { email: `thief.${email}` };
        answers.push(
          service.call('POST', '/api/v1/user/profile', { token: login.body.token.accessToken, body }),
        );
        await until('the change waits', async () => (await waiting()) === 2);
      });
      const [proof, change] = await Promise.all(answers);
      expect(proof?.status).toBe(200);
      refuses(change as Answer);
      const rows = await service.db.query('select email, email_verified from users where id = $1', [userId]);
      expect(rows).toEqual([{ email, email_verified: true }]);
    });

    test('creates no project key and no saved key', async () => {
      const body = { projectName: 'Own' };
      refuses(await service.call('POST', '/devportal/v1/project/generateKey', { token: stolen, body }));
      refuses(await service.call('POST', '/api/keys', { token: stolen, body: { name: 'Taken over' } }));
    });

    test('links no email and password', async () => {
      const { token } = await signInWithWallet(service, other);
      const password = 'a password of the thief';
      const body = { email: 'thief@example.com', password, passwordConfirm: password };
      refuses(await service.call('POST', '/api/v1/auth/identifier/email', { token, body }));
      const login = await service.call('POST', '/api/v1/auth/email/login', {
        body: { email: body.email, password },
      });
      expect(login.status).toBe(401);
    });

    test('links no wallet', async () => {
      const body = await signedMessage(service, newWallet());
      refuses(await service.call('POST', '/api/v1/auth/identifier/wallet', { token: stolen, body }));
    });

    test('links no wallet to another account with a message that the owner signed there to sign in', async () => {
      const thief = await signUp(service);
      const wallet = newWallet();
      const linked = await service.call('POST', '/api/v1/auth/identifier/wallet', {
        token: thief.token,
        headers: await inBrowserOf(service, thief.token),
        body: await signedMessage({ call: service.call, url: other.url }, wallet),
      });
      const owner = await signInWithWallet(service, service, wallet);
      expect(owner.userId).not.toBe(thief.userId);
      expect([linked.status, linked.body.code]).toEqual([401, 'auth.messageInvalid']);
    });

    test('lists and removes no sign-in method', async () => {
      refuses(await service.call('GET', '/api/v1/auth/identifiers', { token: stolen }));
      refuses(await service.call('DELETE', `/api/v1/auth/identifiers/${own.userId}`, { token: stolen }));
    });

    test('changes no password', async () => {
      const password = 'a password of the thief';
      const body = { currentPassword: 'a long enough password', password, passwordConfirm: password };
      refuses(await service.call('POST', '/api/v1/auth/email/change', { token: stolen, body }));
    });

    test('lists and ends no session', async () => {
      refuses(await service.call('GET', '/api/v1/auth/sessions', { token: stolen }));
      refuses(await service.call('DELETE', '/api/v1/auth/sessions', { token: stolen }));
      expect((await service.call('GET', '/api/keys', { token: own.token })).status).toBe(200);
    });

    test('opens no socket', async () => {
      const opened = openLive(service.url, { token: stolen }).then(
        (live: Live) => (live.close(), 'opened'),
        (error: { data?: { code?: string } }) => error.data?.code,
      );
      expect(await opened).toBe('auth.tokenForeign');
    });

    test('binds no browser, and opens no page that links Google', async () => {
      const at = await signUpAtOther(portals);
      const browser = new TestBrowser(service.url);
      await expect(settle(browser, at)).rejects.toThrow('settling answered 401');
      for (const portal of [service, other]) {
        const asked = await browser.visit(
          `/api/v1/auth/identifier/GOOGLE?state=${portal.url}/auth/callback&token=${at.token}`,
        );
        expect(asked.status).toBe(401);
        expect(asked.text).toContain('Sign in there to connect Google.');
        expect(asked.text).toContain(`href="${service.url}/login?from=profile"`);
        expect(asked.text).not.toContain(at.token);
      }
    });

    test('replaces no confirmed address of the profile, but saves a new name', async () => {
      const profile = '/api/v1/user/profile';
      await service.db.query('update users set email_verified = true where id = $1', [own.userId]);
      const body = { email: 'thief@example.com' };
      refuses(await service.call('POST', profile, { token: stolen, body }));
      const named = await service.call('POST', profile, {
        token: stolen,
        body: { displayName: 'Ada', email: own.email },
      });
      expect(named.body.data).toMatchObject({ displayName: 'Ada', email: own.email });
    });
  });

  test('a token of the service is refused at the other portal', async () => {
    const { token, refreshToken } = await signUp(service);
    const answer = await other.call('GET', '/devportal/v1/user/projects', { token });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({
      code: 'auth.tokenForeign',
      message: `The access token was issued for ${service.url}, not for ${other.url}`,
    });
    const confirmed = await other.call('POST', '/api/auth/bedrock', { body: { token, refreshToken } });
    expect(confirmed.status).toBe(401);
    await expect(openLive(other.url, { token })).rejects.toMatchObject({
      data: { code: 'auth.tokenForeign' },
    });
  });

  describe('a session names the portal it was created for', () => {
    test('by email: the portal of the requesting page, if it is served', async () => {
      const { email, token } = await signUp(service);
      const body = { email, password: 'a long enough password' };
      const login = async (origin?: string) => {
        const answer = await service.call('POST', '/api/v1/auth/email/login', {
          body,
          headers: origin === undefined ? {} : { origin },
        });
        return partyOf(answer.body.token.accessToken);
      };
      expect(partyOf(token)).toBe(service.url);
      expect(await login()).toBe(service.url);
      expect(await login(service.url)).toBe(service.url);
      expect(await login('null')).toBe(service.url);
      expect(await login(other.url)).toBe(other.url);
      const headers = { origin: 'https://unknown.example' };
      const unknown = await service.call('POST', '/api/v1/auth/email/login', { body, headers });
      expect([unknown.status, unknown.body.code]).toEqual([400, 'auth.tenantRequired']);
    });

    test('by wallet: the portal named in the signed message, whatever page sends it', async () => {
      expect(partyOf((await signInWithWallet(service, service)).token)).toBe(service.url);
      expect(partyOf((await signInWithWallet(service, other)).token)).toBe(other.url);
      const posing = fromPageOf(service.url, service);
      expect(partyOf((await signInWithWallet(posing, other)).token)).toBe(other.url);
    });

    test.each(['google', 'apple'] as const)('by %s: the portal of the callback', async (provider) => {
      const person = { email: `at-${provider}@example.com`, verified: 'yes' } as const;
      for (const portal of [service, other]) {
        const page = await signInAs(new TestBrowser(portal.url), provider, person);
        expect(page.url.origin).toBe(portal.url);
        expect(partyOf(tokensAt(page).token)).toBe(portal.url);
      }
    });

    test('and keeps naming it after it is renewed and after a sign-in method is linked', async () => {
      const at = await signUpAtOther(portals);
      const renewed = await service.call('POST', '/api/v1/auth/refresh', {
        body: { refreshToken: at.refreshToken },
        // The session decides, not the requesting page.
        headers: { origin: service.url },
      });
      expect(partyOf(renewed.body.accessToken)).toBe(other.url);
      const own = await signUp(service);
      const linked = await fromPageOf(other.url, service).call('POST', '/api/v1/auth/identifier/wallet', {
        token: own.token,
        headers: await inBrowserOf(service, own.token),
        body: await signedMessage(service, newWallet()),
      });
      expect(partyOf(linked.body.token.accessToken)).toBe(service.url);
      const { body } = await service.call('POST', '/api/v1/auth/refresh', {
        body: { refreshToken: linked.body.token.refreshToken },
      });
      expect(partyOf(body.accessToken)).toBe(service.url);
    });
  });

  test('the other portal works as before: sign in, read the user, renew, call, listen, sign out', async () => {
    const atService = fromPageOf(other.url, service);
    const { token, refreshToken, email } = await signUpAtOther(portals);
    const confirmed = await other.call('POST', '/api/auth/bedrock', { body: { token, refreshToken } });
    expect(confirmed.body.user).toMatchObject({ email });
    const user = await atService.call('GET', '/api/v1/auth/user', { token });
    expect(user.body).toMatchObject({ email });
    const owned = await atService.call('POST', '/api/v1/economy/currency', {
      token,
      body: { titleId: other.environment.TENANT_ID, count: 10 },
    });
    expect(owned.status).toBe(200);
    const renewed = await atService.call('POST', '/api/v1/auth/refresh', { body: { refreshToken } });
    const { accessToken } = renewed.body;
    const made = await other.call('POST', '/devportal/v1/project', {
      token: accessToken,
      body: { projectName: 'Elsewhere', whitelistURL: ['https://example.com'] },
    });
    expect(made.status).toBe(201);
    const live = await openLive(other.url, { token: accessToken });
    live.close();
    const left = await atService.call('POST', '/api/v1/auth/logout', { token: accessToken });
    expect(left.status).toBe(204);
    expect((await atService.call('GET', '/api/v1/auth/user', { token: accessToken })).status).toBe(401);
  });

  test('the tokens of a portal that is no longer served are refused and not renewed', async () => {
    const { token, refreshToken } = await signUpAtOther(portals);
    const own = await signUp(service);
    const { IDENTITY_CALLBACKS: _, ...environment } = service.environment;
    const later = await startAnother({ ...service, environment });
    try {
      const user = await later.call('GET', '/api/v1/auth/user', { token });
      expect([user.status, user.body.code]).toEqual([401, 'auth.tokenInvalid']);
      const renewed = await later.call('POST', '/api/v1/auth/refresh', { body: { refreshToken } });
      expect([renewed.status, renewed.body.code]).toEqual([401, 'auth.refreshInvalid']);
      expect((await later.call('GET', '/api/v1/auth/user', { token: own.token })).status).toBe(200);
    } finally {
      await later.close();
    }
  });

  test('a session without a stored portal counts as one of this portal only if no other is served', async () => {
    const { refreshToken, userId } = await signUp(service);
    await service.db.query('update refresh_tokens set party = null where user_id = $1', [userId]);
    const renew = (at: Pick<TestApp, 'call'>) =>
      at.call('POST', '/api/v1/auth/refresh', { body: { refreshToken } });
    expect((await renew(service)).status).toBe(401);
    const { IDENTITY_CALLBACKS: _, ...environment } = service.environment;
    const alone = await startAnother({ ...service, environment });
    try {
      const { status, body } = await renew(alone);
      expect(status).toBe(200);
      expect(partyOf(body.accessToken)).toBe(service.url);
    } finally {
      await alone.close();
    }
  });
});
