import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountChangeList } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { inBrowserOf } from '../../testing/browser.cookie.js';
import { mailTo } from '../../testing/mailbox.js';
import { signUp } from '../../testing/sign.up.js';
import { signedMessage } from '../../testing/signed.message.js';
import { tokenIn } from '../../testing/smtp.server.js';
import { signInAs } from '../../testing/social.browser.js';
import { Answer, startTestApp, TestApp } from '../../testing/test.app.js';
import { TestBrowser } from '../../testing/test.browser.js';
import { LinkedAccountsService } from '../linked-accounts/linked-accounts.service.js';

const password = 'a long enough password';
const later = 'another long enough password';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const newWallet = () => privateKeyToAccount(generatePrivateKey());

describe('GET /api/v1/auth/changes', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ SIGN_IN_LIMIT_PER_ACCOUNT: '1000' });
  });
  afterAll(() => portal.close());

  const changesOf = async (token: string): Promise<Answer['body']> => {
    const answer = await portal.call('GET', '/api/v1/auth/changes', { token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(accountChangeList.parse(answer.body)).toEqual(answer.body);
    return answer.body;
  };
  const act = async (method: string, path: string, token: string, body?: unknown): Promise<Answer> => {
    const headers = { 'user-agent': firefox, ...(await inBrowserOf(portal, token)) };
    const answer = await portal.call(method, path, {
      token,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    expect([200, 204]).toContain(answer.status);
    return answer;
  };
  const signInWith = async (wallet = newWallet()): Promise<string> =>
    (await portal.call('POST', '/api/v1/message/verify', { body: await signedMessage(portal, wallet) })).body
      .token.accessToken;
  const logIn = async (email: string, secret: string): Promise<string> =>
    (await portal.call('POST', '/api/v1/auth/email/login', { body: { email, password: secret } })).body.token
      .accessToken;

  test('a wallet-only owner sees what was added and removed, when, and with which device', async () => {
    const token = await signInWith();
    expect(await changesOf(token)).toEqual([]);
    const wallet = newWallet();
    const email = `later-${wallet.address.slice(2, 10)}@example.com`;
    await act('POST', '/api/v1/auth/identifier/wallet', token, await signedMessage(portal, wallet));
    await act('POST', '/api/v1/auth/identifier/email', token, { email, password, passwordConfirm: password });
    const methods = (await portal.call('GET', '/api/v1/auth/identifiers', { token })).body;
    const { id } = methods.find(({ label }: { label: string }) => label === wallet.address);
    await act('DELETE', `/api/v1/auth/identifiers/${id}`, token);
    const device = 'Firefox on Linux';
    expect(await changesOf(token)).toMatchObject([
      { kind: 'methodRemoved', provider: 'wallet', label: wallet.address, device },
      { kind: 'methodAdded', provider: 'email', label: email, device },
      { kind: 'methodAdded', provider: 'wallet', label: wallet.address, device },
    ]);
    const [{ at }] = await changesOf(token);
    expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000);
    expect(await changesOf(await signInWith())).toEqual([]);
  });

  test('shows a changed password, a reset one, and the end of all sessions', async () => {
    const { email, token } = await signUp(portal);
    const changed = await act('POST', '/api/v1/auth/email/change', token, {
      currentPassword: password,
      password: later,
      passwordConfirm: later,
    });
    await act('DELETE', '/api/v1/auth/sessions', changed.body.token.accessToken);
    await portal.call('POST', '/api/v1/auth/email/reset', { body: { email } });
    const link = tokenIn(await mailTo(portal, email, 'Reset your password'));
    await portal.call('POST', '/api/v1/auth/email/password', {
      headers: { 'user-agent': firefox },
      body: { token: link, password, passwordConfirm: password },
    });
    expect(await changesOf(await logIn(email, password))).toMatchObject([
      { kind: 'passwordReset', provider: null, label: null, device: 'Firefox on Linux' },
      { kind: 'signedOutEverywhere', device: 'Firefox on Linux' },
      { kind: 'passwordChanged', device: 'Firefox on Linux' },
    ]);
  });

  test('shows an email sign-in that is removed because another user confirms its address', async () => {
    const wallet = newWallet();
    const token = await signInWith(wallet);
    const email = 'proven.by.another@example.com';
    await act('POST', '/api/v1/auth/identifier/email', token, { email, password, passwordConfirm: password });
    await signInAs(new TestBrowser(portal.url), 'google', { email, verified: 'yes' });
    const [lost] = await changesOf(await signInWith(wallet));
    expect(lost).toMatchObject({ kind: 'methodLost', provider: 'email', label: email, device: null });
  });

  test('omits refused and rolled-back changes', async () => {
    const { token, userId } = await signUp(portal);
    const refused = await portal.call('POST', '/api/v1/auth/identifier/wallet', {
      token,
      body: await signedMessage(portal, newWallet()),
    });
    expect(refused.status).toBe(403);
    const methods = portal.app.get(LinkedAccountsService);
    const undone = portal.db.transaction(async (manager) => {
      await methods.link(manager, userId, 'apple', userId, null);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await changesOf(token)).toEqual([]);
  });

  test('shows signing out everywhere, which needs no fresh proof, only once, so that it pushes nothing else out', async () => {
    const wallet = newWallet();
    const token = await signInWith(wallet);
    const added = newWallet();
    await act('POST', '/api/v1/auth/identifier/wallet', token, await signedMessage(portal, added));
    for (let n = 0; n < 3; n++) await act('DELETE', '/api/v1/auth/sessions', await signInWith(wallet));
    expect(await changesOf(await signInWith(wallet))).toMatchObject([
      { kind: 'signedOutEverywhere' },
      { kind: 'methodAdded', label: added.address },
    ]);
  });

  test('keeps at most 100 changes, each for 90 days', async () => {
    const { token, userId } = await signUp(portal);
    await portal.db.query(
      `insert into account_changes (id, user_id, kind, at)
       select gen_random_uuid(), $1::uuid, 'passwordChanged', now() - make_interval(hours => n)
         from generate_series(1, $2) n
       union all select gen_random_uuid(), $1, 'passwordReset', now() - interval '91 days'`,
      [userId, limits.accountChangesPerUser + 20],
    );
    expect(await changesOf(token)).toHaveLength(limits.accountChangesPerUser);
    await act('POST', '/api/v1/auth/identifier/wallet', token, await signedMessage(portal, newWallet()));
    const listed = await changesOf(token);
    expect([listed.length, listed[0].kind]).toEqual([limits.accountChangesPerUser, 'methodAdded']);
    const [{ count }] = await portal.db.query(
      'select count(*)::int as count from account_changes where user_id = $1',
      [userId],
    );
    expect(count).toBe(limits.accountChangesPerUser);
  });
});
