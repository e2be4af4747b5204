import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { newEmail, password } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { freePort, preparePortal } from '../fixtures/portal.process';
import { startReactSite } from '../fixtures/react.site';
import { paste } from '../fixtures/shell';
import { registerWithKey } from '../fixtures/usage';
import { isTooWide } from '../fixtures/width';
import { LoginPage } from '../pages/login.page';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const panelHead = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const panelBody = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

interface ConfigLinks {
  docs: string;
  feedback: string;
}
const configLinks = async (page: Page): Promise<ConfigLinks> =>
  ((await (await page.request.get('/api/config')).json()) as { links: ConfigLinks }).links;

test.describe('the landing page', () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() =>
      document.addEventListener('portal:took-over', (event) => {
        if ((event as CustomEvent).detail === 'page') document.documentElement.dataset['tookOver'] = '';
      }),
    );
    await page.goto('/');
    // A box ticked or a choice made before that is not heard.
    await expect(page.locator('html[data-took-over]')).toBeAttached();
  });

  test('has the sections of the spec, in its order', async ({ page }) => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Build, Launch, and Scale with Orange ID',
    );
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { level: 2 })).toHaveText([
      'Sign In via OAuth',
      'Get API Key',
      'Deploy Widget',
      'What is Orange ID',
      'Why Orange ID',
      'Integrate in Minutes',
      'Make It Yours',
      'See How Your App Is Used',
      'Your First Sign-in Is Minutes Away',
    ]);
    await expect(
      section(page, 'Why Orange ID').getByRole('heading', { level: 3 }),
      'four benefits',
    ).toHaveText(['Setup takes 2-5 minutes', 'User-management dashboard', 'Usage analytics', 'RESTful APIs']);
    await expect(section(page, 'Integrate in Minutes').getByRole('heading', { level: 3 })).toHaveText([
      'Sign In',
      'Get Key',
      'Add Widget',
      'Done',
      'Login widget',
      'API access',
      'Docs',
    ]);
  });

  test('leads where the spec says', async ({ page }) => {
    const main = page.getByRole('main');
    const targets = {
      'Start Building': '/orange-id',
      'Open the Wizard': '/orange-id',
      'Widget Customisation': '/customisation',
      'Start Building for Free': '/login',
      'Try the Integration Wizard': '/orange-id',
      'Games SDK Guide (coming soon)': '/games-sdk-integration-guide',
    };
    for (const [name, target] of Object.entries(targets)) {
      await expect(main.getByRole('link', { name, exact: true }), name).toHaveAttribute('href', target);
    }
    // After the four steps, and after the analytics.
    const projects = main.getByRole('link', { name: 'View My Projects', exact: true });
    await expect(projects).toHaveCount(2);
    for (const link of await projects.all()) await expect(link).toHaveAttribute('href', '/projects');
    const { docs } = await configLinks(page);
    const explore = main.getByRole('link', { name: 'Explore Docs (opens in a new tab)' });
    await expect(explore).toHaveAttribute('href', docs);
    await expect(explore).toHaveAttribute('target', '_blank');

    await main.getByRole('link', { name: 'Start Building', exact: true }).click();
    await expect(page).toHaveURL('/login');
    await page.goBack();
    await main.getByRole('link', { name: 'Start Building for Free' }).click();
    await expect(page).toHaveURL('/login');
  });

  test('makes the claims of the spec', async ({ page }) => {
    const hero = section(page, 'Build, Launch, and Scale with Orange ID');
    await expect(hero.getByRole('term')).toHaveText(['Setup takes', 'Uptime', 'To get started']);
    await expect(hero.getByRole('definition')).toHaveText(['2-5 minutes', '99.7%', 'Free']);
    await expect(hero.getByRole('list', { name: 'Three steps' }).getByRole('listitem')).toHaveCount(3);
    await expect(section(page, 'Why Orange ID')).not.toContainText(/region|platform|growth/);
    await expect(section(page, 'Your First Sign-in Is Minutes Away')).toContainText('Free to get started');
  });

  test('opens one panel at a time by mouse, and a click on the open one closes it', async ({ page }) => {
    const names = ['Login widget', 'API access', 'Docs'];
    const expectOpen = async (open: string | null) => {
      for (const name of names) {
        await expect(panelHead(page, name)).toHaveAttribute('aria-expanded', String(name === open));
        await expect(panelBody(page, name)).toHaveCount(name === open ? 1 : 0);
      }
    };
    await expectOpen(null);
    const topOf = async (name: string) => Math.round((await panelHead(page, name).boundingBox())!.y);
    for (const name of names) {
      await panelHead(page, name).scrollIntoViewIfNeeded();
      const before = await topOf(name);
      await panelHead(page, name).click();
      await expectOpen(name);
      // The panel above that closes does not take it from under the pointer.
      expect([name, await topOf(name)]).toEqual([name, before]);
    }
    await panelHead(page, 'Docs').click();
    await expectOpen(null);
  });

  test('opens and closes panels by keyboard, and each button names the panel it controls', async ({
    page,
  }) => {
    await panelHead(page, 'Login widget').focus();
    await page.keyboard.press('Enter');
    await expect(panelBody(page, 'Login widget')).toBeVisible();
    const controlled = await panelHead(page, 'Login widget').getAttribute('aria-controls');
    await expect(panelBody(page, 'Login widget')).toHaveAttribute('id', String(controlled));
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Copy install command' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Copy login widget' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(panelHead(page, 'API access')).toBeFocused();
    await page.keyboard.press('Space');
    await expect(panelBody(page, 'API access')).toBeVisible();
    await expect(panelBody(page, 'Login widget')).toHaveCount(0);
    await page.keyboard.press('Space');
    await expect(panelBody(page, 'API access')).toHaveCount(0);
  });

  test('shows example calls as illustrations', async ({ page }) => {
    await panelHead(page, 'API access').click();
    const list = page.getByRole('list', {
      name: 'Illustrations only, not part of this API',
    });
    await expect(list.getByRole('listitem')).toHaveText([
      'GET /api/v1/users/profile',
      'GET /users',
      'POST /auth/login',
      'PUT /users/profile',
    ]);
  });

  test('links documentation, API reference, FAQ and feedback', async ({ page }) => {
    const { docs, feedback } = await configLinks(page);
    await panelHead(page, 'Docs').click();
    const links = panelBody(page, 'Docs').getByRole('link');
    await expect(links).toHaveText([
      /^Documentation .*\(opens in a new tab\)$/,
      'API reference',
      'FAQ',
      /^Feedback .*\(opens in a new tab\)$/,
    ]);
    for (const [place, target] of [docs, '/api', '/faq', feedback].entries()) {
      await expect(links.nth(place)).toHaveAttribute('href', target);
    }
    for (const place of [0, 3]) await expect(links.nth(place)).toHaveAttribute('target', '_blank');
  });

  test('filters its example analytics by region and platform', async ({ page }) => {
    const analytics = section(page, 'See How Your App Is Used');
    const example = analytics.getByRole('group', { name: 'Illustration' });
    await expect(example.getByText('Illustration', { exact: true })).toBeVisible();
    await expect(example).toContainText('Usage measures API calls, not users.');
    const figures = example.getByRole('status').getByRole('definition');
    await expect(figures).toHaveText(['12.4K +13% in a month', '89%', '2.3s']);
    await expect(example.getByRole('status').getByRole('term')).toHaveText([
      'Users',
      'Sign-ins completed',
      'Average time to sign in',
    ]);
    const december = example.getByRole('table', { name: 'Users by month' }).getByRole('row').last();
    await expect(december).toHaveText(/Dec\s*12\.4K/);

    await example.getByRole('radio', { name: 'Europe' }).check();
    await expect(figures).toHaveText(['3.9K +12% in a month', '89%', '2.3s']);
    await expect(december).toHaveText(/Dec\s*3\.9K/);
    await example.getByRole('radio', { name: 'iOS' }).check();
    await expect(figures).toHaveText(['900 +12% in a month', '93%', '1.8s']);

    // By keyboard: one stop for each filter, arrows choose.
    await page.keyboard.press('ArrowRight');
    await expect(example.getByRole('radio', { name: 'Android' })).toBeChecked();
    await expect(figures.last()).toHaveText('2.3s');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowLeft');
    await expect(example.getByRole('radio', { name: 'Americas' })).toBeChecked();
    await expect(figures).toHaveText(['700 +11% in a month', '89%', '2.1s']);
    await example.getByRole('group', { name: 'Region' }).getByRole('radio', { name: 'All' }).check();
    await example.getByRole('group', { name: 'Platform' }).getByRole('radio', { name: 'All' }).check();
    await expect(figures).toHaveText(['12.4K +13% in a month', '89%', '2.3s']);
  });

  test('shows the login panel and its code with the ways to sign in that are chosen', async ({ page }) => {
    const yours = section(page, 'Make It Yours');
    const preview = yours.getByRole('figure').filter({ hasText: 'Preview' });
    const code = yours.getByLabel('login panel', { exact: true });
    await expect(preview).toContainText('Continue with email');
    await expect(code).toHaveText('<LoginPanel title="Sign in to" />');
    for (const name of ['Email', 'Apple']) await yours.getByRole('checkbox', { name }).uncheck();
    await expect(preview).not.toContainText('Continue with email');
    await expect(preview).not.toContainText('Continue with Apple');
    await expect(preview).toContainText('Continue with Google');
    await expect(preview).toContainText('Connect Wallet');
    expect(await code.textContent()).toBe(
      '<LoginPanel\n  title="Sign in to"\n  features={{\n    enableAppleLogin: false,\n    enableEmailLogin: false,\n  }}\n/>',
    );
    for (const name of ['Google', 'Wallet']) await yours.getByRole('checkbox', { name }).uncheck();
    await expect(preview).toContainText('Choose at least one sign-in method.');
  });

  test('shows pictures of the portal in the mode of the page, and says what is an example', async ({
    page,
  }) => {
    const shown = page.getByRole('main').getByRole('img').filter({ visible: true });
    for (const mode of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: mode as 'light' | 'dark' });
      await expect(page.locator('html')).toHaveAttribute('data-theme', mode);
      const pictures = shown.and(page.locator('picture img'));
      await expect(pictures).toHaveCount(3);
      for (const picture of await pictures.all()) {
        await picture.scrollIntoViewIfNeeded();
        await expect
          .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
          .toBeGreaterThan(0);
        expect(await picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toContain(`-${mode}-`);
      }
    }
    await expect(page.getByText('The Usage page, with example calls')).toBeVisible();
    await expect(section(page, 'Why Orange ID').getByText('Example', { exact: true })).toHaveCount(3);
  });
});

