import AxeBuilder from '@axe-core/playwright';
import { expect } from '@playwright/test';
import { createProject, register, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';

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
      'Usage',
    ]);
    await expect(sidebar.getByRole('link')).toHaveText(['Home', 'Orange ID', 'Customisation', 'Usage']);
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
});

test.describe('the header', () => {
  test('is transparent for a visitor until the page is scrolled, and solid when signed in', async ({
    page,
    request,
  }) => {
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.goto('/');
    const background = () =>
      page.locator('header').evaluate((header) => getComputedStyle(header).backgroundColor);
    await expect.poll(background).toBe('rgba(0, 0, 0, 0)');
    await page.evaluate(() => window.scrollTo(0, 1));
    await expect.poll(background).toBe('rgb(255, 255, 255)');
    await expect(page.getByRole('link', { name: 'My Projects' })).toHaveCount(0);

    await signIn(page, await register(request));
    await page.goto('/');
    await expect.poll(background).toBe('rgb(255, 255, 255)');
    await expect(page.getByRole('banner').getByRole('link', { name: 'My Projects' })).toBeVisible();
  });

  test('works by keyboard alone: skip link, menus by arrows and Enter, Escape gives the focus back', async ({
    page,
  }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();

    const support = page.getByRole('button', { name: 'Support' });
    await support.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'FAQ' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menuitem', { name: 'FAQ' })).toBeHidden();
    await expect(support).toBeFocused();

    const integration = page.getByRole('button', { name: 'Integration' });
    await integration.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Orange ID' })).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitem').getByRole('link', { name: 'Games SDK Guide' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/games-sdk-integration-guide');
    await expect(page.getByRole('main')).toBeFocused();
    await expect(page.getByRole('menuitem')).toHaveCount(0);

    await integration.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Orange ID' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/login');
    await page.goBack();
    await expect(page).toHaveURL('/games-sdk-integration-guide');
  });
});

test.describe('the mobile menu', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('leaves for the provider chosen, and until it is there nothing else can be chosen', async ({
    page,
    machine,
  }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Orange ID' }).click();
    // An answer without content, so that the page is still there to be looked at.
    await page.route('**/api/login?*', (route) => route.fulfill({ status: 204 }));
    const asked = page.waitForRequest('**/api/login?provider=google');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await asked;
    await machine('signInDialog').is('leaving');
    await expect(page.getByRole('button', { name: 'Continue with Apple' })).toBeDisabled();
    await page.getByRole('button', { name: 'Close' }).click();
    await machine('signInDialog').is('closed');
  });

  test('asks a visitor to sign in before Orange ID, with the spec’s dialog', async ({ page, machine }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await machine('mobileMenu').is('open');
    await page.getByRole('button', { name: 'Orange ID' }).click();
    await machine('signInDialog').is('open');
    const dialog = page.getByRole('dialog', { name: 'Sign in to Orange ID' });
    await expect(dialog).toContainText(
      'Choose your preferred sign-in method to access your developer portal',
    );
    await expect(dialog.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Continue with Apple' })).toBeVisible();
    await expect(dialog).toContainText('Terms of Service');
    await expect(dialog).toContainText('Privacy Policy');
    await page.keyboard.press('Escape');
    await machine('signInDialog').is('closed');
  });

  test('opens Orange ID for somebody signed in, and closes', async ({ page, request, machine }) => {
    await signIn(page, await register(request));
    await page.goto('/');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Orange ID' }).click();
    await expect(page).toHaveURL('/orange-id');
    await machine('mobileMenu').is('closed');
  });

  for (const path of ['/', '/login', '/faq', '/no-such-page']) {
    test(`nothing on ${path} is wider than the screen`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByText(/Orange ID|Sign in to|Coming Soon|Page Not Found/).first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    });
  }
});

test.describe('when something fails', () => {
  test("a start without its configuration says so, and 'Try again' starts", async ({ page }) => {
    await page.route('**/api/config', (route) => route.fulfill({ status: 503, body: 'resting' }));
    await page.goto('/');
    await expect(page.getByText('Something went wrong')).toBeVisible();
    await expect(page.getByText('503: resting')).toBeVisible();
    await page.unroute('**/api/config');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Build, Launch, and Scale with Orange ID',
    );
  });

  test('a page whose code cannot be fetched says to refresh', async ({ page }) => {
    await page.route('**/assets/LoginPage-*.js', (route) => route.abort());
    await page.goto('/');
    await page.getByRole('link', { name: 'Login' }).click();
    await expect(page.getByText('Navigation Error')).toBeVisible();
    await expect(page.getByText('Please refresh the page')).toBeVisible();
  });

  test('without a network every page still opens and says what it cannot show, and shows it once there is one', async ({
    page,
    context,
    request,
  }) => {
    const account = await register(request);
    await createProject(request, account, { projectName: 'Far', whitelistURL: ['https://far.example.org'] });
    await signIn(page, account);
    await page.goto('/');
    const sidebar = page.getByRole('navigation', { name: 'Portal' });
    await expect(page.getByRole('heading', { name: 'Welcome to Orange ID' })).toBeVisible();
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
    await expect(page.getByText(/The server could not be reached/)).toBeVisible();
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
      await page.goto('/');
      await expect(page.getByRole('heading', { name: 'Welcome to Orange ID' })).toBeVisible();
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
});

test.describe('accessibility', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const path of ['/', '/login', '/faq', '/no-such-page']) {
      test(`${path} in ${colorScheme} has no violation`, async ({ page }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.goto(path);
        await expect(page.getByText(/Explore Docs|Connect Wallet|Coming Soon|Go home/).first()).toBeVisible();
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      });
    }

    test(`the dashboard in ${colorScheme} has no violation`, async ({ page, request }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await signIn(page, await register(request));
      await page.goto('/');
      await expect(page.getByText('New Observer')).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    });
  }
});
