import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import { expectSignedOut, register, signOutElsewhere } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { call, openNewUsage, openUsage, registerWithKey, stranger } from '../fixtures/usage';

test('before any project the page leads to the wizard', async ({ page, request }) => {
  const usage = await openUsage(page, await register(request));
  await expect(page.getByText('No calls yet')).toBeVisible();
  await expect(usage.createProject).toHaveAttribute('href', '/orange-id');
});

test('the first call turns the empty page into figures, chart and row, without reloading', async ({
  page,
  request,
}) => {
  const { apiKey, usage } = await openNewUsage({ page, request }, 'First');
  await expect(page.getByText('No calls yet')).toBeVisible();
  await expect(usage.curlText).toContainText('/api/v1/key');
  await expect(usage.curlText).not.toContainText(apiKey);

  await call(request, apiKey);
  await expect(usage.rows).toHaveCount(1);
  await expect(usage.rows).toContainText(['GET /api/v1/key']);
  await expect(usage.rows.first()).toContainText('200 OK');
  await expect(usage.rows.first()).toContainText('First');
  await expect(usage.figure('Calls')).toHaveText('1');
  await expect(usage.bar(usage.byStatus, /200 OK/)).toContainText('1');
});

test('paused, the list stands still and counts what it does not show; resumed, it shows it', async ({
  page,
  request,
  machine,
}) => {
  const { apiKey, usage } = await openNewUsage({ page, request }, 'Pausing', { answered: 2 });
  await expect(usage.rows).toHaveCount(2);

  // Above the fold, and one state at a time.
  await expect(usage.now).toBeInViewport({ ratio: 1 });
  await expect(usage.now).toContainText('Latest callGET /api/v1/key200 OK');
  await usage.pause.click();
  await machine('usageTail').is('paused');
  await call(request, apiKey, 3);
  await expect(usage.paused).toHaveText('Paused, 3 new');
  await expect(usage.now.getByText('Live', { exact: true })).toHaveCount(0);
  await expect(usage.rows).toHaveCount(2);
  await expect(usage.figure('Calls')).toHaveText('5');
  await usage.resume.click();
  await expect(usage.rows).toHaveCount(5);
  await expect(usage.paused).toHaveCount(0);
  await usage.pause.click();
  await usage.chooseRange('1h');
  await machine('usageTail').is('following');

  // A phone has the same at its top, and folds the filters into one button.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(usage.now).toBeInViewport({ ratio: 1 });
  await expect(usage.status).toBeHidden();
  await usage.filters.click();
  await usage.choose(usage.status, 'Revoked key');
  await expect(usage.filters).toHaveText('Filters (1)');
  await usage.filters.click();
  await expect(usage.status).toBeHidden();
});

test('a rush of calls is there row by row, though the browser draws only those in sight', async ({
  page,
  context,
  request,
  machine,
}) => {
  const { apiKey, usage } = await openNewUsage({ page, request }, 'Rush', { answered: 1 });
  await expect(usage.rows).toHaveCount(1);

  await context.setOffline(true);
  await machine('realtime').is('reconnecting.offline');
  await call(request, apiKey, 40);
  await context.setOffline(false);
  await expect(usage.rows).toHaveCount(41);
  const link = usage.rows.last().getByRole('link');
  const isDrawn = () => link.evaluate((call) => call.checkVisibility({ contentVisibilityAuto: true }));
  await expect.poll(isDrawn).toBe(false);
  await link.scrollIntoViewIfNeeded();
  await expect.poll(isDrawn).toBe(true);
  await expect(usage.rows.last()).toContainText('200 OK');

  await page.getByRole('heading', { name: 'Usage', level: 1 }).scrollIntoViewIfNeeded();
  await expect.poll(isDrawn).toBe(false);
  await call(request, apiKey);
  await expect(usage.rows).toHaveCount(42);
  await expect.poll(isDrawn).toBe(true);
});

