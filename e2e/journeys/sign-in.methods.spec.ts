import { documentTitle } from '@orange-id/contract/app.routes';
import { expect, type APIRequest, type Browser, type Page } from '@playwright/test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import {
  expectSignedOut,
  newEmail,
  password,
  register,
  signIn,
  userCall,
  userIdOf,
} from '../fixtures/account';
import { tabTo } from '../fixtures/keyboard';
import { machineOf, machineTest as test } from '../fixtures/machine';
import { plainPage } from '../fixtures/session';
import { installWallet, signInByKey } from '../fixtures/wallet';
import { LoginPage } from '../pages/login.page';
import { MethodsPage } from '../pages/methods.page';
import { ProviderPage, type ProviderTitle } from '../pages/provider.page';

/** Signs in with a provider in a fresh browser context; returns the account's id. */
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

/** Signs in at the built-in Google by HTTP requests instead of a browser; returns the account's id. */
async function signInByGoogle(client: APIRequest, baseURL: string, email: string): Promise<string> {
  const browser = await client.newContext({ baseURL });
  const asking = await browser.get('/api/login?provider=google');
  const back = await browser.post(asking.url(), { form: { email, name: '', verified: 'yes' } });
  const token = new URL(back.url()).searchParams.get('token');
  const answer = await userCall(browser, token);
  expect(answer.ok(), await answer.text()).toBe(true);
  const { id } = (await answer.json()) as { id: string };
  await browser.dispose();
  return id;
}

for (const title of ['Google', 'Apple'] as const) {
  test(`signing in with ${title} can be cancelled, and opens the same account each time`, async ({
    page,
    browser,
    machine,
  }) => {
    const login = new LoginPage(page);
    const provider = new ProviderPage(page, title);
    const button = page.getByRole('button', { name: `Continue with ${title}` });

    await test.step('the browser’s Back button goes back view by view, and the panel works', async () => {
      await login.goto();
      await login.withEmail.click();
      await login.forgotPassword.click();
      await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
      await page.goBack();
      await expect(login.forgotPassword).toBeVisible();
      await page.goBack();
      await expect(login.withEmail).toBeVisible();
      await expect(page).toHaveURL('/login');
      await login.leaveFor(title);
      await expect(provider.heading).toBeVisible();
      await page.goBack();
      await expect(button).toBeEnabled();
    });
    await test.step('the panel works after cancelling at the provider', async () => {
      await login.leaveFor(title);
      await provider.cancel.click();
      await expect(page.getByRole('heading', { name: `Sign-in with ${title} was cancelled` })).toBeVisible();
      await page.getByRole('link', { name: 'Back to sign-in' }).click();
      await expect(button).toBeEnabled();
    });
    const email = newEmail();
    await test.step('the dialog on a phone signs in', async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto('/');
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Orange ID' }).click();
      await button.click();
      await provider.signIn(email, 'Ada Example');
      await login.expectSuccess();
      await machine('session').is('signedIn.current');
      await expect(page).toHaveURL('/');
    });
    await test.step('another browser opens the same account', async () => {
      expect(await signInWith(browser, title, email)).toBe(await userIdOf(page));
    });
  });
}

