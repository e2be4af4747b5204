import { appRoutes, documentTitle, notFoundTitle, type AppRoute } from '@orange-id/contract/app.routes';
import { limits } from '@orange-id/contract/limits';
import { expect, type Page } from '@playwright/test';
import type { Account } from '../fixtures/account';
import { axeFindings } from '../fixtures/axe';
import { focusFindings } from '../fixtures/focus';
import { machineTest as test } from '../fixtures/machine';
import { chooseAgainstSystem, enterAs, type Face } from '../fixtures/walk';
import { tooWideElements } from '../fixtures/width';

const wide = { width: 1280, height: 800 };
const phone = { width: 360, height: 740 };
/** 1280 px at 400 % zoom. */
const zoomed = { width: 320, height: 640 };

/** The sidebar entry that a signed-in page highlights; other pages have none. */
const entries: Partial<Record<string, string>> = {
  '/': 'Home',
  '/dashboard': 'Home',
  '/projects': 'My Projects',
  '/orange-id': 'Orange ID',
  '/customisation': 'Customisation Soon',
  '/keys': 'API Keys',
  '/usage': 'Usage',
};

const leading = '/auth/callback';

/** The pages that show data of the account. */
const withData = ['/', '/dashboard', '/profile', '/projects', '/settings', '/keys', '/usage'];

/** The users that open a page. The sign-in pages redirect a signed-in user. */
function facesOf(path: string): Face[] {
  if (path === '/login' || path === leading) return ['signed out'];
  const isPublic = appRoutes[path as AppRoute]?.access === 'public' || !(path in appRoutes);
  return [
    ...(isPublic ? (['signed out'] as const) : []),
    'full account',
    ...(withData.includes(path) ? (['error'] as const) : []),
  ];
}

const textColors = { light: 'rgb(28, 25, 23)', dark: 'rgb(245, 241, 236)' } as const;
const firstHeading = (page: Page) => page.locator('#root').locator('h1, h2').first();

/** Waits until the page has rendered, including its data. */
async function expectDrawn(page: Page, path: string): Promise<void> {
  if (path === '/api') {
    await expect(page.frameLocator('iframe').getByRole('button', { name: 'Authorize' })).toBeVisible();
  }
  await expect(firstHeading(page)).toBeVisible();
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
}

/** Collects console errors, exceptions, and violations of the content security policy, including report-only ones. */
async function watchProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    // The mocked responses, and the status of the page that does not exist.
    const isAsked = /^Failed to load resource:.* status of (503|404)/.test(message.text());
    if (message.type() === 'error' && !isAsked) problems.push(message.text());
  });
  await page.exposeFunction('__reported', (report: string) => problems.push(report));
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      (window as unknown as { __reported(report: string): void }).__reported(
        `${effectiveDirective} stops ${blockedURI}`,
      ),
    ),
  );
  return problems;
}

/** Keeps the page of a failed sign-in from redirecting after a few seconds. */
const holdCallback = (page: Page) =>
  page.addInitScript((pause) => {
    const { setTimeout } = window;
    const held = (run: () => void, ms?: number) => (ms === pause ? 0 : setTimeout(run, ms));
    Object.assign(window, { setTimeout: held });
  }, limits.callbackFailureMs);

/** The longest transition or animation of any element, in seconds. */
const longestMotion = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const seconds = (text: string) => Math.max(...text.split(',').map((part) => parseFloat(part)));
    const durations = [...document.querySelectorAll('body *')].flatMap((element) => {
      const { transitionDuration, animationDuration } = getComputedStyle(element);
      return [seconds(transitionDuration), seconds(animationDuration) || 0];
    });
    return Math.max(...durations);
  });

const known: { full?: Account } = {};

for (const path of [...Object.keys(appRoutes), '/no-such-page']) {
  test(`${path} passes axe, shows the keyboard focus, fits every width, and has its title and sidebar entry`, async ({
    page,
    request,
  }) => {
    const problems = await watchProblems(page);
    if (path === leading) await holdCallback(page);
    const { title } = appRoutes[path as AppRoute] ?? { title: notFoundTitle };
    for (const face of facesOf(path)) {
      await test.step(face, async () => {
        await enterAs(page, request, face, known);
        await page.setViewportSize(wide);
        const answer = await page.goto(path);
        expect(answer?.status()).toBe(path in appRoutes ? 200 : 404);
        await expectDrawn(page, path);
        await expect(page).toHaveURL(path);
        await expect(page).toHaveTitle(documentTitle(title));
        const current = page.getByRole('navigation', { name: 'Portal' }).locator('[aria-current=page]');
        const entry = face === 'signed out' ? undefined : entries[path];
        await expect(current).toHaveText(entry === undefined ? [] : [entry]);
        await expect(current.and(page.getByRole('link'))).toHaveCount(0);

        // antd names its icons after their files unless they are hidden.
        await expect(page.getByRole('img', { name: /^(down|search|loading|[a-z]+-circle)$/ })).toHaveCount(0);
        const found: unknown[] = [];
        for (const [mode, viewport] of [
          ['light', wide],
          ['dark', phone],
        ] as const) {
          await page.setViewportSize(viewport);
          await chooseAgainstSystem(page, mode);
          await expect(firstHeading(page)).toHaveCSS('color', textColors[mode]);
          await expect
            .poll(() => tooWideElements(page), { message: `wider than ${viewport.width} px` })
            .toEqual([]);
          const findings = await axeFindings(page, { isSecondLook: mode === 'dark' });
          for (const finding of findings) found.push([mode, viewport.width, ...finding]);
          for (const finding of await focusFindings(page)) found.push([mode, viewport.width, ...finding]);
        }
        expect(found).toEqual([]);
        await page.setViewportSize(zoomed);
        await expect.poll(() => tooWideElements(page), { message: 'wider than 320 px' }).toEqual([]);
        expect(await longestMotion(page)).toBeLessThan(0.001);
        expect(problems).toEqual([]);
      });
    }
  });
}
