import { expect, type Page } from '@playwright/test';
import { createProject, register, registerWithProfile, signIn } from '../fixtures/account';
import { axeFindings } from '../fixtures/axe';
import { machineTest as test } from '../fixtures/machine';

test('the sidebar is 4rem or 14rem wide, the page and footer are beside it, and a wide screen restores its state', async ({
  page,
  request,
  machine,
}) => {
  const widths = () =>
    page.evaluate(() => ({
      sidebar: document.querySelector('.sidebar_root')?.getBoundingClientRect().width,
      content: getComputedStyle(document.querySelector('.shell_root') as Element).paddingLeft,
    }));
  /** Expects the footer to the right of the sidebar, below the first screen. */
  const expectFooterAt = (left: number) =>
    expect
      .poll(async () => {
        const box = await page.getByRole('contentinfo').boundingBox();
        return box && [box.x, box.y >= (page.viewportSize()?.height ?? 0)];
      })
      .toEqual([left, true]);
  const expand = page.getByRole('button', { name: 'Expand sidebar' });
  const collapse = page.getByRole('button', { name: 'Collapse sidebar' });
  await signIn(page, await register(request));

  await page.goto('/');
  await machine('sidebar').is('collapsed');
  expect(await widths()).toEqual({ sidebar: 64, content: '64px' });
  await expectFooterAt(64);
  await expand.click();
  await machine('sidebar').is('expanded');
  await expect.poll(widths).toEqual({ sidebar: 224, content: '224px' });
  await collapse.click();
  await expect.poll(widths).toEqual({ sidebar: 64, content: '64px' });

  await page.goto('/settings');
  await expectFooterAt(64);
  await expand.click();
  await machine('sidebar').is('expanded');
  await page.goto('/login?from=profile');
  await machine('sidebar').is('expanded');
  await expectFooterAt(224);
  await page.setViewportSize({ width: 1024, height: 740 });
  await page.reload();
  await machine('sidebar').is('collapsed');
  await page.setViewportSize({ width: 1280, height: 740 });
  await page.reload();
  await collapse.click();
  await page.reload();
  await machine('sidebar').is('collapsed');
});

test('the header has a logo of 164 × 40, is transparent for a visitor until the page scrolls, and solid for a signed-in user', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto('/');
  const header = page.getByRole('banner');
  const logo = header.getByRole('img', { name: 'Orange ID' });
  expect(await logo.boundingBox()).toMatchObject({ width: 164, height: 40 });
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
  const picture = header.getByRole('button', { name: /^Account menu/ }).locator('.user-avatar_root');
  expect(await picture.boundingBox()).toMatchObject({ width: 36, height: 36 });
});