for (const [title, width, most] of [
  ['wide', 1280, 120_000],
  ['a phone’s', 360, 26_000],
] as const) {
  test(`no ${title} picture is heavier than ${most / 1000} kB, and none of the other mode is loaded`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    const loaded: string[] = [];
    page.on('request', (request) => request.url().endsWith('.webp') && loaded.push(request.url()));
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('/');
    for (const picture of await page.locator('picture[data-mode="dark"] img').all()) {
      await picture.scrollIntoViewIfNeeded();
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
        .toBeGreaterThan(0);
    }
    expect(loaded).toHaveLength(3);
    for (const url of loaded) {
      expect(url).toContain('-dark-');
      expect((await (await page.request.get(url)).body()).length, url).toBeLessThanOrEqual(most);
    }
  });
}

test('the command and the answer are copied as they stand, readable on a phone', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
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
  expect(JSON.parse(await copy('example answer'))).toMatchObject({ project: { name: 'Acme' } });

  // Selected by hand it is the same; what does not fit scrolls inside its box, also by keyboard, and not the page.
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
});

test('the command works when pasted, with a key in its place', async ({ page, request }) => {
  await page.goto('/');
  await panelHead(page, 'API access').click();
  const command = (await page.getByLabel('curl command', { exact: true }).textContent()) ?? '';
  const quiet = (text: string) => `curl() { command curl -sS "$@"; }\n${text}`;
  expect(JSON.parse(await paste(quiet(command)))).toMatchObject({ message: 'Invalid API key' });
  const { apiKey, projectId } = await registerWithKey(request, 'From the landing page');
  const answer = await paste(quiet(command.replace('YOUR_API_KEY', apiKey)));
  expect(JSON.parse(answer)).toMatchObject({ project: { code: projectId, name: 'From the landing page' } });
});

