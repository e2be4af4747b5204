import { expect, type Locator } from '@playwright/test';
import { createProject } from '../fixtures/account';
import { axeFindings } from '../fixtures/axe';
import { machineTest as test } from '../fixtures/machine';
import { elsewhere, openProject, registerWithProject } from '../fixtures/project';
import { tapSocket } from '../fixtures/socket';
import { call, stranger } from '../fixtures/usage';
import { isTooWide } from '../fixtures/width';

const known = 'https://app.example.org';
const more = 'https://more.example.org';
const changes = /\/devportal\/v1\/project\//;

test('a project shows its calls live, and changing its URLs or its key or deleting it takes effect at once', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  const other = await createProject(request, owned.account, { projectName: 'Other', whitelistURL: [known] });
  const projects = await openProject(page, owned, { isSubmitted: true });
  await projects.select(owned.projectName);
  const callFrom = (origin: string) => call(request, owned.apiKey, 1, { origin });

  await test.step('calls are counted live, without those of other projects', async () => {
    await expect(projects.figure('Calls today')).toHaveText('0');
    await expect(projects.blocked).toContainText('No blocked calls in the last 24 hours.');
    await call(request, other.apiKey, 3);
    await call(request, owned.apiKey, 2);
    await expect(projects.figure('Calls today')).toHaveText('2');
    await expect(projects.calls.getByRole('img', { name: /^Last 24 hours: 2 calls/ })).toBeVisible();
    await expect(projects.calls.getByRole('link', { name: 'Open Usage' })).toHaveAttribute(
      'href',
      `/usage?projectId=${owned.code}`,
    );
  });

  await test.step('a blocked site is allowed', async () => {
    expect(await call(request, owned.apiKey, 2, { origin: `${stranger}:8443` })).toEqual([403, 403]);
    await callFrom('http://192.168.1.7');
    const rows = projects.blocked.getByRole('listitem');
    await expect(rows.filter({ hasText: stranger })).toContainText('2 calls');
    await expect(rows.filter({ hasText: '192.168.1.7' })).toContainText(
      'Can’t be allowed: not a public site',
    );
    await expect(projects.blocked.getByRole('button')).toHaveCount(1);
    await projects.allow(`${stranger}:8443`).click();
    await machine('allowOrigin').is('confirming');
    await expect(projects.dialog).toContainText(
      `Pages on ${stranger}, on any port, will be able to use the API key`,
    );
    await projects.button('Allow').click();
    await machine('allowOrigin').is('succeeded');
    await expect(projects.urls).toHaveText([known, stranger]);
    await expect(rows.filter({ hasText: stranger })).toHaveCount(0);
    await expect.poll(() => callFrom(`${stranger}:8443`)).toEqual([200]);
  });

  await test.step('URLs are added and removed', async () => {
    expect(await callFrom(more)).toEqual([403]);
    await projects.addUrls.click();
    await projects.addPending('https://one.example.org');
    await projects.urlInput.fill(more);
    await projects.save.click();
    await expect(projects.urls).toHaveText([known, stranger, 'https://one.example.org', more]);
    await expect.poll(() => callFrom(more)).toEqual([200]);
    await projects.removeUrl(more).click();
    await projects.button('Remove').click();
    await expect(projects.urls).toHaveText([known, stranger, 'https://one.example.org']);
    await expect.poll(() => callFrom(more)).toEqual([403]);
  });

  const key =
    await test.step('a new key replaces the old one, and the browser’s Back button does not lose it', async () => {
      await projects.updateKey.click();
      await projects.button('Generate New Key').click();
      await machine('updateKey').is('succeeded.shown');
      const made = String(await projects.dialog.getByRole('code').textContent());
      expect(made).toMatch(/^oid_[0-9A-Za-z]{33}$/);
      await page.evaluate(() => history.back());
      await machine('updateKey').is('succeeded.asking');
      await projects.button('Keep it open').click();
      await expect(page).toHaveURL(/\/projects\?project=orange-[0-9a-z]{10}$/);
      await expect(projects.dialog.getByRole('code')).toHaveText(made);
      await projects.button('Done').click();
      await machine('updateKey').is('closed');
      await expect(projects.dialog).toHaveCount(0);
      expect(await projects.readKey()).toBe(made);
      await expect.poll(() => call(request, owned.apiKey)).toEqual([401]);
      expect(await call(request, made)).toEqual([200]);
      return made;
    });

  await test.step('a deleted project is removed, and its key is refused', async () => {
    await projects.deleteProject.click();
    await projects.button('Ok').click();
    await machine('deleteProject').is('succeeded');
    await expect(projects.entry(owned.projectName)).toHaveCount(0);
    await expect(page).toHaveURL('/projects');
    await expect.poll(() => call(request, key)).toEqual([401]);
  });
});

