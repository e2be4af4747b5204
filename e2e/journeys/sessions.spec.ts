import { expect, type Route } from '@playwright/test';
import {
  expectSignedOut,
  newEmail,
  password,
  register,
  registerWithProfile,
  signIn,
  type Tokens,
} from '../fixtures/account';
import { machineOf, machineTest as test } from '../fixtures/machine';
import { plainPage, storeSilently } from '../fixtures/session';
import { LoginPage } from '../pages/login.page';
import { MailboxPage } from '../pages/mailbox.page';
import { SettingsPage } from '../pages/settings.page';

const newPassword = 'a better horse battery';
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

test('sessions are listed by device and ended one by one, by a new password, and all at once', async ({
  page,
  context,
  request,
  browser,
  machine,
}) => {
  const account = await signIn(page, await registerWithProfile(request, 'Ada'));
  const warnings: string[] = [];
  page.on('console', (message) => void (message.type() === 'warning' && warnings.push(message.text())));
  const other = await (await browser.newContext({ userAgent: phone })).newPage();
  // A response without scripts that gives access to the portal's storage.
  await other.goto('/health/live');
  const signInOnPhone = async (withPassword: string) => {
    const answer = await request.post('/api/v1/auth/email/login', {
      data: { email: account.email, password: withPassword },
      headers: { 'user-agent': phone },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    const { token } = (await answer.json()) as { token: Tokens };
    await storeSilently(other, token);
    await other.goto(plainPage);
    await expect(other.getByRole('button', { name: /^Account menu/ })).toBeVisible();
  };
  await signInOnPhone(password);
  const settings = new SettingsPage(page);
  await settings.goto();
  await machine('realtime').is('live');

  await test.step('ending a device’s session signs it out, and this one continues', async () => {
    await expect(settings.sessions).toHaveCount(2);
    const own = settings.sessions.filter({ hasText: 'This device' });
    await expect(own).toHaveCount(1);
    await expect(own.getByRole('button')).toHaveCount(0);
    await expect(own).toContainText('in use now');
    const theirs = settings.sessions.filter({ hasText: 'Safari on iPhone' });
    await expect(theirs).toContainText('Email');
    const end = theirs.getByRole('button', { name: /^End the session on Safari on iPhone, signed in / });
    await page.route('**/api/v1/auth/sessions/*', (route) => route.abort(), { times: 1 });
    await end.click();
    await expect(settings.toast('Couldn’t End Session', 'The server couldn’t be reached.')).toBeVisible();
    await end.click();
    await expect(settings.sessions).toHaveCount(1);
    await expectSignedOut(other);
    await machine('endSession').is('succeeded');
    await machine('session').is('signedIn.current');
  });

  await test.step('a new password ends the other sessions and keeps this one in every tab', async () => {
    await signInOnPhone(password);
    const tab = await context.newPage();
    await tab.goto(plainPage);
    await machineOf(tab)('realtime').is('live');
    const before = await page.evaluate(() => localStorage.getItem('accessToken'));

    await settings.changePassword.click();
    await expect(settings.currentPassword).toBeFocused();
    await settings.currentPassword.press('Escape');
    await machine('passwordChange').is('closed');
    await expect(settings.changePassword).toBeFocused();
    await settings.changePassword.click();
    await settings.currentPassword.fill('not my password');
    await settings.newPassword.fill(newPassword);
    await settings.confirmPassword.fill(newPassword);
    await settings.changePassword.click();
    await expect(page.getByText('The current password is wrong.')).toBeVisible();
    await expect(settings.currentPassword).toBeFocused();
    await settings.currentPassword.fill(password);
    await page.keyboard.press('Enter');
    await expect(settings.toast('Password Changed', 'You’re still signed in here.')).toBeVisible();
    await machine('passwordChange').is('closed');

    await expectSignedOut(other);
    for (const kept of [page, tab]) {
      await machineOf(kept)('session').is('signedIn.current');
      await machineOf(kept)('realtime').is('live');
      const visited = (await machineOf(kept)('session').history()).map(({ to }) => to);
      expect(visited.filter((state) => !/^(starting|loadingUser|signedIn)/.test(state))).toEqual([]);
    }
    await expect(page).toHaveURL('/settings');
    await expect(tab).toHaveURL(plainPage);
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).not.toBe(before);
    await page.reload();
    await expect(settings.displayName.root).toContainText('Ada');
    await expect(settings.sessions).toHaveCount(1);
    await tab.close();
  });

  await test.step('signing out everywhere asks first, then ends every session, including this one', async () => {
    await signInOnPhone(newPassword);
    await settings.signOutEverywhere.click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('This ends every session, including this one.');
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await machine('signOutEverywhere').is('closed');
    await machine('session').is('signedIn.current');

    const fail = (route: Route) => (route.request().method() === 'DELETE' ? route.abort() : route.continue());
    await page.route('**/api/v1/auth/sessions', fail);
    await settings.signOutEverywhere.click();
    const confirm = dialog.getByRole('button', { name: 'Sign out everywhere' });
    await confirm.click();
    await expect(dialog.getByRole('alert')).toContainText('The server couldn’t be reached.');
    await page.unroute('**/api/v1/auth/sessions', fail);
    const refreshToken = await page.evaluate(() => localStorage.getItem('refreshToken'));
    warnings.length = 0;
    await confirm.click();
    await expectSignedOut(page);
    await expectSignedOut(other);
    expect(warnings).toEqual([]);
    const answer = await request.post('/api/v1/auth/refresh', { data: { refreshToken } });
    expect(answer.status()).toBe(401);
    await other.context().close();
  });
});

test('a forgotten password is reset by email, which ends every session and does not reveal who has an account', async ({
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
  const mailbox = new MailboxPage(page);
  const sendLink = page.getByRole('button', { name: 'Send link' });
  const nobody = newEmail();

  await test.step('an unknown email gets the same response, and stays in the field after going back', async () => {
    await login.goto();
    await login.withEmail.click();
    await login.forgotPassword.click();
    await sendLink.click();
    await expect(page.getByText('Enter your email')).toBeVisible();
    await login.email.fill(nobody);
    await sendLink.click();
    await expect(
      page.getByText(
        `If there’s an account with a password for ${nobody}, we’ve sent a link to that address.`,
      ),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Send another link' }).click();
    await expect(login.email).toHaveValue(nobody);
    await page.getByRole('button', { name: 'Back to sign-in' }).click();
    await expect(login.password).toBeVisible();
    await expect(login.email).toHaveValue(nobody);
  });

  await test.step('the emailed link sets a new password, once', async () => {
    await login.email.fill(account.email);
    await login.forgotPassword.click();
    await expect(login.email).toHaveValue(account.email);
    await expect(login.email).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(
      page.getByText(
        `If there’s an account with a password for ${account.email}, we’ve sent a link to that address.`,
      ),
    ).toBeVisible();
    await expect(page.locator('[data-machine="loginPanel"]')).toHaveAttribute(
      'data-state',
      'enteringEmail.resetSent',
    );
    await expect(page.getByRole('link', { name: 'mailbox' })).toHaveAttribute('href', '/dev/mailbox');
    await mailbox.openLink(account.email, 'Reset your password');
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
    // The page's policy allows the product's font.
    await expect
      .poll(() => page.evaluate(() => [...document.fonts].map(({ status }) => status)))
      .toEqual(['loaded']);
    const link = page.url();
    await page.getByLabel('New password').fill(newPassword);
    await page.getByLabel('Confirm password').fill(newPassword);
    await page.getByRole('button', { name: 'Set password' }).click();
    await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'This link isn’t valid' })).toBeVisible();
    await expect(elsewhere).toHaveURL('/login');
    await elsewhere.context().close();
    await page.goto('/dev/mailbox');
    await expect(mailbox.mails(account.email, 'Reset your password')).toHaveCount(1);
    await expect(mailbox.mails(nobody, 'Reset your password')).toHaveCount(0);
  });

  await test.step('the old password is refused, and the new one signs in', async () => {
    await login.goto();
    await login.withEmail.click();
    await login.email.fill(account.email);
    await login.password.fill(account.password);
    const signInButton = page.getByRole('button', { name: 'Sign in', exact: true });
    await signInButton.click();
    await expect(page.getByText('The email or password is wrong.')).toBeVisible();
    await login.password.fill(newPassword);
    await signInButton.click();
    await login.expectSuccess();
  });
});
