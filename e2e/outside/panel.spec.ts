import { expect, type Page } from '@playwright/test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { newEmail } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { freePort } from '../fixtures/portal.process';
import { registerWithProject } from '../fixtures/project';
import { installWallet } from '../fixtures/wallet';
import { LoginPage } from '../pages/login.page';
import { ProviderPage } from '../pages/provider.page';

const built = join(import.meta.dirname, '..', '..', 'published-panel', 'dist');
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
// The panel accepts no other one.
const password = 'Correct horse battery 1';

interface Site {
  origin: string;
  code: string;
}

/** Serves the page of `published-panel/` on an origin of its own, for a new project that allows it. */
async function withSite(
  portal: string,
  request: Parameters<typeof registerWithProject>[0],
  work: (site: Site) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const origin = `http://app.example.com:${port}`;
  const { code } = await registerWithProject(request, [origin], 'Acme Shop');
  const values = JSON.stringify({ portal, project: code, callback: `${origin}/` });
  const server = createServer((incoming, response) => {
    const { pathname } = new URL(incoming.url ?? '/', origin);
    if (pathname === '/site.js') return void response.end(`window.site = ${values};`);
    const file = pathname.startsWith('/assets/') ? pathname : '/index.html';
    readFile(join(built, file)).then(
      (content) => response.setHeader('content-type', types[extname(file)] ?? 'text/plain').end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  try {
    await work({ origin, code });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  }
}

const status = (page: Page) => page.getByRole('status');

/** The user that the panel shows once it is signed in. */
async function userOf(page: Page): Promise<Record<string, unknown>> {
  await expect(status(page)).toHaveText(/^Signed in: \{/);
  return JSON.parse(((await status(page).textContent()) ?? '').replace('Signed in: ', '')) as Record<
    string,
    unknown
  >;
}

/** Checks the token that the panel keeps as a server would, and returns what it says. */
async function verifiedToken(page: Page, portal: string, { origin, code }: Site) {
  const token = await page.evaluate(() => {
    const { state } = JSON.parse(localStorage.getItem('passport-token') ?? '{}') as {
      state: { accessToken: string };
    };
    return state.accessToken;
  });
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', portal));
  const { payload } = await jwtVerify(token, keys, { issuer: portal, audience: code });
  expect(payload['azp']).toBe(origin);
  return payload;
}

const logout = (page: Page) => page.getByRole('button', { name: 'Logout' });
/** The panel's buttons of methods show icons without a name. */
const method = (page: Page, place: 'google' | 'apple' | 'email') =>
  page.locator('.grid-flow-col button').nth(['google', 'apple', 'email'].indexOf(place));

test.beforeEach(async ({ page, baseURL }) => {
  // The panel asks services of its vendor for lists of wallets; nothing here depends on them.
  await page.route(
    (url) => url.origin !== baseURL && !url.hostname.endsWith('.example.com'),
    (route) => route.abort(),
  );
});

test('by email, in the page: the site sees an id until the person has consented on our page', async ({
  page,
  request,
  baseURL,
}) => {
  const portal = baseURL as string;
  await withSite(portal, request, async (site) => {
    const email = newEmail();
    await page.goto(site.origin);
    await method(page, 'email').click();
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.getByPlaceholder('Email').fill(email);
    await page.getByPlaceholder('Password', { exact: true }).fill(password);
    await page.getByPlaceholder('Password Confirmation').fill(password);
    await page.locator('form').getByRole('button', { name: 'Register' }).click();
    expect(await userOf(page)).toMatchObject({ provider: 'email', email: null, displayName: null });
    const { sub } = await verifiedToken(page, portal, site);
    await page.reload();
    expect(await userOf(page)).toMatchObject({ id: sub, email: null });

    const opening = page.waitForEvent('popup');
    await page.locator('a[target=_blank]').click();
    const consent = await opening;
    const login = new LoginPage(consent);
    await login.withEmail.click();
    await login.email.fill(email);
    await login.password.fill(password);
    await consent.getByRole('button', { name: /^sign in$/i }).click();
    await expect(consent.getByText('Acme Shop', { exact: true })).toBeVisible();
    await consent.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(consent.getByRole('heading', { name: 'Saved' })).toBeVisible();

    await logout(page).click();
    await expect(method(page, 'email')).toBeVisible();
    await method(page, 'email').click();
    await page.getByPlaceholder('Email').fill(email);
    await page.getByPlaceholder('Password', { exact: true }).fill(password);
    await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
    expect(await userOf(page)).toMatchObject({ id: sub });
  });
});

test('by wallet, in the page: a message for the site’s own origin signs a person in', async ({
  page,
  request,
  baseURL,
}) => {
  const portal = baseURL as string;
  await withSite(portal, request, async (site) => {
    await installWallet(page);
    await page.goto(site.origin);
    await page.getByRole('button', { name: 'Connect this browser’s wallet' }).click();
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    const user = await userOf(page);
    expect(user).toMatchObject({ provider: 'wallet', ethAddress: null });
    expect((await verifiedToken(page, portal, site)).sub).toBe(user['id']);
  });
});

test('by Google, on our pages: the person consents on the way back to the site', async ({
  page,
  request,
  baseURL,
}) => {
  const portal = baseURL as string;
  await withSite(portal, request, async (site) => {
    await page.goto(site.origin);
    await method(page, 'google').click();
    await new ProviderPage(page, 'Google').signIn(newEmail(), 'Ada Lovelace');
    await expect(page.getByText('Acme Shop', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.waitForURL(`${site.origin}/**`);
    expect(await userOf(page)).toMatchObject({ displayName: 'Ada Lovelace' });
    await verifiedToken(page, portal, site);
    await logout(page).click();
    await expect(method(page, 'google')).toBeVisible();
  });
});
