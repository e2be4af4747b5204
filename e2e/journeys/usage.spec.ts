import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { createProject, type Account } from '../fixtures/account';
import { axeFindings } from '../fixtures/axe';
import { machineTest as test } from '../fixtures/machine';
import { call, openNewUsage, openUsage, ownSite, registerWithKey, stranger } from '../fixtures/usage';
import { tooWideElements } from '../fixtures/width';
import type { UsagePage } from '../pages/usage.page';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

/**
 * Opens the Usage page of an account with two projects and seven calls: four of the first project (two plain, one
 * blocked, one refused with 400), and three of the second (two from its own site, one plain).
 */
async function openSeeded(
  { page, request }: { page: Page; request: APIRequestContext },
  query: Record<string, string> = {},
): Promise<{ account: Account; first: string; usage: UsagePage }> {
  const { account, apiKey, projectId } = await registerWithKey(request, 'First');
  const second = await createProject(request, account, { projectName: '=1+1', whitelistURL: [ownSite] });
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

test('filters, bars and the chart limit figures and calls together, and the URL stores the choice', async ({
  page,
  request,
}) => {
  const { first, usage } = await openSeeded({ page, request });
  const title = usage.calls.getByRole('heading');
  await count(usage, 7);

  await test.step('filters survive Back, Forward and a reload', async () => {
    await usage.choose(usage.project, 'First');
    await expect(page).toHaveURL(`/usage?projectId=${first}`);
    await count(usage, 4);
    await usage.choose(usage.status, '4xx Client Error');
    await count(usage, 2);
    await page.goBack();
    await count(usage, 4);
    await page.goForward();
    await count(usage, 2);
    await expect(page).toHaveURL(`/usage?projectId=${first}&status=4xx`);
    await page.reload();
    await count(usage, 2);
    await usage.clearFilters.click();
    await expect(page).toHaveURL('/usage');
    await count(usage, 7);
  });

  await test.step('a click on a bar scrolls to its calls', async () => {
    await usage.bar(usage.byStatus, /403 Blocked/).click();
    await expect(page).toHaveURL('/usage?status=blocked');
    await count(usage, 1);
    await expect(title).toBeFocused();
    await expect(title).toBeInViewport();
    await usage.bar(usage.byStatus, /403 Blocked/).click();
    await count(usage, 7);
  });

  await test.step('the keyboard, a click and a drag select a time in the chart and show its calls', async () => {
    await usage.chooseRange('1h');
    await expect(page).toHaveURL('/usage?range=1h');
    await count(usage, 7);
    // The 96 bars of the earlier range stay until those of a minute have loaded.
    await expect.poll(async () => Number(await usage.plot.getAttribute('aria-valuemax'))).toBeLessThan(90);
    const tip = usage.plot.locator('.usage_plotTip');
    await usage.plot.focus();
    await page.keyboard.press('End');
    const size = page.viewportSize() as { width: number; height: number };
    await page.setViewportSize({ width: 320, height: 640 });
    await expect(tip).toBeVisible();
    await expect.poll(() => tooWideElements(page)).toEqual([]);
    await page.setViewportSize(size);
    await page.keyboard.press('Tab');
    await expect(tip).toBeHidden();

    // The last bar, which contains the calls just made, or the one before it if the minute has changed since.
    await usage.plot.focus();
    await page.keyboard.press('End');
    if ((await usage.plot.getAttribute('aria-valuetext'))?.includes('· 7 calls') !== true)
      await page.keyboard.press('Shift+ArrowLeft');
    await expect(usage.plot).toHaveAttribute('aria-valuetext', /· 7 calls, 1 error, 1 blocked$/);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/usage\?from=.*&to=/);
    await count(usage, 7);
    await expect(title).toBeFocused();
    await expect(title).toBeInViewport();
    const [from, to] = ['from', 'to'].map((name) =>
      Date.parse(new URL(page.url()).searchParams.get(name) ?? ''),
    );
    expect([60_000, 120_000]).toContain((to as number) - (from as number));

    await page.goBack();
    await count(usage, 7);
    const box = await usage.plot.locator('.u-over').boundingBox();
    if (!box) throw new Error('the chart has no size');
    // There were no calls halfway through the hour. The pointer is in the last tenth of a bar, closer to the start of
    // the next.
    const bars = await usage.chart.locator('tbody tr').count();
    const x = box.x + (Math.floor(bars / 2) + 0.9) * (box.width / bars);
    await page.mouse.move(x, box.y + box.height / 2);
    const tipText = await tip.textContent();
    await page.mouse.click(x, box.y + box.height / 2);
    await expect(page.getByText('No calls in this range')).toBeVisible();
    await expect(usage.from).toHaveValue(new RegExp(`${/, (\d\d:\d\d)/.exec(tipText ?? '')?.[1]}$`));
    await page.goBack();
    await count(usage, 7);
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + 40, { steps: 5 });
    await page.mouse.up();
    await expect(page).toHaveURL(/\/usage\?from=.*&to=/);
    await count(usage, 7);
  });

  await test.step('a typed range is applied, with Tab from its start to its end', async () => {
    await usage.from.fill('2026-01-02 10:00');
    await page.keyboard.press('Tab');
    await expect(usage.to).toBeFocused();
    await page.keyboard.type('2026-01-02 11:30');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No calls in this range')).toBeVisible();
    await expect(page).toHaveURL(/\/usage\?from=2026-01-.*&to=2026-01-/);
    await expect(usage.to).toBeFocused();
  });
});

