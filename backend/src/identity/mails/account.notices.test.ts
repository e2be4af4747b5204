import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { KeptMail, MailOutbox } from '../../mail/mail.outbox.js';
import { inBrowserOf } from '../../testing/browser.cookie.js';
import { mailTo } from '../../testing/mailbox.js';
import { SignedUp, signUp } from '../../testing/sign.up.js';
import { signedMessage } from '../../testing/signed.message.js';
import { tokenIn } from '../../testing/smtp.server.js';
import { signInAs, tokensAt } from '../../testing/social.browser.js';
import { startAnother, startTestApp, TestApp } from '../../testing/test.app.js';
import { TestBrowser } from '../../testing/test.browser.js';

const password = 'a long enough password';

describe('emails about changes to an account', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ SIGN_IN_LIMIT_PER_ACCOUNT: '1000' });
  });
  afterAll(() => portal.close());

  const mailsTo = async (address: string, subject: string): Promise<KeptMail[]> =>
    (await portal.app.get(MailOutbox).list(1000)).filter(
      (mail) => mail.to === address && mail.subject.includes(subject),
    );
  const change = (token: string, from: string, to: string, at: Pick<TestApp, 'call'> = portal) =>
    at.call('POST', '/api/v1/auth/email/change', {
      token,
      body: { currentPassword: from, password: to, passwordConfirm: to },
    });
  const proven = async (): Promise<SignedUp> => {
    const account = await signUp(portal);
    const token = tokenIn(await mailTo(portal, account.email, 'Confirm'));
    await portal.call('POST', '/api/v1/auth/email/confirm', { body: { token } });
    return account;
  };
  const linkWallet = async (token: string, wallet = privateKeyToAccount(generatePrivateKey())) => {
    const body = await signedMessage(portal, wallet);
    const answer = await portal.call('POST', '/api/v1/auth/identifier/wallet', {
      token,
      headers: await inBrowserOf(portal, token),
      body,
    });
    expect(answer.status).toBe(200);
    return answer.body.token.accessToken as string;
  };
  /** Links only to this page, which changes nothing: in the text and in the HTML. */
  const leadsOnlyTo = (path: string, mail: KeptMail) => {
    for (const words of [mail.text, mail.html]) {
      expect(new Set(words.match(/https?:[^\s"<]+/g))).toEqual(new Set([`${portal.url}${path}`]));
    }
  };
  const leadsToSignInOnly = (mail: KeptMail) => leadsOnlyTo('/login', mail);

  test('a changed password: its own address gets the time, the effects and what to do', async () => {
    const { email, token } = await proven();
    expect((await change(token, 'not the password', 'another password')).status).toBe(403);
    expect(await mailsTo(email, 'password')).toEqual([]);
    expect((await change(token, password, 'another password')).status).toBe(200);
    const [mail, ...more] = await mailsTo(email, 'Your password was changed');
    expect(more).toEqual([]);
    const { text } = mail as KeptMail;
    expect(text).toMatch(
      new RegExp(`The password for ${email} was changed on \\d+ \\w+ \\d{4} at \\d\\d:\\d\\d UTC`),
    );
    expect(text).toContain('All other sessions have ended.');
    expect(text).toContain('Not you? Choose “Forgot password?” on the sign-in page.');
    leadsToSignInOnly(mail as KeptMail);
  });

  test('a password set by link is announced once, to its own address', async () => {
    const { email } = await signUp(portal);
    await portal.call('POST', '/api/v1/auth/email/reset', { body: { email } });
    const token = tokenIn(await mailTo(portal, email, 'Reset your password'));
    const set = () =>
      portal.call('POST', '/api/v1/auth/email/password', {
        body: { token, password, passwordConfirm: password },
      });
    expect((await set()).status).toBe(200);
    expect((await set()).status).toBe(410);
    const mails = await mailsTo(email, 'Your password was changed');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('with a link sent to this address');
    expect(mails[0]?.text).toContain('All sessions have ended.');
    leadsToSignInOnly(mails[0] as KeptMail);
  });

  test('an added and a removed wallet are announced to a confirmed address', async () => {
    const { email, token } = await proven();
    const wallet = privateKeyToAccount(generatePrivateKey());
    const next = await linkWallet(token, wallet);
    const short = `${wallet.address.slice(0, 6)}…${wallet.address.slice(-4)}`;
    const [added] = await mailsTo(email, 'A sign-in method was added');
    expect(added?.text).toContain(`The wallet ${short} was added to the Orange ID account for ${email} on`);
    leadsOnlyTo('/login?from=profile', added as KeptMail);

    const methods = await portal.call('GET', '/api/v1/auth/identifiers', {
      token: next,
      headers: await inBrowserOf(portal, next),
    });
    const { id } = methods.body.find(({ provider }: { provider: string }) => provider === 'wallet');
    await portal.call('DELETE', `/api/v1/auth/identifiers/${id}`, {
      token: next,
      headers: await inBrowserOf(portal, next),
    });
    const [removed] = await mailsTo(email, 'A sign-in method was removed');
    expect(removed?.text).toContain(
      `The wallet ${short} was removed from the Orange ID account for ${email} on`,
    );
  });

  test('a removed email sign-in is announced to its own address; an added one to that of the profile', async () => {
    const { email, token, userId } = await proven();
    const next = await linkWallet(token);
    const gone = await portal.call('DELETE', `/api/v1/auth/identifiers/${userId}`, {
      token: next,
      headers: await inBrowserOf(portal, next),
    });
    expect(gone.status).toBe(204);
    expect(await mailsTo(email, 'removed')).toHaveLength(1);
    const other = `second.${email}`;
    const linked = await portal.call('POST', '/api/v1/auth/identifier/email', {
      token: next,
      headers: await inBrowserOf(portal, next),
      body: { email: other, password, passwordConfirm: password },
    });
    expect(linked.status).toBe(200);
    const added = await mailsTo(email, 'added');
    expect(added.map(({ text }) => text.includes(`Email sign-in with ${other} was added`))).toContain(true);
    expect(await mailsTo(other, 'added')).toEqual([]);
  });

  test('Google joining an account is announced; the first sign-in of a new account is not', async () => {
    const { email, userId } = await proven();
    await portal.db.query('update credentials set vouched = true where user_id = $1', [userId]);
    const sign = () => signInAs(new TestBrowser(portal.url), 'google', { email, verified: 'yes' });
    await sign();
    await sign();
    const mails = await mailsTo(email, 'A sign-in method was added');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('A Google account was added');
    const fresh = `fresh.${email}`;
    await signInAs(new TestBrowser(portal.url), 'google', { email: fresh, verified: 'yes' });
    expect(await mailsTo(fresh, '')).toEqual([]);
  });

  test('an unconfirmed address gets no email', async () => {
    const { email, token } = await signUp(portal);
    const next = await linkWallet(token);
    expect(await mailsTo(email, 'A sign-in method')).toEqual([]);
    expect((await change(next, password, 'another password')).status).toBe(200);
    expect(await mailsTo(email, 'password')).toEqual([]);
  });

  test('an address that Google does not vouch for gets no email', async () => {
    const email = 'not.vouched@example.com';
    const page = await signInAs(new TestBrowser(portal.url), 'google', { email });
    await linkWallet(tokensAt(page).token);
    expect(await mailsTo(email, 'A sign-in method')).toEqual([]);
  });

  const googleOnly = async (email: string): Promise<string> =>
    tokensAt(await signInAs(new TestBrowser(portal.url), 'google', { email, verified: 'yes' })).token;
  const saveEmail = async (token: string, email: string) => {
    const answer = await portal.call('POST', '/api/v1/user/profile', { token, body: { email } });
    expect(answer.status).toBe(200);
  };

  test('every confirmed address gets one email about a sign-in method, also after the profile names another', async () => {
    const owner = 'Only.Google@example.com';
    const token = await googleOnly(owner);
    await saveEmail(token, 'thief@example.com');
    const next = await linkWallet(token);
    expect(await mailsTo(owner, 'A sign-in method was added')).toHaveLength(1);
    expect(await mailsTo('thief@example.com', 'A sign-in method')).toEqual([]);

    const confirm = tokenIn(await mailTo(portal, 'thief@example.com', 'Confirm'));
    await portal.call('POST', '/api/v1/auth/email/confirm', { body: { token: confirm } });
    await portal.db.query(`update linked_identities set email = upper(email) where email = $1`, [owner]);
    const both = { email: owner.toLowerCase(), password, passwordConfirm: password };
    const linked = await portal.call('POST', '/api/v1/auth/identifier/email', {
      token: next,
      headers: await inBrowserOf(portal, next),
      body: both,
    });
    expect(linked.status).toBe(200);
    await portal.db.query('update credentials set email_verified = true where email = $1', [both.email]);
    const wallet = privateKeyToAccount(generatePrivateKey());
    await linkWallet(linked.body.token.accessToken, wallet);
    const informed = (await portal.app.get(MailOutbox).list(1000))
      .filter(({ text }) => text.includes(`wallet ${wallet.address.slice(0, 6)}…`))
      .map(({ to }) => to.toLowerCase());
    expect(informed.sort()).toEqual([owner.toLowerCase(), 'thief@example.com']);
  });

  test('a confirmed address learns at once that the profile names another, and the other one gets no such email', async () => {
    const owner = 'was.the.contact@example.com';
    const token = await googleOnly(owner);
    await saveEmail(token, owner.toUpperCase());
    const spelledAnew = owner.toUpperCase().replace('EXAMPLE.COM', 'example.com');
    expect(await mailsTo(spelledAnew, 'about to change')).toEqual([]);
    await saveEmail(token, 'next.contact@example.com');
    const [mail, ...more] = await mailsTo(spelledAnew, 'about to change');
    expect(more).toEqual([]);
    const { text } = mail as KeptMail;
    expect(text).toMatch(/On \d+ \w+ \d{4} at \d\d:\d\d UTC, someone signed in/);
    expect(text).toContain(
      'The new one replaces this one once it’s confirmed. Until then, messages come here.',
    );
    expect(text).not.toContain('next.contact');
    const undo = tokenIn(mail as KeptMail);
    leadsOnlyTo(`/api/v1/auth/email/restore?token=${undo}`, mail as KeptMail);
    await saveEmail(token, 'third.contact@example.com');
    expect(await mailsTo('next.contact@example.com', 'about to change')).toEqual([]);
  });

  test('an address gets at most five emails an hour about its replacement', async () => {
    const { email, token } = await proven();
    for (let i = 0; i < 6; i++) await saveEmail(token, `next-${i}.${email}`);
    expect(await mailsTo(email, 'about to change')).toHaveLength(5);
  });

  test('one address gets at most five emails about its password an hour, and none of them counts as a confirmation', async () => {
    const account = await proven();
    let { token } = account;
    for (let i = 0; i < 7; i++) {
      const changed = await change(
        token,
        i === 0 ? password : `password number ${i - 1}`,
        `password number ${i}`,
      );
      expect(changed.status).toBe(200);
      token = changed.body.token.accessToken;
    }
    expect(await mailsTo(account.email, 'Your password was changed')).toHaveLength(5);
    for (const [table, id] of [
      ['users', 'id'],
      ['credentials', 'user_id'],
    ]) {
      await portal.db.query(`update ${table} set email_verified = false where ${id} = $1`, [account.userId]);
    }
    const again = await portal.call('POST', '/api/v1/auth/email/confirm/again', { token });
    expect(again.body).toEqual({ sent: 1 });
  });

  test('if email is not configured, nothing is queued, and a password change succeeds', async () => {
    const { email, token } = await proven();
    const mute = await startAnother({
      environment: { ...portal.environment, isProduction: true },
      address: portal.address,
    });
    try {
      expect((await change(token, password, 'another password', mute)).status).toBe(200);
    } finally {
      await mute.close();
    }
    expect(await mailsTo(email, 'Your password was changed')).toEqual([]);
  });
});