test('the login widget works when pasted into a site of one’s own', async ({ page }) => {
  test.setTimeout(150_000);
  const [portalPort, sitePort] = [await freePort(), await freePort()];
  const siteUrl = `http://localhost:${sitePort}`;
  const portal = preparePortal(portalPort, { IDENTITY_CALLBACKS: `${siteUrl}/auth/callback` });
  try {
    await portal.start();
    await page.goto(portal.url);
    await panelHead(page, 'Login widget').click();
    await expect(page.getByLabel('install command', { exact: true })).toHaveText(
      'npm install @bedrock_org/passport',
    );
    const code = (await page.getByLabel('login widget', { exact: true }).textContent()) ?? '';
    const site = await startReactSite(code, sitePort);
    try {
      await page.goto(siteUrl);
      const login = new LoginPage(page);
      await login.withEmail.click();
      await page.getByRole('button', { name: /create an account|register/i }).click();
      await login.email.fill(newEmail());
      await login.password.fill(password);
      await login.repeatPassword.fill(password);
      await page.getByRole('button', { name: /^(create account|register)$/i }).click();
      const signOut = page.getByRole('button', { name: 'Sign out' });
      await expect(signOut).toBeVisible();
      await expect(page).toHaveURL(`${siteUrl}/`);
      await page.reload();
      await signOut.click();
      await expect(login.withEmail).toBeVisible();
    } finally {
      await site.close();
    }
  } finally {
    await portal.remove();
  }
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 360]) {
    test(`nothing for axe to find at ${width} in ${colorScheme}, and nothing wider than the page`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.goto('/');
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      for (const open of [null, 'Login widget', 'API access', 'Docs']) {
        if (open) await panelHead(page, open).click();
        const { violations } = await new AxeBuilder({ page }).include('main').analyze();
        expect(
          violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
          open ?? 'closed',
        ).toEqual([]);
        expect(await isTooWide(page), open ?? 'closed').toBe(false);
      }
    });
  }
}

test.describe('motion', () => {
  const longest = (page: Page) =>
    page.evaluate(() => {
      const seconds = (text: string) => Math.max(...text.split(',').map((part) => parseFloat(part)));
      return Math.max(
        ...[...document.querySelectorAll('.landing, .landing *')].flatMap((element) => {
          const { transitionDuration, animationDuration } = getComputedStyle(element);
          return [seconds(transitionDuration), seconds(animationDuration)];
        }),
      );
    });

  test('takes at most 200 ms', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto('/');
    await panelHead(page, 'Login widget').click();
    const found = await longest(page);
    expect(found).toBeLessThanOrEqual(0.2);
    expect(found).toBeGreaterThanOrEqual(0.12);
  });

  test('is none for who prefers reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await panelHead(page, 'Login widget').click();
    expect(await longest(page)).toBeLessThan(0.001);
  });
});
