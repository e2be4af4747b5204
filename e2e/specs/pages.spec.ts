import { expect } from '@playwright/test';
import { register, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';

test.describe('a visitor', () => {
  test('sees the landing page, without an error in the console', async ({ page }) => {
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Build, Launch, and Scale with Orange ID',
    );
    expect(problems).toEqual([]);
  });

  test('copies a command that runs as it stands and an answer that is JSON, readable on a phone', async ({
    page,
    context,
    baseURL,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/');
    const copy = async (what: string) => {
      await page.getByRole('button', { name: `Copy ${what}`, exact: true }).click();
      await expect(page.getByRole('button', { name: 'Copied!' })).toHaveCount(1);
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const command = await copy('curl command');
    expect(command).toBe(`curl -H 'X-API-Key: YOUR_API_KEY' \\\n  '${baseURL}/api/v1/key'`);
    await expect(page.getByRole('button', { name: 'Copy curl command' })).toBeVisible();
    expect(JSON.parse(await copy('example answer'))).toMatchObject({ project: { name: 'Acme' } });

    // Selected by hand it is the same; what does not fit wraps instead of leaving the box or the page.
    const shown = page.getByLabel('curl command', { exact: true });
    await shown.evaluate((box) => getSelection()?.selectAllChildren(box));
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(command);
    const overflow = (box: Element) => box.scrollWidth - box.clientWidth;
    for (const box of await page.locator('pre, html').all()) expect(await box.evaluate(overflow)).toBe(0);
  });

  for (const path of [
    '/dashboard',
    '/profile',
    '/api',
    '/projects',
    '/settings',
    '/customisation',
    '/usage',
    '/orange-id',
  ]) {
    test(`is led from ${path} to the sign-in page`, async ({ page }) => {
      await page.goto(path);
      await expect(page).toHaveURL('/login');
      await expect(page.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
    });
  }

  test('is told at an unknown address that there is no such page, with status 404', async ({ page }) => {
    const response = await page.goto('/no-such-page');
    expect(response?.status()).toBe(404);
    await expect(page.getByText('Page Not Found')).toBeVisible();
  });

  test('reads Coming Soon on the FAQ page', async ({ page }) => {
    await page.goto('/faq');
    await expect(page.getByText('Coming Soon')).toBeVisible();
  });
});

test('who is signed in is told on the customisation page that its configurator is still to come', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request));
  await page.goto('/customisation');
  await expect(page.getByRole('heading', { name: 'Widget Customisation' })).toBeVisible();
  await expect(
    page.getByText('Customize your widgets and appearance settings', { exact: true }),
  ).toBeVisible();
  await expect(page.getByText('The widget configurator is not here yet.')).toBeVisible();
});
