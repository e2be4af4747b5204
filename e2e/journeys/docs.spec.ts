import { expect, type Page } from '@playwright/test';
import { register, signIn } from '../fixtures/account';
import { axeFindings } from '../fixtures/axe';
import { machineTest as test } from '../fixtures/machine';
import { tooWideElements } from '../fixtures/width';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a visitor reads the whole documentation, and a link to an endpoint leads there', async ({ page }) => {
    await page.goto('/docs#reference-token');
    for (const name of ['Make your first call', 'Security tips', 'Get wallet balance', 'Swap tokens']) {
      await expect(heading(page, name)).toBeVisible();
    }
    await expect(page.locator('#reference-token')).toBeInViewport();
    const command = `'${new URL(page.url()).origin}/api/v1/key'`;
    await expect(page.locator('#overview-first-call').getByText(command)).toBeVisible();
  });
});

test('a deep link shows its tab from the first paint on, hydrates without errors, and works with the keyboard', async ({
  page,
}) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.addInitScript(() => {
    const seen: string[] = [];
    const look = () => {
      const shown = [...document.querySelectorAll('[role=tabpanel]')].filter((panel) =>
        panel.checkVisibility(),
      );
      if (shown.length > 0) seen.push(shown.map(({ id }) => id).join(' '));
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    Object.assign(window, { panelsSeen: seen });
  });
  await page.goto('/docs#authentication-tips');
  await expect(page.getByRole('searchbox', { name: 'Search documentation' })).toBeEnabled();
  await expect(heading(page, 'Security tips')).toBeInViewport();
  const seen = await page.evaluate(() => (window as unknown as { panelsSeen: string[] }).panelsSeen);
  expect([...new Set(seen)]).toEqual(['authentication']);

  await test.step('a tab, an endpoint in the contents, Back and the search lead to the right place', async () => {
    await page.getByRole('tab', { name: 'Authentication' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL('/docs#reference');
    await expect(page.getByRole('tab', { name: 'API Reference' })).toBeInViewport();
    await page.getByRole('tabpanel').getByRole('link', { name: 'Get a token', exact: true }).click();
    await expect(page).toHaveURL('/docs#reference-token');
    await expect(heading(page, 'Get a token')).toBeInViewport();
    await page.goBack();
    await expect(page.getByRole('tab', { name: 'API Reference' })).toBeInViewport();
    await page.getByRole('searchbox').fill('yields');
    await expect(page).toHaveURL('/docs?q=yields#reference');
    await expect(heading(page, 'List yields')).toBeVisible();
    await expect(heading(page, 'Get a token')).toHaveCount(0);
    await expect(page.getByRole('searchbox')).toBeFocused();
  });
  expect(errors).toEqual([]);
});

test('the Authentication and API Reference tabs pass axe and fit a phone, for a visitor and for a user', async ({
  page,
  request,
}) => {
  for (const who of ['visitor', 'user']) {
    if (who === 'user') await signIn(page, await register(request));
    const found: unknown[] = [];
    for (const tab of ['authentication', 'reference']) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`/docs#${tab}`);
      await expect(page.getByRole('searchbox', { name: 'Search documentation' })).toBeEnabled();
      found.push(...(await axeFindings(page)));
      await page.setViewportSize({ width: 320, height: 640 });
      found.push(...(await tooWideElements(page)));
      found.push(...(await axeFindings(page, { isSecondLook: true })));
    }
    expect([who, ...found]).toEqual([who]);
  }
});