test('Google and Apple are added after a confirmation, sign in to the same account, and are removed', async ({
  page,
  request,
  playwright,
  baseURL,
  machine,
}) => {
  await signIn(page, await register(request));
  const methods = new MethodsPage(page);
  const login = new LoginPage(page);
  const google = new ProviderPage(page, 'Google');
  const email = newEmail();
  await page.clock.install();
  /** Expects that linking has succeeded; the page redirects after a second. */
  const expectLinked = async (path: string) => {
    await login.expectSuccess();
    await page.clock.fastForward(1_000);
    await expect(page).toHaveURL(path);
  };

  await test.step('a browser that cannot be bound to the account adds nothing until a retry binds it', async () => {
    await page.route('**/api/auth/bedrock', (route) =>
      route.fulfill({ status: 503, json: { message: 'Not now' } }),
    );
    await page.goto('/login?from=profile');
    await machine('browserBinding').is('unbound');
    await expect(page.getByText('Your sign-in methods can’t be changed right now')).toBeVisible();
    await page.unroute('**/api/auth/bedrock');
    await page.getByRole('button', { name: 'Retry' }).click();
    await machine('browserBinding').is('bound');
    await expect(methods.rows).toHaveCount(1);
  });
  await test.step('cancelling at the provider links nothing', async () => {
    await methods.leaveFor('Google');
    await google.cancel.click();
    await expect(page.getByText('Nothing was connected.')).toBeVisible();
    await methods.goto();
    await expect(methods.rows).toHaveCount(1);
  });
  await test.step('the Google account of another user is refused', async () => {
    const taken = newEmail();
    await signInByGoogle(playwright.request, baseURL ?? '', taken);
    await methods.leaveFor('Google');
    await google.signIn(taken);
    await expect(
      page.getByText('The account you chose is already linked to another Orange ID account'),
    ).toBeVisible();
  });
  await test.step('Google is added, and linking returns to the profile, where it started', async () => {
    await methods.goto();
    await methods.leaveFor('Google');
    await google.signIn(email);
    await expectLinked('/profile');
  });
  await test.step('Apple is added, and linking returns to Settings, where it started, even after a reload', async () => {
    await page.goto('/settings');
    await page.getByRole('link', { name: 'your sign-in methods' }).click();
    await expect(page).toHaveTitle(documentTitle('Sign-in methods'));
    await expect(page.getByRole('link', { name: 'Back to Settings' })).toHaveAttribute('href', '/settings');
    await page.reload();
    await methods.leaveFor('Apple');
    await new ProviderPage(page, 'Apple').signIn(newEmail());
    await expectLinked('/settings');
  });
  await test.step('Google signs in to the account until it is removed', async () => {
    await methods.goto();
    await expect(methods.rows).toHaveCount(3);
    await expect(methods.row('Google')).toContainText(email);
    const id = await userIdOf(page);
    expect(await signInByGoogle(playwright.request, baseURL ?? '', email)).toBe(id);
    await methods.remove('Google');
    await machine('unlink').is('succeeded');
    await machine('session').is('signedIn.current');
    expect(await signInByGoogle(playwright.request, baseURL ?? '', email)).not.toBe(id);
  });
});

