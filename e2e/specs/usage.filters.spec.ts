import { AxeBuilder } from '@axe-core/playwright';
import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { createProject, signIn, type Account } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { withAndWithoutMotion } from '../fixtures/motion';
import { call, openNewUsage, openUsage, ownSite, registerWithKey, stranger } from '../fixtures/usage';
import { UsagePage } from '../pages/usage.page';

/**
 * The Usage page of an account with two projects and seven calls: four of the first project (two plain, one blocked, one
 * refused with 400), three of the second (two from its own site, one plain).
 */
async function openSeeded(
  { page, request }: { page: Page; request: APIRequestContext },
  query: Record<string, string> = {},
): Promise<{ account: Account; first: string; usage: UsagePage }> {
  const { account, apiKey, projectId } = await registerWithKey(request, 'First');
  const second = await createProject(request, account, { projectName: 'Second', whitelistURL: [ownSite] });
  await call(request, apiKey, 2);
  await call(request, apiKey, 1, { origin: stranger });
  await call(request, apiKey, 1, { path: '/api/v1/wallet/balance?address=nonsense' });
  await call(request, second.apiKey, 2, { origin: ownSite });
  await call(request, second.apiKey);
  return { account, first: projectId, usage: await openUsage(page, account, query) };
}

const count = async (usage: UsagePage, calls: number) => {
  await expect(usage.figure('Calls')).toHaveText(String(calls));
  await expect(usage.rows).toHaveCount(calls);
  await expect.poll(() => usage.chartTotal()).toBe(calls);
};

withAndWithoutMotion(() => {
  test('every filter is in the address and holds for figures, chart and calls; back, forward, reload and another tab show the same', async ({
    page,
    context,
    request,
  }) => {
    const { account, first, usage } = await openSeeded({ page, request });
    await count(usage, 7);

    await usage.choose(usage.project, 'First');
    await expect(page).toHaveURL(`/usage?projectId=${first}`);
    await count(usage, 4);
    await usage.choose(usage.status, '4xx Client Error');
    await count(usage, 2);
    await usage.choose(usage.endpoint, '/api/v1/wallet/balance');
    await count(usage, 1);
    await page.goBack();
    await count(usage, 2);
    await page.goBack();
    await count(usage, 4);
    await page.goForward();
    await count(usage, 2);
    await expect(page).toHaveURL(`/usage?projectId=${first}&status=4xx`);
    await page.reload();
    await count(usage, 2);

    const other = await context.newPage();
    await signIn(other, account);
    await other.goto(page.url());
    await count(new UsagePage(other), 2);
    await other.close();

    await usage.clearFilters.click();
    await expect(page).toHaveURL('/usage');
    await usage.choose(usage.origin, 'No origin');
    await count(usage, 4);
    await usage.choose(usage.method, 'GET');
    await count(usage, 4);
    await expect(page).toHaveURL('/usage?method=GET&origin=none');
    await usage.origin.fill(stranger);
    await page.keyboard.press('Enter');
    await count(usage, 1);
    await usage.clearFilters.click();
    await usage.key.click();
    await page.getByRole('option', { name: /^Second · oid_/ }).click();
    await count(usage, 3);
    await expect(page).toHaveURL(/\/usage\?keyId=[0-9a-f-]{36}$/);
  });
});

test('live calls obey the filters too', async ({ page, request }) => {
  const { apiKey, usage } = await openNewUsage(
    { page, request },
    'Live',
    { answered: 1 },
    { origin: 'none', status: '2xx' },
  );
  await count(usage, 1);
  await call(request, apiKey, 1, { origin: stranger });
  await call(request, apiKey, 1, { origin: ownSite });
  await call(request, apiKey);
  await count(usage, 2);
});