test('offline the page says since when, and back online it shows what it missed', async ({
  page,
  context,
  request,
  machine,
}) => {
  const { apiKey, usage } = await openNewUsage({ page, request }, 'Away', { answered: 1 });
  await expect(usage.rows).toHaveCount(1);

  await context.setOffline(true);
  await machine('realtime').is('reconnecting.offline');
  await expect(usage.connection).toHaveText(/^Offline: last update \d\d:\d\d:\d\d$/);
  await expect(page.getByText(/^As of \d\d:\d\d:\d\d$/)).toBeVisible();
  await call(request, apiKey, 2);
  await context.setOffline(false);
  await usage.expectLive();
  await expect(usage.rows).toHaveCount(3);
  await expect(usage.figure('Calls')).toHaveText('3');
});

test('a blocked call shows as blocked with its origin, and the filters are the address', async ({
  page,
  request,
}) => {
  const { account, apiKey } = await registerWithKey(request, 'Filtered');
  await call(request, apiKey, 2);
  expect(await call(request, apiKey, 1, { origin: stranger })).toEqual([403]);
  const usage = await openUsage(page, account);
  await expect(usage.figure('Blocked')).toHaveText('1');
  await expect(usage.rows).toHaveCount(3);
  await expect(usage.rows.filter({ hasText: '403 Blocked' })).toContainText(stranger);

  await usage.bar(usage.byStatus, /403 Blocked/).click();
  await expect(page).toHaveURL(/\/usage\?status=blocked$/);
  await expect(usage.rows).toHaveCount(1);
  await expect(usage.figure('Calls')).toHaveText('1');
  await page.reload();
  await expect(usage.rows).toHaveCount(1);
  await usage.expectLive();
  await call(request, apiKey);
  await call(request, apiKey, 1, { origin: stranger });
  await expect(usage.rows).toHaveCount(2);
  await usage.clearFilters.click();
  await expect(usage.rows).toHaveCount(5);

  await usage.chooseRange('1h');
  await expect(page).toHaveURL(/\/usage\?range=1h$/);
  await expect(usage.figure('Calls')).toHaveText('5');
  // What the origin rule blocks uses nothing of the day's calls up.
  await expect(page.getByText(/^Daily quota: 3 of 1,000,000 used\./)).toBeVisible();
});

test("another user's calls never arrive", async ({ page, request }) => {
  const theirs = await registerWithKey(request, 'Theirs');
  const { usage, ...mine } = await openNewUsage({ page, request }, 'Mine', { answered: 1 });
  await expect(usage.rows).toHaveCount(1);
  await call(request, theirs.apiKey, 3);
  await call(request, mine.apiKey);
  await expect(usage.rows).toHaveCount(2);
  await expect(usage.figure('Calls')).toHaveText('2');
  await expect(usage.rows.filter({ hasText: 'Theirs' })).toHaveCount(0);
});

test('a sign-out elsewhere ends the live connection and the session of this page', async ({
  page,
  request,
}) => {
  const { account } = await openNewUsage({ page, request }, 'Leaving');
  await signOutElsewhere(request, account);
  await expectSignedOut(page);
});

test('a sign-out elsewhere while this page was offline ends its session once it is back online', async ({
  page,
  context,
  request,
  machine,
}) => {
  const { account, usage } = await openNewUsage({ page, request }, 'Asleep');
  await context.setOffline(true);
  await machine('realtime').is('reconnecting.offline');
  await signOutElsewhere(request, account);
  await expect(usage.connection).toHaveText(/^Offline: last update/);
  await context.setOffline(false);
  await expectSignedOut(page);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`assistive technology can read the page, ${colorScheme}`, async ({ page, request }) => {
    await page.emulateMedia({ colorScheme });
    const { usage } = await openNewUsage({ page, request }, 'Readable', { answered: 2, blocked: 1 });
    await expect(usage.rows).toHaveCount(3);
    await expect(usage.chart.getByRole('row')).not.toHaveCount(0);
    const { violations } = await new AxeBuilder({ page }).include('main').analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });
