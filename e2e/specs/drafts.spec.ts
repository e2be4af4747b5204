import { expect, type Page } from '@playwright/test';
import { registerWithProfile, signIn, signOutElsewhere, type Account } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { LoginPage } from '../pages/login.page';
import { SettingsPage } from '../pages/settings.page';
import { WizardPage } from '../pages/wizard.page';

/** Signs out by the menu of another page of the same browser. */
async function signOutInAnotherTab(page: Page): Promise<void> {
  const other = await page.context().newPage();
  await other.goto('/');
  await other.getByRole('button', { name: /^Account menu/ }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(other).toHaveURL('/login');
  await other.close();
}

async function expectTold(page: Page): Promise<void> {
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Signed Out', { exact: true })).toBeVisible();
  await expect(page.getByText('Anything you typed is still in this tab.').first()).toBeVisible();
}

async function signInAgain(page: Page, { email, password }: Account): Promise<void> {
  await new LoginPage(page).login(email, password);
  await expect(page).toHaveURL('/');
}

test('signed out in another tab, the half-filled wizard says so and is as it was after signing in again', async ({
  page,
  request,
}) => {
  const account = await registerWithProfile(request);
  await signIn(page, account);
  const wizard = new WizardPage(page);
  await wizard.goto();
  await wizard.submitName('Half done 🍊');
  await wizard.addUrl('https://one.example.org');
  await wizard.urlInput.fill('https://tw');
  await signOutInAnotherTab(page);
  await expectTold(page);

  await signInAgain(page, account);
  await wizard.goto();
  await wizard.expectState('addingUrls');
  await expect(wizard.root).toContainText('Half done 🍊');
  await expect(wizard.whitelist).toContainText('https://one.example.org');
  await expect(wizard.urlInput).toHaveValue('https://tw');
});

test('signed out on another device, a field being edited is taken up again, and Cancel gives it up', async ({
  page,
  request,
  machine,
}) => {
  const account = await registerWithProfile(request, 'Ada');
  await signIn(page, account);
  const settings = new SettingsPage(page);
  await settings.goto();
  await machine('realtime').is('live.current');
  await settings.displayName.edit.click();
  await settings.displayName.input.fill('Countess of Lovelace');
  await signOutElsewhere(request, account);
  await expectTold(page);

  await signInAgain(page, account);
  await settings.goto();
  await settings.displayName.expectState('editing');
  await expect(settings.displayName.input).toHaveValue('Countess of Lovelace');
  await settings.email.expectState('viewing');
  await settings.displayName.cancel.click();
  await page.reload();
  await expect(settings.displayName.edit).toBeVisible();
  await settings.displayName.expectState('viewing');
  await expect(settings.displayName.root).toContainText('Ada');
});

test('what one user typed is not shown to the next one in the same tab', async ({ page, request }) => {
  await signIn(page, await registerWithProfile(request, 'First'));
  const settings = new SettingsPage(page);
  await settings.goto();
  await settings.displayName.edit.click();
  await settings.displayName.input.fill('Secret of the first');
  const wizard = new WizardPage(page);
  await wizard.goto();
  await wizard.nameInput.fill('Project of the first');
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');

  await signInAgain(page, await registerWithProfile(request, 'Second'));
  await settings.goto();
  await expect(settings.displayName.root).toContainText('Second');
  await settings.displayName.expectState('viewing');
  await wizard.goto();
  await expect(wizard.nameInput).toHaveValue('');
});

test('a field being edited survives a visit to another page and a reload, and is gone once saved', async ({
  page,
  request,
}) => {
  await signIn(page, await registerWithProfile(request, 'Ada'));
  const settings = new SettingsPage(page);
  await settings.goto();
  await settings.displayName.edit.click();
  await settings.displayName.input.fill('Grace');
  await page.getByRole('link', { name: 'My Projects' }).first().click();
  await expect(page).toHaveURL('/projects');
  await page.goBack();
  await expect(settings.displayName.input).toHaveValue('Grace');
  await page.reload();
  await expect(settings.displayName.input).toHaveValue('Grace');
  await settings.displayName.save.click();
  await settings.displayName.expectState('viewing');
  await page.reload();
  await expect(settings.displayName.root).toContainText('Grace');
  await settings.displayName.expectState('viewing');
});