test('what in the address is not understood is named and left out, with a way out', async ({
  page,
  request,
}) => {
  const { usage } = await openSeeded(
    { page, request },
    { status: '6xx', method: 'get', statsu: '404', endpoint: '/api/v1/key', range: '2h' },
  );
  await expect(usage.notice).toContainText(
    'status “6xx” must be a status such as 404, a class such as 4xx, errors, blocked or revoked.',
  );
  await expect(usage.notice).toContainText('method “get” must be an HTTP method such as GET.');
  await expect(usage.notice).toContainText('statsu “404” isn’t a filter on this page.');
  await expect(usage.notice).toContainText('range “2h” must be one of 1h, 24h, 7d, 30d.');
  await count(usage, 6);
  await page.getByRole('button', { name: 'Remove them' }).click();
  await expect(page).toHaveURL('/usage?endpoint=%2Fapi%2Fv1%2Fkey');
  await expect(usage.notice).toHaveCount(0);
  await count(usage, 6);
});

test("a project or key that is not the account's is told by its id, with a way out", async ({
  page,
  request,
}) => {
  const { usage } = await openSeeded({ page, request }, { projectId: 'orange-0000000000', status: '2xx' });
  await expect(usage.notice).toContainText('Project not found');
  await expect(usage.notice).toContainText('“orange-0000000000”');
  await page.getByRole('button', { name: 'Show all projects' }).click();
  await expect(page).toHaveURL('/usage?status=2xx');
  await count(usage, 5);
  await usage.goto({ keyId: '0193d6a0-0000-7000-8000-000000000000' });
  await expect(usage.notice).toContainText('“0193d6a0-0000-7000-8000-000000000000”');
  await page.getByRole('button', { name: 'Show all keys' }).click();
  await count(usage, 7);
});

test('filtered to nothing the page says so and leads back', async ({ page, request }) => {
  const { usage } = await openSeeded({ page, request }, { status: '503' });
  await expect(page.getByText('No calls match these filters')).toBeVisible();
  await usage.clearFilters.first().click();
  await count(usage, 7);
});

test('figures stand beside those of the period before; switched off, the address says so', async ({
  page,
  request,
}) => {
  const { account, apiKey } = await registerWithKey(request, 'Compared');
  await call(request, apiKey, 4);
  const newest = await request.get('/api/usage?limit=1', {
    headers: { authorization: `Bearer ${account.accessToken}` },
  });
  const { rows } = (await newest.json()) as { rows: { timestamp: string }[] };
  const border = Date.parse(rows[0]?.timestamp as string) + 1;
  await call(request, apiKey);
  const minutes = (n: number) => new Date(border + n * 60_000).toISOString();

  const usage = await openUsage(page, account, { from: minutes(0), to: minutes(10) });
  await expect(usage.figure('Calls')).toHaveText('1');
  await expect(usage.change('Calls')).toHaveText('−75% (was 4)');
  await expect(usage.change('Errors')).toHaveText('No change');
  await expect(usage.change('Response p50')).not.toHaveText('');
  await expect(usage.totals).toContainText('Median');
  const beforeCells = usage.chart.locator('tbody tr td:nth-of-type(5)');
  await expect
    .poll(async () => (await beforeCells.allTextContents()).reduce((sum, text) => sum + Number(text), 0))
    .toBe(4);

  await usage.compare.click();
  await expect(page).toHaveURL(/&compare=off$/);
  await expect(usage.change('Calls')).toHaveCount(0);
  await expect(beforeCells).toHaveCount(0);
  await page.reload();
  await expect(usage.figure('Calls')).toHaveText('1');
  await expect(usage.compare).not.toBeChecked();
  await usage.compare.press('Space');
  await expect(usage.change('Calls')).toHaveText('−75% (was 4)');

  await usage.goto({ from: minutes(-10), to: minutes(10) });
  await expect(usage.change('Calls')).toHaveText('No earlier calls');
  await usage.goto({ range: '7d' });
  await expect(usage.totals).toContainText('Median, estimated ± 9.1%');
});