test('a wallet of another account is refused as used, and the user’s own is added', async ({
  page,
  request,
  baseURL,
}) => {
  const taken = privateKeyToAccount(generatePrivateKey());
  await signInByKey(request, baseURL ?? '', taken);
  await signIn(page, await register(request));
  await installWallet(page, { account: taken, name: 'Taken Wallet', rdns: 'com.example.taken' });
  const wallet = await installWallet(page);
  const methods = new MethodsPage(page);
  await methods.goto();
  await methods.addWallet('Taken Wallet');
  await expect(
    page.getByText('This wallet is already linked to another account.', { exact: true }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Connect another method' }).click();
  await expect(methods.rows).toHaveCount(1);
  await methods.addWallet('Test Wallet');
  await new LoginPage(page).expectSuccess();
  const { id } = await signInByKey(request, baseURL ?? '', wallet.account);
  expect(id).toBe(await userIdOf(page));
});

test('with the keyboard only, a wallet user adds an email and removes the wallet, which ends its sessions', async ({
  page,
  context,
  request,
  browser,
  baseURL,
}) => {
  const login = new LoginPage(page);
  const methods = new MethodsPage(page);
  const email = newEmail();
  const wallet = await installWallet(page);
  let id = '';

  await test.step('signing in with a wallet prints no token', async () => {
    const printed: string[] = [];
    page.on('console', (message) => printed.push(message.text()));
    page.on('pageerror', (error) => printed.push(error.message));
    await login.goto();
    await login.useWallet('Test Wallet');
    expect(wallet.calls).toContain('personal_sign');
    const tokens = await page.evaluate(() =>
      ['accessToken', 'refreshToken'].map((name) => localStorage.getItem(name) ?? `no ${name}`),
    );
    expect(tokens).toEqual([expect.stringMatching(/^ey/), expect.stringMatching(/^(?!no ).{20,}/)]);
    for (const token of tokens) expect(printed.join('\n')).not.toContain(token);
    id = await userIdOf(page);
  });
  await test.step('an email of another account is refused and stays in the field, and an unused one is added', async () => {
    const taken = await register(request);
    await methods.goto();
    await tabTo(page, methods.addEmail);
    await page.keyboard.press('Enter');
    await expect(login.email).toBeFocused();
    await page.keyboard.type(taken.email);
    await tabTo(page, login.password);
    await page.keyboard.type(password);
    await tabTo(page, login.confirmPassword);
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Another account already uses this email.')).toBeVisible();
    await expect(login.email).toHaveValue(taken.email);
    await login.email.fill(email);
    await login.email.press('Enter');
    await login.expectSuccess();
    await expect(page.getByText('Sign-in Method Connected').first()).toBeVisible();
    const answer = await request.post('/api/v1/auth/email/login', { data: { email, password } });
    expect(await answer.json()).toMatchObject({ user: { id } });
  });

  const elsewhere = await (await browser.newContext()).newPage();
  const byKey = await signInByKey(request, baseURL ?? '', wallet.account);
  expect(byKey.id).toBe(id);
  await signIn(elsewhere, byKey);
  await elsewhere.goto(plainPage);
  await machineOf(elsewhere)('realtime').is('live');
  const second = new MethodsPage(await context.newPage());
  await second.goto();
  await expect(second.rows).toHaveCount(2);

  await test.step('the wallet is removed', async () => {
    await methods.goto();
    await expect(methods.row(email)).toContainText('Not confirmed');
    await expect(methods.addEmail).toBeHidden();
    const { address } = wallet;
    await expect(methods.row('Wallet')).toContainText(`${address.slice(0, 7)}...${address.slice(-8)}`);
    const remove = methods.row('Wallet').getByRole('button');
    await tabTo(page, remove);
    await page.keyboard.press('Enter');
    await expect(methods.dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(methods.dialog).toBeHidden();
    await expect(remove).toBeFocused();
    await page.keyboard.press('Enter');
    await tabTo(page, methods.dialog.getByRole('button', { name: 'Remove wallet' }));
    await page.keyboard.press('Enter');
    await expect(methods.dialog).toBeHidden();
    await expect(methods.rows).toHaveCount(1);
    await expect(methods.list).toBeFocused();
  });
  await test.step('the session that started with the wallet has ended', async () => {
    await expectSignedOut(elsewhere);
    await elsewhere.context().close();
  });
  await test.step('another tab, which still shows both methods, cannot remove the last one', async () => {
    await second
      .row(email)
      .getByRole('button', { name: /^Remove / })
      .click();
    await second.dialog.getByRole('button', { name: 'Remove email sign-in' }).click();
    await expect(second.dialog.getByRole('alert')).toContainText(
      'This is your only sign-in method. Add another one before you remove it.',
    );
    await second.page.keyboard.press('Escape');
    await expect(second.dialog).toBeHidden();
    await machineOf(second.page)('unlink').is('closed');
  });
});

test('a user who follows a linking URL of another account links nothing', async ({
  page,
  request,
  browser,
}) => {
  const [attacker, victim] = [await register(request), await register(request)];
  await signIn(page, victim);
  await new MethodsPage(page).goto();
  await page.goto(linkingAddress(page, attacker.accessToken));
  await expect(page.getByRole('heading', { name: 'Nothing was connected' })).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(linkingAddress(page, attacker.accessToken));
  await expect(stranger.getByRole('heading', { name: 'Nothing was connected' })).toBeVisible();
  await stranger.context().close();
});

function linkingAddress(page: Page, accessToken: string): string {
  const { origin } = new URL(page.url());
  return `${origin}/api/v1/auth/identifier/GOOGLE?state=${origin}/auth/callback&token=${accessToken}&tenantId=orange-0000000000`;
}
