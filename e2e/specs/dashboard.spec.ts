import AxeBuilder from '@axe-core/playwright';
import { expect, type APIRequestContext, type Locator, type Page } from '@playwright/test';
import { createProject, register, registerWithProfile, signIn, type Account } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { call, ownSite, registerWithKey, stranger } from '../fixtures/usage';
import { isTooWide } from '../fixtures/width';
import { DashboardPage, stepTitles } from '../pages/dashboard.page';

async function open(page: Page, account: Account, path?: '/' | '/dashboard'): Promise<DashboardPage> {
  await signIn(page, account);
  const dashboard = new DashboardPage(page);
  await dashboard.goto(path);
  return dashboard;
}

const topOf = (card: Locator) => card.evaluate((element) => element.getBoundingClientRect().top);

/** An account with a complete profile and a project. */
async function registerReady(request: APIRequestContext): Promise<{ account: Account; apiKey: string }> {
  const account = await registerWithProfile(request, 'Ada Lovelace');
  const { apiKey } = await createProject(request, account, { projectName: 'Acme', whitelistURL: [ownSite] });
  return { account, apiKey };
}

const answerReward = (page: Page, body: object) =>
  page.route('**/api/reward/profile', (route) => route.fulfill({ json: body }));

/** Changes what the identity service says of the user. */
const answerUser = (page: Page, changes: object) =>
  page.route('**/api/v1/auth/user', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), ...changes } });
  });

test.describe('the banner', () => {
  for (const path of ['/', '/dashboard'] as const)
    test(`welcomes at ${path}, and 'Learn More' opens the external site in a new tab`, async ({
      page,
      request,
    }) => {
      const { links } = (await (await request.get('/api/config')).json()) as {
        links: { learnMore: string };
      };
      const dashboard = await open(page, await register(request), path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Orange ID');
      await expect(dashboard.learnMore).toHaveAttribute('href', links.learnMore);
      await expect(dashboard.learnMore).toHaveAttribute('target', '_blank');
      await expect(dashboard.learnMore).toHaveAttribute('rel', /noreferrer/);
    });
});

test.describe('the profile card', () => {
  test("falls back to 'New Observer', a default username and the default picture", async ({
    page,
    request,
  }) => {
    const account = await register(request);
    const dashboard = await open(page, account);
    await expect(dashboard.profile.getByRole('heading')).toHaveText('New Observer');
    await expect(dashboard.profile).toContainText('@observer');
    await expect(dashboard.profile).toContainText(account.email);
    await expect(dashboard.profile).toContainText('Email not confirmed.');
    await expect(dashboard.profile.getByRole('link', { name: 'Confirm email' })).toHaveAttribute(
      'href',
      '/settings',
    );
    await expect(dashboard.picture).toHaveAttribute('src', '/default-avatar.svg');
    expect(await dashboard.picture.evaluate((image: HTMLImageElement) => image.decode())).toBeUndefined();
  });

  test('shows display name, username and picture, and a letter for a picture that does not load', async ({
    page,
    request,
  }) => {
    await answerUser(page, {
      displayName: 'Grace Hopper',
      userName: 'grace',
      email: null,
      picture: null,
      photoUrl: '/orange-id.svg',
    });
    const dashboard = await open(page, await register(request));
    await expect(dashboard.profile.getByRole('heading')).toHaveText('Grace Hopper');
    await expect(dashboard.profile).toContainText('@grace');
    await expect(dashboard.profile.getByRole('link', { name: 'Add your email' })).toHaveAttribute(
      'href',
      '/settings',
    );
    await expect(dashboard.picture).toHaveAttribute('src', '/orange-id.svg');

    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await answerUser(page, { displayName: 'Grace Hopper', picture: '/no-such-picture.png' });
    await page.reload();
    await expect(dashboard.picture).toHaveCount(0);
    await expect(dashboard.profile.locator('.user-avatar')).toHaveText('G');
  });

  test('says that the profile could not be read, with Retry', async ({ page, request }) => {
    await page.route('**/api/v1/auth/user', (route) => route.fulfill({ status: 503, body: 'resting' }));
    const dashboard = await open(page, await register(request));
    await expect(dashboard.profile.getByRole('alert')).toContainText('Failed to load your profile');
    await expect(dashboard.steps.nth(1)).toContainText('Failed to load.');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await dashboard.retry(dashboard.profile).click();
    await expect(dashboard.profile.getByRole('heading')).toHaveText('New Observer');
  });
});

test.describe('the rank card', () => {
  test('shows what was earned in fact, and what the next rank wants', async ({ page, request }) => {
    const { account } = await registerReady(request);
    const dashboard = await open(page, account);
    await expect(dashboard.rank.getByRole('heading')).toHaveText('Builder');
    await expect(dashboard.points).toHaveText('100 XP');
    await expect(dashboard.badge).toHaveAttribute('src', '/ranks/builder.svg');
    const progress = dashboard.rank.getByRole('progressbar', { name: 'Progress to Integrator' });
    await expect(progress).toHaveAttribute('aria-valuetext', '150 XP to Integrator');
    await expect(dashboard.rank).toContainText('150 XP to Integrator');
  });

  test("falls back to 'Observer', the default badge and 0 XP", async ({ page, request }) => {
    await answerReward(page, {});
    const dashboard = await open(page, await register(request));
    await expect(dashboard.rank.getByRole('heading')).toHaveText('Observer');
    await expect(dashboard.badge).toHaveAttribute('src', '/ranks/default.svg');
    expect(await dashboard.badge.evaluate((image: HTMLImageElement) => image.decode())).toBeUndefined();
    await expect(dashboard.points).toHaveText('0 XP');
  });

  test('shows the default badge for one that does not load', async ({ page, request }) => {
    await answerReward(page, { rank: 'Builder', rankImage: '/ranks/gone.png', experiencePoints: 10_000 });
    const dashboard = await open(page, await register(request));
    await expect(dashboard.rank.getByRole('heading')).toHaveText('Builder');
    await expect(dashboard.badge).toHaveAttribute('src', '/ranks/default.svg');
  });

  for (const [raw, text] of [
    [0, '0 XP'],
    [99, '0 XP'],
    [199, '1 XP'],
    [12_345, '123 XP'],
    [155_099, '1550 XP'],
  ] as const)
    test(`${raw} experience points are ${text}`, async ({ page, request }) => {
      await answerReward(page, { rank: 'Observer', rankImage: null, experiencePoints: raw });
      const dashboard = await open(page, await register(request));
      await expect(dashboard.points).toHaveText(text);
    });

  test('says nothing of a next rank where somebody else gives ranks', async ({ page, request }) => {
    await answerReward(page, { rank: 'Legend', rankImage: null, experiencePoints: 700 });
    const dashboard = await open(page, await register(request));
    await expect(dashboard.rank.getByRole('heading')).toHaveText('Legend');
    await expect(dashboard.points).toHaveText('7 XP');
    await expect(dashboard.rank.getByRole('progressbar')).toHaveCount(0);
  });

  test('tells what earns XP', async ({ page, request }) => {
    const dashboard = await open(page, await register(request));
    await expect(dashboard.rank.getByRole('table')).toBeHidden();
    await dashboard.earning.click();
    await expect(dashboard.rank.getByRole('row')).toHaveText([
      'Profile complete50 XP',
      'Email confirmed25 XP',
      'Each additional type of sign-in methodup to 3×25 XP',
      'First project50 XP',
      'First call50 XP',
      'Each 1,000 callsup to 100×10 XP',
      'Each day with callsup to 60×5 XP',
    ]);
  });

  test("a refused call reads 'Failed to fetch reward data: 500', with Retry; the rest stands", async ({
    page,
    request,
  }) => {
    let asked = 0;
    await page.route('**/api/reward/profile', (route) => {
      asked++;
      return route.fulfill({ status: 500, body: 'broken' });
    });
    const dashboard = await open(page, await register(request));
    await expect(dashboard.rank.getByRole('alert')).toContainText('Failed to load your rank');
    await expect(dashboard.rank.getByRole('alert')).toContainText('Failed to fetch reward data: 500');
    await dashboard.expectLive();
    await expect(dashboard.figure('Calls today')).toHaveText('0');
    await expect(dashboard.steps).toHaveCount(4);
    expect(asked).toBe(1);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await dashboard.retry(dashboard.rank).click();
    await expect(dashboard.rank.getByRole('heading')).toHaveText('Observer');
  });
});

test.describe('the live figures', () => {
  test('are zero before any call, and say so', async ({ page, request }) => {
    const dashboard = await open(page, await register(request));
    await dashboard.expectLive();
    await expect(dashboard.figure('Calls today')).toHaveText('0');
    await expect(dashboard.note('Calls today')).toHaveText('since 00:00 UTC');
    await expect(dashboard.figure('Errors today')).toHaveText('0');
    await expect(dashboard.figure('p95 today')).toHaveText('–');
    await expect(dashboard.figure('Last call')).toHaveText('–');
    await expect(dashboard.note('Last call')).toHaveText('None yet');
    await expect(dashboard.bars).toHaveAccessibleName('Last 24 hours: No calls in the last 24 hours');
    await expect(dashboard.calls.getByRole('link', { name: 'Open Usage' })).toHaveAttribute('href', '/usage');
  });

  test('move as calls arrive: calls, errors, blocked ones apart, p95, the last call', async ({
    page,
    request,
  }) => {
    const { account, apiKey } = await registerWithKey(request, 'Moving');
    await call(request, apiKey, 2);
    const dashboard = await open(page, account);
    await dashboard.expectLive();
    await expect(dashboard.figure('Calls today')).toHaveText('2');
    await expect(dashboard.figure('p95 today')).toHaveText(/ms$/);
    await expect(dashboard.bars).toHaveAccessibleName(/^Last 24 hours: 2 calls · peak \d\d:\d\d \S+$/);

    await call(request, apiKey, 1, { origin: stranger });
    expect(await call(request, apiKey, 1, { path: '/api/v1/wallet/balance?address=0x12' })).toEqual([400]);
    await expect(dashboard.figure('Calls today')).toHaveText('4');
    await expect(dashboard.figure('Errors today')).toHaveText('1');
    await expect(dashboard.note('Errors today')).toHaveText('25% of calls · 1 blocked');
    await expect(dashboard.figure('Last call')).toHaveText(/^(now|\d+ s ago)$/);
    await expect(dashboard.note('Last call')).toHaveText('400 Bad Request/api/v1/wallet/balance');
    await expect(dashboard.lastCall).toHaveAttribute('href', '/usage?call=4');

    await dashboard.lastCall.focus();
    await expect(page.getByRole('tooltip')).toHaveText(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d \S+$/);
  });

  test('offline they are marked with their time, and back online they are current', async ({
    page,
    context,
    request,
  }) => {
    const { account, apiKey } = await registerWithKey(request, 'Away');
    await call(request, apiKey);
    const dashboard = await open(page, account);
    await dashboard.expectLive();
    await expect(dashboard.figure('Calls today')).toHaveText('1');
    await context.setOffline(true);
    await expect(dashboard.connection).toHaveText(/^Offline: last update \d\d:\d\d:\d\d$/);
    await expect(dashboard.calls.locator('[data-stale]')).toHaveAttribute('data-stale', 'true');
    await call(request, apiKey, 2);
    await context.setOffline(false);
    await dashboard.expectLive();
    await expect(dashboard.figure('Calls today')).toHaveText('3');
    await expect(dashboard.calls.locator('[data-stale]')).toHaveAttribute('data-stale', 'false');
  });

  test('figures that cannot be read say why, with Retry; rank and steps stand', async ({ page, request }) => {
    const { account, apiKey } = await registerWithKey(request, 'Down');
    await call(request, apiKey);
    await page.route('**/api/analytics/metrics?*', (route) =>
      route.fulfill({ status: 503, json: { statusCode: 503, message: 'The database is resting' } }),
    );
    const dashboard = await open(page, account);
    const alert = dashboard.calls.getByRole('alert');
    await expect(alert).toContainText('Failed to load your calls');
    await expect(alert).toContainText('503: The database is resting');
    await expect(dashboard.rank.getByRole('heading')).toHaveText('Builder');
    await expect(dashboard.steps).toHaveCount(4);
    // Becoming live reads the figures again; after that only Retry does.
    await dashboard.expectLive();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await dashboard.retry(dashboard.calls).click();
    await expect(dashboard.figure('Calls today')).toHaveText('1');
    await expect(alert).toHaveCount(0);
    await dashboard.expectLive();

    // Figures that were read stay, marked with their time, when reading them again fails.
    await page.route('**/api/analytics/metrics?*', (route) => route.fulfill({ status: 500, body: 'no' }));
    await call(request, apiKey);
    await expect(alert).toContainText('500: no');
    await expect(dashboard.calls.getByText(/^As of \d\d:\d\d:\d\d$/)).toBeVisible();
    await expect(dashboard.figure('Calls today')).toHaveText('1');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await dashboard.retry(dashboard.calls).click();
    await expect(dashboard.figure('Calls today')).toHaveText('2');
    await expect(alert).toHaveCount(0);
  });
});

test.describe('getting started', () => {
  test('each step that is left leads to where it is done', async ({ page, request }) => {
    const dashboard = await open(page, await register(request));
    await expect(dashboard.started).toContainText('1 of 4 done');
    await expect(dashboard.steps.getByRole('heading')).toHaveText([
      `Done: ${stepTitles[0]}`,
      ...stepTitles.slice(1).map((title) => `To do: ${title}`),
    ]);
    await expect(dashboard.steps.nth(0).getByRole('link')).toHaveCount(0);
    await expect(dashboard.started.locator('.button')).toHaveText('Create a project');
    expect(await topOf(dashboard.started)).toBeLessThan(await topOf(dashboard.profile));
    await expect(dashboard.steps.nth(1)).toContainText('Missing: display name.');
    for (const [place, name, href] of [
      [1, 'Open Settings', '/settings'],
      [2, 'Create a project', '/orange-id'],
      [3, 'Show the command', '/projects'],
    ] as const)
      await expect(dashboard.steps.nth(place).getByRole('link', { name })).toHaveAttribute('href', href);
  });

  test('a project made elsewhere ticks its step, earns its points, and shows the command for a call', async ({
    page,
    request,
  }) => {
    const account = await registerWithProfile(request);
    const dashboard = await open(page, account);
    await dashboard.expectLive();
    await expect(dashboard.started).toContainText('2 of 4 done');
    await expect(dashboard.points).toHaveText('50 XP');
    const { apiKey } = await createProject(request, account, {
      projectName: 'Elsewhere',
      whitelistURL: [ownSite],
    });
    await expect(dashboard.steps.nth(2)).toHaveAttribute('data-state', 'done');
    await expect(dashboard.rank.getByRole('heading')).toHaveText('Builder');
    await expect(dashboard.points).toHaveText('100 XP');
    await expect(dashboard.started).toContainText('It uses the API key of Elsewhere.');
    await expect(dashboard.started.locator('pre')).not.toContainText(apiKey);
  });

  test('the first call ticks the last step the moment it arrives, and the list folds to one line', async ({
    page,
    request,
  }) => {
    const { account, apiKey } = await registerReady(request);
    const dashboard = await open(page, account);
    await dashboard.expectLive();
    await expect(dashboard.started).toContainText('3 of 4 done');
    await expect(dashboard.steps.nth(3)).toHaveAttribute('data-state', 'open');

    await call(request, apiKey);
    await expect(dashboard.started).toContainText('All 4 steps done');
    await expect(dashboard.steps).toHaveCount(0);
    await expect(dashboard.figure('Calls today')).toHaveText('1');
    await expect(dashboard.points).toHaveText(/^15[05] XP$/);

    const show = dashboard.started.getByRole('button', { name: 'Show steps' });
    await expect(show).toHaveAttribute('aria-expanded', 'false');
    await show.click();
    await expect(dashboard.steps.getByRole('heading')).toHaveText(
      stepTitles.map((title) => `Done: ${title}`),
    );
    await dashboard.started.getByRole('button', { name: 'Hide steps' }).click();
    await expect(dashboard.steps).toHaveCount(0);
    await page.reload();
    await expect(dashboard.started).toContainText('All 4 steps done');
    await expect(dashboard.steps).toHaveCount(0);
    await expect(dashboard.profile.getByRole('heading')).toBeVisible();
    expect(await topOf(dashboard.started)).toBeGreaterThan(await topOf(dashboard.calls));
  });

  test('what could not be read is neither done nor to do, and Retry asks again', async ({
    page,
    request,
  }) => {
    let asked = 0;
    await page.route('**/devportal/v1/user/projects', (route) => {
      asked++;
      return route.fulfill({ status: 500, body: 'no' });
    });
    const dashboard = await open(page, await register(request));
    await expect(dashboard.steps.nth(2)).toHaveAttribute('data-state', 'unknown');
    await expect(dashboard.steps.nth(2)).toContainText('Failed to load.');
    // Becoming live asks for the projects too, unless they are being asked for; after that nobody does by itself.
    await dashboard.expectLive();
    const askedBefore = asked;
    await dashboard.retry(dashboard.started).click();
    await expect.poll(() => asked).toBeGreaterThan(askedBefore);
    await expect(dashboard.steps.nth(2)).toContainText('Failed to load.');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await dashboard.retry(dashboard.started).click();
    await expect(dashboard.steps.nth(2)).toHaveAttribute('data-state', 'open');
  });
});

test.describe('the page as a whole', () => {
  for (const width of [1280, 360])
    test(`at ${width} px no card moves when its data arrives, and nothing is wider than the screen`, async ({
      page,
      request,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      const { account, apiKey } = await registerReady(request);
      await call(request, apiKey, 3);
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      for (const path of ['**/api/analytics/metrics?*', '**/api/reward/profile', '**/api/usage?*'])
        await page.route(path, async (route) => {
          await held;
          await route.fallback();
        });
      const dashboard = await open(page, account);
      await expect(dashboard.profile.getByRole('heading')).toHaveText('Ada Lovelace');
      await expect(dashboard.rank.getByRole('status', { name: 'Loading rank' })).toBeVisible();
      const places = () =>
        Promise.all(
          [dashboard.profile, dashboard.rank, dashboard.calls].map((card) =>
            card.evaluate((element) => {
              const { top, height } = element.getBoundingClientRect();
              return [Math.round(top), Math.round(height)];
            }),
          ),
        );
      const before = await places();
      release();
      await expect(dashboard.figure('Calls today')).toHaveText('3');
      await expect(dashboard.rank.getByRole('heading')).toHaveText('Builder');
      await expect(dashboard.started).toContainText('All 4 steps done');
      expect(await places()).toEqual(before);
      expect(await isTooWide(page)).toBe(false);
    });

  test('is used by keyboard alone', async ({ page, request }) => {
    const dashboard = await open(page, await register(request));
    await expect(dashboard.steps).toHaveCount(4);
    await dashboard.learnMore.focus();
    const order = [
      dashboard.steps.nth(1).getByRole('link'),
      dashboard.steps.nth(2).getByRole('link'),
      dashboard.steps.nth(3).getByRole('link'),
      dashboard.profile.getByRole('link', { name: 'Confirm email' }),
      dashboard.rank.locator('summary'),
      dashboard.calls.getByRole('link', { name: 'Open Usage' }),
    ];
    for (const next of order) {
      await page.keyboard.press('Tab');
      await expect(next).toBeFocused();
    }
    await page.keyboard.press('Shift+Tab');
    await expect(dashboard.rank.locator('summary')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dashboard.rank.getByRole('table')).toBeVisible();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/settings');
  });

  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 360])
      test(`in ${colorScheme} at ${width} px has no violation: empty, full, failed`, async ({
        page,
        request,
      }) => {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        const check = async (face: string) => {
          const { violations } = await new AxeBuilder({ page }).analyze();
          expect(violations.map(({ id, nodes }) => [face, id, nodes.map(({ html }) => html)])).toEqual([]);
        };
        const { account, apiKey } = await registerReady(request);
        const dashboard = await open(page, account);
        await expect(dashboard.started).toContainText('3 of 4 done');
        await dashboard.earning.click();
        await check('without a call');
        await call(request, apiKey, 2);
        await expect(dashboard.figure('Calls today')).toHaveText('2');
        await dashboard.started.getByRole('button', { name: 'Show steps' }).click();
        await check('full');
        await page.route(/\/api\/(analytics|reward|usage)/, (route) =>
          route.fulfill({ status: 503, body: 'resting' }),
        );
        await page.reload();
        await expect(dashboard.calls.getByRole('alert')).toBeVisible();
        await expect(dashboard.rank.getByRole('alert')).toBeVisible();
        await check('failed');
      });
});