test('the export contains the calls that the page shows, and its download URL works in this browser only', async ({
  page,
  request,
}) => {
  const { usage } = await openSeeded({ page, request }, { origin: ownSite });
  await expect(usage.rows).toHaveCount(2);

  const csv = await usage.download('CSV');
  expect(csv.name).toMatch(/^usage-\d{4}-\d\d-\d\dT\d{6}Z\.csv$/);
  const [head, ...lines] = csv.text.trimEnd().split('\r\n');
  // The byte-order mark tells Excel that the file is UTF-8.
  expect(head).toBe(
    '\ufeffseq,timestamp,method,endpoint,statusCode,outcome,responseTimeMs,origin,projectId,projectName,keyId,keyName,calls,errorCode,path',
  );
  expect(lines.map((line) => line.split(',')[0])).toEqual(['6', '5']);
  for (const line of lines) expect(line).toContain(`,${ownSite},`);
  for (const line of lines) expect(line).toContain(",'=1+1,");
  await expect(page.getByText(`Your browser is downloading ${csv.name}.`, { exact: true })).toBeVisible();

  await test.step('the keyboard alone can export, and Escape returns the focus', async () => {
    await usage.export.press('Enter');
    await expect(page.getByRole('menu')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await expect(usage.export).toBeFocused();
    await page.keyboard.press('Enter');
    // The menu takes the focus a moment after it shows, and only then handles arrow keys.
    await expect(page.getByRole('menuitem', { name: /^CSV/ })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    // The menu moves the focus in the next frame; a key pressed before that still goes to the previous entry.
    await expect(page.getByRole('menuitem', { name: /^NDJSON/ })).toBeFocused();
  });
  const ndjson = await usage.received(() => page.keyboard.press('Enter'));
  await expect(usage.export).toBeFocused();
  expect(ndjson.name).toMatch(/\.ndjson$/);
  const rows = ndjson.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number; origin: string });
  expect(rows.map(({ seq, origin }) => [seq, origin])).toEqual([6, 5].map((seq) => [seq, ownSite]));

  for (const { url } of [csv, ndjson]) {
    // iOS asks twice.
    expect((await page.request.get(url)).status()).toBe(200);
    const elsewhere = await request.get(url);
    expect(elsewhere.status()).toBe(410);
    expect(await elsewhere.text()).toContain('was started in another browser');
  }
  await expect(page).toHaveURL(`/usage?origin=${encodeURIComponent(ownSite)}`);
});

