import AxeBuilder from '@axe-core/playwright';
import { expect } from '@playwright/test';
import { register, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { installWallet } from '../fixtures/wallet';
import { isTooWide } from '../fixtures/width';
import { LoginPage } from '../pages/login.page';
import { MethodsPage } from '../pages/methods.page';
import { ProfilePage } from '../pages/profile.page';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const other = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

test('the profile shows sign-in methods linked from it, and no longer shows removed ones', async ({
  page,
  request,
  machine,
}) => {
  const account = await signIn(page, await register(request));
  const wallet = await installWallet(page);
  const short = `${wallet.address.slice(0, 7)}...${wallet.address.slice(-8)}`;
  const profile = new ProfilePage(page);
  const methods = new MethodsPage(page);
  const sent: string[] = [];
  page.on('request', (call) => call.method() !== 'GET' && sent.push(call.url()));

  await test.step('each sign-in method links to the page where it is connected or disconnected', async () => {
    await profile.goto();
    await expect(profile.social('Google')).toContainText('Not connected');
    await expect(profile.social('Google').getByRole('link', { name: 'Connect Google' })).toHaveAttribute(
      'href',
      '/login?from=profile',
    );
    await expect(profile.social('Apple')).toContainText('Not connected');
    await expect(profile.social('Email')).toContainText(account.email);
    await expect(profile.social('Email')).toContainText('Your only sign-in method');
    await profile.social('Google').getByRole('link', { name: 'Connect Google' }).click();
    await expect(page.getByRole('heading', { name: 'Connect Google to your account?' })).toBeVisible();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(methods.connectWallet).toBeVisible();
    await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Portal' })).toBeVisible();
    await page.getByRole('link', { name: 'Back to your profile' }).click();
  });

  await test.step('a connected wallet is shortened, shown in full on demand, and copied in full', async () => {
    await profile.connectWallet.click();
    await page.getByRole('button', { name: 'Test Wallet' }).click();
    await new LoginPage(page).expectSuccess();
    await expect(page).toHaveURL('/profile');
    await expect(profile.wallet.locator('code')).toHaveText(short);
    await profile.toggle.click();
    await expect(profile.wallet.locator('code')).toHaveText(wallet.address);
    await profile.copy.click();
    await expect(profile.copy).toHaveText('Copied!');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(wallet.address);
  });

  await test.step('the wallet form rejects an invalid address in place, fits 320 px in dark mode, and leads to the sign-in methods with a valid one', async () => {
    await profile.edit.click();
    await expect(profile.address).toBeFocused();
    await profile.address.press('Escape');
    await expect(profile.edit).toBeFocused();
    await page.keyboard.press('Enter');
    await profile.confirm.click();
    await profile.expectWallet('viewing');
    await profile.edit.click();
    await profile.address.fill('0x12');
    await page.keyboard.press('Enter');
    await expect(profile.wallet.getByText('Address is invalid.')).toBeVisible();
    await expect(profile.address).toBeFocused();
    await page.setViewportSize({ width: 320, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    expect(await isTooWide(page)).toBe(false);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });
    await profile.address.fill(` ${other} `);
    await expect(profile.wallet.getByText('Address is invalid.')).toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/login?from=profile');
    await expect(page.getByRole('note')).toContainText('Connect 0x5aAeb...Ef1BeAed');
    expect((await machine('walletEdit').history()).at(-1)?.to).toBe('leaving');
    expect(sent.filter((url) => url.includes('/user/profile'))).toEqual([]);
    await page.getByRole('link', { name: 'Back to your profile' }).click();
    await expect(profile.wallet.locator('code')).toHaveText(short);
  });

  await test.step('a disconnected wallet is removed from the profile', async () => {
    await profile.disconnect.click();
    await methods.dialog.getByRole('button', { name: 'Remove wallet' }).click();
    await expect(methods.dialog).toBeHidden();
    await expect(methods.rows).toHaveCount(1);
    await page.getByRole('link', { name: 'Back to your profile' }).click();
    await expect(profile.wallets).toContainText('No wallet connected');
  });
});
