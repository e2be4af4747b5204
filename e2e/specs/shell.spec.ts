import AxeBuilder from '@axe-core/playwright';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import { expect, type Locator, type Page } from '@playwright/test';
import { createProject, expectSignedOut, register, registerWithProfile, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { openSettled } from '../fixtures/walk';
import { isTooWide } from '../fixtures/width';

/** What the menus of the header are drawn by. */
const menuCode = '**/assets/NavMenuList-*.js';

async function openMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await expect(page.getByRole('menu', { name })).toBeVisible();
  // The one before fades.
  await expect(page.getByRole('menu')).toHaveCount(1);
}

/** Name, address and target of each entry of the open menu. */
const entriesOf = (page: Page) =>
  page
    .getByRole('menuitem')
    .evaluateAll((entries) =>
      entries.map((entry) => [
        entry.querySelector('.menu-label')?.textContent,
        entry.getAttribute('href'),
        entry.getAttribute('target'),
      ]),
    );

const socialIn = (place: Locator) =>
  place
    .getByRole('list', { name: 'Follow us' })
    .getByRole('link')
    .evaluateAll((all) =>
      all.map((link) => [
        link.getAttribute('aria-label'),
        link.getAttribute('href'),
        link.getAttribute('target'),
      ]),
    );
const socialOf = ({ telegram, x, discord, news }: PublicConfig['links']) => [
  ['Telegram (opens in a new tab)', telegram, '_blank'],
  ['X (opens in a new tab)', x, '_blank'],
  ['Discord (opens in a new tab)', discord, '_blank'],
  ['News (opens in a new tab)', news, '_blank'],
];

