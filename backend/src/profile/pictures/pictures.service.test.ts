import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepLog } from '../../testing/leaks.js';
import { pictureOf, upload } from '../../testing/pictures.js';
import { s3Credentials, S3Server, startS3Server } from '../../testing/s3.server.js';
import { signUp } from '../../testing/sign.up.js';
import { startAnother, startTestApp, TestApp } from '../../testing/test.app.js';
import { newPictureName, PictureStore } from './picture.store.js';
import { PicturesService } from './pictures.service.js';

describe('the life cycle of photos', () => {
  let portal: TestApp;
  let png: Buffer;
  beforeAll(async () => {
    portal = await startTestApp({ LOG_LEVEL: 'warn' });
    png = await pictureOf(20, 20).png().toBuffer();
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => portal.close());

  const folder = () => join(portal.environment.dataDir, 'pictures');
  const kept = async () => (await readdir(folder()).catch(() => [])).sort();
  const rows = () => portal.db.query('select name, in_use as "inUse" from pictures order by changed_at');
  const picture = async (token: string) =>
    (await portal.call('GET', '/api/v1/auth/user', { token })).body.picture as string | null;
  const aged = () =>
    portal.db.query(`update pictures set changed_at = now() - interval '11 minutes' where not in_use`);
  const sweep = () => portal.app.get(PicturesService).sweep();

  test('an upload replaces a provider photo, such as Google’s', async () => {
    const { token, userId } = await signUp(portal);
    await portal.db.query('update users set profile_image_url = $2 where id = $1', [
      userId,
      'https://lh3.googleusercontent.com/a/x',
    ]);
    const { body } = await upload(portal, token, png);
    expect(await picture(token)).toBe(body.data.picture);
    expect(await picture(token)).not.toContain('google');
  });

  test('a file that a crash leaves without a change is removed after ten minutes, and not before', async () => {
    const { token, userId } = await signUp(portal);
    const { body } = await upload(portal, token, png);
    const left = newPictureName();
    const store = portal.app.get<PictureStore>(PictureStore);
    await portal.db.query('insert into pictures (name, user_id) values ($1, $2)', [left, userId]);
    await store.put(left, Buffer.from('left over'), 'an account');
    expect(await sweep()).toBe(0);
    expect(await kept()).toContain(`${left}.webp`);
    await aged();
    expect(await sweep()).toBe(1);
    expect(await kept()).not.toContain(`${left}.webp`);
    expect((await fetch(body.data.picture)).status).toBe(200);
    expect((await rows()).every(({ inUse }: { inUse: boolean }) => inUse)).toBe(true);
  });

  test('a row whose file was never stored, and the photo of a deleted account, are removed too', async () => {
    const { token, userId } = await signUp(portal);
    const { body } = await upload(portal, token, png);
    await portal.db.query('insert into pictures (name) values ($1)', [newPictureName()]);
    await portal.db.query('delete from users where id = $1', [userId]);
    await portal.db.query(
      `update pictures set changed_at = now() - interval '11 minutes' where user_id is null`,
    );
    expect(await sweep()).toBe(2);
    expect((await fetch(body.data.picture)).status).toBe(404);
  });

  test('two instances that sweep at once remove each leftover once', async () => {
    const names = Array.from({ length: 20 }, newPictureName);
    for (const name of names) await portal.db.query('insert into pictures (name) values ($1)', [name]);
    await aged();
    await Promise.all([sweep(), sweep()]);
    expect(await portal.db.query('select from pictures where name = any($1)', [names])).toEqual([]);
  });

  test('if the storage fails the upload returns 503, the previous photo stays, and the leftover is swept', async () => {
    const { token } = await signUp(portal);
    const { body } = await upload(portal, token, png);
    const log = keepLog();
    await rename(folder(), `${folder()}.aside`);
    await writeFile(folder(), 'a file in its place');
    const answer = await upload(portal, token, png);
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'profile.unavailable',
      '1',
    ]);
    expect((await fetch(body.data.picture)).status).toBe(503);
    expect(log.text).toContain('cannot be used');
    await rm(folder());
    await rename(`${folder()}.aside`, folder());
    expect(await picture(token)).toBe(body.data.picture);
    expect((await fetch(body.data.picture)).headers.get('cache-control')).toContain('immutable');
    await aged();
    expect(await sweep()).toBe(1);
  });

  test('if storing took so long that the photo was swept, the upload returns 503 and the previous photo stays', async () => {
    const { token } = await signUp(portal);
    const before = (await upload(portal, token, png)).body.data.picture;
    const store = portal.app.get<PictureStore>(PictureStore);
    const put = store.put.bind(store);
    jest.spyOn(store, 'put').mockImplementationOnce(async (...photo) => {
      await put(...photo);
      await aged();
      expect(await sweep()).toBe(1);
    });
    const answer = await upload(portal, token, png);
    expect([answer.status, answer.body.code]).toEqual([503, 'server.busy']);
    expect(await picture(token)).toBe(before);
    expect((await fetch(before)).status).toBe(200);
  });

  test('if a replaced photo cannot be removed at once it is removed later, and the change stands', async () => {
    const { token } = await signUp(portal);
    const first = (await upload(portal, token, png)).body.data.picture;
    const store = portal.app.get<PictureStore>(PictureStore);
    const log = keepLog();
    jest.spyOn(store, 'remove').mockRejectedValueOnce(new Error('not now'));
    const second = await upload(portal, token, png);
    expect(second.status).toBe(200);
    expect(log.text).toContain('trying again within an hour');
    jest.restoreAllMocks();
    expect((await fetch(first)).status).toBe(200);
    await aged();
    expect(await sweep()).toBe(1);
    expect((await fetch(first)).status).toBe(404);
    expect(await picture(token)).toBe(second.body.data.picture);
  });

  test('after a change of the portal’s address uploaded photos follow it, and provider photos stay', async () => {
    const [mine, theirs, reset] = [await signUp(portal), await signUp(portal), await signUp(portal)];
    const { body } = await upload(portal, mine.token, png);
    await portal.app.get(PicturesService).reset(reset.userId);
    const elsewhere = `https://other.example.com/pictures/${newPictureName()}.webp`;
    await portal.db.query('update users set profile_image_url = $2 where id = $1', [
      theirs.userId,
      elsewhere,
    ]);
    const moved = await startAnother({
      ...portal,
      environment: { ...portal.environment, PUBLIC_URL: 'https://moved.example.com' },
    });
    const addresses = await portal.db.query('select profile_image_url as url from users where id = any($1)', [
      [mine.userId, theirs.userId, reset.userId],
    ]);
    await moved.close();
    const path = new URL(body.data.picture).pathname;
    expect(addresses.map(({ url }: { url: string }) => url).sort()).toEqual(
      [`https://moved.example.com${path}`, 'https://moved.example.com/default-avatar.jpg', elsewhere].sort(),
    );
  });

  test('a starting portal removes the files of failed uploads', async () => {
    await mkdir(folder(), { recursive: true });
    const left = newPictureName();
    await portal.db.query('insert into pictures (name) values ($1)', [left]);
    await writeFile(join(folder(), `${left}.webp.part`), 'hal');
    await aged();
    const another = await startAnother(portal);
    await another.close();
    expect(await kept()).not.toContain(`${left}.webp.part`);
  });
});

