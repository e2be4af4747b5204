import { expect } from '@playwright/test';
import { newEmail, password, register, registerWithProfile, signIn } from '../fixtures/account';
import { machineOf, machineTest as test } from '../fixtures/machine';
import { LoginPage } from '../pages/login.page';
import { MailboxPage } from '../pages/mailbox.page';
import { SettingsPage } from '../pages/settings.page';

const newPassword = 'a better horse battery';
const panelState = '[data-machine="loginPanel"]';

test('a forgotten password is set anew through the mail, and every session ends', async ({
  page,
  request,
  browser,
}) => {
  const account = await register(request);
  const elsewhere = await (await browser.newContext()).newPage();
  await signIn(elsewhere, account);
  await elsewhere.goto('/dashboard');
  await expect(elsewhere).toHaveURL('/dashboard');

  const login = new LoginPage(page);
  await login.goto();
  await login.withEmail.click();
  await login.email.fill(account.email);
  await login.forgotPassword.click();
  await expect(login.email).toHaveValue(account.email);
  await expect(login.email).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(
    page.getByText(`If there’s an account for ${account.email}, we’ve sent a link to that address.`),
  ).toBeVisible();
  await expect(page.locator(panelState)).toHaveAttribute('data-state', 'enteringEmail.resetSent');
  await expect(page.getByRole('link', { name: 'mailbox' })).toHaveAttribute('href', '/dev/mailbox');

  const mailbox = new MailboxPage(page);
  await mailbox.openLink(account.email, 'Choose a new password');
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  // Its policy lets the page have the product's font.
  await expect
    .poll(() => page.evaluate(() => [...document.fonts].map(({ status }) => status)))
    .toEqual(['loaded']);
  const link = page.url();
  await page.getByLabel('New password').fill(newPassword);
  await page.getByLabel('Confirm password').fill(newPassword);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password has changed' })).toBeVisible();

  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link isn’t valid' })).toBeVisible();
  await expect(elsewhere).toHaveURL('/login');
  await elsewhere.context().close();

  await login.goto();
  await login.withEmail.click();
  await login.email.fill(account.email);
  await login.password.fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Email or password is wrong.')).toBeVisible();
  await login.password.fill(newPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await login.expectSuccess();
});

test('asking for a link says the same of an address nobody has, and leads back with it typed', async ({
  page,
}) => {
  const nobody = newEmail();
  const login = new LoginPage(page);
  await login.goto();
  await login.withEmail.click();
  await login.forgotPassword.click();
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('Enter your email')).toBeVisible();
  await login.email.fill(nobody);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(
    page.getByText(`If there’s an account for ${nobody}, we’ve sent a link to that address.`),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Send another link' }).click();
  await expect(login.email).toHaveValue(nobody);
  await page.getByRole('button', { name: 'Back to sign-in' }).click();
  await expect(login.password).toBeVisible();
  await expect(login.email).toHaveValue(nobody);
  const mailbox = new MailboxPage(page);
  await page.goto('/dev/mailbox');
  await expect(page.getByRole('heading', { name: 'Mailbox', level: 1 })).toBeVisible();
  await expect(mailbox.mails(nobody, 'Choose a new password')).toHaveCount(0);
});

test('a portal that cannot send mail says which variable is missing', async ({ page }) => {
  await page.route('**/api/v1/auth/email/reset', (route) =>
    route.fulfill({
      status: 501,
      json: { statusCode: 501, code: 'auth.mailNotConfigured', message: 'SMTP_URL is not set', error: 'x' },
    }),
  );
  const login = new LoginPage(page);
  await login.goto();
  await login.withEmail.click();
  await login.forgotPassword.click();
  await login.email.fill(newEmail());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Its operator has to set SMTP_URL first.');
});

test('changing the password keeps this session, in every tab, and ends the others', async ({
  page,
  context,
  request,
  browser,
  machine,
}) => {
  const account = await registerWithProfile(request, 'Ada');
  await signIn(page, account);
  const elsewhere = await (await browser.newContext()).newPage();
  const login = new LoginPage(elsewhere);
  await login.goto();
  await login.login(account.email, password);
  await expect(elsewhere).toHaveURL('/');
  const settings = new SettingsPage(page);
  await settings.goto();
  await machine('realtime').is('live');
  const otherTab = await context.newPage();
  await otherTab.goto('/projects');
  await expect(otherTab.getByRole('heading', { name: 'My Projects' })).toBeVisible();
  const before = await page.evaluate(() => localStorage.getItem('accessToken'));

  await settings.changePassword.click();
  await expect(settings.currentPassword).toBeFocused();
  await settings.currentPassword.fill('not my password');
  await settings.newPassword.fill('short');
  await settings.repeatPassword.fill('other');
  await settings.changePassword.click();
  await expect(page.getByText('The new password must have at least 8 characters.')).toBeVisible();
  await expect(page.getByText('The passwords don’t match.')).toBeVisible();
  await settings.newPassword.fill(newPassword);
  await settings.repeatPassword.fill(newPassword);
  await settings.changePassword.click();
  await expect(page.getByText('The current password is wrong.')).toBeVisible();
  await expect(settings.currentPassword).toBeFocused();
  await settings.currentPassword.fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Password Changed').first()).toBeVisible();
  await machine('passwordChange').is('closed');

  await expect(elsewhere).toHaveURL('/');
  await expect.poll(() => elsewhere.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
  await elsewhere.context().close();

  await machine('session').is('signedIn.current');
  await machine('realtime').is('live');
  await machineOf(otherTab)('realtime').is('live');
  for (const tab of [page, otherTab]) {
    const visited = (await machineOf(tab)('session').history()).map(({ to }) => to);
    expect(visited.filter((state) => !/^(starting|loadingUser|signedIn)/.test(state))).toEqual([]);
  }
  await expect(page).toHaveURL('/settings');
  await expect(otherTab).toHaveURL('/projects');
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).not.toBe(before);
  await page.reload();
  await expect(settings.displayName.root).toContainText('Ada');
  await expect(settings.sessions).toHaveCount(1);
});

test('an account without an email method has no password to change', async ({ page, request }) => {
  await signIn(page, await register(request));
  await page.route('**/api/v1/auth/identifiers', (route) =>
    route.fulfill({
      json: [
        {
          id: 'w',
          provider: 'wallet',
          label: '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e',
          isVerified: true,
          linkedAt: '2026-01-01T00:00:00.000Z',
        },
      ],
    }),
  );
  const settings = new SettingsPage(page);
  await settings.goto();
  await expect(settings.sessions).toHaveCount(1);
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await expect(settings.changePassword).toBeHidden();
});

test('an address is confirmed through the mail, sent again on demand, and Settings notices both that and another address', async ({
  page,
  context,
  request,
}) => {
  const account = await register(request);
  await signIn(page, account);
  const settings = new SettingsPage(page);
  await settings.goto();
  await expect(settings.confirmation).toContainText(account.email);
  await settings.confirmation.getByRole('button', { name: 'Resend link' }).click();
  await expect(settings.confirmation).toContainText(`We sent a new link to ${account.email}.`);

  // In a window beside it, so that nobody comes back to the page.
  const beside = await context.newPage();
  await new MailboxPage(beside).openLink(account.email, 'Confirm your email address');
  await expect(beside.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible();
  await beside.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(beside.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible();
  await expect(settings.confirmation).toBeHidden();
  await expect(settings.profileLink).toBeVisible();

  const email = newEmail();
  await settings.email.change(email);
  await expect(settings.confirmation).toContainText(email);
});
