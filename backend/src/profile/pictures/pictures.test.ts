import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { isDefaultAvatar } from '@orange-id/contract/avatar.rule';
import { limits } from '@orange-id/contract/limits';
import { pictureAnswer } from '@orange-id/contract/profile.schema';
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { crc32, deflateSync, gzipSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { formOf, Part, pictureOf, sendForm, upload } from '../../testing/pictures.js';
import { SignedUp, signUp } from '../../testing/sign.up.js';
import { untilTaken } from '../../testing/taken.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';
import { until } from '../../testing/until.js';
import { PictureConverter } from './picture.converter.js';

describe('POST /api/v1/user/profile/upload', () => {
  let portal: TestApp;
  let me: SignedUp;
  let png: Buffer;
  beforeAll(async () => {
    portal = await startTestApp();
    me = await signUp(portal);
    png = await pictureOf(40, 30).png().toBuffer();
  });
  afterAll(() => portal.close());

  const folder = () => join(portal.environment.dataDir, 'pictures');
  const kept = async () => (await readdir(folder())).sort();
  const user = async (token: string) => (await portal.call('GET', '/api/v1/auth/user', { token })).body;
  const get = (address: string) => fetch(address, { redirect: 'manual' });
  const decoded = async (address: string) => Buffer.from(await (await get(address)).arrayBuffer());
  const nameIn = (address: string) => address.slice(address.lastIndexOf('/') + 1);

  test('returns 200 with the photo’s address, stores and serves it, and shows it in every field of the user', async () => {
    const { token } = await signUp(portal);
    const answer = await upload(portal, token, png);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const address: string = answer.body.data.picture;
    expect(answer.body).toEqual({ data: { picture: expect.any(String) } });
    expect(address).toMatch(new RegExp(`^${portal.environment.PUBLIC_URL}/pictures/[0-9a-f]{32}\\.webp$`));
    expect(pictureAnswer.parse(answer.body)).toEqual({ picture: address });
    expect(await user(token)).toMatchObject({
      picture: address,
      photoUrl: address,
      profilePicture: address,
    });
    expect(await kept()).toContain(nameIn(address));
    expect(await sharp(await decoded(address)).metadata()).toMatchObject({
      format: 'webp',
      width: 512,
      height: 512,
    });
  });

  test('serves it as an image and nothing else, cached for a year, to every page', async () => {
    const { body } = await upload(portal, me.token, png);
    const { status, headers } = await get(body.data.picture);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'content-disposition': 'inline',
    });
    const head = await fetch(body.data.picture, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });

  test.each<[string, (picture: Sharp) => Sharp, string]>([
    ['JPEG', (picture) => picture.jpeg(), 'image/jpeg'],
    ['progressive JPEG', (picture) => picture.jpeg({ progressive: true }), 'image/jpeg'],
    ['PNG', (picture) => picture.png(), 'image/png'],
    ['WebP', (picture) => picture.webp(), 'image/webp'],
    ['GIF', (picture) => picture.gif(), 'image/gif'],
    ['AVIF', (picture) => picture.avif(), 'image/avif'],
    // The declared type only has to be an image type.
    ['a PNG that is called a JPEG', (picture) => picture.png(), 'image/jpeg'],
  ])('%s is accepted', async (_, made, type) => {
    const { token } = await signUp(portal);
    const answer = await upload(portal, token, await made(pictureOf(300, 200)).toBuffer(), { type });
    expect(answer.status).toBe(200);
  });

  test('the default photo that "Delete photo" uploads removes the photo: none is stored, and the address says so', async () => {
    const bytes = await readFile(join(process.cwd(), 'frontend', 'public', 'default-avatar.jpg'));
    const options = { filename: 'default-avatar.jpg', type: 'image/jpeg' };
    const { token } = await signUp(portal);
    const mine = await upload(portal, token, png);
    const before = await kept();
    const answer = await upload(portal, token, bytes, options);
    const address = `${portal.environment.PUBLIC_URL}/default-avatar.jpg`;
    expect([answer.status, answer.body]).toEqual([200, { data: { picture: address } }]);
    expect(isDefaultAvatar(address)).toBe(true);
    expect(await user(token)).toMatchObject({ picture: address });
    expect(await kept()).toEqual(before.filter((name) => name !== nameIn(mine.body.data.picture)));
    // A different image with this file name is a regular photo.
    const named = await upload(portal, token, png, { ...options, type: 'image/png' });
    expect(isDefaultAvatar(named.body.data.picture)).toBe(false);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 512, height: 512 });
    const { channels } = await sharp(bytes).stats();
    const [r, g, b] = channels.map(({ mean }) => mean) as [number, number, number];
    // The average colour of the brand's picture is orange: more red than green, more green than blue.
    expect([r > g, g > b]).toEqual([true, true]);
  });

  test('removes metadata, GPS and profiles, and applies the orientation', async () => {
    const sideways = await sharp({
      create: { width: 200, height: 100, channels: 3, background: '#ff0000' },
    })
      .composite([
        {
          input: { create: { width: 100, height: 100, channels: 3, background: '#0000ff' } },
          left: 100,
          top: 0,
        },
      ])
      .withExif({ IFD0: { Copyright: 'Secret owner' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(await sharp(sideways).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) });
    const { body } = await upload(portal, me.token, sideways, { type: 'image/jpeg' });
    const served = await decoded(body.data.picture);
    const { exif, icc, xmp, iptc, orientation } = await sharp(served).metadata();
    expect([exif, icc, xmp, iptc, orientation]).toEqual(Array(5).fill(undefined));
    expect(served.includes('Secret owner')).toBe(false);
    const pixels = await sharp(served).removeAlpha().raw().toBuffer();
    const at = (x: number, y: number) => [...pixels.subarray((y * 512 + x) * 3, (y * 512 + x) * 3 + 3)];
    const isRed = ([r = 0, , b = 0]: number[]) => r > 150 && b < 100;
    // Rotated by a quarter turn: the left side is now the top.
    expect([isRed(at(256, 20)), isRed(at(256, 490))]).toEqual([true, false]);
  });

  test('keeps one frame of an animated image', async () => {
    const frames = Buffer.concat(
      await Promise.all([1, 2, 3].map((seed) => pictureOf(20, 20, seed).raw().toBuffer())),
    );
    const animated = await sharp(frames, { raw: { width: 20, height: 60, channels: 3, pageHeight: 20 } })
      .gif()
      .toBuffer();
    expect((await sharp(animated).metadata()).pages).toBe(3);
    const { body } = await upload(portal, me.token, animated, { type: 'image/gif' });
    expect((await sharp(await decoded(body.data.picture)).metadata()).pages ?? 1).toBe(1);
  });

  test('does not serve data hidden behind an image', async () => {
    const script = '<script>alert(document.domain)</script>PK\x03\x04META-INF/MANIFEST.MF';
    for (const made of [pictureOf(20, 20).gif(), pictureOf(20, 20).jpeg(), pictureOf(20, 20).png()]) {
      const both = Buffer.concat([await made.toBuffer(), Buffer.from(script)]);
      const { status, body } = await upload(portal, me.token, both);
      expect(status).toBe(200);
      const served = await decoded(body.data.picture);
      expect(served.includes('script')).toBe(false);
      expect(served.includes('MANIFEST')).toBe(false);
    }
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const tail = 'Choose a JPG, PNG, WebP, GIF or AVIF';
  test.each<[string, Buffer | string, string, string]>([
    ['SVG', svg, 'image/svg+xml', 'The file is an SVG drawing'],
    ['SVG called PNG', svg, 'image/png', 'The file is an SVG drawing'],
    [
      'SVG behind a prologue',
      `<?xml version="1.0"?>\n<!-- a -->${svg}`,
      'image/png',
      'The file is an SVG drawing',
    ],
    ['SVGZ', gzipSync(svg), 'image/svg+xml', 'The file is gzip-compressed'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'image/png', 'The file is an HTML page'],
    ['ZIP', 'PK\x03\x04 and so on, more', 'image/png', 'The file is a ZIP archive'],
    ['PDF', '%PDF-1.7 and so on', 'image/png', 'The file is a PDF document'],
    ['TIFF', 'II*\0 and so on, more', 'image/tiff', 'The file is a TIFF image'],
    ['BMP', 'BM and so on, more', 'image/bmp', 'The file is a BMP image'],
    ['HEIC', '\0\0\0\x18ftypheic and so on', 'image/heic', 'The file is a HEIC image'],
    ['text', 'just some words', 'image/png', 'This file isn’t a supported image'],
    ['nothing', '', 'image/png', 'The file is empty'],
    ['one byte', '\xff', 'image/png', 'This file isn’t a supported image'],
    [
      'a JPEG header before HTML',
      Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from('<html><script>alert(1)</script></html>')]),
      'image/jpeg',
      'The file starts like a JPG but can’t be read as one',
    ],
    [
      'a JPEG header before a script',
      Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from('*/=1;alert(1)/*'.repeat(20))]),
      'image/jpeg',
      'The file starts like a JPG but can’t be read as one',
    ],
    [
      'a GIF header before ZIP',
      Buffer.concat([Buffer.from('GIF89a'), Buffer.from('PK\x03\x04'.repeat(20))]),
      'image/gif',
      'The file starts like a GIF but can’t be read as one',
    ],
    [
      'an AVIF header',
      '\0\0\0\x18ftypavif and so on',
      'image/avif',
      'The file starts like an AVIF but can’t be read as one',
    ],
  ])('returns 415 for %s', async (_, bytes, type, problem) => {
    const before = [await user(me.token), await kept()];
    const answer = await upload(portal, me.token, Buffer.from(bytes), { type });
    expect(answer.body).toEqual({
      statusCode: 415,
      message: `${problem}. ${problem.endsWith('read as one') ? 'Choose another file' : tail}`,
      error: 'Unsupported Media Type',
      code: 'profile.pictureInvalid',
    });
    expect([await user(me.token), await kept()]).toEqual(before);
  });

  const longType = `text/${'x'.repeat(60)}`;
  test.each([
    ...['text/plain', 'application/octet-stream', 'text/html', 'application/zip'].map((type) => [type, type]),
    [longType, `${longType.slice(0, 60)}…`],
  ])('returns 415 for an image that claims to be %s', async (type, shown) => {
    const answer = await upload(portal, me.token, png, { type });
    expect([answer.status, answer.body.message]).toEqual([415, `The file’s type is "${shown}". ${tail}`]);
  });

  test.each<[string, (picture: Sharp) => Sharp]>([
    ['JPG', (picture) => picture.jpeg()],
    ['PNG', (picture) => picture.png()],
    ['WebP', (picture) => picture.webp({ lossless: true })],
    ['AVIF', (picture) => picture.avif()],
  ])('returns 415 for half of a %s', async (name, made) => {
    const whole = await made(await noise(200, 200)).toBuffer();
    const answer = await upload(portal, me.token, whole.subarray(0, whole.byteLength / 2));
    expect(answer.status).toBe(415);
    expect(answer.body.message).toMatch(
      new RegExp(
        `^(The ${name} is damaged or incomplete|The file starts like an? ${name} but can’t be read as one). Choose another file$`,
      ),
    );
  });

  test('returns 415 for a PNG of 17,000 × 17,000 without decoding it', async () => {
    const huge = emptyPng(17_000);
    expect(huge.byteLength).toBeLessThan(limits.avatarMaxBytes);
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    const { token } = await signUp(portal);
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(portal, token, huge)));
    clearInterval(watch);
    for (const { body } of answers) {
      expect(body.code).toBe('profile.pictureInvalid');
      expect(body.message).toBe(
        'The image is 17,000 × 17,000 pixels, more than 25 megapixels. Choose a smaller one',
      );
    }
    // One of them would need 867 MB when decoded.
    expect((most - before) / 1e6).toBeLessThan(200);
  }, 60_000);

  test('concurrent uploads of the largest accepted images take bounded memory', async () => {
    const large = await pictureOf(5_000, 5_000).webp().toBuffer();
    const { token } = await signUp(portal);
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => untilTaken(() => upload(portal, token, large))),
    );
    clearInterval(watch);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    // One conversion of a large image runs at a time, with 100 MB of decoded pixels; all twelve would take 1,200 MB.
    expect((most - before) / 1e6).toBeLessThan(500);
  }, 60_000);

  test('returns 415 for an AVIF above 8 megapixels, which takes 27 bytes of memory for a pixel', async () => {
    const { token } = await signUp(portal);
    const made = (width: number) => pictureOf(width, 2_500).avif({ quality: 30, effort: 0 }).toBuffer();
    const answer = await upload(portal, token, await made(3_300), { type: 'image/avif' });
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      415,
      'profile.pictureInvalid',
      'The AVIF is 3,300 × 2,500 pixels, more than 8 megapixels. Choose a smaller one',
    ]);
    expect((await upload(portal, token, await made(3_200), { type: 'image/avif' })).status).toBe(200);
  }, 30_000);

  test('converts one large image at a time, beside a small one', async () => {
    const large = await pictureOf(2_000, 1_500).png().toBuffer();
    const running: ((bytes: Buffer) => void)[] = [];
    const converting = jest.spyOn(sharp.prototype as Sharp, 'toBuffer');
    converting.mockImplementation((() => new Promise<Buffer>((end) => running.push(end))) as never);
    try {
      const converter = portal.app.get(PictureConverter);
      const converted = [large, large, png].map((bytes) => converter.convert(bytes, 'png'));
      await until('a large image and the small one are being converted', () => running.length === 2);
      running[1]?.(png);
      expect(await converted[2]).toBe(png);
      // The header of a further small one is read while the second large one waits.
      await expect(converter.convert(Buffer.from('unreadable'), 'png')).rejects.toThrow();
      expect(running).toHaveLength(2);
      running[0]?.(large);
      await until('the second large one is being converted', () => running.length === 3);
      running[2]?.(large);
      expect(await Promise.all(converted)).toEqual([large, large, png]);
    } finally {
      converting.mockRestore();
    }
  });

  test('with 66 images being converted or waiting for it, the next one is refused at once', async () => {
    const converter = portal.app.get(PictureConverter);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 67 }, () => converter.convert(Buffer.from('unreadable'), 'png')),
    );
    const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
    expect(codes).toEqual([...Array(66).fill('profile.pictureInvalid'), 'server.busy']);
  });

  test('returns 503 for an image that takes too long, and says that a smaller one may work', async () => {
    const slow = jest.spyOn(sharp.prototype as Sharp, 'toBuffer');
    slow.mockImplementationOnce(() => Promise.reject(new Error('timeout: 42% complete')));
    const answer = await upload(portal, me.token, png).finally(() => slow.mockRestore());
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      503,
      'server.busy',
      'The image took longer than 10 s to process. Try again, or choose a smaller one',
    ]);
  });

  /** The same image, padded behind its end so that the file has `size` bytes. */
  const padded = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.byteLength)]);

  test('accepts 1,048,575 bytes and returns 413 with the limit for 1,048,576 and more', async () => {
    expect((await upload(portal, me.token, padded(limits.avatarMaxBytes - 1))).status).toBe(200);
    for (const size of [limits.avatarMaxBytes, 2_000_000]) {
      const before = [await user(me.token), await kept()];
      const answer = await upload(portal, me.token, padded(size));
      expect(answer.body).toEqual({
        statusCode: 413,
        message: 'The image must be smaller than 1 MB (1,048,576 bytes)',
        error: 'Payload Too Large',
        code: 'profile.pictureTooLarge',
      });
      expect([await user(me.token), await kept()]).toEqual(before);
    }
  });

  test('returns 413 for an endless body without a length, and stops reading', async () => {
    for (const start of [
      formOf([{ name: 'file', filename: 'a.png', type: 'image/png', bytes: png }], { isWhole: false }),
      Buffer.from('no form\r\n'),
    ]) {
      const answer = await sendChunks(portal, me.token, start, 4_000_000);
      expect(answer).toMatchObject({ statusCode: 413, code: 'profile.pictureTooLarge' });
    }
  });

  const file = (more: Partial<Part> = {}): Part => ({
    name: 'file',
    filename: 'me.png',
    type: 'image/png',
    bytes: png,
    ...more,
  });
  test.each<[string, () => Part[], string]>([
    ['no part', () => [], 'The form has no file. Send one in a field called "file"'],
    [
      'another name',
      () => [file({ name: 'picture' })],
      'The form has a field called "picture". Send the file in a field called "file", and nothing else',
    ],
    [
      'a name of 61 characters',
      () => [file({ name: 'x'.repeat(61) })],
      `The form has a field called "${'x'.repeat(60)}…". Send the file in a field called "file", and nothing else`,
    ],
    ['the file twice', () => [file(), file()], 'The form has more than one field "file". Send one file'],
    [
      'a field before the file',
      () => [{ name: 'userId', bytes: 'x' }, file()],
      'The form has a field called "userId". Send the file in a field called "file", and nothing else',
    ],
    [
      'a field behind the file',
      () => [file(), { name: 'userId', bytes: 'x' }],
      'The form has a field called "userId". Send the file in a field called "file", and nothing else',
    ],
    [
      'text in its place',
      () => [{ name: 'file', bytes: 'x' }],
      'The field "file" contains text. Send a file in it',
    ],
    [
      'a forbidden name',
      () => [file({ name: '__proto__' })],
      'The multipart form is incomplete. Send it again',
    ],
  ])('returns 400 for %s', async (_, parts, message) => {
    const before = [await user(me.token), await kept()];
    const answer = await sendForm(portal, me.token, formOf(parts()));
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([400, 'request.invalid', message]);
    expect([await user(me.token), await kept()]).toEqual(before);
  });

  test('returns 400 for a truncated form', async () => {
    const answer = await sendForm(portal, me.token, formOf([file()], { isWhole: false }).subarray(0, -8));
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'The multipart form is incomplete. Send it again',
    ]);
  });

  test.each([
    '../../../etc/passwd.png',
    '..%2f..%2fx.png',
    'C:\\x.png',
    '图片 👩‍💻.png',
    'a\0b.png',
    'x'.repeat(2000),
  ])('ignores the file name %.30j', async (filename) => {
    const before = await kept();
    const answer = await sendForm(portal, me.token, formOf([file({ filename })]));
    if (answer.status !== 200) {
      expect([answer.status, answer.body.code]).toEqual([400, 'request.invalid']);
      expect(await kept()).toEqual(before);
      return;
    }
    const name = nameIn(answer.body.data.picture);
    expect(name).toMatch(/^[0-9a-f]{32}\.webp$/);
    expect(await kept()).toContain(name);
  });

  test('returns 415 for JSON, or no form at all, and says what to send', async () => {
    const json = await portal.call('POST', '/api/v1/user/profile/upload', { token: me.token, body: {} });
    expect([json.status, json.body.code, json.body.message]).toEqual([
      415,
      'request.typeUnsupported',
      'Send the file as multipart/form-data, in a field called "file"',
    ]);
    const mixed = await sendForm(portal, me.token, png, { 'content-type': 'image/png' });
    expect([mixed.status, mixed.body.message]).toEqual([
      415,
      'A body of type image/png isn’t accepted here. Send the file as multipart/form-data',
    ]);
  });

  test.each(['/api/v1/user/profile', '/api/keys', '/devportal/v1/project', '/api/v1/auth/email/login'])(
    'returns 415 for a form with a file at %s',
    async (path) => {
      const response = await fetch(portal.url + path, {
        method: 'POST',
        headers: {
          'content-type': 'multipart/form-data; boundary=portal-test-boundary',
          authorization: `Bearer ${me.token}`,
        },
        body: new Uint8Array(formOf([file()])),
      });
      expect(response.status).toBe(415);
      expect(await response.json()).toMatchObject({ code: 'request.typeUnsupported' });
    },
  );

  test('returns 401 without a token, before reading any of the body', async () => {
    const answer = await answerBeforeBody(portal, {});
    expect(answer).toMatchObject({ statusCode: 401, code: 'auth.required' });
    const ended = await signUp(portal);
    await portal.call('POST', '/api/v1/auth/logout', { token: ended.token });
    const other = await answerBeforeBody(portal, { authorization: `Bearer ${ended.token}` });
    expect(other).toMatchObject({ statusCode: 401, code: 'auth.tokenInvalid' });
  });

  test('twenty concurrent uploads by one account all succeed and leave one photo and no other file', async () => {
    const { token } = await signUp(portal);
    const before = await kept();
    const pictures = await Promise.all(
      Array.from({ length: 20 }, (_, seed) => pictureOf(30, 30, seed).png().toBuffer()),
    );
    const answers = await Promise.all(
      pictures.map((picture) => untilTaken(() => upload(portal, token, picture))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const { picture } = await user(token);
    expect(answers.map(({ body }) => body.data.picture)).toContain(picture);
    expect((await get(picture)).status).toBe(200);
    expect(await kept()).toEqual([...before, nameIn(picture)].sort());
    const gone = answers.map(({ body }) => body.data.picture).filter((address) => address !== picture);
    expect(await Promise.all(gone.map(async (address) => (await get(address)).status))).toEqual(
      Array(19).fill(404),
    );
  });

  test('the photos of two users do not affect each other', async () => {
    const [mine, theirs] = [await signUp(portal), await signUp(portal)];
    const { body } = await upload(portal, theirs.token, png);
    await upload(portal, mine.token, png);
    expect((await user(theirs.token)).picture).toBe(body.data.picture);
    expect((await get(body.data.picture)).status).toBe(200);
  });

  test('returns 429 after sixty in an hour, before reading any of the body; other users are not limited', async () => {
    const { token } = await signUp(portal);
    for (let time = 0; time < limits.pictureChangesPerHour; time++) {
      expect((await upload(portal, token, Buffer.alloc(0))).status).toBe(415);
    }
    const answer = await answerBeforeBody(portal, { authorization: `Bearer ${token}` });
    expect(answer).toMatchObject({
      statusCode: 429,
      code: 'request.rateLimited',
      message: expect.stringMatching(/^Too many photo uploads or deletions\. Try again in \d+ seconds$/),
    });
    expect((await upload(portal, me.token, png)).status).toBe(200);
  });

  describe('GET /pictures', () => {
    test.each([
      '/pictures/0123456789abcdef0123456789abcdef.webp',
      '/pictures/0123456789abcdef0123456789abcdef',
      '/pictures/..%2f..%2fportal.secret',
      '/pictures/..%2fpictures%2f0123456789abcdef0123456789abcdef.webp',
      '/pictures/%2e%2e%2fportal.secret',
      '/pictures/..%5cportal.secret',
      '/pictures/portal.secret%00.webp',
      '/pictures/../portal.secret',
      '/pictures/....//portal.secret',
      '/pictures/',
      '/pictures/a/b.webp',
      `/pictures/${'a'.repeat(150)}.webp`,
    ])('returns 404 for %s', async (path) => {
      const answer = await rawGet(portal, path);
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain('secret');
    });

    test('returns 404 for a name in upper case or with another ending', async () => {
      const { body } = await upload(portal, me.token, png);
      const path = new URL(body.data.picture).pathname;
      for (const other of [
        path.toUpperCase().replace('PICTURES', 'pictures'),
        `${path}.part`,
        path.slice(0, -5),
      ]) {
        expect((await rawGet(portal, other)).status).toBe(404);
      }
    });
  });

  const noise = async (width: number, height: number) => {
    const bytes = Buffer.alloc(width * height * 3);
    let state = 7;
    for (let at = 0; at < bytes.length; at++) {
      state = (state * 48_271) % 2_147_483_647;
      bytes[at] = state % 256;
    }
    return sharp(bytes, { raw: { width, height, channels: 3 } });
  };
});

/**
 * A black PNG with one bit per pixel (PNG, third edition), assembled from its chunks: sharp cannot create one this
 * large.
 */
function emptyPng(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.byteLength);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(side / 8)) * side));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The response to a request whose body is announced and never sent. */
function answerBeforeBody({ url }: TestApp, headers: Record<string, string>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v1/user/profile/upload`, {
      method: 'POST',
      headers: {
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': '500000',
        ...headers,
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        sent.destroy();
        resolve(JSON.parse(text));
      });
    });
    sent.flushHeaders();
  });
}

/** Sends `start` and then zeros without a length, at most `bytes`, until a response arrives. */
function sendChunks({ url }: TestApp, token: string, start: Buffer, bytes: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v1/user/profile/upload`, {
      method: 'POST',
      headers: {
        'content-type': 'multipart/form-data; boundary=portal-test-boundary',
        authorization: `Bearer ${token}`,
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        sent.destroy();
        resolve(JSON.parse(text));
      });
    });
    sent.write(start);
    for (let sentBytes = 0; sentBytes < bytes; sentBytes += 65_536) sent.write(Buffer.alloc(65_536));
  });
}

/** Sends a path unchanged: fetch would normalise it. */
function rawGet({ url }: TestApp, path: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode as number, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}
