import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { registerWithKey } from '../fixtures/usage';

const framedPath = '**/api/docs';
const documentPath = '**/api/openapi.json';

/** `/api` of a new developer with one project. */
async function openReference(page: Page, projectName = 'Acme Shop') {
  const { account, apiKey } = await registerWithKey(page.request, projectName);
  await signIn(page, account);
  await page.goto('/api');
  return { apiKey, frame: page.frameLocator('iframe[title="API reference"]') };
}

test('the reference shows every call, metered ones first, and a call tried there is a real one', async ({
  page,
  machine,
}) => {
  const { apiKey, frame } = await openReference(page);
  await page.goto('/usage');
  await page.goto('/api');
  await machine('referenceFrame').is('shown');
  await expect(page.getByRole('heading', { name: 'API', level: 1, exact: true })).toBeVisible();
  await expect(frame.locator('.opblock-tag').first()).toContainText('metered');
  await expect(frame.getByRole('heading', { name: /^identity/ })).toBeAttached();

  await frame.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = frame.locator('.dialog-ux');
  await dialog.getByRole('textbox').last().fill(apiKey);
  await dialog.getByRole('button', { name: 'Apply credentials' }).last().click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const call = frame.locator('.opblock', { hasText: '/api/v1/key' }).first();
  await call.locator('.opblock-summary-control').click();
  await call.getByRole('button', { name: 'Execute' }).click();
  await expect(call.locator('.live-responses-table .response-col_status').last()).toContainText('200');
  await expect(call.locator('.live-responses-table')).toContainText('Acme Shop');

  await page.goBack();
  await expect(page).toHaveURL('/usage');
  await expect(page.getByRole('region', { name: 'Calls', exact: true })).toContainText('/api/v1/key');
});

test('its ways out: the document as a file, the page in a tab of its own, the keys', async ({ page }) => {
  await openReference(page);
  const main = page.getByRole('main');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    main.getByRole('link', { name: 'Download OpenAPI' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('openapi.json');
  const [own] = await Promise.all([
    page.waitForEvent('popup'),
    main.getByRole('link', { name: 'Open in new tab' }).click(),
  ]);
  await expect(own.locator('.opblock-tag').first()).toContainText('metered');
  await expect(main.getByRole('link', { name: 'API Keys' })).toHaveAttribute('href', '/keys');
  await expect(main.getByRole('link', { name: 'My Projects' })).toHaveAttribute('href', '/projects');
});

test('it follows the colours chosen in the portal, and what can be read in them is readable', async ({
  page,
}) => {
  const { frame } = await openReference(page);
  const root = frame.locator('html');
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
    await expect(root).toHaveClass(frameClass);
    const { violations } = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze();
    expect(violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);
  }
});

for (const [what, path] of [
  ['the page', framedPath],
  ['the document', documentPath],
] as const) {
  test(`where ${what} cannot be had it says so, and Retry brings it`, async ({ page, machine }) => {
    await page.route(path, (route) => route.fulfill({ status: 503, body: 'down' }));
    const { frame } = await openReference(page);
    await machine('referenceFrame').is('failed');
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Failed to load the API reference');
    await page.unroute(path);
    await page.route(path, (route) => route.abort('internetdisconnected'));
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Failed to load the API reference');
    await page.unroute(path);
    await page.getByRole('button', { name: 'Retry' }).click();
    await machine('referenceFrame').is('shown');
    await expect(frame.locator('.opblock-tag').first()).toContainText('metered');
  });
}

test('what never comes has failed after 30 s', async ({ page, machine }) => {
  await page.clock.install();
  await page.route(documentPath, () => undefined);
  await openReference(page);
  await machine('referenceFrame').is('loading');
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  // Nobody but the frame is believed.
  await page.evaluate(
    () =>
      new Promise((heard) => {
        window.addEventListener('message', heard, { once: true });
        window.postMessage({ type: 'reference.drawn' }, window.location.origin);
      }),
  );
  await machine('referenceFrame').is('loading');
  await page.clock.fastForward(30_000);
  await machine('referenceFrame').is('failed');
});