test.describe('the sidebar', () => {
  test('has the spec’s links in order, then the second group; the current one is no link', async ({
    page,
    request,
  }) => {
    await signIn(page, await register(request));
    await page.goto('/projects');
    const sidebar = page.getByRole('navigation', { name: 'Portal' });
    await expect(sidebar.locator('.sidebar-entry')).toHaveText([
      'Home',
      'My Projects',
      'Orange ID',
      'Customisation',
      'API Keys',
      'Usage',
    ]);
    await expect(sidebar.getByRole('link')).toHaveText([
      'Home',
      'Orange ID',
      'Customisation',
      'API Keys',
      'Usage',
    ]);
    await expect(sidebar.locator('[aria-current=page]')).toHaveText('My Projects');
  });

  test('starts collapsed at 4rem, expands to 14rem, and the content moves with it', async ({
    page,
    request,
    machine,
  }) => {
    await signIn(page, await register(request));
    await page.goto('/');
    const widths = () =>
      page.evaluate(() => ({
        sidebar: document.querySelector('.sidebar')?.getBoundingClientRect().width,
        content: getComputedStyle(document.querySelector('.shell') as Element).paddingLeft,
      }));
    await machine('sidebar').is('collapsed');
    expect(await widths()).toEqual({ sidebar: 64, content: '64px' });
    await page.getByRole('button', { name: 'Expand sidebar' }).click();
    await machine('sidebar').is('expanded');
    await expect.poll(widths).toEqual({ sidebar: 224, content: '224px' });
    await page.getByRole('button', { name: 'Collapse sidebar' }).click();
    await expect.poll(widths).toEqual({ sidebar: 64, content: '64px' });
  });

  test('that was left open starts open on a wide screen, and collapsed on a narrower one', async ({
    page,
    request,
    machine,
  }) => {
    await signIn(page, await register(request));
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Expand sidebar' }).click();
    await machine('sidebar').is('expanded');
    await page.reload();
    await machine('sidebar').is('expanded');
    await page.setViewportSize({ width: 1024, height: 740 });
    await page.reload();
    await machine('sidebar').is('collapsed');
    await page.setViewportSize({ width: 1280, height: 740 });
    await page.reload();
    await page.getByRole('button', { name: 'Collapse sidebar' }).click();
    await page.reload();
    await machine('sidebar').is('collapsed');
  });

  test('works by keyboard alone, and labels what is collapsed', async ({ page, request, machine }) => {
    await signIn(page, await register(request));
    await page.goto('/settings');
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    const toggle = sidebar.getByRole('button');
    await toggle.focus();
    await expect(page.getByRole('tooltip')).toHaveText('Expand sidebar');
    await expect(toggle).toHaveAttribute('aria-expanded', 'false');
    await page.keyboard.press('Enter');
    await machine('sidebar').is('expanded');
    await expect(toggle).toHaveAccessibleName('Collapse sidebar');
    await expect(toggle).toHaveAttribute('aria-expanded', 'true');
    const second = sidebar.getByRole('group', { name: 'Developers' });
    await expect(second.getByRole('link')).toHaveText(['API Keys', 'Usage']);
    await expect(sidebar.getByText('Developers')).toBeVisible();
    // Settings has no entry there.
    await expect(sidebar.locator('[aria-current=page]')).toHaveCount(0);

    await page.keyboard.press('Shift+Tab');
    await expect(sidebar.getByRole('link', { name: 'Usage' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/usage');
    await expect(sidebar.locator('[aria-current=page]')).toHaveText('Usage');
    await machine('sidebar').is('expanded');
  });

  test('leads where the spec says', async ({ page, request }) => {
    await signIn(page, await register(request));
    await page.goto('/settings');
    const links = page.getByRole('navigation', { name: 'Portal' }).getByRole('link');
    await expect(links).toHaveCount(6);
    expect(
      await links.evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')])),
    ).toEqual([
      ['Home', '/'],
      ['My Projects', '/projects'],
      ['Orange ID', '/orange-id'],
      ['Customisation', '/customisation'],
      ['API Keys', '/keys'],
      ['Usage', '/usage'],
    ]);
  });
});

test.describe('the header', () => {
  test('holds a logo of 164 × 40 that leads home, and what a visitor can go to', async ({ page }) => {
    await page.goto('/faq');
    const header = page.getByRole('banner');
    const logo = header.getByRole('img', { name: 'Orange ID' });
    expect(await logo.boundingBox()).toMatchObject({ width: 164, height: 40 });
    await expect(header.getByRole('link', { name: 'Orange ID' })).toHaveAttribute('href', '/');
    await expect(header.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
    await expect(header.getByRole('link', { name: 'My Projects' })).toHaveCount(0);
    await expect(header.getByRole('button', { name: /^Account menu/ })).toHaveCount(0);

    await openMenu(page, 'Integration');
    expect(await entriesOf(page)).toEqual([
      ['Orange ID', '/orange-id', null],
      ['API', '/api', null],
      ['Games SDK Guide', '/games-sdk-integration-guide', null],
    ]);
    await page.keyboard.press('Escape');

    const { links } = (await (await page.request.get('/api/config')).json()) as PublicConfig;
    await openMenu(page, 'Support');
    expect(await entriesOf(page)).toEqual([
      ['FAQ', '/faq', null],
      ['Docs (opens in a new tab)', links.docs, '_blank'],
      ['Feedback (opens in a new tab)', links.feedback, '_blank'],
    ]);
  });

  test('has My Projects and the account of who is signed in', async ({ page, request }) => {
    const account = await registerWithProfile(request, 'Ada Example');
    await signIn(page, account);
    await page.goto('/faq');
    const header = page.getByRole('banner');
    await expect(header.getByRole('link', { name: 'My Projects' })).toHaveAttribute('href', '/projects');
    await expect(header.getByRole('link', { name: 'Login' })).toHaveCount(0);

    await header.getByRole('button', { name: 'Account menu: Ada Example' }).click();
    const menu = page.getByRole('menu', { name: 'Account' });
    await expect(menu).toContainText(account.email);
    expect(await entriesOf(page)).toEqual([
      ['Profile', '/profile', null],
      ['Settings', '/settings', null],
      ['Sign out', null, null],
    ]);
    await menu.getByRole('menuitem', { name: 'Sign out' }).click();
    await expectSignedOut(page);
  });

  test('is transparent for a visitor until the page is scrolled, and solid when signed in', async ({
    page,
    request,
  }) => {
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.goto('/');
    const header = page.getByRole('banner');
    await expect(header).toHaveAttribute('data-face', 'clear');
    await expect(header).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await page.evaluate(() => window.scrollTo(0, 1));
    await expect(header).toHaveAttribute('data-face', 'scrolled');
    await expect(header).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(header).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');

    await signIn(page, await register(request));
    await page.goto('/');
    await expect(header).toHaveAttribute('data-face', 'solid');
    await expect(header).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  });

  test('shows the picture of the profile, else photoUrl, else the default one, and a letter where none loads', async ({
    page,
    request,
  }) => {
    await signIn(page, await register(request));
    let user: Record<string, string> = {};
    await page.route('**/api/v1/auth/user', async (route) => {
      const answer = await route.fetch();
      const known = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: { ...known, picture: null, ...user } });
    });
    const picture = page.getByRole('button', { name: /^Account menu/ }).locator('.user-avatar');
    const shown = async (of: Record<string, string>) => {
      user = of;
      await page.goto('/faq');
      await expect(picture).toBeVisible();
      expect(await picture.boundingBox()).toMatchObject({ width: 36, height: 36 });
      return picture.locator('img');
    };
    await expect(await shown({})).toHaveAttribute('src', '/default-avatar.svg');
    await expect(await shown({ photoUrl: '/favicon.svg' })).toHaveAttribute('src', '/favicon.svg');
    await expect(await shown({ picture: '/orange-id.svg', photoUrl: '/favicon.svg' })).toHaveAttribute(
      'src',
      '/orange-id.svg',
    );

    const broken = { picture: '/no-such-picture.png' };
    for (const [names, letter] of [
      [{ displayName: 'ada', firstName: 'Bea' }, 'A'],
      [{ displayName: '', firstName: 'bea' }, 'B'],
      [{ displayName: '', firstName: '', email: 'cleo@example.com' }, 'C'],
      [{ displayName: '', firstName: '', email: '' }, 'U'],
    ] as const) {
      await shown({ ...broken, ...names });
      await expect(picture).toHaveText(letter);
    }
  });

  test('leads to the content by its skip link', async ({ page }) => {
    await page.goto('/faq');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await expect(skip).toBeAttached();
    await page.keyboard.press('Tab');
    await expect(skip).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
  });
});

test.describe('a menu of the header', () => {
  test('works by keyboard alone', async ({ page }) => {
    await page.goto('/faq');
    const integration = page.getByRole('button', { name: 'Integration' });
    const support = page.getByRole('button', { name: 'Support' });
    const entry = (name: string) => page.getByRole('menuitem', { name: new RegExp(`^${name}`) });
    const isClosed = async (button: Locator) => {
      await expect(page.getByRole('menu')).toHaveCount(0);
      await expect(button).toHaveAttribute('aria-expanded', 'false');
    };

    for (const key of ['Enter', 'Space', 'ArrowDown']) {
      await integration.focus();
      await page.keyboard.press(key);
      await expect(entry('Orange ID')).toBeFocused();
      await expect(integration).toHaveAttribute('aria-expanded', 'true');
      await page.keyboard.press('Escape');
      await expect(integration).toBeFocused();
      await isClosed(integration);
    }

    await page.keyboard.press('ArrowUp');
    await expect(entry('Games SDK Guide')).toBeFocused();
    await page.keyboard.press('Home');
    await expect(entry('Orange ID')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(entry('API')).toBeFocused();
    await page.keyboard.press('End');
    await expect(entry('Games SDK Guide')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(entry('Orange ID')).toBeFocused();

    await page.keyboard.press('Tab');
    await expect(support).toBeFocused();
    await isClosed(integration);
    await page.keyboard.press('Enter');
    await expect(entry('FAQ')).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(integration).toBeFocused();
    await isClosed(support);

    await page.keyboard.press('ArrowUp');
    await expect(entry('Games SDK Guide')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/games-sdk-integration-guide');
    await expect(page.getByRole('main')).toBeFocused();
    await isClosed(integration);

    await support.focus();
    await page.keyboard.press('Enter');
    await expect(entry('FAQ')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    // The focus moves a moment after the key.
    await expect(entry('FAQ')).not.toBeFocused();
    const opened = page.context().waitForEvent('page');
    await page.keyboard.press('Enter');
    const tab = await opened;
    expect(tab.url()).not.toBe(page.url());
    await tab.close();
    await expect(support).toBeFocused();
    await isClosed(support);
  });

  test('opens and closes by the pointer, one at a time', async ({ page }) => {
    await page.goto('/faq');
    const menu = (name: string) => page.getByRole('menu', { name });
    const button = (name: string) => page.getByRole('button', { name });
    await openMenu(page, 'Integration');
    await button('Integration').click();
    await expect(menu('Integration')).toHaveCount(0);
    await openMenu(page, 'Integration');
    await button('Support').click();
    await expect(menu('Support')).toBeVisible();
    await expect(menu('Integration')).toHaveCount(0);
    await page.mouse.click(640, 700);
    await expect(menu('Support')).toHaveCount(0);
    await openMenu(page, 'Integration');
    await page.getByRole('menuitem', { name: 'Games SDK Guide' }).click();
    await expect(page).toHaveURL('/games-sdk-integration-guide');
    await expect(page.getByRole('menu')).toHaveCount(0);
  });

  test('finds entries by the letters of the last second', async ({ page }) => {
    await page.clock.install();
    await page.goto('/faq');
    await page.getByRole('button', { name: 'Support' }).focus();
    await page.keyboard.press('Enter');
    const focused = (name: string) =>
      expect(page.getByRole('menuitem', { name: new RegExp(`^${name}`) })).toBeFocused();
    await focused('FAQ');
    await page.clock.pauseAt(Date.now() + 60_000);

    await page.keyboard.press('f');
    await page.clock.runFor(10);
    await focused('Feedback');
    // 'fa' is found within the second; 'a' by itself would find nothing.
    await page.clock.runFor(980);
    await page.keyboard.press('a');
    await page.clock.runFor(10);
    await focused('FAQ');
    // A second after its last letter the search is over: 'd' is found, 'fad' would not be.
    await page.clock.runFor(990);
    await page.keyboard.press('d');
    await page.clock.runFor(10);
    await focused('Docs');
  });

  test('that is asked for before its code is there opens as soon as it is', async ({ page }) => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(menuCode, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/faq');
    const support = page.getByRole('button', { name: 'Support' });
    const asked = page.waitForRequest(menuCode);
    await support.focus();
    await asked;
    await page.keyboard.press('Enter');
    await expect(support).toHaveAttribute('aria-expanded', 'false');
    release();
    await expect(page.getByRole('menuitem', { name: 'FAQ' })).toBeFocused();
    await expect(support).toHaveAttribute('aria-expanded', 'true');
  });

  test('whose code cannot be fetched says so', async ({ page }) => {
    await page.route(menuCode, (route) => route.abort());
    await page.goto('/faq');
    await page.getByRole('button', { name: 'Support' }).click();
    const toast = page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem');
    await expect(toast).toContainText('Failed to load the menu');
    await expect(toast).toContainText('Check your connection and try again.');
    await expect(page.getByRole('button', { name: 'Support' })).toHaveAttribute('aria-expanded', 'false');
  });
});

test('a tooltip shows after 700 ms, at once within 300 ms of another, and at once for the keyboard', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/faq');
  const tooltip = page.getByRole('tooltip');
  const social = (name: string) => page.getByRole('contentinfo').getByRole('link', { name });
  // As a hand does it: by several moves, the last of them at rest there.
  const away = () => page.mouse.move(640, 300, { steps: 4 });
  const pointAt = async (name: string) => {
    const box = await social(name).boundingBox();
    if (!box) throw new Error(`${name} is not there`);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 8 });
  };

  await social('Telegram').focus();
  await expect(tooltip).toHaveText('Telegram');
  await page.keyboard.press('Escape');
  await expect(tooltip).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(tooltip).toHaveText('X');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(tooltip).toHaveCount(0);

  await page.clock.pauseAt(Date.now() + 60_000);
  await pointAt('Telegram');
  await page.clock.runFor(699);
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(tooltip).toHaveText('Telegram');
  await pointAt('X');
  await expect(tooltip).toHaveText('X');

  await away();
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(299);
  await pointAt('Discord');
  await expect(tooltip).toHaveText('Discord');

  await away();
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(300);
  await pointAt('News');
  await page.clock.runFor(699);
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(tooltip).toHaveText('News');
});

test.describe('the footer', () => {
  test('stands below signed-in pages too, beside the sidebar and below what is first seen', async ({
    page,
    request,
  }) => {
    await signIn(page, await register(request));
    for (const path of ['/', '/settings', '/login?from=profile']) {
      await page.goto(path);
      const footer = page.getByRole('contentinfo');
      await expect(footer.getByRole('heading')).toHaveText(['Integration', 'Support', 'Legal']);
      const { x, y } = (await footer.boundingBox())!;
      expect([path, x, y >= (page.viewportSize()?.height ?? 0)]).toEqual([path, 64, true]);
    }
  });

  test('has the three columns and the social links, and its placeholders lead nowhere and say so', async ({
    page,
  }) => {
    await page.goto('/faq');
    const footer = page.getByRole('contentinfo');
    await expect(footer.getByRole('heading')).toHaveText(['Integration', 'Support', 'Legal']);
    const { links } = (await (await page.request.get('/api/config')).json()) as PublicConfig;
    const linksIn = (name: string) =>
      footer
        .getByRole('region', { name })
        .getByRole('link')
        .evaluateAll((all) =>
          all.map((link) => [
            link.textContent?.trim(),
            link.getAttribute('href'),
            link.getAttribute('target'),
          ]),
        );
    expect(await linksIn('Integration')).toEqual([
      ['Orange ID', '/orange-id', null],
      ['API', '/api', null],
      ['Games SDK Guide', '/games-sdk-integration-guide', null],
    ]);
    expect(await linksIn('Support')).toEqual([
      ['FAQ', '/faq', null],
      ['Docs  (opens in a new tab)', links.docs, '_blank'],
      ['Feedback  (opens in a new tab)', links.feedback, '_blank'],
    ]);
    expect(await linksIn('Legal')).toEqual(
      ['Privacy', 'Terms', 'Cookie', 'Security', 'Status Page', 'Contact Us'].map((name) => [
        name,
        null,
        null,
      ]),
    );
    await expect(footer.getByRole('region', { name: 'Legal' })).toContainText('Not published yet');
    expect(await socialIn(footer)).toEqual(socialOf(links));

    const terms = footer.getByRole('link', { name: 'Terms' });
    await expect(terms).toBeDisabled();
    await terms.focus();
    await expect(page.getByRole('tooltip')).toHaveText('Not published yet');
    await expect(terms).toHaveAccessibleDescription('Not published yet');
    const at = () => page.evaluate(() => [location.href, scrollY]);
    const before = await at();
    await page.keyboard.press('Enter');
    await terms.click({ force: true });
    expect(await at()).toEqual(before);
  });
});

test.describe('the mobile menu', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  const open = (page: Page) => page.getByRole('button', { name: 'Open menu' }).click();
  const linksOf = (page: Page, group: string) =>
    page
      .getByRole('dialog', { name: 'Menu' })
      .getByRole('region', { name: group })
      .locator('.mobile-link')
      .evaluateAll((all) =>
        all.map((link) => [
          link.textContent?.replace(/\s+/g, ' ').trim(),
          link.getAttribute('href'),
          link.getAttribute('target'),
        ]),
      );

  test('has the header’s links and the social ones, for a visitor', async ({ page }) => {
    await page.goto('/faq');
    await open(page);
    const { links } = (await (await page.request.get('/api/config')).json()) as PublicConfig;
    expect(await linksOf(page, 'Integration')).toEqual([
      ['Orange ID', null, null],
      ['API', '/api', null],
      ['Games SDK Guide', '/games-sdk-integration-guide', null],
    ]);
    expect(await linksOf(page, 'Support')).toEqual([
      ['FAQ', '/faq', null],
      ['Docs (opens in a new tab)', links.docs, '_blank'],
      ['Feedback (opens in a new tab)', links.feedback, '_blank'],
    ]);
    const menu = page.getByRole('dialog', { name: 'Menu' });
    expect(await socialIn(menu)).toEqual(socialOf(links));
    await expect(menu.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
    await expect(menu.getByText('My Projects')).toHaveCount(0);
    // It comes from the right.
    await expect
      .poll(async () => {
        const box = await menu.boundingBox();
        return box && box.x + box.width;
      })
      .toBe(360);
  });

  test('has the sidebar’s and the account’s links too for somebody signed in, and signs out', async ({
    page,
    request,
  }) => {
    await signIn(page, await register(request));
    await page.goto('/faq');
    await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible();
    await open(page);
    expect(await linksOf(page, 'Portal')).toEqual([
      ['Home', '/', null],
      ['My Projects', '/projects', null],
      ['Customisation', '/customisation', null],
      ['API Keys', '/keys', null],
      ['Usage', '/usage', null],
    ]);
    expect((await linksOf(page, 'Integration'))[0]).toEqual(['Orange ID', '/orange-id', null]);
    expect(await linksOf(page, 'Account')).toEqual([
      ['Profile', '/profile', null],
      ['Settings', '/settings', null],
    ]);
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Sign out' }).click();
    await expectSignedOut(page);
  });

  test('opens Orange ID for somebody signed in, and closes', async ({ page, request, machine }) => {
    await signIn(page, await register(request));
    await page.goto('/');
    await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible();
    await open(page);
    await page.getByRole('dialog').getByRole('link', { name: 'Orange ID' }).click();
    await expect(page).toHaveURL('/orange-id');
    await machine('mobileMenu').is('closed');
  });

  test('and the sign-in dialog work by keyboard alone', async ({ page, machine }) => {
    await page.goto('/faq');
    const burger = page.getByRole('button', { name: 'Open menu' });
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await burger.focus();
    await page.keyboard.press('Enter');
    await expect(menu.getByRole('button', { name: 'Orange ID' })).toBeFocused();
    await expect(page.locator('html')).toHaveCSS('overflow', 'hidden');
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(burger).toBeFocused();
    await machine('mobileMenu').is('closed');

    await page.keyboard.press('Enter');
    await expect(menu.getByRole('button', { name: 'Orange ID' })).toBeFocused();
    await page.keyboard.press('Enter');
    await machine('signInDialog').is('open');
    const dialog = page.getByRole('dialog', { name: 'Sign in to Orange ID' });
    await expect(dialog.getByRole('button', { name: 'Continue with Google' })).toBeFocused();
    const stops = [
      'Continue with Apple',
      'Use email or a wallet',
      'Terms of Service',
      'Privacy Policy',
      'Close',
    ];
    for (const name of stops) {
      await page.keyboard.press('Tab');
      await expect(dialog.getByRole(/Apple|Close/.test(name) ? 'button' : 'link', { name })).toBeFocused();
    }
    // The first Escape would close a tooltip that is still there.
    await expect(page.getByRole('tooltip')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await machine('signInDialog').is('closed');
    await expect(dialog).toBeHidden();
    await expect(burger).toBeFocused();
  });

  test('closes by a press beside it, and when the page behind it changes', async ({ page, machine }) => {
    await page.goto('/faq');
    await page.goto('/games-sdk-integration-guide');
    await open(page);
    await machine('mobileMenu').is('open');
    await page.mouse.click(10, 400);
    await machine('mobileMenu').is('closed');
    await open(page);
    await machine('mobileMenu').is('open');
    await page.getByRole('dialog').getByRole('link', { name: 'FAQ' }).click();
    await expect(page).toHaveURL('/faq');
    await machine('mobileMenu').is('closed');
    await expect(page.getByRole('main')).toBeFocused();
    await open(page);
    await machine('mobileMenu').is('open');
    await page.goBack();
    await expect(page).toHaveURL('/games-sdk-integration-guide');
    await machine('mobileMenu').is('closed');
    await expect(page.getByRole('main')).toBeFocused();
  });

  test('asks a visitor to sign in before Orange ID, with the spec’s dialog', async ({ page, machine }) => {
    await page.goto('/');
    await open(page);
    await machine('mobileMenu').is('open');
    await page.getByRole('dialog').getByRole('button', { name: 'Orange ID' }).click();
    await machine('signInDialog').is('open');
    await machine('mobileMenu').is('closed');
    const dialog = page.getByRole('dialog', { name: 'Sign in to Orange ID' });
    await expect(dialog).toContainText(
      'Choose your preferred sign-in method to access your developer portal',
    );
    await expect(dialog.getByRole('button', { name: 'Continue with Google' })).toBeEnabled();
    await expect(dialog.getByRole('button', { name: 'Continue with Apple' })).toBeEnabled();
    await expect(dialog).toContainText(
      'By continuing, you agree to our Terms of Service and Privacy Policy.',
    );
    for (const name of ['Terms of Service', 'Privacy Policy']) {
      await expect(dialog.getByRole('link', { name })).toBeDisabled();
    }
    await dialog.getByRole('link', { name: 'Use email or a wallet' }).click();
    await expect(page).toHaveURL('/login');
  });

  test('leaves for the provider chosen, and until it is there nothing else can be chosen', async ({
    page,
    machine,
  }) => {
    await page.goto('/');
    await open(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Orange ID' }).click();
    // An answer without content, so that the page is still there to be looked at.
    await page.route('**/api/login?*', (route) => route.fulfill({ status: 204 }));
    const asked = page.waitForRequest(/\/api\/login\?provider=google&tab=[\w-]{22}$/);
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await asked;
    await machine('signInDialog').is('leaving');
    await expect(page.getByRole('button', { name: 'Continue with Apple' })).toBeDisabled();
    await page.getByRole('button', { name: 'Close' }).click();
    await machine('signInDialog').is('closed');
  });

  test('a provider that the portal has not set up says so in the dialog', async ({ page }) => {
    await page.route('/faq', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('"apple":true', '"apple":false');
      await route.fulfill({ response: answer, body });
    });
    await page.goto('/faq');
    await open(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Orange ID' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in to Orange ID' });
    const apple = dialog.getByRole('button', { name: 'Continue with Apple' });
    await expect(apple).toBeDisabled();
    await expect(apple).toHaveAccessibleDescription(
      'Apple sign-in isn’t available on this portal. Use email or a wallet instead.',
    );
    await expect(dialog.getByRole('button', { name: 'Continue with Google' })).toBeEnabled();
  });

  for (const path of ['/', '/login', '/faq', '/no-such-page']) {
    test(`nothing on ${path} is wider than the screen`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByText(/Orange ID|Sign in to|Coming Soon|Page Not Found/).first()).toBeVisible();
      expect(await isTooWide(page)).toBe(false);
    });
  }
});

test.describe('when something fails', () => {
  test("a start without its configuration says so, and 'Try again' starts", async ({ page }) => {
    // A page of another server: the configuration did not come with it.
    await page.route('/faq', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/(<script [^>]*id="portal-config">)[^<]*/, '$1');
      await route.fulfill({ response: answer, body });
    });
    await page.route('**/api/config', (route) => route.fulfill({ status: 503, body: 'resting' }));
    await page.goto('/faq');
    await expect(page.getByText('Something went wrong')).toBeVisible();
    await expect(page.getByText('503: resting')).toBeVisible();
    await page.unroute('**/api/config');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('Coming Soon')).toBeVisible();
  });

  for (const [part, files] of [
    ['code', '**/assets/LoginPage-*.js'],
    ['style sheet', '**/assets/*.css'],
  ] as const) {
    test(`a page whose ${part} cannot be fetched says to refresh, and is there after that`, async ({
      page,
    }) => {
      await page.goto('/');
      await page.route(files, (route) => route.fulfill({ status: 404 }));
      await page.getByRole('link', { name: 'Login' }).click();
      await expect(page.getByText('Navigation Error')).toBeVisible();
      await expect(page.getByText('Please refresh the page')).toBeVisible();
      await page.unroute(files);
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect(page.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
    });
  }

  test('without a network every page still opens and says what it cannot show, and shows it once there is one', async ({
    page,
    context,
    request,
  }) => {
    const account = await register(request);
    await createProject(request, account, { projectName: 'Far', whitelistURL: ['https://far.example.org'] });
    await signIn(page, account);
    // A page that has asked for no project yet.
    await page.goto('/faq');
    const sidebar = page.getByRole('navigation', { name: 'Portal' });
    await expect(sidebar).toBeVisible();
    const ahead = ['ProjectsPage', 'SettingsPage', 'UsagePage', 'WizardPage'];
    const isFetched = () =>
      page.evaluate(
        (names) =>
          names.filter(
            (name) => !performance.getEntriesByType('resource').some((entry) => entry.name.includes(name)),
          ),
        ahead,
      );
    await expect.poll(isFetched).toEqual([]);

    await context.setOffline(true);
    await sidebar.getByRole('link', { name: 'My Projects' }).click();
    await expect(page.getByText('Failed to load projects')).toBeVisible();
    await expect(page.getByText(/The server couldn’t be reached/)).toBeVisible();
    await sidebar.getByRole('link', { name: 'Orange ID' }).click();
    await expect(page.getByRole('textbox', { name: 'Project name' })).toBeFocused();
    await sidebar.getByRole('link', { name: 'My Projects' }).click();
    await context.setOffline(false);
    await expect(page.getByRole('heading', { name: 'Far' })).toBeVisible();
  });

  for (const [message, says] of [
    ['The calendar broke', 'The calendar broke'],
    ['', 'An unexpected error occurred'],
  ] as const)
    test(`a page that throws '${message}' while it is drawn says so, and 'Try again' draws it`, async ({
      page,
      request,
    }) => {
      const account = await register(request);
      await createProject(request, account, {
        projectName: 'Drawn',
        whitelistURL: ['https://a.example.org'],
      });
      await signIn(page, account);
      // A page that shows no time.
      await page.goto('/faq');
      await expect(page.getByRole('navigation', { name: 'Portal' })).toBeVisible();
      await page.evaluate((text) => {
        const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format')!;
        const broken = {
          configurable: true,
          get() {
            throw new Error(text);
          },
        };
        Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', broken);
        window.addEventListener('mend', () =>
          Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', format),
        );
      }, message);
      await page
        .getByRole('navigation', { name: 'Portal' })
        .getByRole('link', { name: 'My Projects' })
        .click();
      const screen = page.getByRole('alert').filter({ hasText: 'Something went wrong' });
      await expect(screen).toContainText(says);
      await page.evaluate(() => window.dispatchEvent(new Event('mend')));
      await screen.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Projects');
      await expect(page.getByRole('heading', { name: 'Drawn' })).toBeVisible();
    });

  test('a rejection nobody handled is logged and goes no further', async ({ page }) => {
    const errors: string[] = [];
    const thrown: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => thrown.push(error.message));
    await page.goto('/faq');
    await page.evaluate(() => void Promise.reject(new Error('nobody listens')));
    await expect
      .poll(() => errors.join('\n'))
      .toContain('Unhandled promise rejection: Error: nobody listens');
    expect(thrown).toEqual([]);
  });
});

