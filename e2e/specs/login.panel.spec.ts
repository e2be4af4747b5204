import { expect, type Page } from '@playwright/test';
import { walletTest as test } from '../fixtures/wallet.js';
import { LoginPage } from '../pages/login.page.js';
import { ProviderPage } from '../pages/provider.page.js';

/** Everything a page prints; the browser's own notes about answers it got are not of interest. */
function listen(page: Page): string[] {
  const printed: string[] = [];
  page.on('console', (message) => printed.push(message.text()));
  page.on('pageerror', (error) => printed.push(error.message));
  return printed;
}

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
