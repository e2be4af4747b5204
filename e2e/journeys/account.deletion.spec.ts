import { expect } from '@playwright/test';
import { expectSignedOut, password, register, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { LoginPage } from '../pages/login.page';
import { SettingsPage } from '../pages/settings.page';

test('a user deletes the account by keyboard, leaves it deleted at the next sign-in, and keeps it at another', async ({
  page,
  request,
  machine,
}) => {
  const account = await register(request);
  await signIn(page, account);
  await new SettingsPage(page).goto();
  await page.getByRole('button', { name: 'Delete account' }).focus();
  await page.keyboard.press('Enter');
  // The sign-in was a moment ago, but only the sign-in methods bind this browser to it.
  await machine('deleteAccount').is('unproven');
  await page.getByRole('link', { name: 'Confirm it’s you' }).click();
  await machine('deleteAccount').is('confirming');
  await expect(page).toHaveURL('/settings');
  const word = page.getByRole('textbox', { name: /^Type “delete”/ });
  await word.fill('remove');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Type the word delete.')).toBeVisible();
  await word.fill('delete');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Account Deleted', { exact: true })).toBeVisible();
  await expect(page).toHaveURL('/login');

  const login = new LoginPage(page);
  const signInAgain = async () => {
    await login.withEmail.click();
    await login.email.fill(account.email);
    await login.password.fill(password);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Keep your account?' })).toBeVisible();
  };
  await signInAgain();
  const leaving = page.waitForResponse('/api/account/deletion/leave');
  await page.getByRole('button', { name: 'Leave it deleted' }).click();
  await expectSignedOut(page);
  const left = await leaving;
  expect(left.status()).toBe(204);
  const data = left.request().postDataJSON() as { refreshToken: string };
  expect((await request.post('/api/account/deletion/state', { data })).status()).toBe(401);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
    data.refreshToken,
  );

  await signInAgain();
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await login.expectSuccess();
  await new SettingsPage(page).goto();
  await expect(page.getByText('The account was kept')).toBeVisible();
});
