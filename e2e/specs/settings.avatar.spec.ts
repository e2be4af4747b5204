import { expect, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { registerWithProfile, signIn } from '../fixtures/account';
import { tabTo } from '../fixtures/keyboard';
import { machineTest as test } from '../fixtures/machine';
import { SettingsPage } from '../pages/settings.page';

const uploadCall = '**/api/v1/user/profile/upload';
const maxBytes = 1_048_576;
const defaultPicture = readFileSync(
  join(import.meta.dirname, '..', '..', 'frontend', 'public', 'default-avatar.jpg'),
);

/** A real PNG of 64 × 64 px in one colour, padded to `bytes` by a text chunk that no reader shows. */
function pngOf(bytes = 0): Buffer {
  const size = 64;
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(size * 3, 0x7f)]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const parts = (text: Buffer) =>
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', header),
      ...(text.length > 0 ? [chunk('tEXt', text)] : []),
      chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: size }, () => row)))),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  const bare = parts(Buffer.alloc(0)).length;
  return bytes === 0
    ? parts(Buffer.alloc(0))
    : parts(Buffer.from(`Comment\0`.padEnd(bytes - bare - 12, 'x')));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function crc32(data: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const png = (buffer = pngOf()) => ({ name: 'me.png', mimeType: 'image/png', buffer });
const headerPicture = (page: Page) =>
  page.getByRole('button', { name: /^Account menu/ }).locator('.user-avatar img');

/** How often the calls were made that a new picture has read again. */
function readsOf(page: Page): Record<string, number> {
  const reads: Record<string, number> = {};
  page.on('request', (call) => {
    const { pathname } = new URL(call.url());
    reads[pathname] = (reads[pathname] ?? 0) + 1;
  });
  return reads;
}

async function open(page: Page): Promise<SettingsPage> {
  const settings = new SettingsPage(page);
  await settings.goto();
  await settings.avatar.expectState('idle');
  return settings;
}

test('a picture is uploaded: pending says so, it shows here, in the header and elsewhere, and what knew the old one is read again', async ({
  page,
  context,
  request,
}) => {
  await signIn(page, await registerWithProfile(request, 'ada'));
  // The caches that are to be read again are in use.
  await page.goto('/profile');
  await expect(page.getByRole('link', { name: 'View All Projects (0)' })).toBeVisible();
  await page.getByRole('link', { name: 'Edit profile' }).click();
  const settings = new SettingsPage(page);
  const { avatar } = settings;
  await expect(avatar.picture).toHaveText('A');
  expect(await avatar.picture.boundingBox()).toMatchObject({ width: 240, height: 240 });

  let letGo!: () => void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let sent: { type: string | undefined; body: string } | null = null;
  await page.route(uploadCall, async (route) => {
    const { 'content-type': type } = route.request().headers();
    sent = { type, body: route.request().postDataBuffer()?.toString('latin1') ?? '' };
    await held;
    await route.continue();
  });
  const reads = readsOf(page);
  const chooser = page.waitForEvent('filechooser');
  await avatar.upload.click();
  await (await chooser).setFiles(png());
  await avatar.expectState('uploading');
  await expect(avatar.upload).toHaveText('Uploading...');
  await expect(avatar.upload).toBeDisabled();
  await expect(avatar.delete).toBeDisabled();
  expect(sent!.type).toMatch(/^multipart\/form-data; boundary=/);
  expect(sent!.body).toContain('name="file"; filename="me.png"');
  letGo();
  await expect(settings.toast('Photo Updated', 'Your new photo is saved.')).toBeVisible();
  await avatar.expectState('idle');
  await expect(avatar.upload).toHaveText('Upload photo');
  await expect(avatar.image).toBeVisible();
  const address = await avatar.image.getAttribute('src');
  await expect(headerPicture(page)).toHaveAttribute('src', address!);
  expect(await avatar.image.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expect.poll(() => reads['/api/v1/auth/user']).toBeGreaterThanOrEqual(1);

  await page.getByRole('link', { name: 'your profile' }).click();
  await expect(page.locator('.profile-person img')).toHaveAttribute('src', address!);
  await expect.poll(() => reads['/devportal/v1/user/projects']).toBe(1);
  await expect.poll(() => reads['/api/reward/profile']).toBe(1);

  const other = await context.newPage();
  await other.goto('/faq');
  await expect(headerPicture(other)).toHaveAttribute('src', address!);
});

test('a picture is deleted by uploading the default one under its name', async ({ page, request }) => {
  await signIn(page, await registerWithProfile(request, 'Ada'));
  const settings = await open(page);
  const { avatar } = settings;
  await avatar.file.setInputFiles(png());
  await expect(avatar.image).toBeVisible();
  const before = await avatar.image.getAttribute('src');

  let letGo!: () => void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let body: Buffer | null = null;
  await page.route(uploadCall, async (route) => {
    body = route.request().postDataBuffer();
    await held;
    await route.continue();
  });
  await avatar.delete.click();
  const dialog = page.getByRole('dialog', { name: 'Delete photo' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(body).toBeNull();
  await avatar.remove();
  await avatar.expectState('deleting');
  await expect(avatar.delete).toHaveText('Deleting...');
  await expect(avatar.delete).toBeDisabled();
  await expect(avatar.upload).toBeDisabled();
  letGo();
  await expect(settings.toast('Avatar Deleted', 'Your profile now shows the default photo.')).toBeVisible();
  await expect(avatar.image).not.toHaveAttribute('src', before!);
  await expect(avatar.delete).toHaveText('Delete photo');
  // There is no photo any more, neither here nor after a reload.
  await expect(avatar.delete).toBeDisabled();
  await expect(avatar.note).toContainText('No photo uploaded.');
  expect(body!.toString('latin1')).toContain('name="file"; filename="default-avatar.jpg"');
  expect(body!.includes(defaultPicture)).toBe(true);
  await expect(headerPicture(page)).toHaveAttribute('src', (await avatar.image.getAttribute('src'))!);
  await page.reload();
  await expect(avatar.image).toBeVisible();
  await expect(avatar.delete).toBeDisabled();
});

test('a file of 1,048,575 bytes is taken, one of 1,048,576 and one that is no image are refused without a call', async ({
  page,
  request,
}) => {
  await signIn(page, await registerWithProfile(request, 'Ada'));
  const settings = await open(page);
  const { avatar } = settings;
  const reads = readsOf(page);
  const tooLarge = pngOf(maxBytes);
  expect(tooLarge).toHaveLength(maxBytes);
  await avatar.file.setInputFiles(png(tooLarge));
  await expect(settings.toast('File Too Large', 'Please select an image smaller than 1MB.')).toBeVisible();
  await expect(avatar.note).toHaveText('Please select an image smaller than 1MB.');
  await expect(avatar.file).toHaveValue('');
  await avatar.expectState('idle');

  await avatar.file.setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('no picture'),
  });
  await expect(
    settings.toast('Invalid File Type', 'Please select an image file (JPG, PNG, etc.).'),
  ).toBeVisible();
  await expect(avatar.file).toHaveValue('');
  expect(reads['/api/v1/user/profile/upload']).toBeUndefined();

  await avatar.file.setInputFiles(png(pngOf(maxBytes - 1)));
  await expect(settings.toast('Photo Updated', 'new photo is saved')).toBeVisible();
  await expect(avatar.note).toContainText('under 1 MB');
});

test('a text file that calls itself a picture is refused by what is in it, and the same file can be chosen again', async ({
  page,
  request,
}) => {
  await signIn(page, await registerWithProfile(request, 'Ada'));
  const settings = await open(page);
  const { avatar } = settings;
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const answered = page.waitForResponse(uploadCall);
    await avatar.file.setInputFiles(png(Buffer.from('<svg onload="alert(1)"> or so')));
    expect((await answered).status()).toBe(415);
    await expect(
      settings.toast('Upload Failed', 'The file is an SVG drawing. Choose a JPEG, PNG, WebP, GIF or AVIF'),
    ).toBeVisible();
    await avatar.expectState('idle');
    await expect(avatar.file).toHaveValue('');
    await expect(avatar.picture).toHaveText('A');
  }
});

test('a failed upload and a failed deletion say why, in a toast and in the console, and leave the picture', async ({
  page,
  context,
  request,
}) => {
  await signIn(page, await registerWithProfile(request, 'Ada'));
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const settings = await open(page);
  const { avatar } = settings;
  await expect(avatar.delete).toBeDisabled();
  await avatar.file.setInputFiles(png());
  await expect(avatar.image).toBeVisible();
  await page.route(uploadCall, (route) =>
    route.fulfill({ status: 503, json: { statusCode: 503, message: 'Not now', error: 'x' } }),
  );
  await avatar.file.setInputFiles(png());
  await expect(settings.toast('Upload Failed', '503: Not now')).toBeVisible();
  await expect(avatar.image).toBeVisible();
  await avatar.remove();
  await expect(settings.toast('Delete Failed', 'Failed to delete avatar: 503: Not now')).toBeVisible();
  await expect(avatar.note).toHaveText('Failed to delete avatar: 503: Not now');
  await expect
    .poll(() => problems.filter((text) => /The (upload|deletion) of the picture failed/.test(text)).length)
    .toBe(2);

  await page.unroute(uploadCall);
  await context.setOffline(true);
  await avatar.file.setInputFiles(png());
  await expect(settings.toast('Upload Failed', 'The server couldn’t be reached.')).toBeVisible();
  await avatar.remove();
  await expect(
    settings.toast('Delete Failed', 'Failed to delete avatar: The server couldn’t be reached.'),
  ).toBeVisible();
  await context.setOffline(false);
  await avatar.file.setInputFiles(png());
  await expect(settings.toast('Photo Updated', 'new photo is saved')).toBeVisible();
});

for (const status of [401, 403]) {
  test(`an upload answered ${status} says that the session has expired and leads to the sign-in page`, async ({
    page,
    request,
  }) => {
    await signIn(page, await registerWithProfile(request, 'Ada'));
    const settings = await open(page);
    await page.route(uploadCall, (route) => route.fulfill({ status, json: { message: 'no' } }));
    await settings.avatar.file.setInputFiles(png());
    await expect(
      settings.toast('Session Expired', 'Your session has expired. Redirecting to login...'),
    ).toBeVisible();
    await expect(page).toHaveURL('/login');
  });

  test(`a deletion answered ${status} says so too, and stays`, async ({ page, request }) => {
    await signIn(page, await registerWithProfile(request, 'Ada'));
    const settings = await open(page);
    await settings.avatar.file.setInputFiles(png());
    await expect(settings.avatar.image).toBeVisible();
    await page.route(uploadCall, (route) => route.fulfill({ status, json: { message: 'no' } }));
    await settings.avatar.remove();
    await expect(
      settings.toast('Session Expired', 'Your session has expired. Redirecting to login...'),
    ).toBeVisible();
    await settings.avatar.expectState('idle');
    await settings.displayName.edit.click();
    await settings.displayName.expectState('editing');
    await expect(page).toHaveURL('/settings');
  });
}

test('the picture is deleted by the keyboard alone, and the focus goes to Upload photo', async ({
  page,
  request,
}) => {
  await signIn(page, await registerWithProfile(request, 'Ada'));
  const settings = await open(page);
  await settings.avatar.file.setInputFiles(png());
  await expect(settings.avatar.delete).toBeEnabled();
  await tabTo(page, settings.avatar.delete);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Delete photo' }));
  await page.keyboard.press('Enter');
  await expect(settings.toast('Avatar Deleted', 'default photo')).toBeVisible();
  // Nothing is left to delete.
  await expect(settings.avatar.upload).toBeFocused();
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(png());
  await expect(settings.toast('Photo Updated', 'new photo is saved')).toBeVisible();
  await expect(settings.avatar.upload).toBeFocused();
});

test('a picture that does not load leaves the letter of the name', async ({ page, request }) => {
  await signIn(page, await registerWithProfile(request, '👩‍👩‍👧 and co'));
  await page.route('**/api/v1/auth/user', async (route) => {
    const answer = await route.fetch();
    const user = (await answer.json()) as object;
    await route.fulfill({ response: answer, json: { ...user, picture: '/no-such-picture.png' } });
  });
  const settings = await open(page);
  await expect(settings.avatar.picture).toHaveText('👩‍👩‍👧');
});
