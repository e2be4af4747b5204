import { expect } from '@playwright/test';
import { register, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';

test('the reference shows a failure to load or a time-out of 30 s, and Retry loads it', async ({
  page,
  request,
  machine,
}) => {
  const framed = '**/api/docs';
  const openApi = '**/api/openapi.json';
  const reference = machine('referenceFrame');
  const failure = page.getByRole('main').getByRole('alert');
  const retry = page.getByRole('button', { name: 'Retry' });
  const expectFailed = async () => {
    await reference.is('failed');
    await expect(failure).toContainText('Failed to load the API reference');
  };
  await page.clock.install();
  await signIn(page, await register(request));

  await page.route(framed, (route) => route.fulfill({ status: 503, body: 'down' }));
  await page.goto('/api');
  await expectFailed();
  await page.unroute(framed);
  for (const path of [framed, openApi]) {
    await page.route(path, (route) => route.abort('internetdisconnected'));
    await retry.click();
    await expectFailed();
    await page.unroute(path);
  }
  await page.route(openApi, (route) => route.fulfill({ status: 503, body: 'down' }));
  await retry.click();
  await expectFailed();
  await page.unroute(openApi);

  await page.route(openApi, () => undefined);
  await retry.click();
  await reference.is('loading');
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  // The page accepts messages only from the frame.
  await page.evaluate(
    () =>
      new Promise((heard) => {
        window.addEventListener('message', heard, { once: true });
        window.postMessage({ type: 'reference.drawn' }, window.location.origin);
      }),
  );
  await reference.is('loading');
  await page.clock.fastForward(30_000);
  await expectFailed();
  await page.unroute(openApi);

  await retry.click();
  await reference.is('shown');
  const frame = page.frameLocator('iframe[title="API reference"]');
  await expect(frame.locator('.opblock-tag').first()).toContainText('Calls with an API key');
});
