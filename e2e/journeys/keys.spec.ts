import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { register, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { KeysPage } from '../pages/keys.page';

async function openKeys(page: Page, request: APIRequestContext): Promise<KeysPage> {
  await signIn(page, await register(request));
  const keys = new KeysPage(page);
  await keys.goto();
  await expect(page.getByText('No API keys yet')).toBeVisible();
  return keys;
}

test('a key is created, shown in full, used for a call, found in Usage, deleted and refused', async ({
  page,
  request,
  machine,
}) => {
  const keys = await openKeys(page, request);
  await keys.ask('  Deploy script  ');
  await expect(keys.toast('API key created successfully')).toBeVisible();
  await machine('savedKeys').is('listing');
  await expect(keys.row('Deploy script')).toBeFocused();
  await expect(keys.name).toHaveValue('');
  await expect(keys.keyText('Deploy script')).toHaveText(/^oid_\w{33}$/);
  const key = String(await keys.keyText('Deploy script').textContent());
  await expect(keys.row('Deploy script')).toContainText(`/api/v1/key`);

  const call = () => request.get('/api/v1/key', { headers: { 'x-api-key': key } });
  expect((await call()).status()).toBe(200);
  await page.reload();
  await expect(keys.keyText('Deploy script')).toHaveText(/^oid_\w{4}•+\w{4}$/);
  await page.getByRole('link', { name: 'View calls made with Deploy script' }).click();
  await expect(page.getByRole('row').filter({ hasText: '/api/v1/key' })).toHaveCount(1);

  await page.goBack();
  await keys.deleteButton('Deploy script').click();
  await machine('deleteKey').is('confirming');
  await expect(keys.cancel).toBeFocused();
  await keys.confirm.click();
  await expect(keys.toast('API key deleted successfully')).toBeVisible();
  await expect(keys.rows).toHaveCount(0);
  await expect(keys.listHeading).toBeFocused();
  await expect.poll(async () => (await call()).status()).toBe(401);
});

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('a key is created, hidden and deleted with the keyboard only', async ({ page, request }) => {
    const keys = await openKeys(page, request);
    const { keyboard } = page;
    await keys.name.focus();
    await keyboard.type('Script');
    await keyboard.press('Enter');
    await expect(keys.row('Script')).toBeFocused();
    for (let presses = 0; presses < 4; presses++) await keyboard.press('Tab');
    await expect(keys.deleteButton('Script')).toBeFocused();
    await keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Hide API key Script' })).toBeFocused();
    await keyboard.press('Enter');
    await expect(keys.keyText('Script')).toHaveText(/^oid_\w{4}•+\w{4}$/);
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await expect(keys.cancel).toBeFocused();
    await keyboard.press('Escape');
    await expect(keys.deleteButton('Script')).toBeFocused();
    await keyboard.press('Enter');
    await expect(keys.cancel).toBeFocused();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await expect(keys.rows).toHaveCount(0);
    await expect(keys.listHeading).toBeFocused();
  });
});

test('a key is renamed and rotated with the keyboard; both keys’ calls arrive live side by side; the old one is ended and refused', async ({
  page,
  request,
  machine,
}) => {
  const keys = await openKeys(page, request);
  const { keyboard } = page;
  await keys.ask('Server');
  await expect(keys.row('Server')).toBeFocused();
  const oldKey = String(await keys.keyText('Server').textContent());
  const call = (key: string) => request.get('/api/v1/key', { headers: { 'x-api-key': key } });
  await keys.action('Edit', 'Server').focus();
  await keyboard.press('Enter');
  await expect(keys.field('Edit API key', 'Name')).toBeFocused();
  await keyboard.press('End');
  await keyboard.type(' one');
  await keyboard.press('Enter');
  await machine('editKey').is('succeeded');
  await expect(keys.action('Edit', 'Server one')).toBeFocused();

  await keyboard.press('Tab');
  await expect(keys.action('Rotate', 'Server one')).toBeFocused();
  await keyboard.press('Enter');
  await expect(keys.field('Rotate API key', 'Days until the old key stops')).toBeFocused();
  await keyboard.press('Enter');
  await machine('rotateKey').is('succeeded');
  await expect(keys.row('Server one')).toBeFocused();
  const newKey = String(await keys.keyText('Server one').textContent());
  expect(newKey).not.toBe(oldKey);

  const callsOf = (which: 'Old key' | 'New key') => page.getByRole('region', { name: which, exact: true });
  for (const key of [oldKey, oldKey, newKey]) expect((await call(key)).status()).toBe(200);
  await expect(callsOf('Old key')).toContainText('Calls today2');
  await expect(callsOf('New key')).toContainText('Calls today1');
  await expect(callsOf('Old key')).toContainText('2 calls');

  await page.getByRole('button', { name: 'End old key now' }).click();
  const ending = page.getByRole('dialog', { name: 'End old key now' });
  await expect(ending.getByRole('note')).toContainText('2 calls in the last 24 hours');
  await ending.getByRole('button', { name: 'End key' }).click();
  await machine('endKey').is('succeeded');
  await expect(page.getByRole('region', { name: 'Both keys work' })).toHaveCount(0);
  await expect.poll(async () => (await call(oldKey)).status()).toBe(401);
  expect((await call(newKey)).status()).toBe(200);
});
