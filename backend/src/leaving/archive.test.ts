import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { archiveState } from '@orange-id/contract/archive.schema';
import { limits } from '@orange-id/contract/limits';
import { inBrowserOf } from '../testing/browser.cookie.js';
import { mailTo } from '../testing/mailbox.js';
import { type SignedUp, signUp } from '../testing/sign.up.js';
import { startTestApp, type TestApp } from '../testing/test.app.js';
import { makeTenant, pageOf } from '../testing/tenant.page.js';
import { until } from '../testing/until.js';
import { newId } from '../database/new.id.js';
import { ArchiveRepository } from './archive.repository.js';
import { ArchiveService } from './archive.service.js';

const site = 'https://app.example.com';
const path = '/api/account/archive';

describe('the archive of an account', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  }, 30_000);
  afterAll(() => portal.close());

  const stateOf = async ({ token }: Pick<SignedUp, 'token'>) => {
    const { status, body } = await portal.call('GET', path, { token });
    expect([status, archiveState.parse(body)]).toEqual([200, body]);
    return body;
  };
  const fileOf = ({ token }: Pick<SignedUp, 'token'>) => portal.call('GET', `${path}/file`, { token });
  const prepared = async (owner: SignedUp) => {
    expect((await portal.call('POST', path, { token: owner.token })).status).toBe(200);
    await until('the archive is ready', async () => (await stateOf(owner)).state === 'ready');
    return fileOf(owner);
  };

  test('has everything of its owner, no secrets, and nothing of others', async () => {
    const { owner, code } = await makeTenant(portal, [site], { name: 'Acme' });
    const { token, userId, email } = owner;
    const other = await makeTenant(portal, ['https://other.example.com'], { name: 'Secret of others' });
    await portal.db.query("update users set display_name = 'Ada', email_verified = true where id = $1", [
      userId,
    ]);
    const saved = await portal.call('POST', '/api/keys', { token, body: { name: 'Saved' } });
    const called = await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': saved.body.key } });
    expect(called.status).toBe(200);
    const post = { title: 'Mine', content: 'My text', category: 'Bugs' };
    const posted = await portal.call('POST', '/api/forum/posts', { token, body: post });
    await portal.call('POST', `/api/forum/posts/${posted.body.id}/replies`, {
      token,
      body: { content: 'More' },
    });
    const signIn = { email, password: 'a long enough password' };
    const there = pageOf(portal, 'https://other.example.com', other.code);
    await there.call('POST', '/api/v1/auth/email/login', { body: signIn });

    expect(await stateOf(owner)).toEqual({ state: 'none', askedAt: null, expiresAt: null });
    expect((await fileOf(owner)).body.code).toBe('account.archiveMissing');
    const { status, headers, body, text } = await prepared(owner);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="orange-id-data.json"');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      profile: { id: userId, email, displayName: 'Ada' },
      signInMethods: [{ provider: 'email', label: email }],
      projects: [{ projectId: code, name: 'Acme', urls: [site] }],
      keys: [{ projectId: code }, { name: 'Saved', projectId: null }],
      usageByDay: [{ day: new Date().toISOString().slice(0, 10), calls: 1, errors: 0 }],
      posts: [post],
      replies: [{ postId: posted.body.id, content: 'More' }],
      connectedApps: [{ projectId: other.code, name: 'Secret of others' }],
    });
    const [project] = (await portal.call('GET', '/devportal/v1/user/projects', { token })).body;
    for (const secret of [saved.body.key, project.apiKey, token, owner.refreshToken, '$argon2', 'scrypt']) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toContain(other.owner.email);
    const mail = await mailTo(portal, email, 'Your data is ready');
    expect(mail.text).toContain(`${portal.environment.PUBLIC_URL}/settings`);
    expect(mail.text).not.toContain('token');

    const stranger = await signUp(portal);
    expect((await stateOf(stranger)).state).toBe('none');
    expect((await fileOf(stranger)).status).toBe(404);
  });

  test('is kept for a day, and another one is prepared after an hour', async () => {
    const owner = await signUp(portal);
    await prepared(owner);
    const archives = portal.app.get(ArchiveService);
    const { askedAt, expiresAt } = await stateOf(owner);
    expect(Date.parse(expiresAt) - Date.parse(askedAt)).toBe(limits.archiveKeptSeconds * 1000);
    expect((await archives.state(owner.userId, new Date(Date.parse(expiresAt) - 1))).state).toBe('ready');
    expect((await archives.state(owner.userId, new Date(expiresAt))).state).toBe('none');
    await expect(archives.file(owner.userId, new Date(expiresAt))).rejects.toThrow();

    expect((await portal.call('POST', path, { token: owner.token })).body.askedAt).toBe(askedAt);
    const [{ id: sessionId }] = await portal.db.query('select id from refresh_tokens where user_id = $1', [
      owner.userId,
    ]);
    const user = { id: owner.userId, issuer: 'embedded' };
    const inAnHour = new Date(Date.parse(askedAt) + limits.archiveEverySeconds * 1000);
    expect((await archives.ask({ user, sessionId }, inAnHour)).askedAt).toBe(inAnHour.toISOString());
  });

  test('has the newest texts up to a bound, however much its owner wrote', async () => {
    const owner = await signUp(portal);
    const { title, category } = { title: 'Long', category: 'Ideas' };
    const ids = Array.from({ length: 150 }, () => newId());
    await portal.db.query(
      `insert into forum_posts (id, user_id, title, content, category)
         select id, $2, $3, repeat('祝', 20000), $4 from unnest($1::uuid[]) id`,
      [ids, owner.userId, title, category],
    );
    const { body, headers } = await prepared(owner);
    const { posts } = body as { posts: { id: string }[] };
    // Sent as it is unpacked.
    expect(headers.get('transfer-encoding')).toBe('chunked');
    expect(posts.length).toBeGreaterThan(limits.archivedTextBytes / 60_000);
    expect(posts.length).toBeLessThan(ids.length);
    expect(posts.map(({ id }) => id)).toEqual(ids.sort().reverse().slice(0, posts.length));
  });

  test('is not prepared for ever, in case its preparation ends the process', async () => {
    const { userId } = await signUp(portal);
    await portal.db.query(
      `insert into data_archives (user_id, expires_at, attempts) values ($1, now() + interval '1 hour', $2)`,
      [userId, limits.archiveAttempts],
    );
    expect(await portal.app.get(ArchiveRepository).waiting()).not.toContain(userId);
  });

  test('goes at once when the account is deleted', async () => {
    const owner = await signUp(portal);
    await prepared(owner);
    const { token } = owner;
    const headers = await inBrowserOf(portal, token);
    await portal.call('POST', '/api/account/deletion', { token, headers, body: { word: 'delete' } });
    const rows = await portal.db.query('select from data_archives where user_id = $1', [owner.userId]);
    expect(rows).toEqual([]);
    expect((await fileOf(owner)).status).toBe(401);
  });
});
