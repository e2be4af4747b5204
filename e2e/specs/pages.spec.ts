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

  for (const path of [
    '/dashboard',
    '/profile',
    '/api',
    '/projects',
    '/settings',
    '/customisation',
    '/keys',
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
    for (const path of ['/no-such-page', '/%', '/%ff/x']) {
      const response = await page.goto(path);
      expect(response?.status()).toBe(404);
      await expect(page.getByText('Page Not Found')).toBeVisible();
    }
  });

  test('reads Coming Soon on the FAQ page', async ({ page }) => {
    await page.goto('/faq');
    await expect(page.getByText('Coming Soon')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open the API reference' })).toHaveAttribute('href', '/api');
  });
});

test('the page shows no focus ring when the focus is led to it, by keyboard', async ({ page }) => {
  await page.goto('/faq');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('main')).toHaveCSS('outline-style', 'none');
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
  await expect(page.getByText('The widget configurator isn’t available yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to My Projects' })).toHaveAttribute('href', '/projects');
});
