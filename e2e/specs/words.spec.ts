import { expect } from '@playwright/test';
import { appRoutes, documentTitle } from '@orange-id/contract/app.routes';
import { register, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { openSettled } from '../fixtures/walk';
import { LoginPage } from '../pages/login.page';

test('the sign-in page has the spec’s title, four ways in, and a separator before the wallet', async ({
  page,
}) => {
  const login = new LoginPage(page);
  await login.goto();
  const panel = page.locator('[data-machine="loginPanel"]');
  await expect(panel.getByText('Sign in to', { exact: true })).toBeVisible();
  await expect(panel.getByText('OR', { exact: true })).toBeVisible();
  await expect(panel.getByRole('button')).toHaveText([
    'Continue with Google',
    'Continue with Apple',
    'Continue with email',
    'Connect Wallet',
  ]);
});

test('the dialog leads to Apple as well', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Orange ID' }).click();
  const left = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/login');
  await page.getByRole('button', { name: 'Continue with Apple' }).click();
  expect(new URL((await left).url()).searchParams.get('provider')).toBe('apple');
});

test('each page has its title in the tab and its entry of the sidebar is no link', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request));
  const entries: Record<string, string> = {
    '/': 'Home',
    '/dashboard': 'Home',
    '/projects': 'My Projects',
    '/orange-id': 'Orange ID',
    '/customisation': 'Customisation',
    '/keys': 'API Keys',
    '/usage': 'Usage',
  };
  for (const [path, { title }] of Object.entries(appRoutes)) {
    if (path === '/login' || path === '/auth/callback') continue;
    await openSettled(page, path);
    await expect(page).toHaveTitle(documentTitle(title));
    const current = page.getByRole('navigation', { name: 'Portal' }).locator('[aria-current=page]');
    await expect(current).toHaveText(entries[path] === undefined ? [] : [entries[path]]);
    await expect(current.and(page.getByRole('link'))).toHaveCount(0);
  }
  expect(Object.values(appRoutes).map(({ title }) => title)).toEqual([
    'Home',
    'Sign in',
    'Signing in',
    'Documentation',
    'FAQ',
    'Games SDK Guide',
    'Orange ID',
    'Dashboard',
    'My Profile',
    'API',
    'My Projects',
    'Settings',
    'Widget Customisation',
    'API Keys',
    'Usage',
  ]);
});

test('going on inside the portal changes the title and the description', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click();
  await expect(page).toHaveTitle('FAQ · Orange ID for developers');
  await expect(page.locator('meta[name=description]')).toHaveAttribute(
    'content',
    'Questions developers ask about Orange ID.',
  );
});

test('the account menu is driven by the keyboard alone', async ({ page, request }) => {
  await signIn(page, await register(request));
  await page.goto('/faq');
  const button = page.getByRole('button', { name: /^Account menu/ });
  await button.focus();
  await page.keyboard.press('Enter');
  const entry = (name: string) => page.getByRole('menuitem', { name });
  await expect(entry('Profile')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(entry('Settings')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await page.keyboard.press('ArrowUp');
  await expect(entry('Sign out')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
});

test('the panel of the documentation is driven by the keyboard alone', async ({ page }) => {
  await page.goto('/');
  const docs = page.getByRole('button', { name: 'Docs', exact: true });
  await docs.focus();
  await page.keyboard.press('Enter');
  await expect(docs).toHaveAttribute('aria-expanded', 'true');
  const panel = page.locator(`[id="${await docs.getAttribute('aria-controls')}"]`);
  await page.keyboard.press('Tab');
  await expect(panel.getByRole('link').first()).toBeFocused();
  await docs.focus();
  await page.keyboard.press('Space');
  await expect(docs).toHaveAttribute('aria-expanded', 'false');
});

test('a copied snippet says so for 2 seconds', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  await page.goto('/');
  const access = page.getByRole('button', { name: 'API access', exact: true });
  await access.click();
  await expect(access).toHaveAttribute('aria-expanded', 'true');
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Copy curl command' }).click();
  const told = page.getByRole('button', { name: 'Copied!' });
  await expect(told).toBeVisible();
  await page.clock.runFor(1_900);
  await expect(told).toBeVisible();
  await page.clock.runFor(200);
  await expect(told).toHaveCount(0);
});
