import { expect, type Page } from '@playwright/test';
import { createProject, newEmail, password, register, signIn } from '../fixtures/account';
import { freePort, preparePortal, type PortalProcess } from '../fixtures/portal.process';
import { paste } from '../fixtures/shell';
import { walletTest } from '../fixtures/wallet';
import { LoginPage } from '../pages/login.page';
import { MailboxPage } from '../pages/mailbox.page';
import { ProjectsPage } from '../pages/projects.page';
import { ProviderPage } from '../pages/provider.page';
import { SettingsPage } from '../pages/settings.page';
import { WizardPage } from '../pages/wizard.page';

/** A portal that signs in with a hosted identity service, and the other portal that serves as it. */
interface Stage {
  portal: PortalProcess;
  service: PortalProcess;
}

const test = walletTest.extend<{ refusedByPolicy: string[] }, { stage: Stage }>({
  stage: [
    async ({ playwright: _ }, use) => {
      const [portalPort, servicePort] = [await freePort(), await freePort()];
      const service = preparePortal(servicePort, {
        IDENTITY_CALLBACKS: `http://localhost:${portalPort}/auth/callback`,
      });
      const portal = preparePortal(portalPort, { IDENTITY_URL: service.url });
      try {
        await service.start();
        await portal.start();
        await use({ portal, service });
      } finally {
        await portal.remove();
        await service.remove();
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ stage }, use) => use(stage.portal.url),
  refusedByPolicy: [
    async ({ page }, use) => {
      const refused: string[] = [];
      page.on('console', (message) => {
        if (/Content Security Policy|CORS policy/.test(message.text())) refused.push(message.text());
      });
      await use(refused);
      expect(refused).toEqual([]);
    },
    { auto: true },
  ],
});

const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('accessToken'));
const statusOf = async (page: Page, url: string, token: string | null) =>
  (await page.request.get(url, { headers: { authorization: `Bearer ${token}` } })).status();

test('by e-mail through the hosted panel: register, complete the profile, make a project, see its call arrive, sign out', async ({
  page,
  stage: { portal, service },
  machine,
}) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  const login = new LoginPage(page);
  await login.goto();
  expect(loaded).toContain(`${service.url}/api/v1/settings/version`);
  expect(loaded).toContain(`${service.url}/widget/passport.css`);
  expect(loaded).toContain(`${service.url}/widget/passport.js`);

  const email = newEmail();
  await login.register(email, password);
  await expect(page).toHaveURL(`${portal.url}/`);
  await machine('session').is('signedIn.current');
  expect(loaded).toContain(`${portal.url}/api/auth/bedrock`);
  expect(loaded).not.toContain(`${portal.url}/api/v1/auth/user`);

  const wizard = new WizardPage(page);
  await wizard.goto();
  await wizard.displayName.fill('A Remote Developer');
  await wizard.submitName('Made remotely');
  await wizard.expectState('addingUrls');
  // What the service keeps is still there when the page asks again.
  await page.goto('/settings');
  await expect(new SettingsPage(page).displayName.root).toContainText('A Remote Developer');
  await wizard.goto();
  await wizard.addUrl('https://app.example.org');
  await wizard.createProject.click();
  await wizard.expectState('summarised');
  const curl = await wizard.readCurl();
  expect(curl).toContain(portal.url);
  await paste(`curl() { command curl -sS "$@"; }\n${curl}`);
  await expect(wizard.firstCall).toContainText('200');
  await page.goto('/usage');
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible();
  const rows = page.getByRole('row').filter({ hasText: '/api/v1/key' });
  await expect(rows).toHaveCount(1);
  await paste(`curl() { command curl -sS "$@"; }\n${curl}`);
  await expect(rows).toHaveCount(2);

  const token = await tokenOf(page);
  expect(await statusOf(page, `${portal.url}/devportal/v1/user/projects`, token)).toBe(200);
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(`${portal.url}/login`);
  expect(await tokenOf(page)).toBeNull();
  expect(await statusOf(page, `${service.url}/api/v1/auth/user`, token)).toBe(401);
  expect(await statusOf(page, `${portal.url}/devportal/v1/user/projects`, token)).toBe(401);

  await login.goto();
  await login.login(email, password);
  await new ProjectsPage(page).goto('Made remotely');
  await expect(page.getByRole('heading', { name: 'Made remotely', exact: true })).toBeVisible();
});

test('by wallet through the hosted panel: the message names the page, not the service', async ({
  page,
  wallet,
  stage: { portal },
  machine,
}) => {
  const login = new LoginPage(page);
  await login.goto();
  const verified = page.waitForRequest('**/api/v1/message/verify');
  await login.useWallet('Test Wallet');
  const { message } = (await verified).postDataJSON() as { message: { domain: string; uri: string } };
  expect(message).toMatchObject({ domain: new URL(portal.url).host, uri: portal.url });
  await expect(page).toHaveURL(`${portal.url}/`);
  await machine('session').is('signedIn.current');
  expect(wallet.calls).toContain('personal_sign');
});

