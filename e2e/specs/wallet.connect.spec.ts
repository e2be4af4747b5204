import { expect, type Browser, type Page } from '@playwright/test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { machineTest as test } from '../fixtures/machine.js';
import { scan, TestRelay, type PairedWallet } from '../fixtures/relay.js';
import { LoginPage } from '../pages/login.page.js';

const library = '/widget/walletconnect.js';

/** A portal whose WALLETCONNECT_ID is set, as far as the page can tell: the configuration comes in it. */
const configureProject = (page: Page) =>
  page.route('**/login', async (route) => {
    const answer = await route.fetch({
      headers: { ...route.request().headers(), 'accept-encoding': 'identity' },
    });
    const html = await answer.text();
    expect(html).toContain('"walletConnectId":null');
    await route.fulfill({
      response: answer,
      body: html.replace('"walletConnectId":null', '"walletConnectId":"test-project"'),
    });
  });

async function offered(page: Page): Promise<string> {
  await expect(page.locator('[data-machine="loginPanel"]')).toHaveAttribute(
    'data-state',
    'pairingWallet.offering',
    // The page's policy has no frame of the relay's operator here, which the library waits 5 s for.
    { timeout: 20_000 },
  );
  await expect(page.getByRole('img', { name: 'Code for your wallet app' }).locator('svg')).toBeVisible();
  const link = page.getByRole('link', { name: 'Open a wallet on this device' });
  return (await link.getAttribute('href')) ?? '';
}

async function phone(browser: Browser, relay: TestRelay, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  await relay.serve(context);
  return context.newPage();
}

test.describe('with a WalletConnect project', () => {
  const account = privateKeyToAccount(generatePrivateKey());
  let relay: TestRelay;
  test.beforeEach(async ({ page }) => {
    relay = new TestRelay();
    await relay.serve(page.context());
    await configureProject(page);
  });

  test('a wallet on a phone scans the code, signs and is let go; its library comes when it is chosen', async ({
    page,
    browser,
    baseURL,
  }) => {
    const fetched: string[] = [];
    page.on('request', (request) => request.url().endsWith(library) && fetched.push(request.url()));
    const login = new LoginPage(page);
    await login.goto();
    await login.connectWallet.click();
    await expect(page.getByRole('listitem').getByRole('button')).toHaveText(['WalletConnect (scan a code)']);
    expect(fetched).toEqual([]);
    await page.getByRole('button', { name: 'WalletConnect' }).click();
    const uri = await offered(page);
    expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?/);
    expect(fetched).toHaveLength(1);
    const pairedSites = await scan(await phone(browser, relay, baseURL), uri, account, 'signs');
    await login.expectSuccess();
    await expect.poll(pairedSites).toBe(0);
    const left = await page.evaluate(async () => [
      ...Object.keys(localStorage),
      ...(await indexedDB.databases()).map(({ name }) => name),
    ]);
    expect(left.filter((name) => /wc@2|wallet_?connect/i.test(name ?? ''))).toEqual([]);
  });

  test('a wallet that declines the pairing, then the signature, is told, and each try has another code', async ({
    page,
    browser,
    baseURL,
  }) => {
    const codes = new Set<string>();
    await new LoginPage(page).goto();
    await page.getByRole('button', { name: 'Connect Wallet' }).click();
    await page.getByRole('button', { name: 'WalletConnect' }).click();
    for (const does of ['declinesPairing', 'declinesSignature'] satisfies PairedWallet[]) {
      const uri = await offered(page);
      codes.add(uri);
      await scan(await phone(browser, relay, baseURL), uri, account, does);
      await expect(page.getByRole('alert')).toContainText('The request was declined in WalletConnect.');
      await page.getByRole('button', { name: 'Try again' }).click();
    }
    codes.add(await offered(page));
    expect(codes.size).toBe(3);
  });

  test('cancelling leads back, and the code can be copied', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await new LoginPage(page).goto();
    await page.getByRole('button', { name: 'Connect Wallet' }).click();
    await page.getByRole('button', { name: 'WalletConnect' }).click();
    const uri = await offered(page);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(uri);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(new LoginPage(page).connectWallet).toBeVisible();
  });
});

test('without a project nothing of it is offered or fetched', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => request.url().includes('walletconnect') && fetched.push(request.url()));
  const login = new LoginPage(page);
  await login.goto();
  await login.connectWallet.click();
  await expect(page.getByRole('heading', { name: 'No wallet found in this browser' })).toBeVisible();
  expect(fetched).toEqual([]);
});
