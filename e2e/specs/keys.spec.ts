import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { register, signIn, signOutElsewhere, type Account } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { withAndWithoutMotion } from '../fixtures/motion';
import { KeysPage } from '../pages/keys.page';
import { UsagePage } from '../pages/usage.page';

const path = '/api/keys';
const one = '**/api/keys/*';
const headersOf = ({ accessToken }: Account) => ({ authorization: `Bearer ${accessToken}` });

async function makeKey(request: APIRequestContext, account: Account, name: string) {
  const answer = await request.post(path, { data: { name }, headers: headersOf(account) });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as { id: string; name: string; key: string };
}

const keysOf = async (request: APIRequestContext, account: Account) =>
  (await (await request.get(path, { headers: headersOf(account) })).json()) as {
    name: string;
    key: string;
  }[];

/** The page of a new account with keys of these names. */
async function openKeys(page: Page, request: APIRequestContext, ...names: string[]) {
  const account = await register(request);
  const made = [];
  for (const name of names) made.push(await makeKey(request, account, name));
  await signIn(page, account);
  const keys = new KeysPage(page);
  await keys.goto();
  await expect(keys.rows).toHaveCount(names.length);
  return { account, keys, made };
}

test('a key is made, shown whole, called with, found in Usage, deleted and refused', async ({
  page,
  request,
  machine,
}) => {
  const { account, keys } = await openKeys(page, request);
  await expect(page.getByText('No API keys yet')).toBeVisible();
  await keys.ask('  Deploy script  ');
  await expect(keys.toast('API key created successfully')).toBeVisible();
  await machine('savedKeys').is('listing');
  await expect(keys.row('Deploy script')).toBeFocused();
  await expect(keys.name).toHaveValue('');
  const [made] = await keysOf(request, account);
  await expect(keys.keyText('Deploy script')).toHaveText(String(made?.key));
  await expect(keys.row('Deploy script')).toContainText(`/api/v1/key`);

  const call = () => request.get('/api/v1/key', { headers: { 'x-api-key': String(made?.key) } });
  expect((await call()).status()).toBe(200);
  await page.reload();
  await expect(keys.keyText('Deploy script')).toHaveText(/^oid_•+\w{4}$/);
  await page.getByRole('link', { name: 'View calls of Deploy script' }).click();
  await expect(page.getByRole('row').filter({ hasText: '/api/v1/key' })).toHaveCount(1);

  await page.goBack();
  await keys.deleteButton('Deploy script').click();
  await machine('savedKeys').is('confirming');
  await expect(keys.cancel).toBeFocused();
  await keys.confirm.click();
  await expect(keys.toast('API key deleted successfully')).toBeVisible();
  await expect(keys.rows).toHaveCount(0);
  await expect(keys.listHeading).toBeFocused();
  await expect.poll(async () => (await call()).status()).toBe(401);
});

test('a name is asked for and bounded, and what is typed stays', async ({ page, request, machine }) => {
  const { account, keys } = await openKeys(page, request);
  const refusals: [string, string][] = [
    ['', 'Name is required'],
    ['   ', 'Name is required'],
    ['a'.repeat(51), 'Name must be less than 50 characters'],
    ['a\u202eb', 'Name must not contain invisible or control characters'],
  ];
  for (const [name, sentence] of refusals) {
    await keys.ask(name);
    await expect(page.getByText(sentence, { exact: true })).toBeVisible();
    await expect(keys.name).toHaveAttribute('aria-invalid', 'true');
    await expect(keys.name).toBeFocused();
    await expect(keys.name).toHaveValue(name);
    await keys.name.fill('x');
    await expect(page.getByText(sentence, { exact: true })).toHaveCount(0);
  }
  await machine('savedKeys').is('listing');
  expect(await keysOf(request, account)).toEqual([]);

  const longest = `ключ 🔑 ${'W'.repeat(42)}`;
  await keys.ask(longest);
  await expect(keys.row(longest)).toBeVisible();
  await keys.ask(longest);
  await expect(keys.rows).toHaveCount(2);
});