test.describe('a toast', () => {
  test('whose code cannot be fetched says its words all the same, for as long; the next one is whole', async ({
    page,
  }) => {
    await page.clock.install();
    await page.goto('/');
    const chunks = /assets\/(?:ToastRegion|NavMenuList)-/;
    await page.route(chunks, (route) => route.abort());
    await page.getByRole('button', { name: 'Support' }).click();
    const words = page.getByRole('alert').filter({ hasText: 'Failed to load the menu' });
    await expect(words).toHaveText('Failed to load the menu: Check your connection and try again.');
    await page.clock.runFor(5_000);
    await expect(words).toHaveCount(0);

    await page.unroute(chunks);
    await page.route('**/assets/NavMenuList-*', (route) => route.abort());
    await page.getByRole('button', { name: 'Integration' }).click();
    const toasts = page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem');
    await expect(toasts).toContainText('Failed to load the menu');
  });

  test('is alone, stays 5 seconds, and F8 leads to it', async ({ page, request }) => {
    await page.clock.install();
    await signIn(page, await register(request));
    await page.goto('/orange-id');
    const create = page.getByRole('button', { name: 'Create New' });
    const toasts = page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem');
    await create.click();
    await create.click();
    await expect(toasts).toHaveCount(1);
    await expect(toasts).toContainText('Project Name Required');
    await expect(toasts).toContainText('Please enter a project name.');
    await page.clock.fastForward(4_000);
    await expect(toasts).toHaveCount(1);
    await page.clock.fastForward(1_100);
    await expect(toasts).toHaveCount(0);

    await create.click();
    await expect(toasts).toHaveCount(1);
    await page.keyboard.press('F8');
    await expect(page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('list')).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await expect(toasts).toHaveCount(0);
  });

  test('is no wider than 420 px, and goes when it is swiped by 50 px, not by less', async ({
    page,
    request,
  }) => {
    await signIn(page, await register(request));
    await page.goto('/orange-id');
    const region = page.getByRole('region', { name: 'Notifications (F8)' });
    const toast = region.getByRole('listitem');
    const swipe = async (by: number) => {
      const { x, y } = (await toast.getByText('Project Name Required').boundingBox()) as {
        x: number;
        y: number;
      };
      await page.mouse.move(x + 5, y + 5);
      await page.mouse.down();
      await page.mouse.move(x + 5 + by / 2, y + 5, { steps: 4 });
      await page.mouse.move(x + 5 + by, y + 5, { steps: 4 });
      await page.mouse.up();
    };
    await page.getByRole('button', { name: 'Create New' }).click();
    await expect(toast).toHaveCount(1);
    expect((await region.getByRole('list').boundingBox())?.width).toBe(420);
    await swipe(45);
    await expect(toast).toHaveAttribute('data-swipe', 'cancel');
    await expect(toast).toHaveCount(1);
    await swipe(60);
    await expect(toast).toHaveCount(0);
  });
});

