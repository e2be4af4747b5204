import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { createProject, newEmail, password, register, signIn } from '../fixtures/account';
import { openGate, type Gate } from '../fixtures/gate';
import { freePort, preparePortal, type PortalProcess } from '../fixtures/portal.process';
import { paste } from '../fixtures/shell';
import { walletTest } from '../fixtures/wallet';
import { LoginPage } from '../pages/login.page';
import { ProjectsPage } from '../pages/projects.page';
import { ProviderPage } from '../pages/provider.page';
import { SettingsPage } from '../pages/settings.page';
import { WizardPage } from '../pages/wizard.page';

/** A portal that uses a hosted identity service, and a second portal that serves as that service, behind a gate. */
interface Stage {
  portal: PortalProcess;
  service: Gate;
}

const test = walletTest.extend<{ refusedByPolicy: string[]; atService: APIRequestContext }, { stage: Stage }>(
  {
    stage: [
      async ({ playwright: _ }, use) => {
        const [portalPort, servicePort] = [await freePort(), await freePort()];
        const gate = await openGate(servicePort);
        const service = preparePortal(servicePort, {
          PUBLIC_URL: gate.url,
          IDENTITY_CALLBACKS: `http://localhost:${portalPort}/auth/callback`,
        });
        const portal = preparePortal(portalPort, { IDENTITY_URL: gate.url });
        try {
          await Promise.all([service.start(), portal.start()]);
          await use({ portal, service: gate });
        } finally {
          await gate.shut();
          await Promise.all([portal.remove(), service.remove()]);
        }
      },
      { scope: 'worker', timeout: 120_000 },
    ],
    baseURL: async ({ stage }, use) => use(stage.portal.url),
    /** Calls the service with the portal's origin, so that the tokens are issued for the portal. */
    atService: async ({ playwright, stage: { portal, service } }, use) => {
      const extraHTTPHeaders = { origin: portal.url };
      const context = await playwright.request.newContext({ baseURL: service.url, extraHTTPHeaders });
      await use(context);
      await context.dispose();
    },
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
  },
);

const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('accessToken'));
const ask = (page: Page, url: string, token: string | null) =>
  page.request.get(url, { headers: { authorization: `Bearer ${token}` } });

/** Confirms this address with the token of the newest link emailed to it. */
async function confirmEmail(atService: APIRequestContext, email: string): Promise<void> {
  let token = '';
  await expect(async () => {
    const mails = await (await atService.get('/dev/mailbox')).text();
    [, token = ''] = /email\/confirm\?token=([\w-]+)/.exec(mails.slice(mails.indexOf(email))) ?? [];
    expect(mails).toContain(email);
    expect(token).not.toBe('');
  }).toPass();
  const answer = await atService.post('/api/v1/auth/email/confirm', { data: { token } });
  expect(await answer.json()).toEqual({ email, emailVerified: true });
}

test('a user registers by email through the hosted panel, completes the profile, creates a project, sees its call and signs out', async ({
  page,
  stage: { portal, service },
  machine,
}) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  const login = new LoginPage(page);
  const email = newEmail();

  await test.step('the panel is loaded from the service, and signs in', async () => {
    await login.goto();
    expect(loaded).toContain(`${service.url}/api/v1/settings/version`);
    expect(loaded).toContain(`${service.url}/widget/passport.css`);
    expect(loaded).toContain(`${service.url}/widget/passport.js`);
    await login.register(email, password);
    await expect(page).toHaveURL(`${portal.url}/`);
    await machine('session').is('signedIn.current');
    expect(loaded).toContain(`${portal.url}/api/auth/bedrock`);
    expect(loaded).not.toContain(`${portal.url}/api/v1/auth/user`);
  });
  const token = await tokenOf(page);
  await test.step('the service stores the profile, and the portal the project, whose first call is shown live', async () => {
    const wizard = new WizardPage(page);
    await wizard.goto();
    await wizard.displayName.fill('A Remote Developer');
    await wizard.submitName('Made remotely');
    await wizard.expectState('addingUrls');
    const user = await ask(page, `${service.url}/api/v1/auth/user`, token);
    expect(await user.json()).toMatchObject({ displayName: 'A Remote Developer' });
    await wizard.addUrl('https://app.example.org');
    await wizard.createProject.click();
    await wizard.expectState('summarised');
    const curl = await wizard.readCurl();
    expect(curl).toContain(portal.url);
    await paste(`curl() { command curl -sS "$@"; }\n${curl}`);
    await expect(wizard.firstCall).toContainText('200');
  });
  await test.step('signing out ends the session at the portal and at the service', async () => {
    expect((await ask(page, `${portal.url}/devportal/v1/user/projects`, token)).status()).toBe(200);
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(`${portal.url}/login`);
    expect(await tokenOf(page)).toBeNull();
    expect((await ask(page, `${service.url}/api/v1/auth/user`, token)).status()).toBe(401);
    expect((await ask(page, `${portal.url}/devportal/v1/user/projects`, token)).status()).toBe(401);
  });
  await test.step('the next sign-in finds the project', async () => {
    await login.goto();
    await login.login(email, password);
    await new ProjectsPage(page).goto('Made remotely');
    await expect(page.getByRole('heading', { name: 'Made remotely', exact: true })).toBeVisible();
  });
});

