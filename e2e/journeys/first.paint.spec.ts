import { expect, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { register, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';

const title = 'Build, Launch, and Scale with Orange ID';

/** The limit for the scripts that `/` loads for a visitor, in bytes of gzip at its default level. */
const budget = 190_000;

/** Records for each frame from the first whether the landing page's headline is visible. */
const watchHeadline = (page: Page) =>
  page.addInitScript((text) => {
    const seen: boolean[] = [];
    const look = () => {
      const headline = [...document.querySelectorAll('h1')].find((one) => one.textContent === text);
      seen.push(headline?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ?? false);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    Object.assign(window, { headlineSeen: seen });
  }, title);
const wasSeen = (page: Page) =>
  page.evaluate(() => (window as unknown as { headlineSeen: boolean[] }).headlineSeen.includes(true));

/** Holds the page's scripts back until the returned function is called. */
async function holdScripts(page: Page, which = '**/assets/*.js'): Promise<() => void> {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(which, async (route) => {
    await arrived;
    await route.continue();
  });
  return arrive;
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, colorScheme: 'dark' });

  test('a visitor can read the landing page, in the system’s colours', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Start Building', exact: true })).toHaveAttribute(
      'href',
      '/orange-id',
    );
    await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(14, 13, 12)');
  });
});

test('the prerendered page waits for no script, loads at most 190 kB of them, and its elements are hydrated', async ({
  page,
}) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  const files = new Map<string, Promise<Buffer>>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') files.set(response.url(), response.body());
  });
  await page.addInitScript(() =>
    document.addEventListener('DOMContentLoaded', () => {
      Object.assign(window, { drawnAhead: document.querySelector('h1') });
    }),
  );
  await page.goto('/', { waitUntil: 'networkidle' });

  const { loaded, asked } = await page.evaluate(() => ({
    loaded: (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).loadEventStart,
    asked: performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ startTime }) => startTime),
  }));
  expect(asked.length).toBeGreaterThan(3);
  // The frame has been drawn by then; the browser may report that some milliseconds later.
  expect(Math.min(...asked)).toBeGreaterThan(loaded);

  const sizes: [string, number][] = [];
  for (const [url, body] of files) sizes.push([new URL(url).pathname, gzipSync(await body).length]);
  // Only test builds contain the registry of machines.
  const shipped = sizes.filter(([path]) => !path.includes('machine.registry'));
  const total = shipped.reduce((sum, [, size]) => sum + size, 0);
  expect(shipped.length).toBeGreaterThan(3);
  expect(total, JSON.stringify(shipped)).toBeLessThanOrEqual(budget);

  await page.getByRole('button', { name: 'Support' }).click();
  await expect(page.getByRole('menuitem', { name: 'FAQ' })).toBeVisible();
  expect(
    await page.evaluate(
      () => (window as unknown as { drawnAhead: Element }).drawnAhead === document.querySelector('h1'),
    ),
  ).toBe(true);
  expect(errors).toEqual([]);
});

