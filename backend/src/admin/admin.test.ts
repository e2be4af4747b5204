import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { CommandError } from '../command.error.js';
import { mailTo } from '../testing/mailbox.js';
import { openLive } from '../testing/open.live.js';
import { type SignedUp, signUp } from '../testing/sign.up.js';
import { signedMessage } from '../testing/signed.message.js';
import { tokenIn } from '../testing/smtp.server.js';
import { signInAs } from '../testing/social.browser.js';
import { makeTenant, pageOf } from '../testing/tenant.page.js';
import { startAnother, startTestApp, type TestApp } from '../testing/test.app.js';
import { TestBrowser } from '../testing/test.browser.js';
import { until } from '../testing/until.js';
import { administer } from './admin.command.js';

/** The documented limit of 1 s, plus the allowance for a busy machine. */
const inForceWithinMs = 1_000 + 500;
const password = 'a long enough password';
const site = 'https://app.example.com';
const ofDisabled =
  'The administrators of this portal have disabled this account. If you think that this is a mistake, write to them';

describe('admin', () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const administrator = 'administrator@example.com';
  let portal: TestApp;
  let second: Awaited<ReturnType<typeof startAnother>>;
  let actor: SignedUp;

  beforeAll(async () => {
    portal = await startTestApp({
      ADMINISTRATORS: `${administrator}, ${wallet.address}`,
      SIGN_IN_LIMIT_PER_ACCOUNT: '1000',
    });
    second = await startAnother(portal);
    actor = await signUp(portal, administrator);
    await portal.db.query('update users set email_verified = true where id = $1', [actor.userId]);
  }, 60_000);
  afterAll(async () => {
    await second.close();
    await portal.close();
  });

  /** What the command prints, as the process of an operator: it has nothing in common with the two instances but the database. */
  const admin = async (...args: string[]): Promise<string> => {
    const lines: string[] = [];
    await administer(portal.environment, portal.address, args, (line) => lines.push(line));
    return lines.join('\n');
  };
  const asAdmin = (...args: string[]) => admin(...args, '--as', administrator);
  const refusal = (...args: string[]): Promise<CommandError> =>
    admin(...args).then(
      (printed) => {
        throw new Error(`It printed ${printed}`);
      },
      (error: CommandError) => {
        expect(error).toBeInstanceOf(CommandError);
        return error;
      },
    );
  const signIn = (email: string) =>
    portal.call('POST', '/api/v1/auth/email/login', { body: { email, password } });
  const changesOf = async (token: string) =>
    (await portal.call('GET', '/api/v1/auth/changes', { token })).body;
  const statusAt = async (at: Pick<TestApp, 'call'>, key: string, origin?: string): Promise<number> =>
    (
      await at.call('GET', '/api/v1/key', {
        headers: { 'x-api-key': key, ...(origin === undefined ? {} : { origin }) },
      })
    ).status;
  /** Both instances answer calls with the key with this status within the limit. */
  const become = (key: string, status: number, origin?: string) =>
    until(
      `both instances answer ${status}`,
      async () =>
        (await Promise.all([portal, second].map((at) => statusAt(at, key, origin)))).every(
          (one) => one === status,
        ),
      inForceWithinMs,
    );
  const actionsOf = (userId: string) =>
    portal.db.query(
      `select actor_id as "actorId", action, fields from admin_actions where account_id = $1 order by at, id`,
      [userId],
    );

  test('disabling an account ends its sessions and sockets and refuses its keys on every instance within 1 s, and enabling brings them back', async () => {
    const { owner, code } = await makeTenant(portal, [site], { name: 'Game' });
    const { token, userId, email } = owner;
    const projects = (await portal.call('GET', '/devportal/v1/user/projects', { token })).body;
    const saved = (await portal.call('POST', '/api/keys', { token, body: { name: 'Server' } })).body.key;
    const ofProject = projects[0].apiKey;
    await become(saved, 200);
    await become(ofProject, 200, site);
    const person = await signUp(portal);
    const inApp = () =>
      pageOf(portal, site, code).call('POST', '/api/v1/auth/email/login', {
        body: { email: person.email, password },
      });
    const visit = await inApp();
    expect(visit.status).toBe(200);
    const sockets = await Promise.all([portal, second].map((at) => openLive(at.url, { token })));
    const end = () =>
      until(
        'both sockets end',
        async () => sockets.every(({ endings }) => endings.includes('signedOut')),
        inForceWithinMs,
      );

    expect(await asAdmin('disable', email, '--reason', 'Sends spam')).toBe(
      `The account ${userId} is disabled: no sessions, keys or sign-ins to its projects.`,
    );
    await Promise.all([become(saved, 401), become(ofProject, 401, site), end()]);
    expect((await portal.call('GET', '/api/v1/auth/identifiers', { token })).body.code).toBe(
      'auth.tokenInvalid',
    );
    expect((await inApp()).status).not.toBe(200);
    const refused = await signIn(email);
    expect([refused.status, refused.body]).toEqual([
      403,
      { statusCode: 403, error: 'Forbidden', code: 'account.disabled', message: ofDisabled },
    ]);
    expect((await signIn(person.email)).status).toBe(200);
    expect(await asAdmin('disable', email)).toContain('No change was needed.');

    expect(await asAdmin('enable', userId)).toContain(`The account ${userId} is enabled.`);
    await Promise.all([become(saved, 200), become(ofProject, 200, site)]);
    expect((await inApp()).status).toBe(200);
    const back = await signIn(email);
    expect(await changesOf(back.body.token.accessToken)).toMatchObject([
      { kind: 'enabledByAdministrator' },
      { kind: 'disabledByAdministrator' },
    ]);
    expect(await actionsOf(userId)).toEqual([
      { actorId: actor.userId, action: 'disable', fields: ['isDisabled', 'reason'] },
      { actorId: actor.userId, action: 'enable', fields: ['isDisabled'] },
    ]);
  });

  test('who signs in to a disabled account with Google, a wallet or a reset link reads that it is disabled', async () => {
    const google = { email: 'google@example.com', verified: 'yes' as const };
    await signInAs(new TestBrowser(portal.url), 'google', google);
    await asAdmin('disable', google.email);
    const page = await signInAs(new TestBrowser(portal.url), 'google', google);
    expect([page.status, page.url.pathname]).toEqual([403, '/api/v1/auth/GOOGLE/callback']);
    expect(page.text).toContain(ofDisabled);

    const ofWallet = privateKeyToAccount(generatePrivateKey());
    const verify = async () =>
      portal.call('POST', '/api/v1/message/verify', { body: await signedMessage(portal, ofWallet) });
    expect((await verify()).status).toBe(200);
    await asAdmin('disable', ofWallet.address);
    expect((await verify()).body).toMatchObject({ code: 'account.disabled', message: ofDisabled });

    const { email } = await signUp(portal);
    await asAdmin('disable', email);
    await asAdmin('mail', email, 'reset');
    const token = tokenIn(await mailTo(portal, email, 'Reset your password'));
    const reset = await portal.call('POST', '/api/v1/auth/email/password', {
      body: { token, password, passwordConfirm: password },
    });
    expect(reset.status).toBe(403);
    expect(reset.text).toContain(ofDisabled);
  });

  test('revoking a key by its id or its text refuses it on every instance within 1 s, and a project gets another one', async () => {
    const { owner } = await makeTenant(portal, [site], { name: 'Leaks' });
    const { token, userId } = owner;
    const saved = (await portal.call('POST', '/api/keys', { token, body: { name: 'Leaked' } })).body;
    const keyOf = async () =>
      (await portal.call('GET', '/devportal/v1/user/projects', { token })).body[0].apiKey;
    const ofProject = await keyOf();
    await Promise.all([become(saved.key, 200), become(ofProject, 200, site)]);

    expect(await asAdmin('revoke', saved.id)).toBe(
      `The key ${saved.id} of the account ${userId} is revoked.`,
    );
    const { keyId } = JSON.parse(await asAdmin('revoke', ofProject, '--json'));
    await Promise.all([become(saved.key, 401), become(ofProject, 401, site)]);
    const next = await keyOf();
    expect(next).not.toBe(ofProject);
    await become(next, 200, site);
    expect(await asAdmin('revoke', saved.id)).toContain('No change was needed.');
    expect(await changesOf(token)).toMatchObject([
      { kind: 'keyRevokedByAdministrator' },
      { kind: 'keyRevokedByAdministrator', label: 'Leaked' },
    ]);
    expect(
      await portal.db.query('select key_id as id from admin_actions where account_id = $1 order by at', [
        userId,
      ]),
    ).toEqual([{ id: saved.id }, { id: keyId }]);
  });

  test('finds an account by email, wallet and id, and its owner sees once that an administrator looked', async () => {
    const { email, userId, token } = await signUp(portal);
    const saved = (await portal.call('POST', '/api/keys', { token, body: { name: 'Server' } })).body;
    const byEmail = JSON.parse(await asAdmin('find', email.toUpperCase(), '--json'));
    expect(byEmail.accounts).toMatchObject([
      {
        id: userId,
        disabledAt: null,
        emails: expect.arrayContaining([{ email, isVerified: false, of: 'password' }]),
        wallets: [],
        keys: [{ id: saved.id, name: 'Server', isActive: true }],
        callsToday: 0,
        quota: null,
      },
    ]);
    expect(JSON.stringify(byEmail)).not.toContain(saved.key);
    const lines = await asAdmin('find', userId);
    expect(lines).toContain(`Account ${userId}, enabled`);
    expect(lines).toContain(`email ${email} (password, not confirmed)`);
    expect(lines).toMatch(new RegExp(`administrator ${actor.userId}: find at `));
    expect(await changesOf(token)).toMatchObject([{ kind: 'viewedByAdministrator' }]);

    const signedIn = await portal.call('POST', '/api/v1/message/verify', {
      body: await signedMessage(portal, wallet),
    });
    const byWallet = JSON.parse(await admin('find', wallet.address, '--as', wallet.address, '--json'));
    expect(byWallet.accounts).toMatchObject([{ id: signedIn.body.user.id, wallets: [wallet.address] }]);
  });

  test('a quota of an owner is in force on every instance within 1 s, also when it is raised or removed, and the owner sees it', async () => {
    const { email, userId, token } = await signUp(portal);
    const { key } = (await portal.call('POST', '/api/keys', { token, body: { name: 'Server' } })).body;
    await become(key, 200);
    expect(await asAdmin('quota', email, '2')).toBe(`The daily quota of the account ${userId} is: 2 calls.`);
    await become(key, 429);
    const today = async () => (await portal.call('GET', '/api/analytics/metrics', { token })).body.today;
    expect(await today()).toMatchObject({ quota: 2 });
    const { body } = await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': key } });
    expect(body.message).toContain('The daily quota of this key’s owner, 2 calls, is used up.');

    await asAdmin('quota', email, '1000');
    await become(key, 200);
    await asAdmin('quota', email, '1');
    await become(key, 429);
    await asAdmin('quota', email, 'none');
    await become(key, 200);
    expect(await asAdmin('quota', email, 'none')).toContain('No change was needed.');
    expect(await today()).toMatchObject({ quota: null });
    await asAdmin('quota', email, 'default');
    await become(key, 200);
    expect(await today()).toMatchObject({ quota: portal.environment.USAGE_DAILY_QUOTA });
    expect(await changesOf(token)).toMatchObject(
      ['that of the portal', 'none', '1 call', '1000 calls', '2 calls'].map((label) => ({
        kind: 'quotaSetByAdministrator',
        label,
      })),
    );
    expect(await actionsOf(userId)).toHaveLength(5);

    const unused = await signUp(portal);
    await asAdmin('quota', unused.email, '1');
    const saved = (await portal.call('POST', '/api/keys', { token: unused.token, body: { name: 'New' } }))
      .body;
    await become(saved.key, 429);
  });

  test('sends the link that confirms an email again, and none to an account that has no address to confirm', async () => {
    const { email, userId, token } = await signUp(portal);
    await portal.db.query('delete from outgoing_mails');
    expect(await asAdmin('mail', email, 'confirmation')).toBe(
      `Emails will be sent within seconds to: ${email}`,
    );
    const link = tokenIn(await mailTo(portal, email, 'Confirm'));
    const confirmed = await portal.call('POST', '/api/v1/auth/email/confirm', { body: { token: link } });
    expect(confirmed.status).toBe(200);
    expect(await changesOf(token)).toMatchObject([{ kind: 'mailSentByAdministrator', label: email }]);
    expect(await asAdmin('mail', email, 'confirmation')).toBe(
      `The account ${userId} has no address that isn’t confirmed; no email is sent.`,
    );
    expect(await actionsOf(userId)).toHaveLength(1);
  });

  test('refuses anyone who is no administrator, and a command line that it cannot read', async () => {
    const { email, userId } = await signUp(portal);
    const unproven = 'unproven@example.com';
    const other = await signUp(portal, unproven);
    const noAdministrator = (name: string) =>
      `"${name}" is no administrator: name an account whose confirmed email or wallet is in ADMINISTRATORS`;
    for (const name of [email, unproven, other.userId, 'nobody@example.com', `0x${'0'.repeat(40)}`]) {
      expect((await refusal('disable', email, '--as', name)).message).toBe(noAdministrator(name));
    }
    expect(await actionsOf(userId)).toEqual([]);
    const as = ['--as', administrator];
    const refusals: [string[], string, 1 | 2][] = [
      [
        ['disable', email],
        'admin disable needs --as with your email or wallet, which ADMINISTRATORS names',
        2,
      ],
      [['remove', email, ...as], '"remove" is none of find, disable, enable, revoke, quota, mail.', 2],
      [['find', ...as], 'admin find needs what it is for', 2],
      [
        ['mail', email, 'hello', ...as],
        'admin mail needs confirmation or reset after the account (it is "hello")',
        2,
      ],
      ...['', '0', '1.5', '-1', '1e3', '1000000001', 'many'].map((calls): [string[], string, 2] => [
        ['quota', ...as, '--', email, calls],
        `admin quota needs a whole number of calls from 1 to 1000000000, none or default after the account (it is "${calls}")`,
        2,
      ]),
      [['find', email, 'more', ...as], `Unexpected argument "more" after "${email}"`, 2],
      [['find', email, '--reason', 'x', ...as], '--reason belongs to admin disable only', 2],
      [['find', email, '--all', ...as], "Unknown option '--all'", 2],
      [[], 'The commands of administrators are:', 2],
      [
        ['find', 'nobody@example.com', ...as],
        '"nobody@example.com" names no account; give an email, a wallet\'s address',
        1,
      ],
      [['find', "'; drop table users; --", ...as], "must be an email, a wallet's address", 1],
      [
        ['disable', administrator, ...as],
        `"${administrator}" is your own account; another administrator can disable it`,
        1,
      ],
      [['revoke', userId, ...as], `"${userId}" is no key of this portal`, 1],
      [['revoke', 'oid_secret', ...as], 'This text is no key of this portal', 1],
    ];
    for (const [args, message, exitCode] of refusals) {
      const error = await refusal(...args);
      expect([args, error.message, error.exitCode]).toEqual([
        args,
        expect.stringContaining(message),
        exitCode,
      ]);
    }
  });

  test('an email that several accounts have entered names none of them, and a disabled administrator is refused', async () => {
    const [one, two] = [await signUp(portal), await signUp(portal)];
    await portal.db.query('update users set pending_email = $1 where id = $2', [one.email, two.userId]);
    const { message } = await refusal('disable', one.email, '--as', administrator);
    expect(message).toContain('names 2 accounts');
    expect(message).toContain(two.userId);

    await portal.call('POST', '/api/v1/message/verify', { body: await signedMessage(portal, wallet) });
    await asAdmin('disable', wallet.address);
    expect((await refusal('find', one.email, '--as', wallet.address)).message).toBe(
      `"${wallet.address}" is disabled; another administrator can enable that account`,
    );
    await asAdmin('enable', wallet.address);
  });

  test('the database refuses to change what administrators did, and personal values go with the account', async () => {
    const { email, userId } = await signUp(portal);
    await asAdmin('disable', email, '--reason', `Wrote from ${email}`);
    for (const statement of [
      "update admin_actions set action = 'find'",
      'delete from admin_actions',
      'truncate admin_actions cascade',
      "update admin_action_values set after = ''",
    ]) {
      await expect(portal.db.query(statement)).rejects.toThrow('is append-only');
    }
    const valuesOf = () =>
      portal.db.query('select field, after from admin_action_values where user_id = $1', [userId]);
    expect(await valuesOf()).toEqual([{ field: 'reason', after: `Wrote from ${email}` }]);
    await portal.db.query('delete from users where id = $1', [userId]);
    expect(await valuesOf()).toEqual([]);
    expect(await actionsOf(userId)).toMatchObject([{ action: 'disable', actorId: actor.userId }]);
  });

  test('with a hosted identity service it says where the accounts are', async () => {
    const environment = { ...portal.environment, IDENTITY_URL: 'https://id.example.com' };
    await expect(
      administer(
        environment,
        portal.address,
        ['find', administrator, '--as', administrator],
        () => undefined,
      ),
    ).rejects.toThrow('IDENTITY_URL is set (https://id.example.com): that service has the accounts');
  });
});
