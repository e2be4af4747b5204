import AxeBuilder from '@axe-core/playwright';
import { expect } from '@playwright/test';
import { createProject } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { elsewhere, openProject, registerWithProject } from '../fixtures/project';
import { tapSocket } from '../fixtures/socket';
import { call, stranger } from '../fixtures/usage';

const known = 'https://app.example.org';
const more = 'https://more.example.org';

test("the project's own calls move as they are made, and one who was kept out can be let in", async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  const other = await createProject(request, owned.account, { projectName: 'Other', whitelistURL: [known] });
  const projects = await openProject(page, owned);
  await projects.select(owned.projectName);
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

  expect(await call(request, owned.apiKey, 2, { origin: `${stranger}:8443` })).toEqual([403, 403]);
  await call(request, owned.apiKey, 1, { origin: 'http://192.168.1.7' });
  const rows = projects.blocked.getByRole('listitem');
  await expect(rows.filter({ hasText: stranger })).toContainText('2 calls');
  await expect(rows.filter({ hasText: '192.168.1.7' })).toContainText('Not a public site');
  await expect(projects.blocked.getByRole('button')).toHaveCount(1);

  await projects.allow(`${stranger}:8443`).click();
  await machine('allowOrigin').is('confirming');
  await expect(projects.dialog).toContainText(`Pages on ${stranger} will be able to use the API key`);
  await projects.button('Allow').click();
  await machine('allowOrigin').is('succeeded');
  await expect(projects.urls).toHaveText([known, stranger]);
  await expect(rows.filter({ hasText: stranger })).toHaveCount(0);
  await expect.poll(() => call(request, owned.apiKey, 1, { origin: `${stranger}:8443` })).toEqual([200]);
});

test('what is made, changed, rotated or deleted elsewhere appears by itself, after a gap too', async ({
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

  socket.mute(true);
  await socket.cut();
  await other.remove(more);
  await expect(projects.urls).toHaveText([known, more]);
  socket.mute(false);
  await socket.cut();
  await expect(projects.urls).toHaveText([known], { timeout: 30_000 });

  await other.delete();
  await expect(page.getByText('“Acme Shop” was deleted in another tab or on another device')).toBeVisible();
  await projects.select('Made elsewhere');
  await expect(page.getByText('was deleted in another tab or on another device')).toHaveCount(0);
});

test('a dialog that speaks of what vanished says so, and closes', async ({ page, request, machine }) => {
  const owned = await registerWithProject(request, [known, more, 'https://third.example.org']);
  await createProject(request, owned.account, { projectName: 'Stays', whitelistURL: [known] });
  const projects = await openProject(page, owned, { isSubmitted: true });
  await projects.select(owned.projectName);
  const other = elsewhere(request, owned);

  await projects.removeUrl(more).click();
  await other.remove(more);
  await machine('removeUrl').is('vanished');
  await expect(projects.dialog).toContainText(
    'This URL was already removed in another tab or on another device.',
  );
  await projects.close.click();
  await machine('removeUrl').is('closed');

  await projects.addUrls.click();
  await projects.addPending(more);
  await other.add(more);
  await expect(projects.pending).toHaveCount(0);
  await projects.cancel.click();

  // The refusal tells it where the news has not come yet.
  await page.route('**/devportal/v1/project/generateKey', (route) =>
    route.fulfill({
      status: 404,
      json: { statusCode: 404, message: 'Project not found', code: 'project.notFound' },
    }),
  );
  await projects.updateKey.click();
  await projects.button('Generate New Key').click();
  await machine('updateKey').is('vanished');
  await expect(projects.dialog).toContainText(
    'This project was deleted in another tab or on another device, and its key no longer works.',
  );
  await projects.close.click();
  await machine('updateKey').is('closed');

  await projects.deleteProject.click();
  await machine('deleteProject').is('confirming');
  await other.delete();
  await machine('deleteProject').is('vanished');
  await expect(projects.dialog).toContainText(
    'This project was already deleted in another tab or on another device.',
  );
  await page.keyboard.press('Escape');
  await machine('deleteProject').is('closed');
  await expect(projects.gone('Acme Shop')).toBeFocused();
  await projects.select('Stays');
});

test('the last URL left is not offered for removal once the others are gone', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request, [known, more]);
  const projects = await openProject(page, owned);
  await projects.removeUrl(known).click();
  await machine('removeUrl').is('confirming');
  await expect(projects.cancel).toBeFocused();
  await page.keyboard.press('Tab');
  await elsewhere(request, owned).remove(more);
  await expect(projects.dialog).toContainText('This is the only URL left');
  await expect(projects.button('Remove')).toHaveCount(0);
  await expect(projects.close).toBeFocused();
  await projects.close.click();
  await machine('removeUrl').is('closed');
  await expect(projects.title(owned.projectName)).toBeFocused();
  await expect(projects.urls).toHaveText([known]);
});

