import { expect, type Page, type Request } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { register, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';

const title = 'Build, Launch, and Scale with Orange ID';

/** The limit for the scripts that `/` loads for a visitor, in compressed bytes. */
const budget = 170_000;

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
async function holdScripts(page: Page): Promise<() => void> {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/assets/*.js', async (route) => {
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

test('the prerendered page loads at most 170 kB of scripts, and its elements are hydrated', async ({
  page,
}) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  const scripts: Request[] = [];
  page.on('requestfinished', (request) => {
    // Only test builds contain the registry of machines.
    const isShipped = request.resourceType() === 'script' && !request.url().includes('machine.registry');
    if (isShipped) scripts.push(request);
  });
  await page.addInitScript(() =>
    document.addEventListener('DOMContentLoaded', () => {
      Object.assign(window, { drawnAhead: document.querySelector('h1') });
    }),
  );
  await page.goto('/', { waitUntil: 'networkidle' });

  const sizes = await Promise.all(
    scripts.map(async (script) => [script.url(), (await script.sizes()).responseBodySize] as const),
  );
  expect(sizes.length).toBeGreaterThan(3);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(budget);

  await page.getByRole('button', { name: 'Support' }).click();
  await expect(page.getByRole('menuitem', { name: 'FAQ' })).toBeVisible();
  expect(
    await page.evaluate(
      () => (window as unknown as { drawnAhead: Element }).drawnAhead === document.querySelector('h1'),
    ),
  ).toBe(true);
  expect(errors).toEqual([]);
});

test('before its scripts load, the landing page shows and scrolls with its choices disabled, and loading keeps the scroll position', async ({
  page,
}) => {
  const arrive = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  const tryIt = page.getByRole('button', { name: 'Try It Live' });
  const europe = page.getByRole('radio', { name: 'Europe' });
  await expect(tryIt).toBeDisabled();
  await expect(europe).toBeDisabled();
  await page.evaluate(() => window.scrollTo(0, 600));
  arrive();
  await expect(tryIt).toBeEnabled();
  await expect(page.getByRole('banner')).toHaveAttribute('data-face', 'scrolled');
  expect(await page.evaluate(() => window.scrollY)).toBe(600);

  await test.step('a choice takes effect, and one restored after leaving and returning shows its effect', async () => {
    const users = page.locator('.landing_growthFigures dd').first();
    const before = await users.textContent();
    await europe.check();
    await expect(users).not.toHaveText(String(before));
    await page.goto('/health/live');
    await page.goBack();
    await expect(europe).toBeEnabled();
    const isEurope = await europe.isChecked();
    expect((await users.textContent()) === before).toBe(!isEurope);
  });
});

test('the landing page appears for an unusable token, but in no frame for a signed-in user', async ({
  page,
  request,
  machine,
}) => {
  // An earlier visit left an unusable token in the storage.
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
  const frames = () => page.evaluate(() => (window as unknown as { themes: string[] }).themes);
  await expect.poll(frames).not.toEqual([]);
  expect(new Set(await frames())).toEqual(new Set(['dark']));
  // The colour of the browser's own interface follows the choice.
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
