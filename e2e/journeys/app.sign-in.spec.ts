import { expect, type Page } from '@playwright/test';
import { newEmail, password } from '../fixtures/account';
import { startAppSite } from '../fixtures/app.site';
import { machineTest as test } from '../fixtures/machine';
import { freePort } from '../fixtures/portal.process';
import { registerWithProject } from '../fixtures/project';
import { installWallet } from '../fixtures/wallet';
import { LoginPage } from '../pages/login.page';
import { ProviderPage } from '../pages/provider.page';

/** A site on an origin of its own that knows only the script tag. */
async function openSite(page: Page, portal: string, request: Parameters<typeof registerWithProject>[0]) {
  const origin = `http://app.example.com:${await freePort()}`;
  const { code } = await registerWithProject(request, [origin], 'Acme Shop');
  const site = await startAppSite(
    `<!doctype html><html lang="en"><title>Acme</title><div data-orange-id="panel"></div>
     <script src="${portal}/widget/orange-id.js" data-project="${code}"></script></html>`,
    { origin },
  );
  await page.goto(origin);
  return { close: () => site.close(), origin };
}

const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' });

test('a site with the script tag signs a person in by email in a window, after their consent and not after Cancel', async ({
  page,
  request,
  baseURL,
}) => {
  const site = await openSite(page, baseURL as string, request);
  try {
    const opening = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Continue with email' }).click();
    const window = await opening;
    await expect(window.getByText('Acme Shop')).toBeVisible();
    await expect(window.getByText(site.origin)).toBeVisible();
    const login = new LoginPage(window);
    const email = newEmail();
    await window.getByRole('button', { name: /create an account/i }).click();
    await login.email.fill(email);
    await login.password.fill(password);
    await login.confirmPassword.fill(password);
    await window.getByRole('button', { name: /^create account$/i }).click();
    await expect(window.getByText(site.origin)).toBeVisible();
    const cancelled = window.waitForEvent('close');
    await window.getByRole('button', { name: 'Cancel', exact: true }).click();
    await cancelled;
    await expect(signOut(page)).toHaveCount(0);

    const openingAgain = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Continue with email' }).click();
    const again = await openingAgain;
    const loginAgain = new LoginPage(again);
    await loginAgain.email.fill(email);
    await loginAgain.password.fill(password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    const closed = again.waitForEvent('close');
    await again.getByRole('button', { name: 'Continue', exact: true }).click();
    await closed;
    await expect(signOut(page)).toBeVisible();
    await page.reload();
    await signOut(page).click();
    await expect(page.getByRole('button', { name: 'Continue with email' })).toBeVisible();
  } finally {
    await site.close();
  }
});

test('where windows are blocked, a person signs in by wallet in the same tab, and Cancel signs nobody in', async ({
  page,
  request,
  baseURL,
}) => {
  await installWallet(page);
  await page.addInitScript(() => {
    window.open = () => null;
  });
  const site = await openSite(page, baseURL as string, request);
  try {
    const address = `${site.origin}/shop?page=2#top`;
    await page.goto(address);
    for (const answer of ['Cancel', 'Continue']) {
      await page.getByRole('button', { name: 'Connect Wallet' }).click();
      await page.getByRole('button', { name: /Test Wallet/ }).click();
      // While the wallet is asked, the panel has a Cancel of its own.
      await page.waitForURL('**/auth/consent*');
      await page.getByRole('button', { name: answer, exact: true }).click();
      await page.waitForURL(address);
      if (answer === 'Continue') continue;
      await expect(page.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
      await expect(signOut(page)).toHaveCount(0);
    }
    await expect(signOut(page)).toBeVisible();
    expect(page.url()).toBe(address);
  } finally {
    await site.close();
  }
});

test('‘View Example’ opens a page that signs a person in to the project', async ({ page, request }) => {
  await installWallet(page.context());
  const { code } = await registerWithProject(request, ['https://app.example.com'], 'Acme Shop');
  await page.goto(`/examples/sign-in?project=${code}`);
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Connect Wallet' }).click();
  const popup = await opening;
  await popup.getByRole('button', { name: /Test Wallet/ }).click();
  await popup.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(signOut(page)).toBeVisible();
});

test('over https, under the policy that the docs name, the pinned script tag signs a person in and out', async ({
  page,
  request,
  baseURL,
}) => {
  const portal = baseURL as string;
  const origin = `https://app.example.com:${await freePort()}`;
  const { code } = await registerWithProject(request, [origin], 'Acme Shop');
  const { loader } = await (await request.get('/api/config')).json();
  const site = await startAppSite(
    `<!doctype html><html lang="en"><title>Acme</title><div data-orange-id="panel"></div>
     <script src="${portal}${loader.path}" integrity="${loader.integrity}" crossorigin="anonymous" data-project="${code}"></script></html>`,
    {
      origin,
      policy: `default-src 'none'; script-src ${portal}; connect-src ${portal}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
    },
  );
  try {
    const refused: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && refused.push(message.text())));
    await page.goto(origin);
    expect(await page.evaluate(() => window.isSecureContext)).toBe(true);
    const opening = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    const popup = await opening;
    await new ProviderPage(popup, 'Google').signIn(newEmail(), 'Ada Lovelace');
    await expect(popup.getByText(origin)).toBeVisible();
    const closed = popup.waitForEvent('close');
    await popup.getByRole('button', { name: 'Continue', exact: true }).click();
    await closed;
    await expect(signOut(page)).toBeVisible();
    const name = page.evaluate('OrangeID.getUser().then((user) => user.name)');
    expect(await name).toBe('Ada Lovelace');
    await page.reload();
    await signOut(page).click();
    await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
    expect(refused).toEqual([]);
  } finally {
    await site.close();
  }
});