test('a bar leads to its calls, and pressed again back to all', async ({ page, request }) => {
  const { first, usage } = await openSeeded({ page, request });
  await count(usage, 7);
  const title = usage.calls.getByRole('heading');

  await usage.bar(usage.byStatus, /403 Blocked/).click();
  await expect(page).toHaveURL('/usage?status=blocked');
  await count(usage, 1);
  await expect(title).toBeFocused();
  await expect(title).toBeInViewport();
  await usage.bar(usage.byStatus, /403 Blocked/).click();
  await expect(page).toHaveURL('/usage');
  await count(usage, 7);

  await usage.bar(usage.byEndpoint, /wallet\/balance/).press('Enter');
  await expect(page).toHaveURL('/usage?endpoint=%2Fapi%2Fv1%2Fwallet%2Fbalance&method=GET');
  await count(usage, 1);
  await expect(title).toBeFocused();
  await usage.clearFilters.click();
  await count(usage, 7);
  await usage.bar(usage.byOrigin, /No origin/).press('Space');
  await count(usage, 4);
  await expect(title).toBeFocused();
  await usage.bar(usage.byKey, /^First · oid_/).click();
  await count(usage, 3);
  await expect(page).toHaveURL(/keyId=.*&origin=none$/);
  await usage.choose(usage.project, 'First');
  await expect(page).toHaveURL(`/usage?projectId=${first}&origin=none`);
});

test('a change that follows another before it is drawn keeps both', async ({ page, request }) => {
  const { usage } = await openSeeded({ page, request }, { endpoint: '/api/v1/wallet/balance' });
  await count(usage, 1);
  const bar = await usage.bar(usage.byKey, /^First · oid_/).elementHandle();
  await usage.clearFilters.evaluate(async (clear: HTMLElement, then) => {
    clear.click();
    // The address has changed before the page is drawn anew.
    while (location.search !== '') await null;
    (then as HTMLElement).click();
  }, bar);
  await expect(page).toHaveURL(/\/usage\?keyId=[^&]*$/);
  await count(usage, 4);
});

test('a point of the chart leads to its calls, by pointer and by keyboard', async ({ page, request }) => {
  const { usage } = await openSeeded({ page, request }, { range: '1h' });
  await count(usage, 7);

  // The last bar, which holds the calls just made; when the minute turned, the one before it.
  await usage.plot.focus();
  await page.keyboard.press('End');
  if ((await usage.plot.getAttribute('aria-valuetext'))?.includes('· 7 calls') !== true)
    await page.keyboard.press('Shift+ArrowLeft');
  await expect(usage.plot).toHaveAttribute('aria-valuetext', /· 7 calls, 1 error, 1 blocked$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/usage\?from=.*&to=/);
  await count(usage, 7);
  await expect(usage.calls.getByRole('heading')).toBeFocused();
  const [from, to] = ['from', 'to'].map((name) =>
    Date.parse(new URL(page.url()).searchParams.get(name) ?? ''),
  );
  expect([60_000, 120_000]).toContain((to as number) - (from as number));

  await page.goBack();
  await count(usage, 7);
  const box = await usage.plot.locator('.u-over').boundingBox();
  if (!box) throw new Error('the chart has no size');
  // Halfway through the hour nothing was called. In the last tenth of a bar, where the next one begins nearer.
  const bars = await usage.chart.locator('tbody tr').count();
  const x = box.x + (Math.floor(bars / 2) + 0.9) * (box.width / bars);
  await page.mouse.move(x, box.y + box.height / 2);
  const told = await usage.plot.locator('.usage-plot-tip').textContent();
  await page.mouse.click(x, box.y + box.height / 2);
  await expect(page.getByText('No calls in this range')).toBeVisible();
  await expect(usage.from).toHaveValue(new RegExp(`${/, (\d\d:\d\d)/.exec(told ?? '')?.[1]}$`));
  await page.goBack();
  await count(usage, 7);
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + 40, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/\/usage\?from=.*&to=/);
  await count(usage, 7);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`assistive technology can read the filtered page and an open call, ${colorScheme}`, async ({
    page,
    request,
  }) => {
    await page.emulateMedia({ colorScheme });
    const { usage } = await openSeeded({ page, request }, { status: '4xx', origin: 'none', nonsense: '1' });
    await count(usage, 1);
    const read = async () => {
      const { violations } = await new AxeBuilder({ page }).exclude('header').analyze();
      return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    };
    expect(await read()).toEqual([]);
    await usage.rows.getByRole('link').click();
    await expect(usage.field('Status')).toHaveText('400 Bad Request');
    expect(await read()).toEqual([]);
  });