test('the other dialogs say so too when their project is deleted', async ({ page, request, machine }) => {
  const first = await registerWithProject(request, [known, more]);
  const owned = [first];
  for (const projectName of ['Second', 'Third']) {
    const made = await createProject(request, first.account, { projectName, whitelistURL: [known, more] });
    owned.push({ ...first, projectName, code: made.projectId, apiKey: made.apiKey });
  }
  const projects = await openProject(page, first);
  const ways = [
    [
      'updateKey',
      projects.updateKey,
      'This project was deleted in another tab or on another device, and its key no longer works.',
    ],
    [
      'addUrls',
      projects.addUrls,
      'This project was deleted in another tab or on another device, so you can’t add URLs to it.',
    ],
    ['removeUrl', projects.removeUrl(more), 'This project was deleted in another tab or on another device.'],
  ] as const;
  for (const [index, [name, opener, sentence]] of ways.entries()) {
    const gone = owned[index] as typeof first;
    await projects.select(gone.projectName);
    await opener.click();
    if (name !== 'addUrls') {
      await expect(projects.cancel).toBeFocused();
      await page.keyboard.press('Tab');
    }
    await elsewhere(request, gone).delete();
    await machine(name).is('vanished');
    await expect(projects.dialog).toContainText(sentence);
    await expect(projects.close).toBeFocused();
    await projects.close.click();
    await machine(name).is('closed');
    await expect(projects.gone(gone.projectName)).toBeFocused();
  }
  await expect(page.getByText('There are no projects to display')).toBeVisible();
});

test('more than ten projects can be searched, and each shows the command and the ways to integrate it', async ({
  page,
  request,
}) => {
  const owned = await registerWithProject(request);
  for (let index = 1; index <= 10; index++)
    await createProject(request, owned.account, {
      projectName: `Game ${index}`,
      whitelistURL: [index === 7 ? more : known],
    });
  const projects = await openProject(page, owned);
  const entries = projects.list.getByRole('link');
  await expect(entries).toHaveCount(11);
  await projects.select(owned.projectName);
  await projects.search.fill('MORE.example');
  await expect(entries).toHaveCount(1);
  await expect(entries).toContainText('Game 7');
  await projects.search.fill('nothing like it');
  await expect(projects.list).toContainText('No project matches your search.');
  await expect(projects.title(owned.projectName)).toBeVisible();

  await projects.readKey();
  await expect(projects.detail.getByLabel('curl command', { exact: true })).toContainText(
    `X-API-Key: ${owned.apiKey}`,
  );
  for (const name of ['Use Template', 'View Guide', 'View Example'])
    await expect(page.getByRole('link', { name })).toHaveAttribute('target', '_blank');
});

