import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { newId } from '../../database/new.id.js';
import { MailOutbox } from '../../mail/mail.outbox.js';
import { inBrowserOf } from '../../testing/browser.cookie.js';
import { mailTo } from '../../testing/mailbox.js';
import { SignedUp, signUp } from '../../testing/sign.up.js';
import { signedMessage } from '../../testing/signed.message.js';
import { tokenIn } from '../../testing/smtp.server.js';
import { settle, signInAs, tokensAt } from '../../testing/social.browser.js';
import { Answer, startTestApp, TestApp } from '../../testing/test.app.js';
import { formOf, TestBrowser } from '../../testing/test.browser.js';

const password = 'a password of the thief';
const newWallet = () => privateKeyToAccount(generatePrivateKey());
type Headers = Record<string, string>;

describe('an attacker with a stolen access token', () => {
  let portal: TestApp;
  /** Has a password and a wallet. */
  let owner: SignedUp;
  let walletId: string;
  /** Has only a wallet. */
  let walletOwner: SignedUp;

  beforeAll(async () => {
    portal = await startTestApp({ SIGN_IN_LIMIT_PER_ACCOUNT: '1000' });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    owner = await signUp(portal);
    walletId = newId();
    await portal.db.query(
      `insert into linked_identities (id, user_id, provider, subject) values ($1, $2, 'wallet', $3)`,
      [walletId, owner.userId, newWallet().address],
    );
    const { body } = await portal.call('POST', '/api/v1/message/verify', {
      body: await signedMessage(portal, newWallet()),
    });
    const { accessToken: token, refreshToken } = body.token;
    walletOwner = { token, refreshToken, userId: body.user.id, email: '' };
  });

  const linkEmail = (headers: Headers = {}): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/identifier/email', {
      token: walletOwner.token,
      headers,
      body: { email: `thief-${newId()}@example.com`, password, passwordConfirm: password },
    });
  const linkWallet = async (headers: Headers = {}): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/identifier/wallet', {
      token: owner.token,
      headers,
      body: await signedMessage(portal, newWallet()),
    });
  const unlink = (headers: Headers = {}): Promise<Answer> =>
    portal.call('DELETE', `/api/v1/auth/identifiers/${walletId}`, { token: owner.token, headers });
  const linkPage = (token: string) =>
    `/api/v1/auth/identifier/GOOGLE?state=${portal.url}/auth/callback&token=${token}`;

  const waysOf = async ({ userId }: SignedUp): Promise<number> => {
    const [{ count }] = await portal.db.query(
      `select ((select count(*) from credentials where user_id = $1)
             + (select count(*) from linked_identities where user_id = $1))::int as count`,
      [userId],
    );
    return count;
  };
  const expectRefused = async (answer: Answer) => {
    expect([answer.status, answer.body.code]).toEqual([403, 'auth.proofRequired']);
    expect(answer.body.message).toContain('POST /api/v1/auth/proof');
    expect([await waysOf(owner), await waysOf(walletOwner)]).toEqual([2, 1]);
  };
  const makeOlder = ({ userId }: SignedUp, seconds: number) =>
    portal.db.query(
      'update refresh_tokens set created_at = created_at - make_interval(secs => $2) where user_id = $1',
      [userId, seconds],
    );

  describe('and nothing else', () => {
    test('links no email and password of their own', async () => {
      await expectRefused(await linkEmail());
    });

    test('links no wallet of their own', async () => {
      await expectRefused(await linkWallet());
    });

    test('removes no sign-in method', async () => {
      await expectRefused(await unlink());
    });

    test('changes no password without knowing the current one', async () => {
      const answer = await portal.call('POST', '/api/v1/auth/email/change', {
        token: owner.token,
        body: { currentPassword: 'a guess', password, passwordConfirm: password },
      });
      expect([answer.status, answer.body.code]).toEqual([403, 'auth.passwordWrong']);
    });

    test('can enter and confirm their own email in the profile, which does not let them sign in', async () => {
      const email = `thief-${newId()}@example.com`;
      const saved = await portal.call('POST', '/api/v1/user/profile', {
        token: owner.token,
        body: { email },
      });
      expect(saved.status).toBe(200);
      const confirm = tokenIn(await mailTo(portal, email, 'Confirm'));
      await portal.call('POST', '/api/v1/auth/email/confirm', { body: { token: confirm } });
      expect((await portal.call('GET', '/api/v1/auth/user', { token: owner.token })).body).toMatchObject({
        email,
        emailVerified: true,
      });
      const google = await signInAs(new TestBrowser(portal.url), 'google', { email, verified: 'yes' });
      const me = await portal.call('GET', '/api/v1/auth/user', { token: tokensAt(google).token });
      expect(me.body.id).not.toBe(owner.userId);
      await portal.call('POST', '/api/v1/auth/email/reset', { body: { email } });
      // Requests are processed in order, so once the next one sends its email, this one has been processed.
      await portal.call('POST', '/api/v1/auth/email/reset', { body: { email: owner.email } });
      await mailTo(portal, owner.email, 'Reset your password');
      const mails = await portal.app.get(MailOutbox).list(1000);
      expect(mails.filter(({ to, subject }) => to === email && subject.includes('password'))).toEqual([]);
    });

    test('sees no page that links a Google account', async () => {
      const page = await new TestBrowser(portal.url).visit(linkPage(owner.token));
      expect(page.status).toBe(403);
      expect(page.text).not.toContain('<form');
    });
  });

  describe.each<[string, () => Promise<Headers>]>([
    [
      'and the browser session of another user',
      async () => inBrowserOf(portal, (await signUp(portal)).token),
    ],
    [
      'and the owner’s browser session, 5 minutes and a second old',
      () => inBrowserOf(portal, owner.token, 301),
    ],
    ['and an unknown cookie', async () => ({ cookie: `portal_session=${'A'.repeat(43)}` })],
  ])('%s', (_what, headers) => {
    test('links nothing and removes nothing', async () => {
      const sent = await headers();
      await expectRefused(await linkWallet(sent));
      await expectRefused(await unlink(sent));
      const other = sent['cookie']?.includes('AAAA')
        ? sent
        : await inBrowserOf(portal, walletOwner.token, 301);
      await expectRefused(await linkEmail(other));
    });
  });

  test('the owner’s browser links and unlinks within 5 minutes of signing in', async () => {
    const young = await inBrowserOf(portal, owner.token, limits.freshProofSeconds - 10);
    expect((await unlink(young)).status).toBe(204);
    expect((await linkWallet(young)).status).toBe(200);
    expect((await linkEmail(await inBrowserOf(portal, walletOwner.token))).status).toBe(200);
  });

  test('who also has the session’s refresh token can bind a browser, which confirms nothing once the session is old', async () => {
    await makeOlder(owner, limits.freshProofSeconds + 1);
    const browser = new TestBrowser(portal.url);
    await settle(browser, owner);
    await expectRefused(await linkWallet({ cookie: `portal_session=${browser.cookie('portal_session')}` }));
  });

  test('the confirmation of one account is gone once another one signs in with the same browser', async () => {
    const browser = new TestBrowser(portal.url);
    await settle(browser, owner);
    const before = `portal_session=${browser.cookie('portal_session')}`;
    const other = await signUp(portal);
    await makeOlder(other, limits.freshProofSeconds + 1);
    await settle(browser, other);
    const after = `portal_session=${browser.cookie('portal_session')}`;
    await expectRefused(await linkWallet({ cookie: before }));
    await expectRefused(await linkWallet({ cookie: after }));
    const theirs = await portal.call('POST', '/api/v1/auth/identifier/wallet', {
      token: other.token,
      headers: { cookie: after },
      body: await signedMessage(portal, newWallet()),
    });
    expect(theirs.body.code).toBe('auth.proofRequired');
  });

  test('a page that links Google requires a fresh confirmation when it is opened and when its form is submitted', async () => {
    const browser = new TestBrowser(portal.url);
    await settle(browser, owner);
    const page = await browser.visit(linkPage(owner.token));
    expect(page.status).toBe(200);
    const { action, hidden } = formOf(page);
    await portal.db.query(
      `update sessions set sess = jsonb_set(sess, '{provenAtMs}', to_jsonb((sess->>'provenAtMs')::float8 - 301000))
       where sess->>'userId' = $1`,
      [owner.userId],
    );
    const answers = [
      await browser.visit(action, { form: hidden }),
      await browser.visit(linkPage(owner.token)),
    ];
    for (const { status, text } of answers) {
      expect([status, text]).toEqual([403, expect.stringContaining('<h1>Confirm it’s you first</h1>')]);
      expect(text).toContain(`href="${portal.url}/login?from=profile"`);
      expect(text).not.toContain('<form');
    }
  });
});