test('the header, its menus, the footer’s placeholders and the sidebar work by keyboard and pass axe', async ({
  page,
  request,
}) => {
  const entry = (name: string) => page.getByRole('menuitem', { name: new RegExp(`^${name}`) });
  const integration = page.getByRole('button', { name: 'Integration' });
  const support = page.getByRole('button', { name: 'Support' });
  await page.goto('/faq');

  await test.step('the skip link moves the focus to the content', async () => {
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await expect(skip).toBeAttached();
    await page.keyboard.press('Tab');
    await expect(skip).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    await expect(page.getByRole('main')).toHaveCSS('outline-style', 'none');
  });

  await test.step('Tab and Shift+Tab leave a menu and close it', async () => {
    await integration.focus();
    await page.keyboard.press('Enter');
    await expect(entry('Orange ID')).toBeFocused();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await expect(support).toBeFocused();
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(integration).toHaveAttribute('aria-expanded', 'false');
    await page.keyboard.press('Enter');
    await expect(entry('FAQ')).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(integration).toBeFocused();
    await expect(support).toHaveAttribute('aria-expanded', 'false');
    await expect(page.getByRole('menu')).toHaveCount(0);
  });

  await test.step('Enter opens a page of another site in a new tab, and the focus returns to the menu’s button', async () => {
    await support.focus();
    await page.keyboard.press('Enter');
    await expect(entry('FAQ')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(entry('Docs')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(entry('Feedback')).toBeFocused();
    const opened = page.context().waitForEvent('page');
    await page.keyboard.press('Enter');
    const tab = await opened;
    expect(tab.url()).not.toBe(page.url());
    await tab.close();
    await expect(support).toBeFocused();
    await expect(page.getByRole('menu')).toHaveCount(0);
  });

  await test.step('a link without a URL says so and does nothing', async () => {
    const terms = page.getByRole('contentinfo').getByRole('link', { name: 'Terms' });
    await terms.focus();
    await expect(page.getByRole('tooltip')).toHaveText('Not published yet');
    expect(await axeFindings(page)).toEqual([]);
    const at = () => page.evaluate(() => [location.href, scrollY]);
    const before = await at();
    await page.keyboard.press('Enter');
    await terms.click({ force: true });
    expect(await at()).toEqual(before);
  });

  await test.step('a signed-in user’s account menu, tooltips and open sidebar pass axe', async () => {
    await signIn(page, await register(request));
    await page.goto('/faq');
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await expect(page.getByRole('menu', { name: 'Account' })).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    await sidebar.getByRole('button', { name: 'Expand sidebar' }).focus();
    await expect(page.getByRole('tooltip')).toHaveText('Expand sidebar');
    const last = sidebar.getByRole('link').last();
    const [name, path] = [await last.textContent(), await last.getAttribute('href')] as [string, string];
    await last.hover();
    await expect(page.getByRole('tooltip')).toHaveText(name);
    expect(await axeFindings(page)).toEqual([]);
    await sidebar.getByRole('button', { name: 'Expand sidebar' }).press('Enter');
    await expect(page.getByText('Collapse', { exact: true })).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Shift+Tab');
    await expect(last).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(path);
    await expect(sidebar.locator('[aria-current=page]')).toHaveText(name);
  });
});

test('the mobile menu and the sign-in dialog work by keyboard, close when the page changes, and pass axe', async ({
  page,
  machine,
  request,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/games-sdk-integration-guide');
  const burger = page.getByRole('button', { name: 'Open menu' });
  const menu = page.getByRole('dialog', { name: 'Menu' });
  const dialog = page.getByRole('dialog', { name: 'Sign in to Orange ID' });

  await test.step('the menu slides in from the right, takes the focus, and returns it on Escape', async () => {
    // Before the prerendered page is hydrated, a key does nothing.
    await machine('mobileMenu').is('closed');
    await burger.focus();
    await page.keyboard.press('Enter');
    await expect(menu.getByRole('button', { name: 'Orange ID' })).toBeFocused();
    await expect(page.locator('html')).toHaveCSS('overflow', 'hidden');
    await expect
      .poll(async () => {
        const box = await menu.boundingBox();
        return box && box.x + box.width;
      })
      .toBe(360);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(burger).toBeFocused();
    await machine('mobileMenu').is('closed');
  });

  await test.step('the dialog traps the focus, and returns it on Escape', async () => {
    await page.keyboard.press('Enter');
    await expect(menu.getByRole('button', { name: 'Orange ID' })).toBeFocused();
    await page.keyboard.press('Enter');
    await machine('signInDialog').is('open');
    await expect(dialog.getByRole('button', { name: 'Continue with Google' })).toBeFocused();
    expect(await axeFindings(page)).toEqual([]);
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
    // The first Escape would only close a tooltip that is still open.
    await expect(page.getByRole('tooltip')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await machine('signInDialog').is('closed');
    await expect(dialog).toBeHidden();
    await expect(burger).toBeFocused();
  });

  await test.step('choosing a provider redirects once, and nothing else can be chosen until its page loads', async () => {
    // A response without content keeps the page open, so that the test can check it.
    await page.route('**/api/login?*', (route) => route.fulfill({ status: 204 }));
    for (const [provider, title, other] of [
      ['google', 'Google', 'Apple'],
      ['apple', 'Apple', 'Google'],
    ] as const) {
      await burger.click();
      await menu.getByRole('button', { name: 'Orange ID' }).click();
      const asked = page.waitForRequest(new RegExp(`/api/login\\?provider=${provider}&tab=[\\w-]{22}$`));
      await dialog.getByRole('button', { name: `Continue with ${title}` }).click();
      await asked;
      await machine('signInDialog').is('leaving');
      await expect(dialog.getByRole('button', { name: `Continue with ${other}` })).toBeDisabled();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await machine('signInDialog').is('closed');
    }
  });

  await test.step('a click outside the menu, a link in it and the browser’s Back button close it', async () => {
    await burger.click();
    await machine('mobileMenu').is('open');
    await page.mouse.click(10, 400);
    await machine('mobileMenu').is('closed');
    await burger.click();
    await machine('mobileMenu').is('open');
    await menu.getByRole('link', { name: 'FAQ' }).click();
    await expect(page).toHaveURL('/faq');
    await machine('mobileMenu').is('closed');
    await expect(page.getByRole('main')).toBeFocused();
    await burger.click();
    await machine('mobileMenu').is('open');
    await page.goBack();
    await expect(page).toHaveURL('/games-sdk-integration-guide');
    await machine('mobileMenu').is('closed');
    await expect(page.getByRole('main')).toBeFocused();
  });

  await test.step('a signed-in user’s menu passes axe', async () => {
    await signIn(page, await register(request));
    await page.goto('/faq');
    await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible();
    await burger.click();
    await expect(menu).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
  });
});

test('a tooltip shows after 700 ms, at once within 300 ms of another, and at once for the keyboard', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/faq');
  const tooltip = page.getByRole('tooltip');
  const social = (name: string) => page.getByRole('contentinfo').getByRole('link', { name });
  // Moves the pointer as a hand does: in several steps, the last one on the target.
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

test('a page whose script or stylesheet fails to load asks for a refresh, and loads once the network is back', async ({
  page,
}) => {
  for (const files of ['**/assets/LoginPage-*.js', '**/assets/*.css']) {
    await page.goto('/');
    await page.route(files, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Login' }).click();
    await expect(page.getByText('Navigation Error')).toBeVisible();
    await expect(page.getByText('Please refresh the page')).toBeVisible();
    await page.unroute(files);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
  }
  await page.goto('/');
  await page.route('**/assets/LoginPage-*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'Login' }).click();
  await expect(page.getByText('Navigation Error')).toBeVisible();
  await page.unroute('**/assets/LoginPage-*.js');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  const panel = page.locator('[data-machine="loginPanel"]');
  await expect(panel.getByText('Sign in to', { exact: true })).toBeVisible();
  await expect(panel.getByText('OR', { exact: true })).toBeVisible();
  await expect(panel.getByRole('button')).toHaveText([
    'Continue with Google',
    'Continue with Apple',
    'Continue with email',
    'Connect Wallet',
    'Create an account',
  ]);
});

test('a menu or a toast whose script is late or missing shows plain text, and works once the script has loaded', async ({
  page,
}) => {
  const menuCode = '**/assets/NavMenuList-*';
  const chunks = /assets\/(?:ToastRegion|NavMenuList)-/;
  const support = page.getByRole('button', { name: 'Support' });
  const problems: string[] = [];
  const thrown: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => thrown.push(error.message));
  await page.clock.install();
  await page.goto('/faq');

  await test.step('without the script of toasts the message shows as plain text, for as long as a toast would', async () => {
    await page.route(chunks, (route) => route.abort());
    await support.click();
    const words = page.getByRole('alert').filter({ hasText: 'Failed to load the menu' });
    await expect(words).toHaveText('Failed to load the menu: Check your connection and try again.');
    await expect(support).toHaveAttribute('aria-expanded', 'false');
    await page.clock.runFor(5_000);
    await expect(words).toHaveCount(0);
    await page.unroute(chunks);
  });

  await test.step('with the script, the next message is a toast', async () => {
    await page.route(menuCode, (route) => route.abort());
    await page.getByRole('button', { name: 'Integration' }).click();
    const toast = page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem');
    await expect(toast).toContainText('Failed to load the menu');
    await expect(toast).toContainText('Check your connection and try again.');
    await page.unroute(menuCode);
  });

  await test.step('a menu clicked before its script has loaded opens as soon as it has', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(menuCode, async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest(menuCode);
    await support.focus();
    await asked;
    await page.keyboard.press('Enter');
    await expect(support).toHaveAttribute('aria-expanded', 'false');
    release();
    await expect(page.getByRole('menuitem', { name: 'FAQ' })).toBeFocused();
    await expect(support).toHaveAttribute('aria-expanded', 'true');
  });

  await test.step('an unhandled rejection is logged and not passed on to the browser', async () => {
    await page.evaluate(() => void Promise.reject(new Error('nobody listens')));
    await expect
      .poll(() => problems.join('\n'))
      .toContain('Unhandled promise rejection: Error: nobody listens');
    expect(thrown).toEqual([]);
  });
});

test('pages open without a network, say what they cannot show, and show it once the network is back', async ({
  page,
  context,
  request,
}) => {
  const account = await register(request);
  await createProject(request, account, { projectName: 'Far', whitelistURL: ['https://far.example.org'] });
  await signIn(page, account);
  // A page that has not requested any project yet.
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

test('a toast is at most 420 px wide, and closes after a swipe of 50 px, not less', async ({
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

/** The right edge of the header's last control (on a bare page the theme switch), and whether the page scrolls. */
const headerOf = (page: Page) =>
  page.evaluate(() => ({
    end: document
      .querySelector('.header_side > :nth-last-child(2), .shell_bareHeader .color-mode-switch_root')
      ?.getBoundingClientRect().right,
    isScrollable: document.documentElement.scrollHeight > window.innerHeight,
  }));

/** Whether the pixel at the window's right edge equals one inside the bar. */
async function isPaintedToEdge(page: Page, bars: readonly ('header' | 'footer')[]): Promise<boolean[]> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const pixel = (x: number, y: number) => page.screenshot({ clip: { x, y, width: 1, height: 1 } });
  const rows = bars.flatMap((bar) => (bar === 'header' ? [4, 63] : [height - 4]));
  return Promise.all(rows.map(async (y) => (await pixel(width - 1, y)).equals(await pixel(width - 20, y))));
}

test('the header keeps its place whether or not the page scrolls, and while a dialog is open', async ({
  playwright,
  request,
  baseURL,
}, { project }) => {
  const browser = await playwright.chromium.launch({
    ...project.use.launchOptions,
    // Otherwise scrollbars overlay the page, as on a phone.
    ignoreDefaultArgs: ['--hide-scrollbars'],
  });
  try {
    const page = await browser.newPage({ ...project.use.contextOptions, ...(baseURL ? { baseURL } : {}) });
    await page.setViewportSize({ width: 1280, height: 2000 });
    await page.goto('/faq');
    await expect(page.getByText('Coming Soon')).toBeVisible();
    const short = await headerOf(page);
    expect(await isPaintedToEdge(page, ['header', 'footer'])).toEqual([true, true, true]);
    await page.setViewportSize({ width: 1280, height: 500 });
    await expect.poll(() => headerOf(page)).toEqual({ end: short.end, isScrollable: true });
    expect([short.isScrollable, short.end! < 1280]).toEqual([false, true]);

    // A bare page has no header, only the theme switch, which is positioned by the window instead of the body.
    await page.setViewportSize({ width: 1280, height: 2000 });
    await page.goto('/login');
    await expect(page.locator('.shell_bareHeader .color-mode-switch_root')).toBeVisible();
    const bare = await headerOf(page);
    await page.setViewportSize({ width: 1280, height: 300 });
    await expect.poll(() => headerOf(page)).toEqual({ end: bare.end, isScrollable: true });
    expect([bare.isScrollable, bare.end! < 1280]).toEqual([false, true]);
    await page.setViewportSize({ width: 1280, height: 500 });

    await signIn(page, await registerWithProfile(request));
    await page.goto('/settings');
    const out = page.getByRole('button', { name: 'Sign out everywhere' });
    await expect(out).toBeVisible();
    const before = await headerOf(page);
    await out.click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
    expect(await headerOf(page)).toEqual(before);
    expect(await isPaintedToEdge(page, ['header'])).toEqual([true, true]);
  } finally {
    await browser.close();
  }
});