test('a call opens from its row and returns the focus when it closes, with and without motion', async ({
  page,
  request,
  machine,
}) => {
  const { usage } = await openNewUsage(
    { page, request },
    'Detail',
    { answered: 1, blocked: 1 },
    { status: 'blocked' },
  );
  const link = usage.rows.first().getByRole('link');
  const tail = machine('usageTail');
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await test.step(`prefers-reduced-motion: ${reducedMotion}`, async () => {
      await page.emulateMedia({ reducedMotion });
      await expect(usage.rows).toHaveCount(1);
      await link.press('Enter');
      await expect(page).toHaveURL('/usage?status=blocked&call=2');
      await expect(usage.field('Status')).toHaveText('403 Blocked');
      await expect(usage.field('Origin')).toContainText(stranger);
      await page.keyboard.press('Escape');
      await expect(usage.detail).toBeHidden();
      await expect(page).toHaveURL('/usage?status=blocked');
      await expect(link).toBeFocused();

      // Escape in the same task as the URL change also closes the call.
      const found = await link.evaluate((element: HTMLElement) => {
        element.click();
        const { search } = window.location;
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        return search;
      });
      expect(found).toBe('?status=blocked&call=2');
      await expect(page).toHaveURL('/usage?status=blocked');
      await expect(usage.detail).toBeHidden();
      await expect(link).toBeFocused();
    });
  }

  await test.step('a click opens the call too, its JSON is copied, and the browser’s Back and Forward buttons close and open it', async () => {
    await usage.rows.first().getByText('403 Blocked').click();
    await expect(usage.detail).toBeVisible();
    await tail.is('paused.forCall');
    await usage.detail.getByRole('button', { name: 'Copy call as JSON' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect((JSON.parse(copied) as { seq: number }).seq).toBe(2);
    await page.goBack();
    await expect(usage.detail).toBeHidden();
    await tail.is('following');
    await page.goForward();
    await expect(usage.field('Call number')).toContainText('2');
  });

  await test.step('on a narrow screen a click opens a call whose row is where the bar would stick', async () => {
    const size = page.viewportSize() as { width: number; height: number };
    await page.setViewportSize({ width: 360, height: 740 });
    await page.keyboard.press('Escape');
    await expect(usage.detail).toBeHidden();
    await tail.is('following');
    const row = usage.rows.first();
    await row.evaluate((element) => window.scrollBy(0, element.getBoundingClientRect().top - 80));
    const { x = 0, y = 0 } = (await row.boundingBox()) ?? {};
    expect(y).toBeLessThan(100);
    await page.mouse.click(x + 100, y + 12);
    await expect(usage.detail).toBeVisible();
    await page.setViewportSize(size);
  });

  await test.step('Tab and arrow keys pause the list', async () => {
    await page.keyboard.press('Escape');
    await expect(usage.detail).toBeHidden();
    await usage.clearFilters.click();
    await expect(usage.rows).toHaveCount(2);
    await tail.is('following');
    await usage.calls.getByRole('heading').focus();
    await page.keyboard.press('Tab');
    await expect(link).toBeFocused();
    await tail.is('paused.held');
    await page.keyboard.press('ArrowDown');
    await expect(usage.rows.last().getByRole('link')).toBeFocused();
    await usage.resume.click();
    // The press pauses the list for the call. With Control the page doesn't open the call, so the list stays paused.
    await usage.rows
      .first()
      .getByText('403 Blocked')
      .click({ modifiers: ['Control'] });
    await tail.is('paused.held');
  });

  await test.step('the page passes axe with a mistake in its URL and an open call, in dark mode', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await usage.goto({ status: 'blocked', origin: stranger, nonsense: '1', call: '2' });
    await expect(usage.notice).toContainText('nonsense');
    await expect(usage.field('Status')).toHaveText('403 Blocked');
    expect(await axeFindings(page)).toEqual([]);
  });
  await test.step('an address that opens a call draws no frame around it', async () => {
    await page.goto('/usage?call=2');
    await expect(usage.field('Status')).toHaveText('403 Blocked');
    const outline = () =>
      page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    expect(await outline()).toBe('none');
  });
});