test('a failed creation says so twice, keeps the name, and goes with the next attempt', async ({
  page,
  request,
}) => {
  const { account, keys } = await openKeys(page, request);
  await page.route(`**${path}`, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 503, json: { statusCode: 503, message: 'Try again later' } })
      : route.fallback(),
  );
  await keys.ask('Server');
  await expect(keys.toast('Failed to create API key')).toBeVisible();
  await expect(keys.toast('503: Try again later')).toBeVisible();
  await expect(keys.failure).toHaveText('Failed to create API key: 503: Try again later');
  await expect(keys.name).toBeFocused();
  await expect(keys.name).toHaveValue('Server');
  await page.unroute(`**${path}`);
  await page.keyboard.press('Enter');
  await expect(keys.row('Server')).toBeVisible();
  await expect(keys.failure).toHaveCount(0);
  expect(await keysOf(request, account)).toHaveLength(1);
});

test('a key whose answer was lost is found in the list, and not asked for twice', async ({
  page,
  request,
}) => {
  const { account, keys } = await openKeys(page, request, 'Deploy script');
  const loseAnswers = (isMade: boolean) =>
    page.route(`**${path}`, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      if (isMade) await route.fetch();
      await route.abort('connectionreset');
    });
  await loseAnswers(true);
  // Of the same name as one that is there.
  await keys.ask('Deploy script');
  await expect(keys.toast('API key created successfully')).toBeVisible();
  await expect(keys.rows).toHaveCount(2);
  await expect(keys.rows.first()).toBeFocused();
  await expect(keys.rows.first().getByRole('code').first()).toHaveText(
    String((await keysOf(request, account))[0]?.key),
  );
  await expect(keys.name).toHaveValue('');

  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await loseAnswers(false);
  await keys.ask('Deploy script');
  await expect(keys.failure).toContainText('The server couldn’t be reached');
  await expect(keys.name).toHaveValue('Deploy script');
  await expect(keys.rows).toHaveCount(2);
});

test('offline and back, signed out elsewhere, and too many', async ({ page, context, request }) => {
  const { account, keys } = await openKeys(page, request);
  await context.setOffline(true);
  await keys.ask('Server');
  const unreachable = 'The server couldn’t be reached. Check your connection and try again.';
  await expect(keys.failure).toHaveText(`Failed to create API key: ${unreachable}`);
  await context.setOffline(false);
  await keys.create.click();
  await expect(keys.row('Server')).toBeVisible();

  for (let made = 1; made < 100; made += 33)
    await Promise.all(Array.from({ length: 33 }, (_, i) => makeKey(request, account, `Key ${made + i}`)));
  await keys.ask('One more');
  await expect(keys.failure).toHaveText(
    'Failed to create API key: 409: You have 100 saved keys, the maximum. Delete one to create another',
  );
  // The list was read again with it.
  await expect(keys.rows).toHaveCount(100);
  await keys.deleteButton('Key 1').click();
  await keys.confirm.click();
  await expect(keys.rows).toHaveCount(99);
  await expect(keys.failure).toHaveCount(0);

  await signOutElsewhere(request, account);
  await expect(page).toHaveURL('/login');
});

test('a failed deletion stays in the dialog, and cancelling keeps the key', async ({
  page,
  request,
  machine,
}) => {
  const { account, keys } = await openKeys(page, request, 'Server');
  await page.route(one, (route) => route.fulfill({ status: 503, body: 'down' }));
  await keys.deleteButton('Server').click();
  await keys.confirm.click();
  await expect(keys.toast('Failed to delete API key')).toBeVisible();
  await expect(keys.dialog.getByRole('alert')).toHaveText('Failed to delete API key: 503: down');
  await machine('savedKeys').is('confirming');
  await expect(keys.confirm).toBeFocused();
  await keys.cancel.click();
  await machine('savedKeys').is('listing');
  await expect(keys.deleteButton('Server')).toBeFocused();
  expect(await keysOf(request, account)).toHaveLength(1);

  await keys.deleteButton('Server').click();
  await expect(keys.dialog.getByRole('alert')).toHaveCount(0);
  // Gone by the time the deletion arrives is deleted, as was wanted.
  await page.unroute(one);
  await page.route(one, (route) =>
    route.fulfill({
      status: 404,
      json: { statusCode: 404, message: 'API key not found', code: 'keys.notFound' },
    }),
  );
  await keys.confirm.click();
  await expect(keys.toast('API key deleted successfully')).toBeVisible();
});

