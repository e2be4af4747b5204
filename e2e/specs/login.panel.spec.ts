import { expect, type Page } from '@playwright/test';
import { newEmail, password, register } from '../fixtures/account.js';
import { installWallet, walletTest as test, type WalletFailure } from '../fixtures/wallet.js';
import { LoginPage } from '../pages/login.page.js';
import { ProviderPage } from '../pages/provider.page.js';

const panel = (page: Page) => page.locator('[data-machine="loginPanel"]');

/** Everything a page prints; the browser's own notes about answers it got are not of interest. */
function listen(page: Page): string[] {
  const printed: string[] = [];
  page.on('console', (message) => printed.push(message.text()));
  page.on('pageerror', (error) => printed.push(error.message));
  return printed;
}

test.describe('a wallet', () => {
  test.use({ walletOptions: { chainId: 137 } });

  test('on another chain is asked for mainnet, then signs in', async ({ page, wallet }) => {
    const login = new LoginPage(page);
    await login.goto();
    await login.useWallet('Test Wallet');
    expect(wallet.chainId).toBe(1);
    expect(wallet.calls.filter((method) => method !== 'eth_chainId')).toEqual([
      'eth_requestAccounts',
      'wallet_switchEthereumChain',
      'personal_sign',
    ]);
  });

  const failures: [WalletFailure, string][] = [
    ['connectionRejected', 'The request was declined in Test Wallet.'],
    ['busy', 'Test Wallet already has a request open.'],
    ['noAccount', 'It shared no account.'],
    ['switchRejected', 'The request was declined in Test Wallet.'],
    ['stuckOnChain', 'Test Wallet is on another network. Switch it to Ethereum mainnet, then try again.'],
    ['signatureRejected', 'The request was declined in Test Wallet.'],
  ];

  test('that fails says why, and the next try succeeds', async ({ page, wallet }) => {
    wallet.failure = failures[0]![0];
    await new LoginPage(page).goto();
    await page.getByRole('button', { name: 'Connect Wallet' }).click();
    await page.getByRole('button', { name: 'Test Wallet' }).click();
    for (const [index, [failure, sentence]] of failures.entries()) {
      if (index > 0) {
        wallet.failure = failure;
        await page.getByRole('button', { name: 'Try again' }).click();
      }
      await expect(page.getByRole('alert')).toContainText(sentence);
      await expect(panel(page)).toHaveAttribute('data-state', 'failed');
    }
    wallet.failure = null;
    await page.getByRole('button', { name: 'Try again' }).click();
    await new LoginPage(page).expectSuccess();
  });
});

test('a wallet at window.ethereum that announces nothing signs in too', async ({ page }) => {
  await installWallet(page, { isAnnounced: false, isInjected: true });
  const login = new LoginPage(page);
  await login.goto();
  await login.useWallet('Browser wallet');
});

test('every announced wallet is listed once, and not again as the browser wallet', async ({ page }) => {
  await installWallet(page, { name: 'Fox', rdns: 'org.example.fox', isInjected: true });
  await installWallet(page, { name: 'Owl', rdns: 'org.example.owl' });
  await new LoginPage(page).goto();
  await page.getByRole('button', { name: 'Connect Wallet' }).click();
  await expect(page.getByRole('listitem').getByRole('button')).toHaveText(['Fox', 'Owl']);
});

test('without a wallet the panel says so and leads back', async ({ page }) => {
  const login = new LoginPage(page);
  await login.goto();
  await login.connectWallet.click();
  await expect(page.getByRole('heading', { name: 'No wallet found in this browser' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Find a wallet' })).toBeVisible();
  await page.getByRole('button', { name: 'Other sign-in methods' }).click();
  await expect(login.connectWallet).toBeVisible();
});

test('the keyboard alone signs in by email, and field errors are told before anything is sent', async ({
  page,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => request.url().includes('/auth/email/') && sent.push(request.url()));
  const login = new LoginPage(page);
  await login.goto();
  await login.withEmail.focus();
  await page.keyboard.press('Enter');
  await expect(login.email).toBeFocused();
  await page.getByRole('button', { name: 'Create an account' }).press('Enter');
  await expect(login.email).toBeFocused();
  await expect(login.repeatPassword).toBeVisible();
  await page.getByRole('button', { name: 'Sign in instead' }).press('Enter');
  await expect(login.email).toBeFocused();
  await expect(login.repeatPassword).toBeHidden();
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.keyboard.type('somebody');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Choose a password')).toBeVisible();
  await expect(login.email).toHaveValue('somebody');
  await login.email.fill('not an address');
  await login.password.fill('short');
  await login.repeatPassword.fill('other');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter an email like name@example.com')).toBeVisible();
  await expect(page.getByText('Use at least 8 characters')).toBeVisible();
  await expect(page.getByText('The passwords don’t match')).toBeVisible();
  expect(sent).toEqual([]);
  await login.email.fill(newEmail());
  await login.password.fill(password);
  await login.repeatPassword.fill(password);
  await page.keyboard.press('Enter');
  await login.expectSuccess();
});

test('a taken email and a wrong password are told in place, and what was typed stays', async ({
  page,
  request,
}) => {
  const { email } = await register(request);
  const login = new LoginPage(page);
  await login.goto();
  await login.withEmail.click();
  await page.getByRole('button', { name: 'Create an account' }).click();
  await login.email.fill(email);
  await login.password.fill('another password');
  await login.repeatPassword.fill('another password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('An account with this email already exists.')).toBeVisible();
  await page.getByRole('button', { name: 'Sign in instead' }).click();
  await expect(login.email).toHaveValue(email);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Email or password is wrong.')).toBeVisible();
  await login.password.fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await login.expectSuccess();
});

test('going back from a provider by the browser finds a panel that works', async ({ page }) => {
  const login = new LoginPage(page);
  for (const title of ['Google', 'Apple'] as const) {
    await login.goto();
    await login.leaveFor(title);
    await expect(new ProviderPage(page, title).heading).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('button', { name: `Continue with ${title}` })).toBeEnabled();
  }
});

test('nothing a sign-in prints holds a token', async ({ page, wallet }) => {
  const printed = listen(page);
  const login = new LoginPage(page);
  await login.goto();
  await login.useWallet('Test Wallet');
  expect(wallet.calls).toContain('personal_sign');
  const tokens = await page.evaluate(() =>
    ['accessToken', 'refreshToken'].map((name) => localStorage.getItem(name) ?? `no ${name}`),
  );
  expect(tokens).toEqual([expect.stringMatching(/^ey/), expect.stringMatching(/^(?!no ).{20,}/)]);
  for (const token of tokens) expect(printed.join('\n')).not.toContain(token);
});
