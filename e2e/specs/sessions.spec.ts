import { expect, type Browser } from '@playwright/test';
import { expectSignedOut, password, registerWithProfile, signIn, type Account } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { LoginPage } from '../pages/login.page';
import { SettingsPage } from '../pages/settings.page';

/** Another browser, signed in to the account by its own hand. */
async function signInElsewhere(browser: Browser, account: Account, userAgent?: string) {
  const context = await browser.newContext(userAgent ? { userAgent } : {});
  const page = await context.newPage();
  const login = new LoginPage(page);
  await login.goto();
  await login.login(account.email, password);
  await expect(page).toHaveURL('/');
  return page;
}

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

test('sessions are listed by device, and ending one signs that browser out', async ({
  page,
  request,
  browser,
  machine,
}) => {
  const account = await registerWithProfile(request);
  await signIn(page, account);
  const other = await signInElsewhere(browser, account, phone);
  await other.goto('/projects');
  const settings = new SettingsPage(page);
  await settings.goto();
  await expect(settings.sessions).toHaveCount(2);
  const own = settings.sessions.filter({ hasText: 'This device' });
  await expect(own).toHaveCount(1);
  await expect(own.getByRole('button')).toHaveCount(0);
  await expect(own).toContainText('in use now');
  const theirs = settings.sessions.filter({ hasText: 'Safari on iPhone' });
  await expect(theirs).toContainText('Email');
  await theirs.getByRole('button', { name: 'End the session on Safari on iPhone' }).click();
  await expect(settings.sessions).toHaveCount(1);
  await expectSignedOut(other);
  await machine('sessionList').is('listing');
  await machine('session').is('signedIn.current');
  await other.context().close();
});

test('signing out everywhere asks first, then ends every browser, this one too', async ({
  page,
  request,
  browser,
  machine,
}) => {
  const account = await registerWithProfile(request);
  await signIn(page, account);
  const warnings: string[] = [];
  page.on('console', (message) => void (message.type() === 'warning' && warnings.push(message.text())));
  const other = await signInElsewhere(browser, account);
  await other.goto('/projects');
  const settings = new SettingsPage(page);
  await settings.goto();
  await settings.signOutEverywhere.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('This ends every session, including this one.');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await machine('sessionList').is('listing');
  await machine('session').is('signedIn.current');

  await settings.signOutEverywhere.click();
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expectSignedOut(page);
  await expectSignedOut(other);
  expect(warnings).toEqual([]);
  const answer = await request.post('/api/v1/auth/refresh', { data: { refreshToken: account.refreshToken } });
  expect(answer.status()).toBe(401);
  await other.context().close();
});

test('an account kept elsewhere, with no session known here, says so', async ({ page, request }) => {
  await signIn(page, await registerWithProfile(request));
  await page.route(/\/api\/v1\/auth\/(identifiers|sessions)$/, (route) => route.fulfill({ status: 404 }));
  await new SettingsPage(page).goto();
  await expect(page.getByText('No sessions to show')).toBeVisible();
});

test('a list that cannot be loaded says so, and so does an ending that fails', async ({
  page,
  request,
  browser,
}) => {
  const account = await registerWithProfile(request);
  await signIn(page, account);
  const other = await signInElsewhere(browser, account, phone);
  await page.route('**/api/v1/auth/sessions', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"message":"Not now"}' }),
  );
  const settings = new SettingsPage(page);
  await settings.goto();
  await expect(page.getByText('Failed to load your sessions')).toBeVisible();
  await expect(settings.signOutEverywhere).toBeHidden();
  await page.unroute('**/api/v1/auth/sessions');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(settings.sessions).toHaveCount(2);

  await page.route('**/api/v1/auth/sessions/*', (route) => route.abort());
  const end = page.getByRole('button', { name: 'End the session on Safari on iPhone' });
  await end.click();
  await expect(page.getByText('The server couldn’t be reached.').first()).toBeVisible();
  await expect(settings.sessions).toHaveCount(2);

  await page.route('**/api/v1/auth/sessions', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  );
  await settings.signOutEverywhere.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The server couldn’t be reached.');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expectSignedOut(page);
  await other.context().close();
});