test('what never gets an answer can be left after 30 s', async ({ page, context, request, machine }) => {
  await context.clock.install();
  const { keys } = await openKeys(page, request, 'Server');
  await page.route(`**${path}`, (route) =>
    route.request().method() === 'POST' ? undefined : route.fallback(),
  );
  await page.route(one, () => undefined);
  const noAnswer =
    'The server didn’t answer within 30 s, so the change may or may not have been made. This page shows the current state';
  await keys.ask('Other');
  await machine('savedKeys').is('creating');
  await expect(keys.create).toBeDisabled();
  await context.clock.fastForward(30_000);
  await expect(keys.failure).toHaveText(`Failed to create API key: ${noAnswer}`);
  await keys.deleteButton('Server').click();
  await keys.confirm.click();
  await machine('savedKeys').is('deleting');
  await context.clock.fastForward(30_000);
  await expect(keys.dialog.getByRole('alert')).toHaveText(`Failed to delete API key: ${noAnswer}`);
});

test('a key that was made or deleted elsewhere is seen on coming back, in a dialog about it too', async ({
  page,
  request,
  machine,
}) => {
  const { account, keys, made } = await openKeys(page, request, 'Server');
  const comeBack = () =>
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await makeKey(request, account, 'Elsewhere');
  await comeBack();
  await expect(keys.rows).toHaveCount(2);

  await keys.deleteButton('Server').click();
  await request.delete(`${path}/${made[0]?.id}`, { headers: headersOf(account) });
  await comeBack();
  await machine('savedKeys').is('vanished');
  await expect(keys.dialog.getByRole('alert')).toHaveText(
    'This API key was already deleted in another tab or on another device.',
  );
  await expect(keys.close).toBeFocused();
  await keys.close.click();
  await machine('savedKeys').is('listing');
  await expect(keys.rows).toHaveCount(1);
  await expect(keys.listHeading).toBeFocused();
});

test('a new key is in Usage at once, and one deleted elsewhere is gone when the page is opened again', async ({
  page,
  request,
}) => {
  const { account, keys, made } = await openKeys(page, request, 'Server');
  const sidebar = page.getByRole('navigation', { name: 'Portal' });
  const open = (name: string) => sidebar.getByRole('link', { name }).click();
  const usage = new UsagePage(page);
  await open('Usage');
  await expect(usage.heading).toBeVisible();
  await open('API Keys');
  await keys.ask('Script');
  await expect(keys.row('Script')).toBeVisible();
  await open('Usage');
  await page.getByRole('combobox', { name: 'Key' }).click();
  await expect(page.getByRole('option', { name: /Script/ })).toHaveCount(1);
  await page.keyboard.press('Escape');
  await request.delete(`${path}/${made[0]?.id}`, { headers: headersOf(account) });
  await open('API Keys');
  await expect(keys.rows).toHaveCount(1);
});