test('with Google through the hosted panel', async ({ page, stage: { portal, service }, machine }) => {
  const login = new LoginPage(page);
  await login.goto();
  await login.leaveFor('Google');
  await expect(page).toHaveURL((url) => url.origin === service.url);
  await new ProviderPage(page, 'Google').signIn(newEmail());
  await login.expectSuccess();
  await expect(page).toHaveURL(`${portal.url}/`);
  await machine('session').is('signedIn.current');
});

test('what only the portal that keeps the account may change is named, with the way there, and nobody is signed out', async ({
  page,
  browser,
  stage: { portal, service },
  machine,
}) => {
  const login = new LoginPage(page);
  await login.goto();
  const email = newEmail();
  await login.register(email, password);
  const host = new URL(service.url).host;
  const note = page.getByRole('note').filter({ hasText: `${host} manages your account` });
  const way = note.getByRole('link', { name: `Open ${host}` });

  await page.goto('/login?from=profile');
  await expect(way).toHaveAttribute('href', `${service.url}/login?from=profile`);
  await expect(login.connectWallet).toBeHidden();
  await page.goto('/profile');
  await expect(note).toHaveCount(2);
  await expect(page.getByRole('link', { name: /Connect/ })).toHaveCount(0);
  const settings = new SettingsPage(page);
  await settings.goto();
  await expect(way).toHaveAttribute('href', `${service.url}/settings`);
  await expect(settings.signOutEverywhere).toBeHidden();

  const atService = await browser.newPage({ baseURL: service.url });
  await new MailboxPage(atService).openLink(email, 'Confirm your email address');
  await atService.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(atService.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible();
  await atService.close();
  await settings.email.edit.click();
  await settings.email.input.fill(newEmail());
  await settings.email.save.click();
  await expect(settings.email.root).toContainText(
    `Your account is managed at ${host}. Change your confirmed email there.`,
  );
  await expect(page).toHaveURL(`${portal.url}/settings`);
  await machine('session').is('signedIn.current');
});

test('while the service is down: public pages and calls with a key work, signed-in calls say so, nobody is signed out; when it is back all works', async ({
  page,
  request,
  stage: { portal, service },
  machine,
  playwright,
}) => {
  // As a page of the portal calls the service, so that the tokens are made for the portal.
  const api = await playwright.request.newContext({
    baseURL: service.url,
    extraHTTPHeaders: { origin: portal.url },
  });
  const owner = await register(api);
  const { apiKey } = await createProject(request, owner, {
    projectName: 'Outlasts',
    whitelistURL: ['https://app.example.org'],
  });
  // The portal has not asked about this one yet, so that nothing it remembers helps.
  const signedIn = await register(api);
  await signIn(page, signedIn);
  await api.dispose();

  await service.stop();
  try {
    for (const [path, text] of [
      ['/faq', 'Coming Soon'],
      ['/games-sdk-integration-guide', 'Games SDK'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByText(text).first()).toBeVisible();
      await machine('session').is('signedIn.current');
    }
    const called = await request.get('/api/v1/key', { headers: { 'X-API-Key': apiKey } });
    expect(called.status()).toBe(200);
    expect((await request.get('/health/ready')).status()).toBe(200);

    await page.goto('/projects');
    await expect(page.getByText('Failed to load projects')).toBeVisible({ timeout: 30_000 });
    const answer = await request.get('/api/keys', {
      headers: { authorization: `Bearer ${signedIn.accessToken}` },
    });
    expect(answer.status()).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'identity.unavailable' });
    await expect(page).toHaveURL(`${portal.url}/projects`);
    expect(await tokenOf(page)).toBe(signedIn.accessToken);
    await machine('session').is('signedIn.current');

    const stranger = await page.context().browser()!.newPage();
    await stranger.goto(`${portal.url}/login`);
    await expect(stranger.getByText('Failed to load the sign-in panel')).toBeVisible();
    await stranger.close();
  } finally {
    await service.start();
  }

  const retry = page.getByRole('button', { name: 'Retry' });
  const projects = page.getByText('There are no projects to display');
  await expect(async () => {
    // Each answer is one or the other; an attempt made too early is answered by another Retry.
    await expect(retry.or(projects)).toBeVisible();
    if (await retry.isVisible()) await retry.click({ timeout: 1_000 });
    await expect(projects).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 40_000 });
  expect(await tokenOf(page)).toBe(signedIn.accessToken);
});
