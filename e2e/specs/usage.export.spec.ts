import { expect } from '@playwright/test';
import { machineTest as test } from '../fixtures/machine';
import { call, openNewUsage, openUsage, ownSite, registerWithKey } from '../fixtures/usage';

test('the export is what the page shows, as CSV and as NDJSON, and its address works once', async ({
  page,
  request,
}) => {
  const { account, apiKey } = await registerWithKey(request, '=1+1');
  await call(request, apiKey, 2);
  await call(request, apiKey, 3, { origin: ownSite });
  const usage = await openUsage(page, account, { origin: ownSite });
  await expect(usage.rows).toHaveCount(3);

  const csv = await usage.download('CSV');
  expect(csv.name).toMatch(/^usage-\d{4}-\d\d-\d\dT\d{6}Z\.csv$/);
  const [head, ...lines] = csv.text.trimEnd().split('\r\n');
  expect(head).toBe(
    'seq,timestamp,method,endpoint,statusCode,outcome,responseTimeMs,origin,projectId,projectName,keyId,keyName,calls,errorCode,path',
  );
  expect(lines.map((line) => line.split(',')[0])).toEqual(['5', '4', '3']);
  for (const line of lines) expect(line).toContain(`,${ownSite},`);
  for (const line of lines) expect(line).toContain(",'=1+1,");
  await expect(page.getByText(`Your browser is downloading ${csv.name}.`, { exact: true })).toBeVisible();

  const ndjson = await usage.download('NDJSON');
  const rows = ndjson.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number; origin: string });
  expect(rows.map(({ seq, origin }) => [seq, origin])).toEqual([5, 4, 3].map((seq) => [seq, ownSite]));

  for (const { url } of [csv, ndjson]) {
    const again = await page.request.get(url);
    expect(again.status()).toBe(410);
    expect(await again.text()).toContain('This download was already used');
  }
  await expect(page).toHaveURL(`/usage?origin=${encodeURIComponent(ownSite)}`);
});

test('the keyboard alone exports, and Escape leaves the menu where it came from', async ({
  page,
  request,
}) => {
  const { usage } = await openNewUsage({ page, request }, 'Keyboard', { answered: 1 });
  await expect(usage.rows).toHaveCount(1);
  await usage.export.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(usage.export).toBeFocused();
  await page.keyboard.press('Enter');
  // The menu takes the focus a moment after it shows, and only then the arrow keys.
  await expect(page.getByRole('menuitem', { name: /^CSV/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  // The menu moves the focus with the next frame; a key pressed within the same one still goes to the entry before.
  await expect(page.getByRole('menuitem', { name: /^NDJSON/ })).toBeFocused();
  const started = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await started).suggestedFilename()).toMatch(/\.ndjson$/);
  await expect(usage.export).toBeFocused();
});

test('without a network the export says why it did not start', async ({
  page,
  context,
  request,
  machine,
}) => {
  const { usage } = await openNewUsage({ page, request }, 'Cut off', { answered: 1 });
  await context.setOffline(true);
  await machine('realtime').is('reconnecting.offline');
  await usage.export.click();
  await page.getByRole('menuitem', { name: /^CSV/ }).click();
  // Cut off before what shows toasts was fetched, the same words stand in one line.
  await expect(page.getByText(/^Export failed/).first()).toBeVisible();
  await expect(usage.export).toBeEnabled();
});
