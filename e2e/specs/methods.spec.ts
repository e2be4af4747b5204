import { documentTitle } from '@orange-id/contract/app.routes';
import { expect, type Browser, type Page } from '@playwright/test';
import { newEmail, password, register, signIn, userIdOf } from '../fixtures/account';
import { tabTo } from '../fixtures/keyboard';
import { machineOf, machineTest as test } from '../fixtures/machine';
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

test.describe('signing in', () => {
  for (const title of titles) {
    test(`with ${title} goes there, comes back and stays the same account`, async ({
      page,
      browser,
      machine,
    }) => {
      const email = newEmail();
      const login = new LoginPage(page);
      await login.goto();
      await login.leaveFor(title);
      await new ProviderPage(page, title).signIn(email, 'Ada Example');
      await login.expectSuccess();
      await machine('session').is('signedIn.current');
      await expect(page).toHaveURL('/');
      expect(await signInWith(browser, title, email)).toBe(await userIdOf(page));
    });

    test(`with ${title} can be turned back from, to a panel that works`, async ({ page }) => {
      const login = new LoginPage(page);
      await login.goto();
      await login.leaveFor(title);
      await new ProviderPage(page, title).cancel.click();
      await expect(page.getByRole('heading', { name: `Sign-in with ${title} was cancelled` })).toBeVisible();
      await page.getByRole('link', { name: 'Back to sign-in' }).click();
      await expect(page.getByRole('button', { name: `Continue with ${title}` })).toBeEnabled();
    });
  }

  test('from the dialog leaves for the provider and comes back signed in', async ({ page, machine }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Orange ID' }).click();
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await new ProviderPage(page, 'Google').signIn(newEmail());
    await new LoginPage(page).expectSuccess();
    await machine('session').is('signedIn.current');
  });

  test('with email and with a wallet', async ({ page, browser }) => {
    const email = newEmail();
    const login = new LoginPage(page);
    await login.goto();
    await login.register(email, password);
    const id = await userIdOf(page);
    const again = await browser.newContext();
    const other = new LoginPage(await again.newPage());
    await other.goto();
    await other.login(email, password);
    expect(await userIdOf(other.page)).toBe(id);
    await again.close();

    const walletContext = await browser.newContext();
    const third = new LoginPage(await walletContext.newPage());
    await installWallet(third.page);
    await third.goto();
    await third.useWallet('Test Wallet');
    expect(await userIdOf(third.page)).not.toBe(id);
    await walletContext.close();
  });
});

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

  test('a wallet is added, signs in to the same account, and is removed', async ({
    page,
    request,
    browser,
  }) => {
    await signIn(page, await register(request));
    const wallet = await installWallet(page);
    const methods = new MethodsPage(page);
    await methods.goto();
    await methods.addWallet('Test Wallet');
    await new LoginPage(page).expectSuccess();
    const id = await userIdOf(page);

    const elsewhere = await browser.newContext();
    const login = new LoginPage(await elsewhere.newPage());
    await installWallet(login.page, { account: wallet.account });
    await login.goto();
    await login.useWallet('Test Wallet');
    expect(await userIdOf(login.page)).toBe(id);

    await methods.goto();
    await expect(methods.row('Wallet')).toContainText(
      `${wallet.address.slice(0, 7)}...${wallet.address.slice(-8)}`,
    );
    await methods.remove('Wallet');
    // The session that began with it has ended with it.
    await expect.poll(() => login.page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
    await elsewhere.close();
  });

  test('an email is added to a wallet’s account, signs in to it, and is removed', async ({
    page,
    browser,
  }) => {
    const email = newEmail();
    await installWallet(page);
    const login = new LoginPage(page);
    await login.goto();
    await login.useWallet('Test Wallet');
    await expect(page).toHaveURL('/');
    const id = await userIdOf(page);
    const methods = new MethodsPage(page);
    await methods.goto();
    await methods.addEmail.click();
    await login.email.fill(email);
    await login.password.fill(password);
    await login.repeatPassword.fill(password);
    await methods.addEmail.click();
    await login.expectSuccess();

    const elsewhere = await browser.newContext();
    const other = new LoginPage(await elsewhere.newPage());
    await other.goto();
    await other.login(email, password);
    expect(await userIdOf(other.page)).toBe(id);
    await elsewhere.close();

    await methods.goto();
    await expect(methods.row(email)).toContainText('Not confirmed');
    await expect(methods.addEmail).toBeHidden();
    await methods.remove(email);
    await expect(methods.addEmail).toBeVisible();
  });

  test('a wallet of another account is refused as used, in these words', async ({
    page,
    request,
    browser,
  }) => {
    const taken = await browser.newContext();
    const first = new LoginPage(await taken.newPage());
    const { account } = await installWallet(first.page);
    await first.goto();
    await first.useWallet('Test Wallet');
    await taken.close();

    await signIn(page, await register(request));
    await installWallet(page, { account });
    const methods = new MethodsPage(page);
    await methods.goto();
    await methods.addWallet('Test Wallet');
    await expect(page.getByText('Wallet already used', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Other sign-in methods' }).click();
    await expect(methods.rows).toHaveCount(1);
  });

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
  test('two tabs that each remove one of two leave one, and the refusal is worded', async ({
    page,
    context,
    request,
  }) => {
    const account = await register(request);
    await signIn(page, account);
    await installWallet(page);
    const methods = new MethodsPage(page);
    await methods.goto();
    await methods.addWallet('Test Wallet');
    await new LoginPage(page).expectSuccess();
    await methods.goto();
    await expect(methods.rows).toHaveCount(2);
    const second = new MethodsPage(await context.newPage());
    await second.goto();
    await expect(second.rows).toHaveCount(2);

    await methods.remove('Wallet');
    await second
      .row(account.email)
      .getByRole('button', { name: /^Remove / })
      .click();
    await second.dialog.getByRole('button', { name: 'Remove Email' }).click();
    await expect(second.dialog.getByRole('alert')).toContainText(
      'This is your only sign-in method. Add another one before you remove it.',
    );
    await second.page.keyboard.press('Escape');
    await expect(second.dialog).toBeHidden();
    await machineOf(second.page)('unlink').is('closed');
  });

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

test('the keyboard alone adds an email and removes a wallet', async ({ page }) => {
  const email = newEmail();
  await installWallet(page);
  const login = new LoginPage(page);
  await login.goto();
  await login.useWallet('Test Wallet');
  await expect(page).toHaveURL('/');
  const methods = new MethodsPage(page);
  await methods.goto();
  await tabTo(page, methods.addEmail);
  await page.keyboard.press('Enter');
  await expect(login.email).toBeFocused();
  await page.keyboard.type(email);
  await tabTo(page, login.password);
  await page.keyboard.type(password);
  await tabTo(page, login.repeatPassword);
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await login.expectSuccess();
  await expect(page.getByText('Sign-in Method Added').first()).toBeVisible();

  await methods.goto();
  const remove = methods.row('Wallet').getByRole('button');
  await tabTo(page, remove);
  await page.keyboard.press('Enter');
  await expect(methods.dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(methods.dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, methods.dialog.getByRole('button', { name: 'Remove Wallet' }));
  await page.keyboard.press('Enter');
  await expect(methods.dialog).toBeHidden();
  await expect(methods.rows).toHaveCount(1);
  await expect(methods.list).toBeFocused();
});

test('somebody who follows a linking address of another account links nothing', async ({
  page,
  request,
  browser,
}) => {
  const [attacker, victim] = [await register(request), await register(request)];
  await signIn(page, victim);
  await new MethodsPage(page).goto();
  await page.goto(linkingAddress(page, attacker.accessToken));
  await expect(page.getByRole('heading', { name: 'Nothing was linked' })).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(linkingAddress(page, attacker.accessToken));
  await expect(stranger.getByRole('heading', { name: 'Nothing was linked' })).toBeVisible();
  await stranger.context().close();
});

function linkingAddress(page: Page, accessToken: string): string {
  const { origin } = new URL(page.url());
  return `${origin}/api/v1/auth/identifier/GOOGLE?state=${origin}/auth/callback&token=${accessToken}&tenantId=orange-0000000000`;
}
