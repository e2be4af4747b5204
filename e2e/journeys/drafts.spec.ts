import { expect } from '@playwright/test';
import { registerWithProfile, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { LoginPage } from '../pages/login.page';
import { WizardPage } from '../pages/wizard.page';

test('the wizard restores its input after a sign-out in another tab and a new sign-in', async ({
  page,
  context,
  request,
}) => {
  const account = await signIn(page, await registerWithProfile(request));
  const wizard = new WizardPage(page);
  await wizard.goto();
  await wizard.submitName('Half done 🍊');
  await wizard.addUrl('https://one.example.org');
  await wizard.urlInput.fill('https://tw');

  const other = await context.newPage();
  // Clears the shared storage, as a sign-out does.
  await other.goto('/health/ready');
  await other.evaluate(() => localStorage.clear());
  await other.close();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Signed Out', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Sign in again in this tab to continue where you left off.').first(),
  ).toBeVisible();

  await new LoginPage(page).login(account.email, account.password);
  await expect(page).toHaveURL('/orange-id');
  await wizard.expectState('addingUrls');
  await expect(wizard.root).toContainText('Half done 🍊');
  await expect(wizard.whitelist).toContainText('https://one.example.org');
  await expect(wizard.urlInput).toHaveValue('https://tw');
});
