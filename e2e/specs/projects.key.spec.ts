import { expect, type Page } from '@playwright/test';
import { expectSignedOut } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { elsewhere, openProject, registerWithProject } from '../fixtures/project';
import { call } from '../fixtures/usage';

const path = '**/devportal/v1/project/generateKey';

/** Holds answers back until they are let go: `answer` in their place, else the server's. */
async function hold(page: Page, at = path, answer?: unknown): Promise<() => void> {
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(at, async (route) => {
    await held;
    await (answer === undefined ? route.continue() : route.fulfill({ json: answer }));
  });
  return release;
}

test('a new key takes the place of the old one, and stays until it is dismissed on purpose', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  const projects = await openProject(page, owned);
  await projects.select(owned.projectName);
  const address = '/projects?project=Acme+Shop';
  const goBack = () => page.evaluate(() => history.back());
  const updateKey = machine('updateKey');
  await updateKey.is('closed');

  await projects.updateKey.click();
  await updateKey.is('confirming');
  await expect(projects.dialog).toContainText('The old key stops working immediately. You can’t restore it.');
  await expect(projects.cancel).toBeFocused();
  await page.keyboard.press('Escape');
  await updateKey.is('closed');
  await expect(projects.updateKey).toBeFocused();
  expect(await call(request, owned.apiKey)).toEqual([200]);

  const release = await hold(page);
  let sent = 0;
  page.on('request', (asked) => (sent += asked.url().endsWith('/generateKey') ? 1 : 0));
  await projects.updateKey.click();
  await projects.button('Generate New Key').dblclick();
  await updateKey.is('working');
  await page.keyboard.press('Escape');
  await goBack();
  await updateKey.is('working');
  await expect(page).toHaveURL(address);
  release();
  await updateKey.is('succeeded.shown');
  expect(sent).toBe(1);

  const key = (await projects.dialog.getByRole('code').textContent()) ?? '';
  expect(key).toMatch(/^oid_[0-9A-Za-z]{33}$/);
  expect(key).not.toBe(owned.apiKey);
  await expect(projects.toast(key.slice(0, 8))).toBeVisible();
  await expect(projects.toast(key.slice(0, 9))).toHaveCount(0);

  const ask = projects.dialog.getByText('You haven’t copied the new key yet. Close anyway?');
  for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 300), goBack]) {
    await leave();
    await updateKey.is('succeeded.asking');
    await expect(ask).toBeVisible();
    await projects.button('Keep it open').click();
    await updateKey.is('succeeded.shown');
    await expect(projects.dialog.getByRole('code')).toHaveText(key);
    await expect(page).toHaveURL(address);
  }
  await projects.button('Done').click();
  await updateKey.is('closed');
  expect(await projects.readKey()).toBe(key);
  await expect.poll(() => call(request, owned.apiKey)).toEqual([401]);
  expect(await call(request, key)).toEqual([200]);
});

test('a new key that is replaced, or gone with its project, says so and stays until it is dismissed', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  const projects = await openProject(page, owned);
  await projects.updateKey.click();
  await projects.button('Generate New Key').click();
  await machine('updateKey').is('succeeded.shown');
  const code = projects.dialog.getByRole('code');
  const key = (await code.textContent()) ?? '';
  const dead = /(replaced|deleted) in another tab/;
  await expect(projects.keyText).toHaveText(new RegExp(`${key.slice(-4)}$`));
  await expect(projects.dialog).not.toContainText(dead);

  await elsewhere(request, owned).rotate();
  await expect(projects.dialog.getByRole('alert')).toHaveText(
    'This key was replaced in another tab or on another device and no longer works. The project shows the current one.',
  );
  await expect(projects.dialog).not.toContainText('You can also reveal it');
  await expect(code).toHaveText(key);
  await elsewhere(request, owned).delete();
  await expect(projects.dialog.getByRole('alert')).toHaveText(
    'This project was deleted in another tab or on another device, and this key no longer works.',
  );
  await expect(code).toHaveText(key);
  await projects.button('Done').click();
  await machine('updateKey').is('closed');
  await expect(projects.gone(owned.projectName)).toBeFocused();
});

test('a list that was read too early says nothing of the new key', async ({ page, request, machine }) => {
  const owned = await registerWithProject(request);
  const projects = await openProject(page, owned);
  const old = await page.request.get('/devportal/v1/user/projects', {
    headers: { authorization: `Bearer ${owned.account.accessToken}` },
  });
  const stale: unknown = await old.json();
  const release = await hold(page, '**/devportal/v1/user/projects', stale);
  const oldEnd = new RegExp(`${owned.apiKey.slice(-4)}$`);
  await projects.updateKey.click();
  await machine('updateKey').is('confirming');
  await projects.button('Generate New Key').click();
  await machine('updateKey').is('succeeded.shown');
  await expect(projects.keyText).not.toHaveText(oldEnd);
  release();
  await expect(projects.keyText).toHaveText(oldEnd);
  await expect(projects.dialog).toContainText('You can also reveal it');
  await expect(projects.dialog).not.toContainText('replaced in another tab');
});