test('only a project submitted in this browser can be deleted here, and then it is gone everywhere', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  await createProject(request, owned.account, { projectName: 'Made elsewhere', whitelistURL: [known] });
  const projects = await openProject(page, owned, { isSubmitted: true });
  await projects.select('Made elsewhere');
  await expect(projects.deleteProject).toHaveCount(0);
  await projects.select(owned.projectName);
  const deletion = machine('deleteProject');

  await projects.deleteProject.click();
  await deletion.is('confirming');
  await expect(projects.cancel).toBeFocused();
  await page.keyboard.press('Escape');
  await deletion.is('closed');
  await page.route('**/api/projects/*', (route) => route.fulfill({ status: 503, body: 'down' }));
  await projects.deleteProject.click();
  await projects.button('Ok').click();
  await deletion.is('failed');
  await expect(projects.dialog.getByRole('alert')).toHaveText('Failed to delete project: 503: down');
  await page.unroute('**/api/projects/*');
  let sent = 0;
  page.on('request', (asked) => (sent += asked.method() === 'DELETE' ? 1 : 0));
  await projects.button('Ok').dblclick();
  await deletion.is('succeeded');
  expect(sent).toBe(1);
  await expect(projects.toast('Project deleted')).toBeVisible();
  await expect(projects.entry(owned.projectName)).toHaveCount(0);
  await expect(page).toHaveURL('/projects');
  await expect(page.getByText('was deleted in another tab or on another device')).toHaveCount(0);
  await expect(projects.detail.getByRole('heading', { level: 2 })).toHaveText('Made elsewhere');
  await expect.poll(() => call(request, owned.apiKey)).toEqual([401]);
  expect(await page.evaluate(() => localStorage.getItem('submittedProjects'))).toBe('[]');
});

test('with a remote project service only the local entry goes, and the dialog says so', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  await page.route('**/projects', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const answer = await route.fetch();
    const body = (await answer.text()).replace('"embeddedProjects":true', '"embeddedProjects":false');
    return route.fulfill({ response: answer, body });
  });
  const projects = await openProject(page, owned, { isSubmitted: true, isLive: false });
  const sent: string[] = [];
  page.on('request', (asked) => asked.method() === 'DELETE' && sent.push(asked.url()));
  await projects.deleteProject.click();
  await expect(projects.dialog).toContainText('This removes Acme Shop from this browser only.');
  await projects.button('Ok').click();
  await machine('deleteProject').is('succeeded');
  await expect(projects.deleteProject).toHaveCount(0);
  await expect(projects.entry(owned.projectName)).toBeVisible();
  expect(sent).toEqual([]);
  expect(await call(request, owned.apiKey)).toEqual([200]);
});

test('axe finds nothing in any open dialog, and none is wider than a screen of 320 px', async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  const owned = await registerWithProject(request, [known, more]);
  await call(request, owned.apiKey, 2, { origin: stranger });
  const projects = await openProject(page, owned, { isSubmitted: true });
  const found: unknown[] = [];
  const look = async (what: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      const { violations } = await new AxeBuilder({ page }).analyze();
      for (const { id, nodes } of violations)
        found.push([what, colorScheme, id, nodes.map(({ html }) => html)]);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    for (const width of ['document.documentElement', "document.querySelector('[role=dialog]')"]) {
      const excess = () => page.evaluate(`${width} ? ${width}.scrollWidth - ${width}.clientWidth : 0`);
      await expect.poll(excess, { message: `${what} at 320 px is no wider than the screen` }).toBe(0);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  await look('page');
  await projects.addUrls.click();
  await projects.addPending('https://one.example.org');
  await projects.addPending('nonsense');
  await look('addUrls');
  await projects.cancel.click();
  await projects.removeUrl(more).click();
  await look('removeUrl');
  await projects.cancel.click();
  await projects.deleteProject.click();
  await look('deleteProject');
  await projects.cancel.click();
  await projects.updateKey.click();
  await look('updateKey');
  await projects.button('Generate New Key').click();
  await expect(projects.button('Done')).toBeVisible();
  await look('new key');
  await page.keyboard.press('Escape');
  await expect(projects.button('Keep it open')).toBeFocused();
  await look('new key, asking');
  expect(found).toEqual([]);
});
