import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, type Route } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newEmail, register, registerWithProfile, signIn } from '../fixtures/account';
import { tabTo } from '../fixtures/keyboard';
import { machineTest as test } from '../fixtures/machine';
import { isTooWide } from '../fixtures/width';
import { MailboxPage } from '../pages/mailbox.page';
import { SettingsPage } from '../pages/settings.page';

const uploadCall = '**/api/v1/user/profile/upload';
const defaultPicture = readFileSync(
  join(import.meta.dirname, '..', '..', 'frontend', 'public', 'default-avatar.jpg'),
);
/** One pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const png = (buffer = pixel) => ({ name: 'me.png', mimeType: 'image/png', buffer });
const headerPicture = (page: Page) =>
  page.getByRole('button', { name: /^Account menu/ }).locator('.user-avatar_root img');

/** Holds the next upload until `release` is called, and keeps its body. */
async function holdUpload(page: Page): Promise<{ release(): void; body(): Buffer }> {
  let release = () => {};
  let body: Buffer | null = null;
  const held = new Promise<void>((resolve) => (release = resolve));
  const hold = async (route: Route) => {
    body = route.request().postDataBuffer();
    await held;
    await route.continue();
  };
  await page.route(uploadCall, hold, { times: 1 });
  return { release, body: () => body ?? Buffer.alloc(0) };
}

