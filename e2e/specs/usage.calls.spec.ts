import { expect } from '@playwright/test';
import { machineTest as test } from '../fixtures/machine';
import { withAndWithoutMotion } from '../fixtures/motion';
import { call, openNewUsage, stranger } from '../fixtures/usage';

withAndWithoutMotion(() => {
  test('a row opens its call in full; the address carries it, Escape closes it and the focus is back on the row', async ({
    page,
    context,
    request,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { apiKey, projectId, usage } = await openNewUsage(
      { page, request },
      'Detail',
      { answered: 1, blocked: 1 },
      { status: 'blocked' },
    );
    await expect(usage.rows).toHaveCount(1);

    const link = usage.rows.first().getByRole('link');
    await link.press('Enter');
    await expect(usage.detail).toBeVisible();
    await expect(page).toHaveURL('/usage?status=blocked&call=2');
    await expect(usage.field('Time')).toContainText(/\d\d:\d\d:\d\d/);
    await expect(usage.field('Call number')).toContainText('2');
    await expect(usage.field('Method')).toHaveText('GET');
    await expect(usage.field('Endpoint')).toHaveText('/api/v1/key');
    await expect(usage.field('Status')).toHaveText('403 Blocked');
    await expect(usage.field('Outcome')).toHaveText('Blocked: the origin isn’t allowed');
    await expect(usage.field('Error')).toContainText(
      /key\.originRefused.*This project doesn’t allow calls from this origin.*add it to the project’s allowed URLs/s,
    );
    await expect(usage.field('Origin')).toContainText(stranger);
    await expect(usage.field('Response time')).toContainText(/ms/);
    await expect(usage.field('Project')).toContainText(projectId);
    await expect(usage.field('API key')).toContainText(`Detail${apiKey.slice(0, 8)}••••`);
    await expect(usage.detail).not.toContainText(apiKey);
    await usage.detail.getByRole('button', { name: 'Copy call number' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('2');
    await expect(usage.detail.getByRole('button', { name: /^Copy/ })).toHaveCount(2);
    await usage.detail.getByRole('button', { name: 'Copy call as JSON' }).click();
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as { seq: number };
    expect(copied.seq).toBe(2);

    await page.keyboard.press('Escape');
    await expect(usage.detail).toBeHidden();
    await expect(page).toHaveURL('/usage?status=blocked');
    await expect(link).toBeFocused();

    await usage.rows.first().getByText('403 Blocked').click();
    await expect(usage.detail).toBeVisible();
    await page.goBack();
    await expect(usage.detail).toBeHidden();
    await expect(page).toHaveURL('/usage?status=blocked');
    await page.goForward();
    await expect(usage.field('Call number')).toContainText('2');
  });
});

test('an address with a call opens it, also one the list does not hold; closing stays on the page', async ({
  page,
  request,
}) => {
  const { usage } = await openNewUsage(
    { page, request },
    'Shared',
    { answered: 3, blocked: 1 },
    { status: 'blocked', call: '1' },
  );
  await expect(usage.field('Status')).toHaveText('200 OK');
  await page.keyboard.press('Escape');
  await expect(usage.detail).toBeHidden();
  await expect(page).toHaveURL('/usage?status=blocked');
  await expect(usage.calls.getByRole('heading')).toBeFocused();

  await usage.goto({ call: '99' });
  await expect(usage.detail.getByText('Call not found')).toBeVisible();
  await usage.detail.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL('/usage');
});

test('arrow keys go from row to row, and the list then stands still', async ({ page, request, machine }) => {
  const { apiKey, usage } = await openNewUsage({ page, request }, 'Keys', { answered: 3 });
  await expect(usage.rows).toHaveCount(3);
  const links = usage.rows.getByRole('link');
  await expect(links.nth(0)).toHaveAttribute('tabindex', '0');
  await expect(links.nth(1)).toHaveAttribute('tabindex', '-1');
  await machine('usageTail').is('following');
  await usage.calls.getByRole('heading').focus();
  await page.keyboard.press('Tab');
  await expect(links.nth(0)).toBeFocused();
  await machine('usageTail').is('paused');
  await page.keyboard.press('ArrowDown');
  await expect(links.nth(1)).toBeFocused();
  await expect(links.nth(1)).toHaveAttribute('tabindex', '0');
  await page.keyboard.press('End');
  await expect(links.nth(2)).toBeFocused();
  await call(request, apiKey);
  await expect(usage.paused).toHaveText('Paused, 1 new');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/usage?call=1');
  await page.keyboard.press('Escape');
  await expect(links.nth(2)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(links.nth(0)).toBeFocused();
});

withAndWithoutMotion(() => {
  test('Escape is heard from the moment the address has the call', async ({ page, request }) => {
    const { usage } = await openNewUsage({ page, request }, 'Hasty', { answered: 1 });
    const link = usage.rows.first().getByRole('link');
    await link.focus();
    const found = await link.evaluate((element: HTMLElement) => {
      element.click();
      const { search } = window.location;
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      return search;
    });
    expect(found).toBe('?call=1');
    await expect(page).toHaveURL('/usage');
    await expect(usage.detail).toBeHidden();
    await expect(link).toBeFocused();
  });
});
