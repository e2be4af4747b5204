import { expect, type Page } from '@playwright/test';
import { newEmail, password } from '../fixtures/account';
import { paste } from '../fixtures/shell';
import { walletTest as test } from '../fixtures/wallet';
import { LoginPage } from '../pages/login.page';
import { ProjectsPage } from '../pages/projects.page';
import { SettingsPage } from '../pages/settings.page';
import { WizardPage } from '../pages/wizard.page';

// The main journey, with motion as most users have it.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Goes from the filled first step of the wizard to the first call; returns the command that makes it. */
async function fromWizardToFirstCall(page: Page, projectName: string): Promise<string> {
  const wizard = new WizardPage(page);
  await wizard.expectState('naming');
  await expect(wizard.progress).toHaveAttribute('aria-valuenow', '0');
  await wizard.createNew.click();
  await wizard.expectState('addingUrls');
  await expect(wizard.progress).toHaveAttribute('aria-valuenow', '50');
  await expect(wizard.createProject).toBeDisabled();
  await wizard.addUrl('https://app.example.org/path');
  await expect(page.getByText('URL Added', { exact: true })).toBeVisible();
  await expect(wizard.whitelist).toContainText('https://app.example.org');
  await wizard.createProject.click();
  await wizard.expectState('summarised');
  await expect(wizard.progress).toHaveAttribute('aria-valuenow', '100');

  await expect(page.getByText('Waiting for your first call...')).toBeVisible();
  const curl = await wizard.readCurl();
  const answer = JSON.parse(await paste(`curl() { command curl -sS "$@"; }\n${curl}`)) as {
    project: { name: string };
  };
  expect(answer.project.name).toBe(projectName);
  await expect(wizard.firstCall).toContainText('GET /api/v1/key');
  await expect(wizard.firstCall).toContainText('200');

  const stored = await page.evaluate(() => localStorage.getItem('submittedProjects'));
  expect(JSON.parse(stored ?? '[]')).toEqual([
    {
      id: expect.stringMatching(/^orange-[a-z0-9]{10}$/),
      name: projectName,
      submittedAt: expect.any(String),
      whitelistedUrls: ['https://app.example.org'],
      integrationMethod: expect.any(String),
      status: expect.any(String),
    },
  ]);
  return curl;
}

test('a visitor signs up by email from the landing page, creates a project, calls the API and sees the call arrive live', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Start Building', exact: true }).click();
  await expect(page).toHaveURL('/login');
  await new LoginPage(page).register(newEmail(), password);
  await expect(page).toHaveURL('/orange-id');

  const name = 'Journey by email';
  const wizard = new WizardPage(page);
  await wizard.submitName(name);
  await expect(page.getByText('Profile Information Required').first()).toBeVisible();
  await expect(
    page
      .getByText('Please update your email and display name in Settings before creating a project.')
      .first(),
  ).toBeVisible();
  await expect(wizard.displayName).toBeFocused();
  await wizard.displayName.fill('A Developer');
  const curl = await fromWizardToFirstCall(page, name);

  await page.goto('/usage');
  const rows = page.getByRole('row').filter({ hasText: '/api/v1/key' });
  await expect(rows).toHaveCount(1);
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible();
  await paste(`curl() { command curl -sS "$@"; }\n${curl}`);
  await expect(rows).toHaveCount(2);

  const projects = new ProjectsPage(page);
  await projects.goto();
  await projects.select(name);
  expect(curl).toContain(await projects.readKey());
});

test('a wallet owner signs the message, enters a name and an email in the wizard, calls the API and sees the call there', async ({
  page,
  wallet,
}) => {
  const wizard = new WizardPage(page);
  await wizard.goto();
  await expect(page).toHaveURL('/login');
  await new LoginPage(page).useWallet('Test Wallet');
  expect(wallet.calls).toContain('personal_sign');
  await expect(page).toHaveURL('/orange-id');
  const email = newEmail();
  await wizard.nameInput.fill('Journey by wallet');
  await wizard.displayName.fill('A Wallet Owner');
  await wizard.email.fill('a wallet');
  await wizard.createNew.click();
  await expect(wizard.root).toContainText('Enter an email like name@example.com.');
  await wizard.email.fill(email);
  await fromWizardToFirstCall(page, 'Journey by wallet');

  const settings = new SettingsPage(page);
  await settings.goto();
  await expect(settings.email.root).toContainText(email);
  await expect(settings.displayName.root).toContainText('A Wallet Owner');
});
