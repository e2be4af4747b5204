import { documentTitle } from '@orange-id/contract/app.routes';
import { expect, type Browser } from '@playwright/test';
import { newEmail, password, register, signIn, userIdOf } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { installWallet } from '../fixtures/wallet';
import { LoginPage } from '../pages/login.page';
import { MethodsPage } from '../pages/methods.page';
import { ProviderPage, type ProviderTitle } from '../pages/provider.page';

const titles: ProviderTitle[] = ['Google', 'Apple'];

/** Signs in with a provider on a page that knows nothing of an earlier sign-in; answers whose account it is. */
async function signInWith(browser: Browser, title: ProviderTitle, email: string): Promise<string> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const login = new LoginPage(page);
  await login.goto();
  await login.leaveFor(title);
  await new ProviderPage(page, title).signIn(email);
  await login.expectSuccess();
  const id = await userIdOf(page);
  await context.close();
  return id;
}

test.describe('linking', () => {
  for (const title of titles) {
    test(`${title} is asked about, added, opens the same account, and is removed; linking ends where it began`, async ({
      page,
      request,
      browser,
      machine,
    }) => {
      const account = await register(request);
      const other = newEmail();
      await signIn(page, account);
      const methods = new MethodsPage(page);
      await methods.goto();
      await machine('browserBinding').is('bound');
      await expect(methods.rows).toHaveCount(1);
      await methods.leaveFor(title);
      await new ProviderPage(page, title).signIn(other);
      const login = new LoginPage(page);
      await login.expectSuccess();
      await expect(page).toHaveURL('/profile');
      const id = await userIdOf(page);

      await page.goto('/settings');
      await page.getByRole('link', { name: 'your sign-in methods' }).click();
      await expect(page).toHaveTitle(documentTitle('Sign-in methods'));
      await expect(page.getByRole('link', { name: 'Back to Settings' })).toHaveAttribute('href', '/settings');
      await page.reload();
      const second = title === 'Google' ? 'Apple' : 'Google';
      await methods.leaveFor(second);
      await new ProviderPage(page, second).signIn(newEmail());
      await login.expectSuccess();
      await expect(page).toHaveURL('/settings');

      await methods.goto();
      await expect(methods.rows).toHaveCount(3);
      await expect(methods.row(title)).toContainText(other);
      expect(await signInWith(browser, title, other)).toBe(id);

      await methods.remove(title);
      await machine('unlink').is('closed');
      await machine('session').is('signedIn.current');
      expect(await signInWith(browser, title, other)).not.toBe(id);
    });

    test(`${title} can be turned back from, and nothing is linked`, async ({ page, request }) => {
      await signIn(page, await register(request));
      const methods = new MethodsPage(page);
      await methods.goto();
      await methods.leaveFor(title);
      await new ProviderPage(page, title).cancel.click();
      await expect(page.getByText('Nothing was linked.')).toBeVisible();
      await methods.goto();
      await expect(methods.rows).toHaveCount(1);
    });
  }

  test('a social account of another user is refused, and so is a taken email', async ({
    page,
    request,
    browser,
  }) => {
    const social = newEmail();
    await signInWith(browser, 'Google', social);
    await signIn(page, await register(request));
    const methods = new MethodsPage(page);
    await methods.goto();
    await methods.leaveFor('Google');
    await new ProviderPage(page, 'Google').signIn(social);
    await expect(page.getByText('This account is already linked to another user')).toBeVisible();

    const taken = await register(request);
    const wallets = await browser.newContext();
    const login = new LoginPage(await wallets.newPage());
    await installWallet(login.page);
    await login.goto();
    await login.useWallet('Test Wallet');
    await expect(login.page).toHaveURL('/');
    const second = new MethodsPage(login.page);
    await second.goto();
    await second.addEmail.click();
    await login.email.fill(taken.email);
    await login.password.fill(password);
    await login.repeatPassword.fill(password);
    await second.addEmail.click();
    await expect(login.page.getByText('An account with this email already exists.')).toBeVisible();
    await expect(login.email).toHaveValue(taken.email);
    await wallets.close();
  });
});

test.describe('the list of methods', () => {
  test('a browser that cannot be bound says so, and a retry binds it', async ({ page, request, machine }) => {
    await signIn(page, await register(request));
    await page.route('**/api/auth/bedrock', (route) =>
      route.fulfill({ status: 503, contentType: 'application/json', body: '{"message":"Not now"}' }),
    );
    await page.goto('/login?from=profile');
    await machine('browserBinding').is('unbound');
    await expect(page.getByText('Your sign-in methods can’t be changed right now')).toBeVisible();
    await page.unroute('**/api/auth/bedrock');
    await page.getByRole('button', { name: 'Retry' }).click();
    await machine('browserBinding').is('bound');
  });
});
