import { expect, type Page } from '@playwright/test';
import { machineTest as test } from '../fixtures/machine';

/** Serves this as the panel's script, in place of the widget. */
const servePanel = (page: Page, script: string) =>
  page.route('**/widget/passport.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
const alert = (page: Page) => page.locator('[data-machine="passport"]').getByRole('alert');

test('a stylesheet that does not load is named, logged and goes no further; a retry loads it', async ({
  page,
  machine,
}) => {
  const errors: string[] = [];
  const thrown: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => thrown.push(error.message));
  await page.route('**/widget/passport.css', (route) => route.abort());
  await page.goto('/login');
  await machine('passport').is('failed');
  const sentence = page.getByText(/^Failed to load css: http.*\/widget\/passport\.css$/);
  await expect(sentence).toBeVisible();
  const text = await sentence.innerText();
  await expect.poll(() => errors.join('\n')).toContain(`Unhandled promise rejection: Error: ${text}`);
  expect(thrown).toEqual([]);
  await page.unroute('**/widget/passport.css');
  await page.getByRole('button', { name: 'Retry' }).click();
  await machine('passport').is('ready');
  await expect(page.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
});

test('a script that brings no panel is announced as late after 15 seconds', async ({ page, machine }) => {
  await page.clock.install();
  await servePanel(page, '');
  await page.goto('/login');
  await machine('passport').is('loadingAssets');
  await page.clock.fastForward(9_000);
  await machine('passport').is('loadingAssets');
  await page.clock.fastForward(6_000);
  await machine('passport').is('late');
  await expect(alert(page)).toContainText('It didn’t load within 15 seconds.');
});

test('a panel that uses the passport before it has come is told in its own words', async ({
  page,
  machine,
}) => {
  await servePanel(
    page,
    `window.Bedrock = {
       BedrockPassportProvider: ({ children }) => children,
       LoginPanel: () => { throw new Error('useBedrockPassport is not available yet'); },
     };`,
  );
  await page.goto('/login');
  await machine('passport').is('failed');
  await expect(alert(page)).toContainText('useBedrockPassport is not available yet');
});

test('a panel that breaks later takes only itself away', async ({ page, machine }) => {
  await servePanel(
    page,
    `const { useState, createElement } = window.React;
     window.Bedrock = {
       BedrockPassportProvider: ({ children }) => children,
       LoginPanel: () => {
         const [isBroken, setBroken] = useState(false);
         if (isBroken) throw new Error('The panel fell over');
         return createElement('button', { onClick: () => setBroken(true) }, 'Push');
       },
     };`,
  );
  await page.goto('/login');
  await machine('passport').is('ready');
  await page.getByRole('button', { name: 'Push' }).click();
  await machine('passport').is('failed');
  await expect(alert(page)).toContainText('The panel fell over');
  await expect(page.getByText('One sign-in for every app you build.')).toBeVisible();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('button', { name: 'Push' })).toBeVisible();
});

test("version info refused is logged as 'HTTP error! Status: N'", async ({ page, machine }) => {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  for (const status of [404, 500]) {
    await page.route('**/api/v1/settings/version', (route) => route.fulfill({ status, body: 'no' }));
    await page.goto('/login');
    await machine('passport').is('failed');
    expect(errors.some((line) => new RegExp(`Error: HTTP error! Status: ${status}\\b`).test(line))).toBe(
      true,
    );
  }
});
