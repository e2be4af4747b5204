import { expect, type Page } from '@playwright/test';
import { newEmail, password, register, signIn, userIdOf } from '../fixtures/account';
import { tabTo } from '../fixtures/keyboard';
import { machineTest as test } from '../fixtures/machine';
import { installWallet } from '../fixtures/wallet';
import { LoginPage } from '../pages/login.page';
import { MethodsPage } from '../pages/methods.page';
import { ProfilePage } from '../pages/profile.page';
import { ProviderPage } from '../pages/provider.page';
import { SettingsPage } from '../pages/settings.page';

const heading = (page: Page) => page.getByRole('heading', { name: 'Confirm it’s you', exact: true });

/** Makes the proof look too old to the page, as 5 minutes after a sign-in; the real service accepts the new proof. */
const findStale = (page: Page) =>
  page.route('**/api/v1/auth/proof', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { provenUntil: null } }) : route.continue(),
  );

test('a user with a password confirms it 5 minutes after signing in, and again if a removal requires it', async ({
  page,
  request,
  machine,
}) => {
  await signIn(page, await register(request));
  await installWallet(page);
  const methods = new MethodsPage(page);
  const login = new LoginPage(page);
  const enterPassword = page.getByRole('button', { name: 'Enter your password' });

  await test.step('the page asks for the password, then continues with the wallet chosen on the profile', async () => {
    await findStale(page);
    const profile = new ProfilePage(page);
    await profile.goto();
    await profile.connectWallet.click();
    await machine('freshProof').is('stale');
    await expect(page.getByRole('heading', { name: 'Enter your password' })).toBeVisible();
    // Only the account's own methods are offered.
    await expect(page.getByRole('button', { name: /Google|Apple|wallet/i })).toHaveCount(0);
    await expect(login.password).toBeFocused();
    await login.password.fill('a guess');
    await page.keyboard.press('Enter');
    await expect(page.getByText('The password is wrong.')).toBeVisible();
    await login.password.fill(password);
    await page.keyboard.press('Enter');
    await machine('freshProof').is('fresh');
    await expect(page.getByRole('button', { name: 'Test Wallet' })).toBeFocused();
    await page.keyboard.press('Enter');
    await login.expectSuccess();
  });

  await test.step('a refused removal continues once the password is confirmed, also by keyboard', async () => {
    await page.unroute('**/api/v1/auth/proof');
    await methods.goto();
    await page.route(
      '**/api/v1/auth/identifiers/*',
      (route) =>
        route.fulfill({
          status: 403,
          json: { statusCode: 403, code: 'auth.proofRequired', message: 'Confirm it is you first' },
        }),
      { times: 1 },
    );
    await methods.row('Wallet').getByRole('button').click();
    await methods.dialog.getByRole('button', { name: 'Remove wallet' }).click();
    await expect(methods.dialog).toBeHidden();
    await machine('unlink').is('failed');
    await expect(heading(page)).toBeVisible();
    await tabTo(page, enterPassword);
    await page.keyboard.press('Enter');
    await expect(login.password).toBeFocused();
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await expect(methods.row('Wallet')).toHaveCount(0);
    await machine('unlink').is('succeeded');
    await expect(page.getByText('Sign-in Method Removed', { exact: true }).first()).toBeVisible();
  });
});

test('a wallet-only user confirms by signing, and Settings shows what was added and removed, and by which device', async ({
  page,
  machine,
}) => {
  const email = newEmail();
  const { address } = await installWallet(page);
  const login = new LoginPage(page);
  const methods = new MethodsPage(page);
  const settings = new SettingsPage(page);
  await login.goto();
  await login.useWallet('Test Wallet');
  await expect(page).toHaveURL('/');
  await settings.goto();
  await expect(page.getByText('No recent changes')).toBeVisible();

  await findStale(page);
  await page.goto('/login?from=profile');
  await expect(heading(page)).toBeVisible();
  await page.getByRole('button', { name: 'Sign with wallet' }).click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  await machine('freshProof').is('fresh');
  await page.unroute('**/api/v1/auth/proof');
  await methods.addEmail.click();
  await login.email.fill(email);
  await login.password.fill(password);
  await login.confirmPassword.fill(password);
  await methods.addEmail.click();
  await login.expectSuccess();
  await methods.goto();
  await methods.remove('Wallet');

  await settings.goto();
  const rows = page.getByRole('list', { name: 'Recent changes' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(
    `Wallet ${address.slice(0, 7)}...${address.slice(-8)} was removed`,
  );
  await expect(rows.first()).toContainText('Chrome on Linux');
  await expect(rows.last()).toContainText(`Email ${email} was added`);
});

test('a user with Google confirms there, returns to the page and stays signed in to the same account', async ({
  page,
  machine,
}) => {
  const email = newEmail();
  const login = new LoginPage(page);
  await login.goto();
  await login.leaveFor('Google');
  await new ProviderPage(page, 'Google').signIn(email);
  await login.expectSuccess();
  const id = await userIdOf(page);
  await findStale(page);
  await page.goto('/login?from=profile');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.unroute('**/api/v1/auth/proof');
  await new ProviderPage(page, 'Google').signIn(email);
  await expect(page).toHaveURL('/login?from=profile');
  await machine('freshProof').is('fresh');
  expect(await userIdOf(page)).toBe(id);
});