test.describe('the theme', () => {
  test('follows the system until switched, and remembers the switch', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('/faq');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.getByRole('button', { name: 'Switch to light theme' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  });

  for (const [system, chosen, text] of [
    ['light', 'dark', 'rgb(245, 241, 236)'],
    ['dark', 'light', 'rgb(28, 25, 23)'],
  ] as const) {
    test(`${chosen} chosen against a system in ${system} holds for all of a signed-in page`, async ({
      page,
      request,
    }) => {
      await page.emulateMedia({ colorScheme: system });
      await signIn(page, await register(request));
      await openSettled(page, '/settings');
      await page.getByRole('button', { name: `Switch to ${chosen} theme` }).click();
      // accessibility.spec.ts looks at every page this way.
      await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', text);
      await openSettled(page, '/orange-id');
      await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', text);
    });
  }
});

test.describe('accessibility', () => {
  const findings = async (page: Page) => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  };

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`menus, sidebar and tooltips in ${colorScheme}, at 1280 px, have no violation`, async ({
      page,
      request,
    }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto('/faq');
      for (const name of ['Integration', 'Support']) {
        await openMenu(page, name);
        expect(await findings(page)).toEqual([]);
        await page.keyboard.press('Escape');
      }
      await page.getByRole('link', { name: 'Privacy' }).focus();
      await expect(page.getByRole('tooltip')).toHaveText('Not published yet');
      expect(await findings(page)).toEqual([]);

      await signIn(page, await register(request));
      await page.goto('/faq');
      await page.getByRole('button', { name: /^Account menu/ }).click();
      await expect(page.getByRole('menu', { name: 'Account' })).toBeVisible();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Usage' }).hover();
      await expect(page.getByRole('tooltip')).toHaveText('Usage');
      expect(await findings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Expand sidebar' }).click();
      await expect(page.getByText('Collapse', { exact: true })).toBeVisible();
      expect(await findings(page)).toEqual([]);
    });

    test(`the mobile menu and the dialog in ${colorScheme}, at 360 px, have no violation`, async ({
      page,
      request,
    }) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.emulateMedia({ colorScheme });
      await page.goto('/faq');
      await page.getByRole('button', { name: 'Open menu' }).click();
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
      expect(await findings(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Orange ID' }).click();
      await expect(page.getByRole('dialog', { name: 'Sign in to Orange ID' })).toBeVisible();
      expect(await findings(page)).toEqual([]);

      await signIn(page, await register(request));
      await page.goto('/faq');
      await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible();
      await page.getByRole('button', { name: 'Open menu' }).click();
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
      expect(await findings(page)).toEqual([]);
    });
  }
});
