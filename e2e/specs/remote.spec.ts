import { expect, type Page } from '@playwright/test';
import { createProject, register, signIn } from '../fixtures/account';
import { freePort, preparePortal, type PortalProcess } from '../fixtures/portal.process';
import { walletTest } from '../fixtures/wallet';

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