test('projects created, changed, rotated or deleted elsewhere are updated without a reload, also after a lost connection', async ({
  page,
  request,
}) => {
  const owned = await registerWithProject(request);
  const other = elsewhere(request, owned);
  const socket = await tapSocket(page);
  const projects = await openProject(page, owned);

  await createProject(request, owned.account, { projectName: 'Made elsewhere', whitelistURL: [known] });
  await expect(projects.entry('Made elsewhere')).toBeVisible();
  await expect(projects.detail.getByRole('heading', { level: 2 })).toHaveText(owned.projectName);
  await other.add(more);
  await expect(projects.urls).toHaveText([known, more]);
  const key = await projects.readKey();
  await other.rotate();
  await expect(projects.keyText).not.toHaveText(key);

  socket.setSilent(true);
  await socket.cut();
  await other.remove(more);
  await expect(projects.urls).toHaveText([known, more]);
  socket.setSilent(false);
  await socket.cut();
  await expect(projects.urls).toHaveText([known], { timeout: 30_000 });

  await other.delete();
  await expect(page.getByText('“Acme Shop” was deleted in another tab or on another device')).toBeVisible();
  await projects.select('Made elsewhere');
  await expect(page.getByText('was deleted in another tab or on another device')).toHaveCount(0);
});

test('the dialogs for URLs and keys pass axe, fit 320 px and keep the focus after a failure, and no toast covers their buttons', async ({
  page,
  request,
}) => {
  const owned = await registerWithProject(request, [known, more]);
  await page.emulateMedia({ colorScheme: 'dark' });
  const projects = await openProject(page, owned, { isSubmitted: true });
  const viewport = page.locator('.toast_viewport');
  await projects.addUrls.click();
  for (const [place, size] of [
    { width: 360, height: 640 },
    { width: 767, height: 600 },
    { width: 1024, height: 600 },
  ].entries()) {
    await page.setViewportSize(size);
    for (let count = 0; count < 3; count++) {
      const url = `https://site-${place}-${count}.example.org`;
      await projects.addPending(url);
      await expect(projects.toast(url)).toBeVisible();
      const toast = await viewport.boundingBox();
      for (const button of [projects.save, projects.cancel, projects.addUrl]) {
        const box = await button.boundingBox();
        expect(box!.y).toBeGreaterThanOrEqual(toast!.y + toast!.height);
      }
    }
  }
  await test.step('F8 moves the focus to the toast, and Tab back into the dialog', async () => {
    await page.keyboard.press('F8');
    await expect(viewport).toBeFocused();
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Tab');
    await expect(projects.dialog.locator(':focus')).toHaveCount(1);
    await page.keyboard.press('F8');
    await expect(viewport).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await expect(page.locator('.toast_root')).toHaveCount(0);
    await expect(projects.pending).toHaveCount(9);
  });

  await page.setViewportSize({ width: 320, height: 640 });
  const found: unknown[] = [];
  const look = async (what: string) => {
    await expect(projects.dialog).toBeVisible();
    await expect.poll(() => isTooWide(page), { message: `the page under ${what} at 320 px` }).toBe(false);
    const excess = () => projects.dialog.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
    await expect.poll(excess, { message: `${what} at 320 px is no wider than the screen` }).toBe(0);
    for (const finding of await axeFindings(page, { within: '[role=dialog]' }))
      found.push([what, ...finding]);
  };
  /** Makes the action fail. Its button loses the focus while it is disabled, and regains it with the failure. */
  const fail = async (act: Locator) => {
    await page.route(changes, (route) => route.fulfill({ status: 503, body: 'down' }));
    await act.click();
    await expect(projects.dialog).toContainText(/503 down|The service is unavailable right now/);
    await expect(act).toBeFocused();
    await page.unroute(changes);
  };
  await fail(projects.save);
  await projects.addPending('nonsense');
  await look('addUrls');
  await projects.cancel.click();
  await projects.removeUrl(more).click();
  await fail(projects.button('Remove'));
  const toast = await page.locator('.toast_root').boundingBox();
  const title = await projects.dialogTitle.boundingBox();
  expect(title!.y, 'the toast ends above the title').toBeGreaterThanOrEqual(toast!.y + toast!.height);
  await projects.cancel.click();
  await projects.updateKey.click();
  await look('updateKey');
  await fail(projects.button('Generate New Key'));
  await projects.button('Generate New Key').click();
  await expect(projects.button('Done')).toBeVisible();
  await look('new key');
  await page.keyboard.press('Escape');
  await expect(projects.button('Keep it open')).toBeFocused();
  await look('new key, asking');
  expect(found).toEqual([]);
});

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('URLs are added and removed with the keyboard only', async ({ page, request }) => {
    const projects = await openProject(page, await registerWithProject(request));
    const { keyboard } = page;

    await projects.addUrls.focus();
    await keyboard.press('Enter');
    await expect(projects.urlInput).toBeFocused();
    await keyboard.type('https://one.example.org');
    await keyboard.press('Enter');
    await expect(projects.pending).toHaveCount(1);
    await expect(projects.urlInput).toBeFocused();
    for (let presses = 0; presses < 4; presses++) await keyboard.press('Tab');
    await expect(projects.save).toBeFocused();
    await keyboard.press('Enter');
    await expect(projects.urls).toHaveCount(2);
    await expect(projects.addUrls).toBeFocused();

    await projects.removeUrl('https://one.example.org').focus();
    await keyboard.press('Enter');
    await expect(projects.cancel).toBeFocused();
    await keyboard.press('Tab');
    await expect(projects.button('Remove')).toBeFocused();
    await keyboard.press('Enter');
    await expect(projects.urls).toHaveCount(1);
    // The control that opened the dialog is gone with the URL.
    await expect(projects.addUrls).toBeFocused();
  });
});
