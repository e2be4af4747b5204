import { expect, type Page } from '@playwright/test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { machineTest as test } from '../fixtures/machine';
import { Phone, TestRelay, vouchingOrigin, type PairedWallet } from '../fixtures/relay';
import { LoginPage } from '../pages/login.page';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const library = '/widget/walletconnect.js';

/** Makes the page look like that of a portal with WALLETCONNECT_ID set: its configuration and its policy. */
const configureProject = (page: Page) =>
  page.route('**/login', async (route) => {
    const answer = await route.fetch({
      headers: { ...route.request().headers(), 'accept-encoding': 'identity' },
    });
    const html = await answer.text();
    expect(html).toContain('"walletConnectId":null');
    const { 'content-security-policy': policy = '', ...headers } = answer.headers();
    expect(policy).toContain("frame-src 'self'");
    await route.fulfill({
      response: answer,
      headers: {
        ...headers,
        'content-security-policy': policy.replace("frame-src 'self'", `frame-src 'self' ${vouchingOrigin}`),
      },
      body: html.replace('"walletConnectId":null', '"walletConnectId":"test-project"'),
    });
  });

/** The pairing URI that the QR code on the page encodes. */
async function offered(page: Page): Promise<string> {
  await expect(page.locator('[data-machine="loginPanel"]')).toHaveAttribute(
    'data-state',
    'pairingWallet.offering',
  );
  await expect(page.getByRole('img', { name: 'QR code for your wallet app' }).locator('svg')).toBeVisible();
  const link = page.getByRole('link', { name: 'Open a wallet on this device' });
  return (await link.getAttribute('href')) ?? '';
}

test('a wallet on a phone scans a code, may decline, signs in and is disconnected, and the pairing library loads only then', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const fetched: string[] = [];
  page.on('request', (request) => request.url().endsWith(library) && fetched.push(request.url()));
  const login = new LoginPage(page);
  const codes = new Set<string>();

  await test.step('without a WalletConnect project, WalletConnect is neither offered nor loaded', async () => {
    await login.goto();
    await login.connectWallet.click();
    await expect(page.getByRole('heading', { name: 'No wallet found in this browser' })).toBeVisible();
    expect(fetched).toEqual([]);
  });

  const relay = new TestRelay();
  await relay.serve(context);
  await configureProject(page);
  const account = privateKeyToAccount(generatePrivateKey());
  const phone = await Phone.open(browser, relay, baseURL ?? '', account);

  await test.step('choosing WalletConnect loads its library and shows a QR code, whose link can be copied; Cancel returns to Connect Wallet', async () => {
    await login.goto();
    await login.connectWallet.click();
    await expect(page.getByRole('listitem').getByRole('button')).toHaveText([
      'WalletConnect (scan a QR code)',
    ]);
    expect(fetched).toEqual([]);
    await page.getByRole('button', { name: 'WalletConnect' }).click();
    const uri = await offered(page);
    expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?/);
    expect(fetched).toHaveLength(1);
    codes.add(uri);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(uri);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(login.connectWallet).toBeVisible();
  });
  await test.step('a phone declines the pairing, then the signature, and each retry shows another code', async () => {
    await login.connectWallet.click();
    await page.getByRole('button', { name: 'WalletConnect' }).click();
    for (const does of ['declinesPairing', 'declinesSignature'] satisfies PairedWallet[]) {
      const uri = await offered(page);
      codes.add(uri);
      await phone.scan(uri, does);
      await expect(page.getByRole('alert')).toContainText('The request was declined in WalletConnect.');
      await page.getByRole('button', { name: 'Try again' }).click();
    }
  });
  await test.step('a phone that signs is disconnected, and no data of the pairing is kept', async () => {
    const uri = await offered(page);
    codes.add(uri);
    expect(codes.size).toBe(4);
    await phone.scan(uri, 'signs');
    await login.expectSuccess();
    await expect.poll(phone.pairedSites).toBe(0);
    const left = await page.evaluate(async () => [
      ...Object.keys(localStorage),
      ...(await indexedDB.databases()).map(({ name }) => name),
    ]);
    expect(left.filter((name) => /wc@2|wallet_?connect/i.test(name ?? ''))).toEqual([]);
    await phone.close();
  });
});
