import { expect } from '@playwright/test';
import { expectSignedOut, signOutElsewhere } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { call, openNewUsage, registerWithKey, stranger } from '../fixtures/usage';

test('the Usage page shows the first calls live, pauses, and signs out after a sign-out elsewhere', async ({
  page,
  request,
  machine,
}) => {
  const theirs = await registerWithKey(request, 'Theirs');
  await page.clock.install();
  const { account, apiKey, usage } = await openNewUsage({ page, request }, 'First');

  await test.step('the first call replaces the empty page with figures, a chart and a row', async () => {
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
    await expect.poll(() => usage.chartTotal()).toBe(1);
  });

  await test.step("a blocked call shows its origin, and another user's calls never arrive", async () => {
    await call(request, theirs.apiKey, 3);
    expect(await call(request, apiKey, 1, { origin: stranger })).toEqual([403]);
    await expect(usage.rows).toHaveCount(2);
    await expect(usage.rows.filter({ hasText: '403 Blocked' })).toContainText(stranger);
    await expect(usage.rows.filter({ hasText: 'Theirs' })).toHaveCount(0);
    await page.clock.fastForward(2_000);
    await expect(usage.figure('Blocked')).toHaveText('1');
    await expect(usage.figure('Calls')).toHaveText('2');
    // Calls blocked by the origin rule use none of the daily quota.
    await expect(page.getByText(/^Daily quota: 1 of 1,000,000 used\./)).toBeVisible();
  });

  await test.step('a button at the top of the page pauses the list, and the bar counts the calls that the list does not show', async () => {
    await expect(usage.now).toBeInViewport({ ratio: 1 });
    await expect(usage.now).toContainText('Latest callGET /api/v1/key403 Blocked');
    await usage.pause.click();
    await machine('usageTail').is('paused');
    await call(request, apiKey, 3);
    await expect(usage.paused).toHaveText('Paused, 3 new');
    await expect(usage.now.getByText('Live', { exact: true })).toHaveCount(0);
    await expect(usage.rows).toHaveCount(2);
    await usage.resume.click();
    await expect(usage.rows).toHaveCount(5);
    await expect(usage.paused).toHaveCount(0);
    await usage.pause.click();
    await usage.chooseRange('1h');
    await machine('usageTail').is('following');
  });

  await test.step('a phone shows the same bar at the top and collapses the filters into one button', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(usage.now).toBeInViewport({ ratio: 1 });
    await expect(usage.status).toBeHidden();
    await usage.filters.click();
    await usage.choose(usage.status, 'Revoked key');
    await expect(usage.filters).toHaveText('Filters (1)');
    await usage.filters.click();
    await expect(usage.status).toBeHidden();
  });

  await test.step('a sign-out elsewhere ends this page’s session', async () => {
    await signOutElsewhere(request, account);
    await expectSignedOut(page);
  });
});

test('the Usage page shows its last update while offline, and the missed calls or a sign-out once back online', async ({
  page,
  context,
  request,
  machine,
}) => {
  const { account, apiKey, usage } = await openNewUsage({ page, request }, 'Away', { answered: 1 });
  await expect(usage.rows).toHaveCount(1);
  const goOffline = async () => {
    await context.setOffline(true);
    await machine('realtime').is('reconnecting.offline');
    await expect(usage.connection).toHaveText(/^Offline: last update \d\d:\d\d:\d\d$/);
  };

  await test.step('40 calls made while offline are listed, and the browser renders only those in view', async () => {
    await goOffline();
    await expect(page.getByText(/^As of /)).toHaveCount(0);
    await call(request, apiKey, 40);
    await context.setOffline(false);
    await usage.expectLive();
    await expect(usage.rows).toHaveCount(41);
    await expect(usage.figure('Calls')).toHaveText('41');
    const link = usage.rows.last().getByRole('link');
    const isDrawn = () => link.evaluate((row) => row.checkVisibility({ contentVisibilityAuto: true }));
    await expect.poll(isDrawn).toBe(false);
    await link.scrollIntoViewIfNeeded();
    await expect.poll(isDrawn).toBe(true);
    await expect(usage.rows.last()).toContainText('200 OK');

    await usage.heading.scrollIntoViewIfNeeded();
    await expect.poll(isDrawn).toBe(false);
    await call(request, apiKey);
    await expect(usage.rows).toHaveCount(42);
    await expect.poll(isDrawn).toBe(true);
  });

  await test.step('a sign-out elsewhere while offline ends this page’s session', async () => {
    await goOffline();
    await signOutElsewhere(request, account);
    await context.setOffline(false);
    await expectSignedOut(page);
  });
});
