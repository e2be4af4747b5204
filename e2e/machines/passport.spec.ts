import { expect, type Page } from '@playwright/test';
import { machineTest as test } from '../fixtures/machine';

/** The part of React that the panel takes from its page. */
interface Hooks {
  useState(first: boolean): [boolean, (next: boolean) => void];
  createElement(type: string, props: object, text: string): unknown;
}

/** Serves this script instead of the widget. */
const servePanel = (page: Page, script: string) =>
  page.route('**/widget/passport.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );

test('the login widget shows why it failed to load, and a retry starts over', async ({ page, machine }) => {
  const errors: string[] = [];
  const thrown: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => thrown.push(error.message));
  const passport = page.locator('[data-machine="passport"]');
  const alert = passport.getByRole('alert');
  const retry = page.getByRole('button', { name: 'Retry' });
  await page.clock.install();

  await test.step('a failed request for the version info is shown', async () => {
    for (const status of [404, 500]) {
      await page.route('**/api/v1/settings/version', (route) => route.fulfill({ status, body: 'no' }));
      await (status === 404 ? page.goto('/login') : retry.click());
      await machine('passport').is('failed');
      await expect(page.getByText('Failed to load the login widget')).toBeVisible();
      await expect(alert).toContainText('The identity service isn’t responding.');
      await expect
        .poll(() => errors.join('\n'))
        .toMatch(new RegExp(`Error: HTTP error! Status: ${status}\\b`));
    }
    await page.unroute('**/api/v1/settings/version');
  });
  await test.step('a stylesheet that fails to load is named and logged', async () => {
    await page.route('**/widget/passport.css', (route) => route.abort());
    await retry.click();
    const sentence = page.getByText(/^Failed to load css: http.*\/widget\/passport\.css$/);
    await expect(sentence).toBeVisible();
    await machine('passport').is('failed');
    const text = await sentence.innerText();
    await expect.poll(() => errors.join('\n')).toContain(`Unhandled promise rejection: Error: ${text}`);
    expect(thrown).toEqual([]);
    await page.unroute('**/widget/passport.css');
  });
  await test.step('a script that fails to load is named', async () => {
    await page.route('**/widget/passport.js', (route) => route.abort());
    await retry.click();
    await expect(page.getByText(/^Failed to load script: http.*\/widget\/passport\.js$/)).toBeVisible();
    await machine('passport').is('failed');
    await page.unroute('**/widget/passport.js');
  });
  await test.step('a panel that has not loaded after 15 seconds is announced as late', async () => {
    await servePanel(page, '');
    await retry.click();
    await machine('passport').is('loadingAssets');
    await page.clock.fastForward(9_000);
    await machine('passport').is('loadingAssets');
    await page.clock.fastForward(6_000);
    await machine('passport').is('late');
    await expect(alert).toContainText('This is taking longer than 15 seconds.');
  });
  await test.step('a panel that uses the passport before it is available shows its error', async () => {
    await servePanel(
      page,
      `window.Bedrock = {
         BedrockPassportProvider: ({ children }) => children,
         LoginPanel: () => { throw new Error('useBedrockPassport is not available yet'); },
       };`,
    );
    await retry.click();
    await expect(alert).toContainText('useBedrockPassport is not available yet');
    await machine('passport').is('failed');
  });
  await test.step('a panel that loads late is shown, and one that throws removes only itself', async () => {
    await servePanel(page, '');
    await page.evaluate(() => Reflect.deleteProperty(window, 'Bedrock'));
    await retry.click();
    await machine('passport').is('loadingAssets');
    await page.clock.fastForward(15_000);
    await machine('passport').is('late');
    await page.evaluate(() => {
      const { useState, createElement } = (window as unknown as { React: Hooks }).React;
      const Panel = () => {
        const [isBroken, setBroken] = useState(false);
        if (isBroken) throw new Error('The panel fell over');
        return createElement('button', { onClick: () => setBroken(true) }, 'Push');
      };
      const Provider = ({ children }: { children: unknown }) => children;
      Object.assign(window, { Bedrock: { BedrockPassportProvider: Provider, LoginPanel: Panel } });
    });
    await machine('passport').is('ready');
    await expect(alert).toHaveCount(0);
    await page.getByRole('button', { name: 'Push' }).click();
    await machine('passport').is('failed');
    await expect(alert).toContainText('The panel fell over');
    await expect(page.getByText('One sign-in for every app you build.')).toBeVisible();
  });
  await test.step('the panel loads', async () => {
    await page.unroute('**/widget/passport.js');
    await page.evaluate(() => Reflect.deleteProperty(window, 'Bedrock'));
    await retry.click();
    await machine('passport').is('ready');
    await expect(page.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
  });
});
