import { AxeBuilder } from '@axe-core/playwright';
import { expect, type APIRequestContext } from '@playwright/test';
import { createProject, expectSignedOut, register, signIn, signOutElsewhere } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { UsagePage } from '../pages/usage.page';

const whitelistURL = ['https://app.example.org'];

/** Calls with the key, one after the other, and answers their statuses. */
async function call(request: APIRequestContext, apiKey: string, times = 1, headers = {}): Promise<number[]> {
  const statuses: number[] = [];
  for (let made = 0; made < times; made++) {
    const answer = await request.get('/api/v1/key', { headers: { 'X-API-Key': apiKey, ...headers } });
    statuses.push(answer.status());
  }
  return statuses;
}

test('before any project the page leads to the wizard', async ({ page, request }) => {
  await signIn(page, await register(request));
  const usage = new UsagePage(page);
  await usage.goto();
  await expect(page.getByText('No calls yet')).toBeVisible();
  await expect(usage.createProject).toHaveAttribute('href', '/orange-id');
});

test('the first call turns the empty page into figures, chart and row, without reloading', async ({
  page,
  request,
}) => {
  const account = await register(request);
  const { apiKey } = await createProject(request, account, { projectName: 'First', whitelistURL });
  await signIn(page, account);
  const usage = new UsagePage(page);
  await usage.goto();
  await expect(page.getByText('No calls yet')).toBeVisible();
  await expect(usage.curlText).toContainText('/api/v1/key');
  await expect(usage.curlText).not.toContainText(apiKey);
  await usage.expectLive();

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
  const account = await register(request);
  const { apiKey } = await createProject(request, account, { projectName: 'Pausing', whitelistURL });
  await call(request, apiKey, 2);
  await signIn(page, account);
  const usage = new UsagePage(page);
  await usage.goto();
  await expect(usage.rows).toHaveCount(2);
  await usage.expectLive();

  await usage.pause.click();
  await machine('usageTail').is('paused');
  await call(request, apiKey, 3);
  await expect(usage.paused).toHaveText('Paused, 3 new');
  await expect(usage.rows).toHaveCount(2);
  await expect(usage.figure('Calls')).toHaveText('5');
  await usage.resume.click();
  await expect(usage.rows).toHaveCount(5);
  await expect(usage.paused).toHaveCount(0);
});

test('offline the page says since when, and back online it shows what it missed', async ({
  page,
  context,
  request,
  machine,
}) => {
  const account = await register(request);
  const { apiKey } = await createProject(request, account, { projectName: 'Away', whitelistURL });
  await call(request, apiKey);
  await signIn(page, account);
  const usage = new UsagePage(page);
  await usage.goto();
  await expect(usage.rows).toHaveCount(1);
  await usage.expectLive();

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
  const account = await register(request);
  const { apiKey } = await createProject(request, account, { projectName: 'Filtered', whitelistURL });
  await call(request, apiKey, 2);
  expect(await call(request, apiKey, 1, { Origin: 'https://stranger.example.org' })).toEqual([403]);
  await signIn(page, account);
  const usage = new UsagePage(page);
  await usage.goto();
  await expect(usage.figure('Blocked')).toHaveText('1');
  await expect(usage.rows).toHaveCount(3);
  await expect(usage.rows.filter({ hasText: '403 Blocked' })).toContainText('https://stranger.example.org');

  await usage.bar(usage.byStatus, /Blocked by origin/).click();
  await expect(page).toHaveURL(/\/usage\?status=blocked$/);
  await expect(usage.rows).toHaveCount(1);
  await expect(usage.figure('Calls')).toHaveText('1');
  await page.reload();
  await expect(usage.rows).toHaveCount(1);
  await usage.expectLive();
  await call(request, apiKey);
  await call(request, apiKey, 1, { Origin: 'https://stranger.example.org' });
  await expect(usage.rows).toHaveCount(2);
  await usage.clearFilters.click();
  await expect(usage.rows).toHaveCount(5);

  await usage.chooseRange('1h');
  await expect(page).toHaveURL(/\/usage\?range=1h$/);
  await expect(usage.figure('Calls')).toHaveText('5');
});

test("another user's calls never arrive", async ({ page, request }) => {
  const [account, other] = [await register(request), await register(request)];
  const mine = await createProject(request, account, { projectName: 'Mine', whitelistURL });
  const theirs = await createProject(request, other, { projectName: 'Theirs', whitelistURL });
  await call(request, mine.apiKey);
  await signIn(page, account);
  const usage = new UsagePage(page);
  await usage.goto();
  await expect(usage.rows).toHaveCount(1);
  await usage.expectLive();
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
  const account = await register(request);
  await createProject(request, account, { projectName: 'Leaving', whitelistURL });
  await signIn(page, account);
  const usage = new UsagePage(page);
  await usage.goto();
  await usage.expectLive();
  await signOutElsewhere(request, account);
  await expectSignedOut(page);
});

test('a sign-out elsewhere while this page was offline ends its session once it is back online', async ({
  page,
  context,
  request,
  machine,
}) => {
  const account = await register(request);
  await createProject(request, account, { projectName: 'Asleep', whitelistURL });
  await signIn(page, account);
  const usage = new UsagePage(page);
  await usage.goto();
  await usage.expectLive();
  await context.setOffline(true);
  await machine('realtime').is('reconnecting.offline');
  await signOutElsewhere(request, account);
  await expect(usage.connection).toHaveText(/^Offline: last update/);
  await context.setOffline(false);
  await expectSignedOut(page);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`assistive technology can read the page, ${colorScheme}`, async ({ page, request }) => {
    const account = await register(request);
    const { apiKey } = await createProject(request, account, { projectName: 'Readable', whitelistURL });
    await call(request, apiKey, 2);
    await call(request, apiKey, 1, { Origin: 'https://stranger.example.org' });
    await page.emulateMedia({ colorScheme });
    await signIn(page, account);
    const usage = new UsagePage(page);
    await usage.goto();
    await expect(usage.rows).toHaveCount(3);
    await expect(usage.chart.getByRole('row')).not.toHaveCount(0);
    const { violations } = await new AxeBuilder({ page }).include('main').analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });
