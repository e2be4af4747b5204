import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';
import { createProject, registerWithProfile, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { call, ownSite, stranger } from '../fixtures/usage';
import { isTooWide } from '../fixtures/width';
import { DashboardPage, stepTitles } from '../pages/dashboard.page';

const topOf = (card: Locator) => card.evaluate((element) => element.getBoundingClientRect().top);
const metricsCall = '**/api/analytics/metrics?*';

const expectAccessible = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
};

test('the dashboard guides a new account to its first call and shows every call live', async ({
  page,
  context,
  request,
}) => {
  const account = await signIn(page, await registerWithProfile(request, 'Ada Lovelace'));
  const dashboard = new DashboardPage(page);
  let apiKey = '';

  await test.step('without a project the steps come first, and the default pictures load', async () => {
    await dashboard.goto();
    await dashboard.expectLive();
    await expect(dashboard.started).toContainText('1 of 3 done');
    await expect(dashboard.points).toHaveText('50 XP');
    await expect(dashboard.figure('Calls today')).toHaveText('0');
    expect(await topOf(dashboard.started)).toBeLessThan(await topOf(dashboard.profile));
    await expect(dashboard.picture).toHaveAttribute('src', '/default-avatar.svg');
    for (const src of ['/default-avatar.svg', '/ranks/default.svg', '/ranks/observer.svg'])
      await page.evaluate((address) => Object.assign(new Image(), { src: address }).decode(), src);
  });

  await test.step('a project created elsewhere completes its step, earns points and shows the command for a call', async () => {
    ({ apiKey } = await createProject(request, account, {
      projectName: 'Elsewhere',
      whitelistURL: [ownSite],
    }));
    await expect(dashboard.steps.nth(1)).toHaveAttribute('data-state', 'done');
    await expect(dashboard.rank.getByRole('heading')).toHaveText('Builder');
    await expect(dashboard.points).toHaveText('100 XP');
    await expect(dashboard.started).toContainText('2 of 3 done');
    await expect(dashboard.started).toContainText('It uses the API key for Elsewhere.');
    await expect(dashboard.started.locator('pre')).not.toContainText(apiKey);
    await expect(dashboard.steps.nth(2)).toHaveAttribute('data-state', 'open');
  });

  await test.step('the first call completes the last step as it arrives, and the list of steps collapses', async () => {
    await call(request, apiKey);
    await expect(dashboard.started).toContainText('All 3 steps done');
    await expect(dashboard.steps).toHaveCount(0);
    await expect(dashboard.figure('Calls today')).toHaveText('1');
    await expect(dashboard.points).toHaveText(/^15[05] XP$/);
    const show = dashboard.started.getByRole('button', { name: 'Show steps' });
    await expect(show).toHaveAttribute('aria-expanded', 'false');
    await show.click();
    await expect(dashboard.steps.getByRole('heading')).toHaveText(
      stepTitles.map((title) => `Done: ${title}`),
    );
  });

  await test.step('the figures change as calls arrive: errors, blocked calls separately, p95, the last call', async () => {
    await call(request, apiKey);
    await call(request, apiKey, 1, { origin: stranger });
    expect(await call(request, apiKey, 1, { path: '/api/v1/wallet/balance?address=0x12' })).toEqual([400]);
    await expect(dashboard.figure('Calls today')).toHaveText('4');
    await expect(dashboard.figure('Errors today')).toHaveText('1');
    await expect(dashboard.note('Errors today')).toHaveText('25% of calls · 1 blocked');
    await expect(dashboard.figure('p95 today')).toHaveText(/ms$/);
    await expect(dashboard.bars).toHaveAccessibleName(/^Last 24 hours: 4 calls · peak \d\d:\d\d \S+$/);
    await expect(dashboard.figure('Last call')).toHaveText(/^(now|\d+ s ago)$/);
    await expect(dashboard.note('Last call')).toHaveText('400 Bad Request/api/v1/wallet/balance');
    await expect(dashboard.lastCall).toHaveAttribute('href', '/usage?call=4');
    await expectAccessible(page);
  });

  await test.step('while offline the figures show the time of their last update, and back online they are current', async () => {
    await context.setOffline(true);
    await expect(dashboard.connection).toHaveText(/^Offline: last update \d\d:\d\d:\d\d$/);
    await expect(dashboard.calls.locator('[data-stale]')).toHaveAttribute('data-stale', 'true');
    await call(request, apiKey, 2);
    await context.setOffline(false);
    await dashboard.expectLive();
    await expect(dashboard.figure('Calls today')).toHaveText('6');
    await expect(dashboard.calls.locator('[data-stale]')).toHaveAttribute('data-stale', 'false');
  });

  await test.step('if a refetch fails, the figures stay and show their time, and Retry updates them', async () => {
    await page.route(metricsCall, (route) => route.fulfill({ status: 500, body: 'no' }));
    await call(request, apiKey);
    const alert = dashboard.calls.getByRole('alert');
    await expect(alert).toContainText('Something went wrong on the server. Try again in a minute.');
    await expect(dashboard.calls.getByText(/^As of \d\d:\d\d:\d\d$/)).toBeVisible();
    await expect(dashboard.figure('Calls today')).toHaveText('6');
    await page.unroute(metricsCall);
    await dashboard.retry(dashboard.calls).click();
    await expect(dashboard.figure('Calls today')).toHaveText('7');
    await expect(alert).toHaveCount(0);
  });

  await test.step('after a reload, a single line below the calls replaces the completed steps', async () => {
    await page.reload();
    await expect(dashboard.started).toContainText('All 3 steps done');
    await expect(dashboard.steps).toHaveCount(0);
    await expect(dashboard.profile.getByRole('heading')).toBeVisible();
    expect(await topOf(dashboard.started)).toBeGreaterThan(await topOf(dashboard.calls));
  });
});

test('no card of the dashboard moves when its data arrives, at both widths, and failed cards pass axe', async ({
  page,
  request,
}) => {
  const account = await registerWithProfile(request, 'Ada Lovelace');
  const { apiKey } = await createProject(request, account, { projectName: 'Acme', whitelistURL: [ownSite] });
  await call(request, apiKey, 3);
  await signIn(page, account);
  const dashboard = new DashboardPage(page);
  const places = () =>
    Promise.all(
      [dashboard.profile, dashboard.rank, dashboard.calls].map((card) =>
        card.evaluate((element) => {
          const { top, height } = element.getBoundingClientRect();
          return [Math.round(top), Math.round(height)];
        }),
      ),
    );
  const figures = /\/api\/(analytics\/metrics|reward\/profile|usage)(\?|$)/;
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(figures, async (route) => {
      await held;
      await route.fallback();
    });
    await dashboard.goto();
    await expect(dashboard.profile.getByRole('heading')).toHaveText('Ada Lovelace');
    await expect(dashboard.rank.getByRole('status', { name: 'Loading rank' })).toBeVisible();
    const before = await places();
    release();
    await expect(dashboard.figure('Calls today')).toHaveText('3');
    await expect(dashboard.rank.getByRole('heading')).toHaveText('Builder');
    await expect(dashboard.started).toContainText('All 3 steps done');
    expect(await places()).toEqual(before);
    expect(await isTooWide(page)).toBe(false);
    await page.unrouteAll({ behavior: 'wait' });
  }

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.route(figures, (route) => route.fulfill({ status: 503, body: 'resting' }));
  await dashboard.goto();
  await expect(dashboard.calls.getByRole('alert')).toBeVisible();
  await expect(dashboard.rank.getByRole('alert')).toBeVisible();
  await dashboard.earning.click();
  await expectAccessible(page);
  expect(await isTooWide(page)).toBe(false);
});
