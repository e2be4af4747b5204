import { expect, type Page } from '@playwright/test';
import { axeFindings } from '../fixtures/axe';
import { machineTest as test } from '../fixtures/machine';
import { freePort } from '../fixtures/portal.process';
import { startReactSite } from '../fixtures/react.site';
import { paste } from '../fixtures/shell';
import { registerWithKey } from '../fixtures/usage';
import { isTooWide } from '../fixtures/width';
import { LoginPage } from '../pages/login.page';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const panelHead = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The longest transition or animation of the landing page, in seconds. */
const longestMotion = (page: Page) =>
  page.evaluate(() => {
    const seconds = (text: string) => Math.max(...text.split(',').map((part) => parseFloat(part)));
    return Math.max(
      ...[...document.querySelectorAll('.landing_root, .landing_root *')].flatMap((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element);
        return [seconds(transitionDuration), seconds(animationDuration)];
      }),
    );
  });

test('an opening panel of the landing page stays under the pointer, passes axe, and animates for at most 200 ms', async ({
  page,
}) => {
  await page.goto('/');
  const topOf = async (name: string) => (await panelHead(page, name).boundingBox())!.y;
  for (const name of ['Login widget', 'API access', 'Docs']) {
    const head = panelHead(page, name);
    await head.scrollIntoViewIfNeeded();
    // Playwright scrolls again each time it retries a click on a button that isn't hydrated yet.
    await expect(head).toBeEnabled();
    const before = await topOf(name);
    await head.click();
    await expect(head).toHaveAttribute('aria-expanded', 'true');
    // A panel that closes above this one does not move it away from the pointer; pages scroll by whole pixels.
    expect(Math.abs((await topOf(name)) - before), name).toBeLessThan(1);
    expect([name, await axeFindings(page, { within: 'main' })]).toEqual([name, []]);
    expect([name, await isTooWide(page)]).toEqual([name, false]);
  }
  expect(await longestMotion(page)).toBeLessThan(0.001);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const longest = await longestMotion(page);
  expect(longest).toBeLessThanOrEqual(0.2);
  expect(longest).toBeGreaterThanOrEqual(0.12);
});

test('the landing page loads only pictures for its colour mode and size', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => request.url().endsWith('.webp') && loaded.push(request.url()));
  for (const [width, mode, most] of [
    [1280, 'dark', 120_000],
    [360, 'dark', 26_000],
    [1280, 'light', 120_000],
  ] as const) {
    await page.goto('about:blank');
    loaded.length = 0;
    await page.setViewportSize({ width, height: 740 });
    await page.emulateMedia({ colorScheme: mode });
    await page.goto('/');
    await expect(page.locator('html')).toHaveAttribute('data-theme', mode);
    const shown = page.getByRole('main').locator('picture img').filter({ visible: true });
    await expect(shown).toHaveCount(5);
    for (const picture of await shown.all()) {
      await picture.scrollIntoViewIfNeeded();
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
        .toBeGreaterThan(0);
      expect(await picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toContain(`-${mode}-`);
    }
    expect(loaded).toHaveLength(5);
    for (const url of loaded) {
      expect(url).toContain(`-${mode}-`);
      expect((await (await page.request.get(url)).body()).length, url).toBeLessThanOrEqual(most);
    }
  }
});

test('Make It Yours loads the real widget only on a press, and it follows the settings on a phone', async ({
  page,
}) => {
  const ofPreview: string[] = [];
  page.on('request', (request) => {
    if (/configurator\/|LivePreview/.test(request.url())) ofPreview.push(request.url());
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(ofPreview).toEqual([]);
  await page.getByRole('button', { name: 'Try It Live' }).click();
  const widget = page.frameLocator('iframe[title="Preview of the login widget"]');
  const wallet = widget.getByRole('button', { name: 'Connect Wallet' });
  await expect(wallet).toHaveCSS('background-color', 'rgb(243, 121, 32)');
  await expect(page.getByRole('radio', { name: 'Orange' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(wallet).toHaveCSS('background-color', 'rgb(11, 99, 206)');
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await expect(widget.locator('.oid-login-panel')).toHaveCSS('border-radius', '24px');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(wallet).toHaveCSS('background-color', 'rgb(108, 178, 255)');
  expect(await isTooWide(page)).toBe(false);
  expect(await axeFindings(page, { within: 'main' })).toEqual([]);
});

test('the command and the response are copied unchanged, fit a phone, and the command works when pasted', async ({
  page,
  baseURL,
  request,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  await panelHead(page, 'API access').click();
  const copy = async (what: string) => {
    await page.getByRole('button', { name: `Copy ${what}`, exact: true }).click();
    await expect(page.getByRole('button', { name: 'Copied!' })).toHaveCount(1);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const command = await copy('curl command');
  expect(command).toBe(`curl -H 'X-API-Key: YOUR_API_KEY' \\\n  '${baseURL}/api/v1/key'`);
  await expect(page.getByRole('button', { name: 'Copy curl command' })).toBeVisible();
  expect(JSON.parse(await copy('example response'))).toMatchObject({ project: { name: 'Acme' } });

  // A manual selection gives the same text. Long lines scroll inside the box, also by keyboard, and not with the page.
  const shown = page.getByLabel('curl command', { exact: true });
  await shown.evaluate((box) => getSelection()?.selectAllChildren(box));
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(command);
  await page.setViewportSize({ width: 320, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  const hidden = () => shown.evaluate((box) => box.scrollWidth - box.clientWidth - box.scrollLeft);
  expect(await hidden()).toBeGreaterThan(0);
  await shown.focus();
  await expect(async () => {
    await page.keyboard.press('ArrowRight');
    expect(await hidden()).toBeLessThan(1);
  }).toPass();

  const quiet = (text: string) => `curl() { command curl -sS "$@"; }\n${text}`;
  expect(JSON.parse(await paste(quiet(command)))).toMatchObject({ message: 'Invalid API key' });
  const { apiKey, projectId } = await registerWithKey(request, 'From the landing page');
  const answer = await paste(quiet(command.replace('YOUR_API_KEY', apiKey)));
  expect(JSON.parse(answer)).toMatchObject({ project: { code: projectId, name: 'From the landing page' } });
});

test('the login widget works when its code is pasted into another site, with the ID of a project', async ({
  page,
  baseURL,
  request,
}) => {
  const { projectId } = await registerWithKey(request, 'A React app');
  const siteUrl = `http://localhost:${await freePort()}`;
  await page.goto('/');
  await panelHead(page, 'Login widget').click();
  const code = (await page.getByLabel('login widget', { exact: true }).textContent()) ?? '';
  const site = await startReactSite(code.replaceAll('YOUR_PROJECT_ID', projectId), { origin: siteUrl });
  try {
    await page.goto(siteUrl);
    const asking = page.context().waitForEvent('request', (sent) => sent.url().includes('/auth/authorize?'));
    await new LoginPage(page).withEmail.click();
    const { origin, searchParams } = new URL((await asking).url());
    expect([origin, searchParams.get('tenantId')]).toEqual([baseURL, projectId]);
    expect(searchParams.get('callback')).toMatch(new RegExp(`^${siteUrl}/auth/callback/[-\\d]+$`));
  } finally {
    await site.close();
  }
});
