import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepLog } from '../../testing/leaks.js';
import { s3Credentials, S3Server, startS3Server } from '../../testing/s3.server.js';
import { FolderStore } from './folder.store.js';
import { isPictureName, newPictureName, PictureStore } from './picture.store.js';
import { S3Store } from './s3.store.js';

const owner = 'an account';

const unavailable = {
  code: 'profile.unavailable',
  statusCode: 503,
  message: 'Photos can’t be saved or loaded right now. Try again later',
};

interface Stage {
  store: PictureStore;
  /** The names of all stored photos. */
  stored(): Promise<string[]>;
  close(): Promise<void>;
}

async function startFolder(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-pictures-'));
  return {
    store: new FolderStore(join(folder, 'pictures')),
    stored: async () => readdir(join(folder, 'pictures')),
    close: () => rm(folder, { recursive: true }),
  };
}

async function startBucket(): Promise<Stage> {
  const s3 = await startS3Server();
  return {
    store: new S3Store({ ...s3Credentials, endpoint: s3.url }),
    stored: async () => [...s3.objects.keys()].map((key) => key.slice(key.lastIndexOf('/') + 1)),
    close: () => s3.stop(),
  };
}

describe.each([
  ['a folder', startFolder],
  ['a bucket', startBucket],
])('photos in %s', (_, start) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await start();
  });
  afterAll(() => stage.close());

  test('a stored photo can be read, and is gone once it is removed', async () => {
    const { store, stored } = stage;
    const [one, two] = [newPictureName(), newPictureName()];
    const bytes = Buffer.from([0, 1, 2, 255, 13, 10]);
    await store.put(one, bytes, owner);
    await store.put(two, Buffer.from('two'), owner);
    expect(await store.read(one, owner)).toEqual(bytes);
    expect((await stored()).sort()).toEqual([`${one}.webp`, `${two}.webp`].sort());
    await store.remove(one);
    expect(await store.read(one, owner)).toBeNull();
    expect(await store.read(two, owner)).toEqual(Buffer.from('two'));
    await store.remove(two);
    expect(await stored()).toEqual([]);
  });

  test('a missing photo reads as null, and can be removed', async () => {
    expect(await stage.store.read(newPictureName(), owner)).toBeNull();
    await stage.store.remove(newPictureName());
  });
});

test('a name has 32 hexadecimal digits and no other form', () => {
  expect(isPictureName(newPictureName())).toBe(true);
  for (const name of [
    '',
    '..',
    `../${newPictureName()}`,
    `${newPictureName()}.webp`,
    newPictureName().toUpperCase(),
    `${newPictureName()}\n`,
  ])
    expect([name, isPictureName(name)]).toEqual([name, false]);
});

describe('a folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portal-pictures-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('only the owner can read its files', async () => {
    const name = newPictureName();
    await new FolderStore(join(folder, 'pictures')).put(name, Buffer.from('x'));
    expect((await stat(join(folder, 'pictures'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'pictures', `${name}.webp`))).mode & 0o777).toBe(0o600);
  });

  test('a file half written before a crash is not read, and is removed with its name', async () => {
    const name = newPictureName();
    await writeFile(join(folder, `${name}.webp.part`), 'hal');
    const store = new FolderStore(folder);
    expect(await store.read(name)).toBeNull();
    await store.remove(name);
    expect(await readdir(folder)).toEqual([]);
  });

  test('an unwritable folder is unavailable, and no half-written file is left', async () => {
    const log = keepLog();
    await writeFile(join(folder, 'pictures'), 'a file in its place');
    const store = new FolderStore(join(folder, 'pictures'));
    await expect(store.put(newPictureName(), Buffer.from('x'))).rejects.toMatchObject(unavailable);
    await expect(store.read(newPictureName())).rejects.toMatchObject(unavailable);

    const name = newPictureName();
    await mkdir(join(folder, `${name}.webp`, 'in the way'), { recursive: true });
    await expect(new FolderStore(folder).put(name, Buffer.from('x'))).rejects.toMatchObject(unavailable);
    expect(await readdir(folder)).toEqual(expect.not.arrayContaining([`${name}.webp.part`]));
    expect(await readFile(join(folder, 'pictures'), 'utf8')).toBe('a file in its place');
    expect(log.text).toContain(`the folder ${join(folder, 'pictures')} cannot be used`);
    jest.restoreAllMocks();
  });
});

describe('a bucket', () => {
  let s3: S3Server;
  beforeEach(async () => {
    s3 = await startS3Server();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await s3.stop();
  });
  const store = (more: Partial<ConstructorParameters<typeof S3Store>[0]> = {}, times = {}) =>
    new S3Store({ ...s3Credentials, endpoint: s3.url, ...more }, times);

  test('gets path-style requests for an object below pictures/ with its content type', async () => {
    const name = newPictureName();
    await store().put(name, Buffer.from('x'), owner);
    expect(s3.asked).toEqual([`PUT /portal-pictures/pictures/${name}.webp`]);
    expect([...s3.objects.values()]).toEqual([{ type: 'image/webp', bytes: Buffer.from('x') }]);
  });

  test.each([
    ['another secret', { secret: 'wrong' }, 'SignatureDoesNotMatch'],
    ['another key', { keyId: 'AKIDOTHER' }, 'InvalidAccessKeyId'],
    ['another region', { region: 'us-east-1' }, 'SignatureDoesNotMatch'],
  ])(
    'a 403 for %s makes it unavailable, and the log gives the reason but not the secret',
    async (_, more, code) => {
      const log = keepLog();
      const wrong = store(more);
      const name = newPictureName();
      await expect(wrong.put(name, Buffer.from('x'), owner)).rejects.toMatchObject(unavailable);
      await expect(wrong.read(name, owner)).rejects.toMatchObject(unavailable);
      await expect(wrong.remove(name)).rejects.toMatchObject(unavailable);
      expect(s3.objects.size).toBe(0);
      expect(log.text).toContain(`returned status 403 ${code} for PUT`);
      expect(log.text).not.toContain(s3Credentials.secret);
      expect(log.text).not.toContain('Signature=');
    },
  );

  test.each<[string, NonNullable<S3Server['answer']>]>([
    ['500', (_, response) => void response.writeHead(500).end()],
    ['503', (_, response) => void response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')],
    ['a redirect', (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
    ['a closed connection', (request) => request.destroy()],
    ['a time-out', () => undefined],
    ['an endless response', (_, response) => void response.writeHead(200).write('x')],
  ])('%s makes it unavailable', async (_, answer) => {
    keepLog();
    s3.answer = answer;
    const slow = store({}, { timeout: 200 });
    await expect(slow.put(newPictureName(), Buffer.from('x'), owner)).rejects.toMatchObject(unavailable);
    await expect(slow.read(newPictureName(), owner)).rejects.toMatchObject(unavailable);
    await expect(slow.remove(newPictureName())).rejects.toMatchObject(unavailable);
  });
});