test('a profile and a photo are edited in Settings, stay after a reload, and show in the header and in another tab', async ({
  page,
  context,
  request,
}) => {
  const other = await registerWithProfile(request);
  const taken = `taken${newEmail().slice(4, 12)}`;
  await request.post('/api/v1/user/profile', {
    data: { userName: taken },
    headers: { authorization: `Bearer ${other.accessToken}` },
  });
  await signIn(page, await register(request));
  const reads: string[] = [];
  page.on('request', (call) => reads.push(new URL(call.url()).pathname));
  // Set before anything can open the browser's file dialog: without a listener, the real dialog would open.
  page.on('filechooser', (chooser) => void chooser.setFiles(png()));
  const settings = new SettingsPage(page);
  const { avatar, bio, displayName, location, username } = settings;

  await test.step('the pages whose data a new picture refreshes are loaded first', async () => {
    await page.goto('/profile');
    await expect(page.getByRole('link', { name: 'View All Projects (0)' })).toBeVisible();
    await page.getByRole('link', { name: 'Edit profile' }).click();
    await expect(page).toHaveURL('/settings');
  });

  await test.step('a name is edited and a country chosen with the keyboard only', async () => {
    await tabTo(page, displayName.edit);
    await page.keyboard.press('Enter');
    await expect(displayName.input).toBeFocused();
    await page.keyboard.type('ada');
    await page.keyboard.press('Enter');
    await expect(displayName.edit).toBeFocused();
    await expect(displayName.root).toContainText('ada');
    await expect(avatar.picture).toHaveText('A');

    await tabTo(page, location.edit);
    await page.keyboard.press('Enter');
    await expect(location.input).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(settings.country('Afghanistan')).toBeVisible();
    expect(
      await settings.countries
        .locator('.ant-select-dropdown-list-holder')
        .evaluate((box) => box.clientHeight),
    ).toBe(240);
    await page.keyboard.type('ital');
    await page.keyboard.press('Enter');
    await tabTo(page, location.save);
    await page.keyboard.press('Enter');
    await expect(location.root.locator('.settings_profileFieldValue')).toHaveText('Italy');
  });

  await test.step('unchanged and cancelled fields keep their values', async () => {
    await displayName.edit.click();
    await displayName.save.click();
    await displayName.expectState('viewing');
    await displayName.edit.click();
    await displayName.input.fill('Somebody else');
    await displayName.cancel.click();
    await expect(displayName.root).toContainText('ada');
  });

  await test.step("another account's username is refused, and the draft stays", async () => {
    await username.edit.click();
    await username.input.fill(taken.toUpperCase());
    await username.save.click();
    await expect(username.root).toContainText('Another account uses this username');
    await expect(username.input).toHaveValue(taken.toUpperCase());
    await username.cancel.click();
  });

  await test.step('the open fields and the list of countries fit 320 px and are accessible in dark mode', async () => {
    await page.setViewportSize({ width: 320, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await displayName.edit.click();
    await displayName.input.fill('');
    await displayName.save.click();
    await expect(displayName.root).toContainText('Enter a display name.');
    await bio.edit.click();
    await bio.input.fill('One\nTwo');
    await location.edit.click();
    await location.input.click();
    await expect(settings.country('Afghanistan')).toBeVisible();
    // While antd measures the list, it is positioned far outside the page.
    await expect.poll(() => isTooWide(page)).toBe(false);
    const { violations } = await new AxeBuilder({ page })
      // The arrow keys of its combobox scroll the list, so it needs no focus of its own.
      .disableRules(['scrollable-region-focusable'])
      .analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    await page.keyboard.press('Escape');
    await location.cancel.click();
    await displayName.cancel.click();
    await page.setViewportSize({ width: 1280, height: 720 });
    await bio.save.click();
    await expect(bio.root.locator('.settings_profileFieldValue')).toHaveText('One\nTwo', {
      useInnerText: true,
    });
  });

  await test.step('a file that is not a picture is refused because of its content', async () => {
    await avatar.file.setInputFiles(png(Buffer.from('<svg onload="alert(1)"> or so')));
    await expect(settings.toast('Upload Failed', 'The file is an SVG drawing.')).toBeVisible();
    await avatar.expectState('idle');
    await avatar.file.setInputFiles({ name: 'me.txt', mimeType: 'text/plain', buffer: pixel });
    await expect(settings.toast('Invalid File Type', 'Please select an image file')).toBeVisible();
  });

  await test.step('a picture is uploaded, and everything that shows it is refetched', async () => {
    const upload = await holdUpload(page);
    reads.length = 0;
    await tabTo(page, avatar.upload);
    await page.keyboard.press('Enter');
    await avatar.expectState('uploading');
    expect(await avatar.picture.boundingBox()).toMatchObject({ width: 240, height: 240 });
    upload.release();
    await expect(settings.toast('Photo Updated', 'Your new photo is saved.')).toBeVisible();
    // The button lost the focus while it was disabled.
    await expect(avatar.upload).toBeFocused();
    expect(await avatar.image.evaluate((image: HTMLImageElement) => image.decode())).toBeUndefined();
    const address = await avatar.image.getAttribute('src');
    await expect(headerPicture(page)).toHaveAttribute('src', address!);
    await expect.poll(() => reads).toContain('/api/v1/auth/user');
    await settings.profileLink.click();
    await expect(page.locator('.profile_person img')).toHaveAttribute('src', address!);
    for (const path of ['/devportal/v1/user/projects', '/api/reward/profile'])
      await expect.poll(() => reads.filter((read) => read === path)).toHaveLength(1);
    const tab = await context.newPage();
    await tab.goto('/faq');
    await expect(headerPicture(tab)).toHaveAttribute('src', address!);
    await tab.close();
    await page.goBack();
  });

  await test.step('the picture is deleted by uploading the default one, and none is left after a reload', async () => {
    const before = await avatar.image.getAttribute('src');
    await avatar.delete.click();
    const dialog = page.getByRole('dialog', { name: 'Delete photo' });
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await avatar.expectState('idle');
    await page.route(uploadCall, (route) => route.abort(), { times: 1 });
    await avatar.remove();
    await expect(settings.toast('Delete Failed', 'Failed to delete avatar')).toBeVisible();
    await avatar.expectState('idle');

    const upload = await holdUpload(page);
    await tabTo(page, avatar.delete);
    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByRole('button', { name: 'Delete photo' }));
    await page.keyboard.press('Enter');
    await avatar.expectState('deleting');
    upload.release();
    await expect(avatar.image).not.toHaveAttribute('src', before!);
    await expect(avatar.upload).toBeFocused();
    expect(upload.body().includes(defaultPicture)).toBe(true);
    // A field in edit mode is restored after a reload.
    await settings.email.edit.click();
    await settings.email.input.fill('half@');
    await page.reload();
    await settings.email.expectState('editing');
    await expect(settings.email.input).toHaveValue('half@');
    await expect(avatar.image).toBeVisible();
    await expect(avatar.delete).toBeDisabled();
    await expect(username.root).toContainText('Not set');
    await expect(displayName.root).toContainText('ada');
    await expect(bio.root).toContainText('One');
    await expect(location.root).toContainText('Italy');
  });
});

test('an email is confirmed by a link, which can be sent again, and Settings shows the confirmation and a changed email', async ({
  page,
  context,
  request,
}) => {
  const account = await signIn(page, await register(request));
  await page.clock.install();
  const settings = new SettingsPage(page);
  await settings.goto();
  await expect(settings.confirmation).toContainText(account.email);
  await settings.confirmation.getByRole('button', { name: 'Send new link' }).click();
  await expect(settings.confirmation).toContainText(`We sent a new link to ${account.email}.`);

  // In a second page, so that this one does not regain the focus.
  const beside = await context.newPage();
  await new MailboxPage(beside).openLink(account.email, 'Confirm your email address');
  await expect(beside.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible();
  await beside.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(beside.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible();
  await page.clock.fastForward(5_000);
  await expect(settings.confirmation).toBeHidden();
  await expect(settings.profileLink).toBeVisible();

  const email = newEmail();
  await settings.email.change(email);
  await expect(settings.confirmation).toContainText(email);
});