test('a new key is shown whole, however early the list was read, and where it cannot be read', async ({
  page,
  request,
}) => {
  const { keys } = await openKeys(page, request);
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**${path}`, async (route) => {
    const answer = await route.fetch();
    if (route.request().method() === 'POST') await held;
    await route.fulfill({ response: answer });
  });
  const sent = page.waitForRequest((asked) => asked.method() === 'POST');
  await keys.ask('Early');
  await sent;
  await expect
    .poll(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
      return keys.rows.count();
    })
    .toBe(1);
  await expect(keys.keyText('Early')).toHaveText(/•/);
  release();
  await expect(keys.keyText('Early')).toHaveText(/^oid_\w{33}$/);
  await expect(keys.row('Early')).toBeFocused();

  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route(`**${path}`, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 500, body: 'no' }) : route.fallback(),
  );
  await page.reload();
  await expect(page.getByText('Failed to load API keys')).toBeVisible();
  await keys.ask('Unlisted');
  await expect(keys.keyText('Unlisted')).toHaveText(/^oid_\w{33}$/);
  await expect(keys.row('Unlisted')).toBeFocused();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await keys.retry.click();
  await expect(keys.rows).toHaveCount(2);
});

test('a name half typed survives a reload, and is gone once it made a key', async ({ page, request }) => {
  const { keys } = await openKeys(page, request);
  await keys.name.fill('Half');
  await page.reload();
  await expect(keys.name).toHaveValue('Half');
  await keys.create.click();
  await expect(keys.row('Half')).toBeVisible();
  await page.reload();
  await expect(keys.row('Half')).toBeVisible();
  await expect(keys.name).toHaveValue('');
});

test('a key made while its page was left leaves no name behind', async ({ page, request }) => {
  const { keys } = await openKeys(page, request);
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  await keys.ask('Left');
  const sidebar = page.getByRole('navigation', { name: 'Portal' });
  await sidebar.getByRole('link', { name: 'Usage' }).click();
  await expect(new UsagePage(page).heading).toBeVisible();
  const made = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.ok());
  release();
  await (await made).finished();
  await sidebar.getByRole('link', { name: 'API Keys' }).click();
  await expect(keys.row('Left')).toBeVisible();
  await expect(keys.name).toHaveValue('');
});

test('a list that cannot be read says so and is there after Retry', async ({ page, request }) => {
  await signIn(page, await register(request));
  await page.route(`**${path}`, (route) => route.fulfill({ status: 500, body: 'no' }));
  const keys = new KeysPage(page);
  await keys.goto();
  await expect(page.getByText('Failed to load API keys')).toBeVisible();
  await page.unroute(`**${path}`);
  await keys.retry.click();
  await expect(page.getByText('No API keys yet')).toBeVisible();
});

test('more than ten keys can be searched and sorted, and each shows when it was made and used', async ({
  page,
  request,
}) => {
  const names = Array.from({ length: 10 }, (_, index) => `Server ${index + 1}`);
  const { account, keys } = await openKeys(page, request, ...names);
  const search = page.getByRole('searchbox', { name: 'Search API keys' });
  await expect(keys.row('Server 1')).toContainText('Created');
  await expect(keys.row('Server 1')).toContainText('Not used yet');
  await expect(search).toHaveCount(0);
  await makeKey(request, account, 'Deploy script');
  await page.reload();
  await expect(keys.rows).toHaveCount(11);
  await search.fill('DEPLOY');
  await expect(keys.rows).toHaveCount(1);
  await expect(keys.rows).toContainText('Deploy script');
  await search.fill('nothing like it');
  await expect(page.getByText('No API key matches your search.')).toBeVisible();
  await search.fill('server');
  await expect(keys.rows.first()).toHaveAccessibleName('Server 10');
  await page.getByRole('combobox', { name: 'Sort API keys' }).click();
  await page.locator('.ant-select-item-option').filter({ hasText: 'Name' }).click();
  await expect(keys.rows.first()).toHaveAccessibleName('Server 1');
});

withAndWithoutMotion(() => {
  test('by keyboard alone: made, revealed, deleted', async ({ page, request }) => {
    const { keys } = await openKeys(page, request, 'Server');
    await keys.name.focus();
    await page.keyboard.type('Script');
    await page.keyboard.press('Enter');
    await expect(keys.row('Script')).toBeFocused();
    for (let i = 0; i < 2; i++) await page.keyboard.press('Tab');
    await expect(keys.deleteButton('Script')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Hide API key Script' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(keys.keyText('Script')).toHaveText(/^oid_•+\w{4}$/);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(keys.cancel).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(keys.deleteButton('Script')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(keys.cancel).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(keys.rows).toHaveCount(1);
    await expect(keys.listHeading).toBeFocused();
  });
});
