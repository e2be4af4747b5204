import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MailOutbox } from '../../mail/mail.outbox.js';
import { mailTo } from '../../testing/mailbox.js';
import { tokenIn } from '../../testing/smtp.server.js';
import { Answer, startTestApp, TestApp } from '../../testing/test.app.js';
import { until } from '../../testing/until.js';

const password = 'a long enough password';
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('how many emails strangers can cause', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({
      SIGN_IN_LIMIT_PER_ACCOUNT: '1000',
      MAIL_LIMIT_PER_CLIENT: '40',
      TRUST_PROXY: '1',
    });
  });
  afterAll(() => portal.close());

  const from = (client: string) => ({ 'x-forwarded-for': client });
  const register = (email: string, client: string): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/email/register', {
      body: { email, password, passwordConfirm: password },
      headers: from(client),
    });
  const askForReset = (email: string, client: string): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/email/reset', { body: { email }, headers: from(client) });
  const resetsAreSent = () =>
    until('every request for a reset is worked off', async () => {
      const waiting: unknown[] = await portal.db.query('select from reset_requests');
      return waiting.length === 0;
    });
  const sentTo = async (pattern: RegExp) =>
    (await portal.app.get(MailOutbox).list(10_000)).filter(({ to }) => pattern.test(to));

  test('30 accounts under +tags of one mailbox, with a reset each, cause at most 10 emails to it', async () => {
    const email = (i: number) => `flooded+${i}@example.com`;
    const made = await Promise.all(upTo(30).map((i) => register(email(i), `192.0.2.${i}`)));
    const asked = await Promise.all(upTo(30).map((i) => askForReset(email(i), `192.0.2.${i}`)));
    expect([...made, ...asked].map(({ status }) => status)).toEqual(Array(60).fill(200));
    await resetsAreSent();
    const sent = (await sentTo(/^flooded\+/)).length;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(10);
  });

  test('resets under +tags do not count against a confirmed address', async () => {
    const email = 'proven.owner@example.com';
    await register(email, '198.51.100.1');
    const token = tokenIn(await mailTo(portal, email, 'Confirm'));
    await portal.call('POST', '/api/v1/auth/email/confirm', { body: { token } });
    const tagged = (i: number) => `proven.owner+${i}@example.com`;
    await Promise.all(upTo(10).map((i) => register(tagged(i), `198.51.100.${i}`)));
    await Promise.all(upTo(10).map((i) => askForReset(tagged(i), `198.51.100.${i}`)));
    expect((await askForReset(email, '198.51.100.99')).status).toBe(200);
    await resetsAreSent();
    expect(await sentTo(/^proven\.owner@/)).toContainEqual(
      expect.objectContaining({ subject: expect.stringContaining('Reset your password') }),
    );
  });

  test.each([
    ['an IPv4 address', () => '203.0.113.7'],
    ['a /64 of IPv6', (i: number) => `2001:db8:0:7::${i.toString(16)}`],
  ])(
    '%s can cause at most 40 emails an hour, to any number of mailboxes, and can still register',
    async (name, at) => {
      const domain = name.includes('6') ? 'v6.example.com' : 'v4.example.com';
      const made = await Promise.all(upTo(45).map((i) => register(`stranger.${i}@${domain}`, at(i))));
      expect(made.map(({ status }) => status)).toEqual(Array(45).fill(200));
      expect(await sentTo(new RegExp(`@${domain}$`))).toHaveLength(40);
      const again = await askForReset(`stranger.1@${domain}`, at(1));
      expect([again.status, again.body.code]).toEqual([429, 'request.rateLimited']);
      expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0);
      const unknown = await askForReset(`unknown@${domain}`, at(2));
      // The same for an unknown address, apart from the seconds, which count down.
      const withoutWait = again.body.message.replace(/\d+ .*$/, '');
      expect([unknown.status, unknown.body]).toEqual([
        429,
        { ...again.body, message: expect.stringContaining(withoutWait) },
      ]);
      expect((await askForReset(`stranger.1@${domain}`, '203.0.113.200')).status).toBe(200);
    },
  );
});
