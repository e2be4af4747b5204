import {
  appRoutes,
  communityReportsPage,
  documentTitle,
  notFoundTitle,
  type AppPage,
} from '@orange-id/contract/app.routes';
import { limits } from '@orange-id/contract/limits';
import { expect, type Page } from '@playwright/test';
import { signIn, type Account } from '../fixtures/account';
import { administrator } from '../fixtures/administrator';
import { axeFindings } from '../fixtures/axe';
import { focusFindings } from '../fixtures/focus';
import { hiddenByForcedColors } from '../fixtures/forced.colors';
import { machineTest as test } from '../fixtures/machine';
import { chooseAgainstSystem, enterAs, type Face } from '../fixtures/walk';
import { signInByKey } from '../fixtures/wallet';
import { tooWideElements } from '../fixtures/width';

const wide = { width: 1280, height: 800 };
const phone = { width: 360, height: 740 };
/** 1280 px at 400 % zoom. */
const zoomed = { width: 320, height: 640 };

const unknownPage: AppPage = { access: 'public', title: notFoundTitle, description: '' };
const pages = new Map<string, AppPage>([...Object.entries(appRoutes), ['/no-such-page', unknownPage]]);

const leading = '/auth/callback';

/** The signed-in pages that show no data of the account. */
const withoutData = ['/orange-id', '/api'];

/** The users that open a page. The sign-in pages redirect a signed-in user. */
function facesOf(path: string, { access }: AppPage): Face[] {
  if (path === '/login' || path === leading) return ['signed out'];
  if (path === '/') return ['signed out', 'full account', 'error'];
  if (access === 'public') return ['signed out', 'full account'];
  return withoutData.includes(path) ? ['full account'] : ['full account', 'error'];
}

/** The text of the sidebar entry that a signed-in page highlights, if any. */
function entryOf({ sidebar, sameAs }: AppPage): string[] {
  if (sameAs) return entryOf(appRoutes[sameAs]);
  return sidebar ? [sidebar.isSoon ? `${sidebar.label} Soon` : sidebar.label] : [];
}

const textColors = { light: 'rgb(28, 25, 23)', dark: 'rgb(245, 241, 236)' } as const;
const firstHeading = (page: Page) => page.locator('#root').locator('h1, h2').first();

/** Waits until the page has rendered, including its data. */
async function expectDrawn(page: Page, path: string): Promise<void> {
  if (path === '/api') {
    // As long as the page itself waits for it.
    await expect(
      page.frameLocator('iframe').getByRole('button', { name: 'Authorize', exact: true }),
    ).toBeVisible({ timeout: 30_000 });
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
    // Browsers log the mocked 503 responses, and the 404 of the page that does not exist, as errors.
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

interface Audited {
  path: string;
  status: number;
  title: string;
  /** The text of the sidebar entry that it highlights, if any. */
  entry: string[];
}

/** Opens a page and checks it in both modes and at each width. */
async function audit(page: Page, { path, status, title, entry }: Audited): Promise<void> {
  await page.setViewportSize(wide);
  const answer = await page.goto(path);
  expect(answer?.status()).toBe(status);
  await expectDrawn(page, path);
  await expect(page).toHaveURL(path);
  await expect(page).toHaveTitle(documentTitle(title));
  const current = page.getByRole('navigation', { name: 'Portal' }).locator('[aria-current=page]');
  await expect(current).toHaveText(entry);
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
    for (const finding of await hiddenByForcedColors(page)) found.push(['forced colours', mode, ...finding]);
  }
  expect(found).toEqual([]);
  await page.setViewportSize(zoomed);
  await expect.poll(() => tooWideElements(page), { message: 'wider than 320 px' }).toEqual([]);
  expect(await longestMotion(page)).toBeLessThan(0.001);
}

for (const [path, shown] of pages) {
  test(`${path} passes axe, shows the keyboard focus, fits every width, and has its title and sidebar entry`, async ({
    page,
    request,
  }) => {
    const problems = await watchProblems(page);
    if (path === leading) await holdCallback(page);
    for (const face of facesOf(path, shown)) {
      await test.step(face, async () => {
        await enterAs(page, request, face, known);
        const status = shown === unknownPage ? 404 : 200;
        const entry = face === 'signed out' ? [] : entryOf(shown);
        await audit(page, { path, status, title: shown.title, entry });
        expect(problems).toEqual([]);
      });
    }
  });
}

/** Every kind of text, also too long for a line. */
const everyText = [
  '## A heading',
  'Text with **bold**, `code`, a [link](https://example.org/docs) and ' + 'w'.repeat(120),
  '- a list\n- of two',
  '1. a list\n2. with numbers',
  '> A quotation',
  `| a table | of ${'wide '.repeat(40)} |\n| --- | --- |\n| 1 | ${'w'.repeat(80)} |`,
  `~~~js\nconst answer = '${'x'.repeat(200)}';\n~~~`,
].join('\n\n');

test('a post with every kind of text and the reports pass axe, show the keyboard focus and fit every width', async ({
  page,
  request,
  baseURL,
}) => {
  const problems = await watchProblems(page);
  // Has the buttons of an author and those of an administrator.
  const admin = await signInByKey(request, String(baseURL), administrator);
  const send = async (path: string, data: object) => {
    const headers = { authorization: `Bearer ${admin.accessToken}` };
    const answer = await request.post(path, { data, headers });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer;
  };
  const make = async (path: string, data: object) =>
    ((await (await send(`/api/forum/posts${path}`, data)).json()) as { id: string }).id;
  await send('/api/v1/user/profile', { displayName: 'Robin Administrator' });
  const title = `Balance of 0x${'f'.repeat(80)}`;
  const id = await make('', { title, content: everyText, category: 'Questions' });
  const accepted = await make(`/${id}/replies`, { content: everyText });
  await make(`/${id}/replies`, { content: 'Thanks!' });
  await make(`/${id}/resolve`, { isResolved: true, acceptedReplyId: accepted });
  await make(`/${id}/moderate`, { isPinned: false, reason: `Moved ${'w'.repeat(200)}` });
  await send(`/api/forum/posts/${id}/report`, { reason: 'w'.repeat(200), replyId: accepted });

  const post = { path: `/community/posts/${id}`, status: 200, title, entry: [] };
  await test.step('a visitor', () => audit(page, post));
  await test.step('its author, an administrator', async () => {
    await signIn(page, admin);
    await audit(page, post);
    const { path, title: reports } = communityReportsPage;
    await audit(page, { path, status: 200, title: reports, entry: [] });
  });
  expect(problems).toEqual([]);
});
