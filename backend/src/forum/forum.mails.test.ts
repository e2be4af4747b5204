import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signUp, type SignedUp } from '../testing/sign.up.js';
import { startSmtpServer, type SmtpServer } from '../testing/smtp.server.js';
import { startTestApp, type TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { ForumMails } from './forum.mails.js';

describe('mail about the community', () => {
  let server: SmtpServer;
  let portal: TestApp;
  beforeAll(async () => {
    server = await startSmtpServer();
    portal = await startTestApp({ SMTP_URL: server.url });
  }, 30_000);
  afterAll(async () => {
    await portal.close();
    await server.close();
  });

  const named = async (isProven = true): Promise<SignedUp> => {
    const user = await signUp(portal);
    await portal.db.query(`update users set display_name = 'Ada', email_verified = $2 where id = $1`, [
      user.userId,
      isProven,
    ]);
    return user;
  };
  const send = async (user: SignedUp, method: string, path: string, body: object) => {
    const answer = await portal.call(method, `/api/forum${path}`, { token: user.token, body });
    expect(answer.status).toBeLessThan(300);
    return answer.body;
  };
  const write = async (user: SignedUp, title = 'A title') =>
    (await send(user, 'POST', '/posts', { title, content: 'Text', category: 'Bugs' })).id as string;
  let made = 0;
  const reply = (user: SignedUp, post: string) =>
    send(user, 'POST', `/posts/${post}/replies`, { content: `Reply ${++made}` });
  /** The mails about threads that this user has got, once everything due is sent. */
  const mailsTo = async ({ email }: SignedUp) => {
    await portal.app.get(ForumMails).queueDue();
    await until('nothing waits', async () => {
      const [{ count }] = await portal.db.query('select count(*)::int as count from outgoing_mails');
      return count === 0;
    });
    return server.mails.filter((mail) => mail.to.includes(email) && mail.headers['list-unsubscribe']);
  };
  const anHourLater = () =>
    portal.db.query(`update forum_followers set mailed_at = mailed_at - interval '1 hour'`);
  const linkOf = (mail: { headers: Record<string, string> } | undefined): string =>
    (mail?.headers['list-unsubscribe'] ?? '').replace(/[<>\s]/g, '');

  test('gathers the replies to a thread to one mail an hour, and none about one’s own', async () => {
    const [author, other] = [await named(), await named()];
    const post = await write(author, 'Why <b>?');
    await reply(other, post);
    await reply(author, post);
    const [first] = await mailsTo(author);
    expect(first?.text).toContain('A new reply to ‘Why <b>?’');
    expect(first?.html).toContain('‘Why &lt;b&gt;?’');
    expect(first?.text).toMatch(/Ada replied:\n\nReply \d+\n/);
    expect(first?.html).toMatch(/<a href="[^"]+unsubscribe[^"]+"[^>]*>Mute this thread<\/a>/);
    expect(first?.text).toContain(`${portal.url}/community/posts/${post}`);
    expect(first?.headers).toMatchObject({ 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' });
    await reply(other, post);
    await reply(other, post);
    expect(await mailsTo(author)).toHaveLength(1);
    await anHourLater();
    const mails = await mailsTo(author);
    expect(mails).toHaveLength(2);
    expect(mails[1]?.text).toContain('2 new replies to');
    expect(await mailsTo(other)).toHaveLength(1);
  });

  test('ends for a thread with one click on its link, which opening alone does not do', async () => {
    const [author, other] = [await named(), await named()];
    const post = await write(author);
    const second = await write(author, 'Another');
    await reply(other, post);
    const link = linkOf((await mailsTo(author))[0]);
    const muted = async () =>
      (await portal.call('GET', `/api/forum/posts/${post}/mute`, { token: author.token })).body.isMuted;
    const page = await fetch(link);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form')]);
    expect(await muted()).toBe(false);
    const click = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(click.status).toBe(200);
    expect(await muted()).toBe(true);
    await anHourLater();
    await reply(other, post);
    expect(await mailsTo(author)).toHaveLength(1);
    await reply(other, second);
    expect(await mailsTo(author)).toHaveLength(2);
  });

  test('ends for one thread at its participant’s request, who finds the thread in a list and can follow it again', async () => {
    const [author, other] = [await named(), await named()];
    const post = await write(author, 'Muted one');
    const call = (user: typeof author, method: string, path: string, body?: unknown) =>
      portal.call(method, `/api/forum${path}`, { token: user.token, body });
    const state = async (user = author) => (await call(user, 'GET', `/posts/${post}/mute`)).body;
    expect(await state()).toEqual({ isFollowing: true, isMuted: false });
    expect(await state(other)).toEqual({ isFollowing: false, isMuted: false });
    const muted = { isFollowing: true, isMuted: true };
    expect((await call(author, 'PUT', `/posts/${post}/mute`, { isMuted: true })).body).toEqual(muted);
    expect(await state()).toEqual(muted);
    await reply(other, post);
    expect(await mailsTo(author)).toEqual([]);
    const list = async (user = author) => (await call(user, 'GET', '/muted')).body.threads;
    expect(await list()).toEqual([{ postId: post, title: 'Muted one' }]);
    expect(await list(other)).toEqual([]);
    await portal.db.query('update forum_posts set is_hidden = true where id = $1', [post]);
    expect(await list()).toEqual([{ postId: post, title: '' }]);
    await portal.db.query('update forum_posts set is_hidden = false where id = $1', [post]);
    await call(author, 'PUT', `/posts/${post}/mute`, { isMuted: false });
    expect(await list()).toEqual([]);
    // What came while it was muted is not news any more.
    expect(await mailsTo(author)).toEqual([]);
    await reply(other, post);
    expect(await mailsTo(author)).toHaveLength(1);
  });

  test('has links that nobody else can make', async () => {
    const [author, other] = [await named(), await named()];
    const post = await write(author);
    await reply(other, post);
    const link = linkOf((await mailsTo(author))[0]);
    for (const changed of [
      link.slice(0, -2),
      link.replace(author.userId, other.userId),
      `${link}x`,
      link.split('?')[0],
    ]) {
      for (const method of ['GET', 'POST']) {
        expect((await fetch(changed as string, { method })).status).toBe(410);
      }
    }
  });

  test('is not sent to an account that its owner has deleted, unless it is kept', async () => {
    const [leaving, other] = [await named(), await named()];
    const post = await write(leaving);
    await portal.db.query(
      `insert into account_deletions (user_id, due_at) values ($1, now() + interval '7 days')`,
      [leaving.userId],
    );
    await reply(other, post);
    expect(await mailsTo(leaving)).toEqual([]);
    await portal.db.query('delete from account_deletions where user_id = $1', [leaving.userId]);
    expect(await mailsTo(leaving)).toEqual([]);
    await reply(other, post);
    expect(await mailsTo(leaving)).toHaveLength(1);
  });

  test('is not sent to unproven addresses, nor to users who turned it off', async () => {
    const [unproven, off, muting, other] = [await named(false), await named(), await named(), await named()];
    await send(off, 'PUT', '/mail', { isOn: false });
    for (const author of [unproven, off, muting]) {
      const post = await write(author);
      if (author === muting) await send(author, 'PUT', `/posts/${post}/mute`, { isMuted: true });
      await reply(other, post);
      expect(await mailsTo(author)).toEqual([]);
    }
    await send(off, 'PUT', '/mail', { isOn: true });
    await reply(other, await write(off, 'On again'));
    expect(await mailsTo(off)).toHaveLength(1);
  });
});