test('a user signs in by wallet and with Google through the hosted panel, and the signed message names the page, not the service', async ({
  page,
  wallet,
  stage: { portal, service },
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

  await page.evaluate(() => localStorage.clear());
  await login.goto();
  await login.leaveFor('Google');
  await expect(page).toHaveURL((url) => url.origin === service.url);
  await new ProviderPage(page, 'Google').signIn(newEmail());
  await login.expectSuccess();
  await expect(page).toHaveURL(`${portal.url}/`);
  await machine('session').is('signedIn.current');
});

test('settings that only the account’s own portal can change link there, and the user stays signed in', async ({
  page,
  atService,
  stage: { portal, service },
  machine,
}) => {
  const account = await signIn(page, await register(atService));
  const host = new URL(service.url).host;
  const note = page.getByRole('note').filter({ hasText: `${host} manages your account` });
  const way = note.getByRole('link', { name: `Open ${host}` });

  await page.goto('/login?from=profile');
  await expect(way).toHaveAttribute('href', `${service.url}/login?from=profile`);
  await expect(new LoginPage(page).connectWallet).toBeHidden();
  await page.goto('/profile');
  await expect(note).toHaveCount(2);
  await expect(page.getByRole('link', { name: /Connect/ })).toHaveCount(0);

  await confirmEmail(atService, account.email);
  const settings = new SettingsPage(page);
  await settings.goto();
  // Sign-in methods, and leaving.
  await expect(way).toHaveCount(2);
  for (const link of await way.all()) await expect(link).toHaveAttribute('href', `${service.url}/settings`);
  await expect(settings.signOutEverywhere).toBeHidden();
  await settings.email.edit.click();
  await settings.email.input.fill(newEmail());
  await settings.email.save.click();
  await expect(settings.email.root).toContainText(
    `Your account is managed at ${host}. Change your confirmed email there.`,
  );
  await expect(page).toHaveURL(`${portal.url}/settings`);
  await machine('session').is('signedIn.current');
});

test('while the service is down, public pages and calls with a key work, other pages say so and nobody is signed out; once it is back, everything works', async ({
  page,
  request,
  atService,
  stage: { portal, service },
  machine,
  browser,
}) => {
  const { apiKey } = await createProject(request, await register(atService), {
    projectName: 'Outlasts',
    whitelistURL: ['https://app.example.org'],
  });
  // The portal has never requested this account, so it has no cached data about it.
  const signedIn = await register(atService);
  await signIn(page, signedIn);
  // Holds back the request that starts the live connection. Its retries would open the portal's circuit breaker, which
  // then stops requests to the service for 10 s.
  await page.route('**/api/usage?*', () => undefined);
  const stranger = new LoginPage(await browser.newPage({ baseURL: portal.url }));
  const retry = { name: 'Retry' };

  await service.shut();
  try {
    await stranger.page.goto('/faq');
    await expect(stranger.page.getByText('Coming Soon').first()).toBeVisible();
    const called = await request.get('/api/v1/key', { headers: { 'X-API-Key': apiKey } });
    expect(called.status()).toBe(200);
    expect((await request.get('/health/ready')).status()).toBe(200);

    const refused = page.waitForResponse('**/devportal/v1/user/projects');
    await page.goto('/projects');
    await expect(page.getByText('Failed to load projects')).toBeVisible();
    expect((await refused).status()).toBe(503);
    expect(await (await refused).json()).toMatchObject({ code: 'identity.unavailable' });
    await expect(page).toHaveURL(`${portal.url}/projects`);
    expect(await tokenOf(page)).toBe(signedIn.accessToken);
    await machine('session').is('signedIn.current');

    await stranger.page.goto('/login');
    await expect(stranger.page.getByText('Failed to load the login widget')).toBeVisible();
  } finally {
    await service.open();
  }
  await page.getByRole('button', retry).click();
  await expect(page.getByText('There are no projects to display')).toBeVisible();
  expect(await tokenOf(page)).toBe(signedIn.accessToken);
  await stranger.page.getByRole('button', retry).click();
  await expect(stranger.connectWallet).toBeVisible();
  await stranger.page.close();
});