test('a key that is refused already can be left, by Escape or for another page', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  const projects = await openProject(page, owned);
  for (const leave of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
    await page.goto('/faq');
    await projects.goto();
    await projects.updateKey.click();
    await projects.button('Generate New Key').click();
    await machine('updateKey').is('succeeded.shown');
    await elsewhere(request, owned).rotate();
    await expect(projects.dialog).toContainText('replaced in another tab');
    await leave();
    await expect(projects.dialog).toHaveCount(0);
  }
  await expect(page).toHaveURL('/faq');
});

test('leaving for another page goes on once the key is given up, or copied', async ({
  page,
  request,
  context,
  machine,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const owned = await registerWithProject(request);
  const projects = await openProject(page, owned);
  await page.locator('.header-logo').click();
  await page.getByRole('banner').getByRole('link', { name: 'My Projects' }).click();
  const left = '/';
  await projects.updateKey.click();
  await projects.button('Generate New Key').click();
  await machine('updateKey').is('succeeded.shown');
  await page.evaluate(() => history.back());
  await machine('updateKey').is('succeeded.asking');
  await projects.button('Close without copying').click();
  await expect(page).toHaveURL(left);

  await page.getByRole('banner').getByRole('link', { name: 'My Projects' }).click();
  await projects.updateKey.click();
  await projects.button('Generate New Key').click();
  await machine('updateKey').is('succeeded.shown');
  await page.keyboard.press('Escape');
  await machine('updateKey').is('succeeded.asking');
  await projects.dialog.getByRole('button', { name: 'Copy new API key' }).click();
  await machine('updateKey').is('succeeded.shown');
  const key = (await projects.dialog.getByRole('code').textContent()) ?? '';
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await page.keyboard.press('Escape');
  await machine('updateKey').is('closed');
});

test('what fails is said in the words of the spec, and can be tried again', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  const projects = await openProject(page, owned);
  const updateKey = machine('updateKey');
  await updateKey.send({ type: 'key.update', project: null });
  await expect(projects.toast('No project selected')).toBeVisible();
  await updateKey.is('closed');

  await projects.updateKey.click();
  const generate = projects.button('Generate New Key');
  await page.route(path, (route) => route.fulfill({ status: 503, body: 'down' }));
  await generate.click();
  await updateKey.is('failed');
  await expect(projects.toast('Failed to update API key. Please try again.')).toBeVisible();
  await expect(projects.dialog.getByRole('alert')).toContainText('503: down');
  await expect(generate).toBeFocused();

  await page.route(path, (route) => route.abort());
  await generate.click();
  await expect(projects.dialog.getByRole('alert')).toContainText('The server couldn’t be reached.');
  await updateKey.is('failed');

  await page.route(path, (route) => route.fulfill({ contentType: 'text/plain', body: '' }));
  await generate.click();
  await expect(projects.toast('No new API key received')).toBeVisible();
  await updateKey.is('failed');
  await projects.cancel.click();
  await updateKey.is('closed');

  await projects.updateKey.click();
  await page.evaluate(() => localStorage.removeItem('accessToken'));
  await page.evaluate(() => localStorage.removeItem('passport-token'));
  await generate.click();
  await expect(projects.toast('Please login to update API key')).toBeVisible();
  await expect(projects.toast('Authentication Error')).toBeVisible();
  await expect(projects.dialog.getByRole('alert')).toContainText(
    'Authentication Error: Please login to update API key',
  );
});

test('a new key whose answer was lost is found in the list and shown, not made again', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  const projects = await openProject(page, owned);
  await page.route(path, async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await projects.updateKey.click();
  await projects.button('Generate New Key').click();
  await machine('updateKey').is('succeeded');
  await expect(projects.toast('API key updated')).toBeVisible();
  const key = (await projects.dialog.getByRole('code').textContent()) ?? '';
  expect(key).not.toBe(owned.apiKey);
  expect(await call(request, key)).toEqual([200]);
  await projects.button('Done').click();
  await expect(projects.updateKey).toBeFocused();
});

test('a server that does not answer is not waited for longer than 30 s, and nothing is sent again', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  await page.clock.install();
  const projects = await openProject(page, owned);
  let sent = 0;
  await page.route(path, () => void (sent += 1));
  await projects.updateKey.click();
  await projects.button('Generate New Key').click();
  await machine('updateKey').is('working');
  await expect.poll(() => sent).toBe(1);
  await page.clock.fastForward(30_000);
  await machine('updateKey').is('failed');
  await expect(projects.dialog.getByRole('alert')).toContainText('The server didn’t answer within 30 s');
  expect(sent).toBe(1);
});

test('signed out in another tab, the dialog goes with the page, whatever it shows', async ({
  page,
  request,
  context,
  machine,
}) => {
  const owned = await registerWithProject(request);
  const projects = await openProject(page, owned);
  await projects.updateKey.click();
  await projects.button('Generate New Key').click();
  await machine('updateKey').is('succeeded.shown');
  const other = await context.newPage();
  await other.goto('/faq');
  await other.evaluate(() => {
    for (const name of ['accessToken', 'refreshToken', 'passport-token']) localStorage.removeItem(name);
  });
  await expectSignedOut(page);
  await expect(projects.dialog).toHaveCount(0);
});