test('a page scrolled before its scripts load keeps its position, and a menu clicked then opens once', async ({
  page,
}) => {
  const arrive = await holdScripts(page);
  const asked = page.waitForRequest((request) => request.url().endsWith('.js'));
  await page.goto('/');
  await page.evaluate(() => window.scrollTo(0, 600));
  const support = page.getByRole('button', { name: 'Support' });
  await support.click();
  await asked;
  await expect(support).toHaveAttribute('aria-expanded', 'false');
  arrive();
  await expect(support).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('banner')).toHaveAttribute('data-face', 'scrolled');
  await expect(page.getByRole('menuitem', { name: 'FAQ' })).toBeVisible();
  expect(await page.evaluate(() => window.scrollY)).toBe(600);
  await page.getByRole('button', { name: 'Switch to dark theme' }).press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

for (const [late, held] of [
  ['all scripts', '**/assets/*.js'],
  ['its own code', '**/assets/LandingPage-*.js'],
] as const) {
  test(`clicks and choices on the landing page before ${late} loaded take effect exactly once afterwards`, async ({
    page,
  }) => {
    const arrive = await holdScripts(page, held);
    const asked = page.waitForRequest((request) => request.url().endsWith('.js'));
    await page.goto('/');
    const preview = page.getByRole('figure').filter({ hasText: 'Preview' });
    const users = page.locator('.growth-figures dd').first();
    await page.getByRole('checkbox', { name: 'Email' }).uncheck();
    for (const [group, choice] of [
      ['Region', 'Europe'],
      ['Platform', 'Web'],
    ] as const)
      await page.getByRole('group', { name: group }).getByRole('radio', { name: choice }).check();
    const panel = page.getByRole('button', { name: 'API access' });
    await panel.click();
    await asked;
    const before = await users.textContent();
    await expect(preview).toContainText('Continue with email');
    await expect(panel).toHaveAttribute('aria-expanded', 'false');
    arrive();
    await expect(panel).toHaveAttribute('aria-expanded', 'true');
    await expect(preview).not.toContainText('Continue with email');
    await expect(preview).toContainText('Continue with Google');
    await expect(page.getByRole('checkbox', { name: 'Email' })).not.toBeChecked();
    await expect(users).not.toHaveText(String(before));
    const chosen = await users.textContent();
    await page.getByRole('group', { name: 'Region' }).getByRole('radio', { name: 'All' }).check();
    await expect(users).not.toHaveText(String(chosen));
    await expect(users).not.toHaveText(String(before));
    // A second click would have closed the panel again by now.
    await page.getByRole('button', { name: 'Switch to dark theme' }).press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(panel).toHaveAttribute('aria-expanded', 'true');
  });
}

test('scripts that failed to load are fetched again at the next interaction', async ({ page }) => {
  let fetches = 0;
  await page.route('**/assets/index-*.js', (route) => (++fetches > 1 ? route.continue() : route.abort()));
  const failed = page.waitForEvent('requestfailed');
  await page.goto('/');
  await failed;
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await page.getByRole('button', { name: 'Support' }).click();
  await expect(page.getByRole('menuitem', { name: 'FAQ' })).toBeVisible();
});

test('the landing page appears for an unusable token, but in no frame for a signed-in user', async ({
  page,
  request,
  machine,
}) => {
  // Stored as by a page that has been left.
  await page.goto('/faq');
  await page.evaluate(() => localStorage.setItem('accessToken', 'not.a.token'));
  await page.goto('/');
  await machine('session').is('signedOut');
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();

  await signIn(page, await register(request));
  await watchHeadline(page);
  await page.goto('/');
  await machine('session').is('signedIn');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await wasSeen(page)).toBe(false);
});

test('a chosen theme applies from the first frame', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.addInitScript(() => {
    const themes: (string | undefined)[] = [];
    const look = () => {
      if (document.body) themes.push(document.documentElement.dataset['theme']);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    Object.assign(window, { themes });
  });
  await page.reload();
  await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible();
  const themes = await page.evaluate(() => (window as unknown as { themes: string[] }).themes);
  expect(new Set(themes)).toEqual(new Set(['dark']));
  // The colour of the browser's interface follows.
  const frame = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')]
      .filter(({ media }) => matchMedia(media).matches)
      .map(({ content }) => content),
  );
  expect(frame).toEqual(['#0E0D0C']);
});

test('the pages have a title, description, URL and picture without scripts', async ({ request }) => {
  const html = await (await request.get('/faq')).text();
  const meta = (name: string) =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];
  expect(/<title>(.*)<\/title>/.exec(html)?.[1]).toBe('FAQ · Orange ID developer portal');
  expect(meta('description')).toBe('Coming soon: answers to questions developers ask about Orange ID.');
  expect(meta('og:title')).toBe('FAQ · Orange ID developer portal');
  const picture = await request.get(new URL(String(meta('og:image'))).pathname);
  expect(picture.headers()['content-type']).toBe('image/png');
  const shown = await picture.body();
  const kept = readFileSync(join(import.meta.dirname, '../../frontend/public/social-card.png'));
  expect(shown.equals(kept)).toBe(true);
  expect([shown.readUInt32BE(16), shown.readUInt32BE(20)]).toEqual([1200, 630]);
});