describe('photos in S3-compatible storage', () => {
  let s3: S3Server;
  let portal: TestApp;
  let png: Buffer;
  beforeAll(async () => {
    s3 = await startS3Server();
    portal = await startTestApp({
      LOG_LEVEL: 'debug',
      PICTURES_S3_ENDPOINT: s3.url,
      PICTURES_S3_BUCKET: s3Credentials.bucket,
      PICTURES_S3_REGION: s3Credentials.region,
      PICTURES_S3_KEY_ID: s3Credentials.keyId,
      PICTURES_S3_SECRET: s3Credentials.secret,
    });
    png = await pictureOf(20, 20).png().toBuffer();
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(async () => {
    await portal.close();
    await s3.stop();
  });

  test('an upload is served through the portal and replaced: one object is left and nothing in the data folder', async () => {
    const { token } = await signUp(portal);
    const first = (await upload(portal, token, png)).body.data.picture;
    expect(first.startsWith(`${portal.environment.PUBLIC_URL}/pictures/`)).toBe(true);
    const served = await fetch(first);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const second = (await upload(portal, token, png)).body.data.picture;
    expect([...s3.objects.keys()]).toEqual([`/portal-pictures${new URL(second).pathname}`]);
    expect((await fetch(first)).status).toBe(404);
    expect(await readdir(portal.environment.dataDir)).not.toContain('pictures');
  });

  test.each<[string, NonNullable<S3Server['answer']>]>([
    ['403', (_, response) => void response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')],
    ['500', (_, response) => void response.writeHead(500).end()],
  ])(
    'a bucket that returns %s causes 503, nothing is lost, and the secret is in no log',
    async (status, answer) => {
      const { token } = await signUp(portal);
      const first = (await upload(portal, token, png)).body.data.picture;
      const log = keepLog();
      s3.answer = answer;
      const refused = await upload(portal, token, png);
      const unread = await fetch(first);
      s3.answer = null;
      expect([refused.status, refused.body.code]).toEqual([503, 'profile.unavailable']);
      expect([unread.status, unread.headers.get('cache-control')]).toEqual([503, 'no-store']);
      // A refusal is for the operator to fix; an outage is logged if it lasts.
      expect(log.text.includes('returned status 403 AccessDenied for PUT')).toBe(status === '403');
      expect(log.text).not.toContain(s3Credentials.secret);
      expect((await fetch(first)).status).toBe(200);
      const { body } = await portal.call('GET', '/api/v1/auth/user', { token });
      expect(body.picture).toBe(first);
    },
  );
});
