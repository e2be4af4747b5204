import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { registerWithKey } from '../fixtures/usage';

const reference = (page: Page) => page.frameLocator('iframe[title="API reference"]');

test('the reference lists metered calls first, fits the page, sends real calls, and has links to keys, projects and the OpenAPI file', async ({
  page,
  machine,
}) => {
  const { account, apiKey } = await registerWithKey(page.request, 'Acme Shop');
  const frame = reference(page);
  const main = page.getByRole('main');
  await signIn(page, account);
  await page.goto('/usage');
  await page.goto('/api');
  await machine('referenceFrame').is('shown');
  await expect(page.getByRole('heading', { name: 'API', level: 1, exact: true })).toBeVisible();
  await expect(frame.locator('.opblock-tag').first()).toContainText('Calls with an API key');
  await expect(frame.getByRole('heading', { name: /^Identity/ })).toBeAttached();

  // Only the outer page scrolls, and a dialog opens in the visible part.
  const below = () =>
    frame.locator('html').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  await expect.poll(below).toBe(0);
  await frame.getByRole('button', { name: 'authorization button' }).last().click();
  const dialog = frame.locator('.dialog-ux');
  await expect(dialog.locator('.modal-ux')).toBeInViewport({ ratio: 1 });
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await frame.getByRole('button', { name: 'Authorize', exact: true }).first().click();
  const keyForm = dialog.locator('.auth-container', { hasText: 'X-API-Key' });
  await keyForm.getByRole('textbox').fill(apiKey);
  await keyForm.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const call = frame.locator('.opblock', { hasText: '/api/v1/key' }).first();
  await call.locator('.opblock-summary-control').click();
  await call.getByRole('button', { name: 'Execute' }).click();
  await expect(call.locator('.live-responses-table .response-col_status').last()).toContainText('200');
  await expect(call.locator('.live-responses-table')).toContainText('Acme Shop');

  await expect(main.getByRole('link', { name: 'API Keys' })).toHaveAttribute('href', '/keys');
  await expect(main.getByRole('link', { name: 'My Projects' })).toHaveAttribute('href', '/projects');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    main.getByRole('link', { name: 'Download OpenAPI' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('openapi.json');
  const [own] = await Promise.all([
    page.waitForEvent('popup'),
    main.getByRole('link', { name: 'Open in new tab' }).click(),
  ]);
  await expect(own.locator('.opblock-tag').first()).toContainText('Calls with an API key');
  await own.close();

  await page.goBack();
  await expect(page).toHaveURL('/usage');
  await expect(page.getByRole('region', { name: 'Calls', exact: true })).toContainText('/api/v1/key');
});

test('the reference follows the portal’s colour mode, and its text is readable in both', async ({ page }) => {
  const { account } = await registerWithKey(page.request, 'Acme Shop');
  await signIn(page, account);
  await page.goto('/api');
  const frame = reference(page);
  const opened = [
    '/api/v1/wallet/balance',
    '/devportal/v1/project',
    '/api/keys/{id}',
    '/api/projects/{code}',
  ];
  for (const path of opened) {
    await frame.locator('.opblock-summary-control', { hasText: path }).first().click();
  }
  await expect(frame.getByRole('button', { name: 'Execute' })).toHaveCount(opened.length);
  for (const [theme, text, frameClass] of [
    ['dark', 'rgb(245, 241, 236)', /^dark-mode$/],
    ['light', 'rgb(28, 25, 23)', /^$/],
  ] as const) {
    await page.getByRole('button', { name: `Switch to ${theme} theme` }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'API' })).toHaveCSS('color', text);
    await expect(frame.locator('html')).toHaveClass(frameClass);
    // Its buttons have colour transitions.
    await frame
      .locator('html')
      .evaluate(({ ownerDocument }) =>
        Promise.allSettled(ownerDocument.getAnimations().map(({ finished }) => finished)),
      );
    const { violations } = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze();
    expect(violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);
  }
});
