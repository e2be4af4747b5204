import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { createProject, register, registerWithProfile, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { ProjectsPage } from '../pages/projects.page';
import { WizardPage } from '../pages/wizard.page';

/** Counts what reaches the project service from this page. */
function creationsOf(page: Page): unknown[] {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/devportal/v1/project')) bodies.push(request.postDataJSON());
  });
  return bodies;
}

/** The wizard as a new user with a complete profile meets it. */
async function openWizard(page: Page, request: APIRequestContext): Promise<WizardPage> {
  await signIn(page, await registerWithProfile(request));
  const wizard = new WizardPage(page);
  await wizard.goto();
  return wizard;
}

test('a visitor keeps the source of the link on the way through sign-in, and the creation spends it', async ({
  page,
  request,
}) => {
  const wizard = new WizardPage(page);
  await wizard.goto('?source=game-jam');
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate(() => localStorage.getItem('source'))).toBe('game-jam');

  await signIn(page, await registerWithProfile(request));
  await page.goto('/login');
  await expect(page).toHaveURL('/orange-id');
  const creations = creationsOf(page);
  await wizard.create('From a link', ['https://jam.example.org']);
  expect(creations).toEqual([
    { projectName: 'From a link', whitelistURL: ['https://jam.example.org'], source: 'game-jam' },
  ]);
  expect(await page.evaluate(() => localStorage.getItem('source'))).toBeNull();
});

test('each URL the rules refuse is explained in the words of the wizard and stays in the field', async ({
  page,
  request,
}) => {
  const wizard = await openWizard(page, request);
  await wizard.submitName('');
  await expect(wizard.root).toContainText('Please enter a project name.');
  await wizard.submitName('Refusals');
  for (const [url, sentence] of [
    ['', 'Please enter a URL to whitelist.'],
    ['https://exa mple.org', 'Invalid URL format. Please include the protocol (https://example.com)'],
    ['app.example.org', 'Invalid URL format. Please include the protocol (https://example.com)'],
    ['ftp://app.example.org', 'URL must use HTTP or HTTPS protocol (e.g., https://example.com)'],
    ['https://ab', 'Please enter a valid domain name (e.g., https://example.com)'],
    ['http://localhost:5173', 'Localhost URLs are not allowed for production projects'],
  ] as const) {
    await wizard.addUrl(url);
    await expect(wizard.root).toContainText(sentence);
    await expect(wizard.urlInput).toHaveValue(url);
    await expect(wizard.createProject).toBeDisabled();
  }
  await wizard.addUrl('https://app.example.org');
  await wizard.addUrl('https://app.example.org/again');
  await expect(wizard.root).toContainText('This domain is already in your whitelist');
  await expect(wizard.whitelist.getByRole('listitem')).toHaveCount(1);
});

test('Back goes both ways, a reload loses nothing at any step, and a double click creates one project', async ({
  page,
  request,
}) => {
  const wizard = await openWizard(page, request);
  await wizard.submitName('Kept');
  await wizard.addUrl('https://one.example.org');
  await wizard.back.click();
  await expect(wizard.nameInput).toHaveValue('Kept');
  await wizard.createNew.click();
  await wizard.urlInput.fill('https://two.example.org');
  await page.reload();
  await wizard.expectState('addingUrls');
  await expect(wizard.whitelist).toContainText('https://one.example.org');
  await expect(wizard.urlInput).toHaveValue('https://two.example.org');

  const creations = creationsOf(page);
  await wizard.createProject.dblclick();
  await wizard.expectState('summarised');
  expect(creations).toEqual([
    { projectName: 'Kept', whitelistURL: ['https://one.example.org', 'https://two.example.org'] },
  ]);
  await expect(page.getByText('URL Added', { exact: true })).toHaveCount(0);
  await wizard.back.click();
  await wizard.expectState('reviewing');
  await expect(wizard.createProject).toHaveCount(0);
  await expect(wizard.whitelist.getByRole('listitem')).toHaveCount(2);
  await wizard.viewSummary.click();
  await wizard.expectState('summarised');

  // The summary has an address of its own; the menu's link leads to a new project.
  const apiKey = await wizard.readKey();
  await page.reload();
  await expect(wizard.heading).toHaveText('Kept is ready');
  expect(await wizard.readKey()).toBe(apiKey);
  await page.getByRole('button', { name: 'Integration' }).click();
  await page.getByRole('menuitem', { name: /^Orange ID/ }).click();
  await expect(page).toHaveURL('/orange-id');
  await wizard.expectState('naming');
  await expect(wizard.nameInput).toHaveValue('');
  await page.goBack();
  await expect(wizard.heading).toHaveText('Kept is ready');
});

test('a creation that fails keeps the draft and says why', async ({ page, request, context }) => {
  const wizard = await openWizard(page, request);
  await wizard.submitName('Unlucky');
  await wizard.addUrl('https://app.example.org');
  await page.route('**/devportal/v1/project', (route) => route.fulfill({ status: 502, body: 'boom' }));
  await wizard.createProject.click();
  await expect(page.getByText('Failed to create project: 502 - boom').first()).toBeVisible();
  await page.unroute('**/devportal/v1/project');
  await context.setOffline(true);
  await wizard.createProject.click();
  await expect(wizard.root).toContainText(
    'We couldn’t reach the server. Check your connection, then choose Create Project again. Everything you entered is still here.',
  );
  await wizard.expectState('addingUrls');
  await context.setOffline(false);
  await wizard.createProject.click();
  await wizard.expectState('summarised');
});

test('a call made while the browser was offline flips the panel once it is back', async ({
  page,
  request,
  context,
  baseURL,
}) => {
  const wizard = await openWizard(page, request);
  await wizard.create('Interrupted', ['https://app.example.org']);
  await expect(wizard.firstCall).toHaveAttribute('data-state', 'waiting.listening');
  const apiKey = await wizard.readKey();
  await context.setOffline(true);
  const answer = await fetch(`${baseURL}/api/v1/key`, { headers: { 'x-api-key': apiKey } });
  expect(answer.status).toBe(200);
  await expect(wizard.firstCall).toContainText('Waiting for the first call…');
  await context.setOffline(false);
  await expect(wizard.firstCall).toHaveAttribute('data-state', 'arrived');
  await expect(wizard.firstCall).toContainText('GET /api/v1/key');
  await wizard.openUsage.click();
  await expect(page).toHaveURL(/\/usage\?projectId=orange-[a-z0-9]{10}$/);
});

test('the key is masked until revealed and copied whole, as are the project id and the command', async ({
  page,
  request,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const wizard = await openWizard(page, request);
  await wizard.create('Secret', ['https://app.example.org']);
  await expect(wizard.keyText).toHaveText(/^oid_•+.{4}$/);
  await wizard.copyKey.click();
  await expect(wizard.copyKey).toHaveText('Copied!');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^oid_[0-9A-Za-z]{33}$/);

  // Selected by mouse, a masked command would be pasted with its mask and refused.
  const selected = () =>
    wizard.curlText.evaluate((element) => {
      getSelection()?.selectAllChildren(element.closest('figure') as Element);
      return String(getSelection());
    });
  expect(await selected()).not.toContain('X-API-Key');
  await expect(wizard.root.getByText('Terminal · Copy includes the full key')).toBeVisible();
  expect(await wizard.readKey()).toBe(copied);
  expect(await selected()).toContain(`X-API-Key: ${copied}`);

  const id = wizard.root.getByRole('region', { name: 'Project ID' });
  await id.getByRole('button', { name: 'Copy project ID' }).click();
  await expect(id.getByRole('button', { name: 'Copied!' })).toBeVisible();
  const projectId = await page.evaluate(() => navigator.clipboard.readText());
  expect(projectId).toMatch(/^orange-/);
  await expect(id.getByRole('code')).toHaveText(projectId);
});

test('a name the rules refuse is explained and stays in the field; a family emoji and any script are names', async ({
  page,
  request,
}) => {
  const wizard = await openWizard(page, request);
  for (const [name, sentence] of [
    ['', 'Please enter a project name.'],
    ['   ', 'Please enter a project name.'],
    ['a'.repeat(101), 'A project name can have at most 100 characters.'],
    ['a'.repeat(50_000), 'A project name can have at most 100 characters.'],
    ['Ac\u202eme', 'A project name can’t contain invisible or control characters.'],
    ['Ac\u200dme', 'A project name can’t contain invisible or control characters.'],
  ] as const) {
    await wizard.submitName(name);
    await expect(wizard.root).toContainText(sentence);
    await expect(wizard.nameInput).toHaveValue(name);
    await expect(wizard.nameInput).toBeFocused();
    await wizard.expectState('naming');
  }
  const name = '👨‍👩‍👧‍👦 משפחה Семья 🏳️‍🌈';
  await wizard.create(name, ['https://family.example.org']);
  await expect(wizard.heading).toHaveText(`${name} is ready`);
  await wizard.viewProject.click();
  await expect(new ProjectsPage(page).detail.getByRole('heading', { name, exact: true })).toBeVisible();
});

test('a taken name is explained where it was typed, and another name goes on with the same URLs', async ({
  page,
  request,
}) => {
  const account = await registerWithProfile(request);
  await createProject(request, account, {
    projectName: 'Acme Games',
    whitelistURL: ['https://first.example.org'],
  });
  await signIn(page, account);
  const wizard = new WizardPage(page);
  await wizard.goto();
  await wizard.submitName('  ACME   games ');
  await wizard.addUrl('https://second.example.org');
  await wizard.createProject.click();
  await expect(page.getByText('Project name already taken').first()).toBeVisible();
  await wizard.expectState('addingUrls');
  await expect(wizard.createProject).toBeFocused();
  await expect(wizard.root).toContainText('Project name already taken');
  await wizard.root.getByRole('button', { name: 'Change the name' }).click();
  await expect(wizard.nameInput).toHaveValue('  ACME   games ');
  await expect(wizard.root).toContainText('Project name already taken');
  await wizard.nameInput.fill('Acme Games 2');
  await expect(wizard.root).not.toContainText('Project name already taken');
  await wizard.createNew.click();
  await expect(wizard.whitelist).toContainText('https://second.example.org');
  await wizard.createProject.click();
  await expect(wizard.heading).toHaveText('Acme Games 2 is ready');
});

test('a URL can be taken off the list, one that is refused stops the creation, and the summary opens again', async ({
  page,
  request,
  baseURL,
}) => {
  const wizard = await openWizard(page, request);
  await wizard.submitName('Second thoughts');
  await expect(wizard.root).toContainText(
    'No site yet? Use https://example.com. Calls from curl and localhost always work.',
  );
  await wizard.addUrl('https://one.example.org');
  await wizard.addUrl('https://two.example.org');
  await wizard.whitelist.getByRole('button', { name: 'Remove https://one.example.org' }).click();
  await expect(wizard.whitelist.getByRole('listitem')).toHaveText(['https://two.example.org']);
  await expect(wizard.urlInput).toBeFocused();

  const creations = creationsOf(page);
  await wizard.urlInput.fill('http://localhost:5173');
  await wizard.createProject.click();
  await expect(wizard.root).toContainText('Localhost URLs are not allowed for production projects');
  await wizard.expectState('addingUrls');
  expect(creations).toEqual([]);
  await wizard.addUrl('https://two.example.org/again');
  await expect(wizard.root).toContainText('This domain is already in your whitelist');
  await wizard.createProject.click();
  await wizard.expectState('summarised');
  expect(creations).toEqual([{ projectName: 'Second thoughts', whitelistURL: ['https://two.example.org'] }]);

  // A site that is not on the list: refused, and the panel says by what.
  const answer = await request.get(`${baseURL}/api/v1/key`, {
    headers: { 'X-API-Key': await wizard.readKey(), Origin: 'https://one.example.org' },
  });
  expect(answer.status()).toBe(403);
  await expect(wizard.firstCall).toContainText(
    'https://one.example.org isn’t one of the project’s allowed URLs',
  );
  await wizard.back.click();
  await wizard.viewSummary.click();
  await wizard.expectState('summarised');
  await expect(wizard.firstCall).toHaveAttribute('data-state', 'arrived');
  await expect(wizard.firstCall).toContainText('403');
});

test('a profile emptied since the first step is asked for there before the project is made', async ({
  page,
  request,
}) => {
  const wizard = await openWizard(page, request);
  await wizard.submitName('Emptied');
  await wizard.addUrl('https://app.example.org');
  await page.route('**/api/v1/auth/user', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), displayName: null } });
  });
  await page.reload();
  await wizard.expectState('addingUrls');
  const creations = creationsOf(page);
  await wizard.createProject.click();
  await wizard.expectState('naming');
  await expect(page.getByText('Profile Information Required').first()).toBeVisible();
  await expect(wizard.displayName).toBeFocused();
  expect(creations).toEqual([]);
  await page.unroute('**/api/v1/auth/user');
  await wizard.displayName.fill('Ada Again');
  await wizard.createNew.click();
  await expect(wizard.whitelist).toContainText('https://app.example.org');
  await wizard.createProject.click();
  await wizard.expectState('summarised');
});

test('without a live connection the panel asks by itself, also after a question that failed', async ({
  page,
  request,
  baseURL,
}) => {
  await page.routeWebSocket(/socket\.io/, (socket) => socket.close());
  await page.clock.install();
  const wizard = await openWizard(page, request);
  let asked = 0;
  let isDown = false;
  await page.route('**/api/usage?*projectId=*', async (route) => {
    asked++;
    if (isDown) await route.abort();
    else await route.continue();
  });
  await wizard.create('Unconnected', ['https://app.example.org']);
  await expect(wizard.firstCall).toHaveAttribute('data-state', 'waiting.polling');
  await expect(wizard.firstCall).toContainText('Checking every 5 seconds until then.');

  isDown = true;
  const before = asked;
  await page.clock.fastForward('00:05');
  await expect.poll(() => asked).toBeGreaterThan(before);
  await expect(wizard.firstCall).toHaveAttribute('data-state', 'waiting.polling');
  isDown = false;
  const apiKey = await wizard.readKey();
  const answer = await request.get(`${baseURL}/api/v1/key`, { headers: { 'X-API-Key': apiKey } });
  expect(answer.status()).toBe(200);
  await page.clock.fastForward('00:05');
  await expect(wizard.firstCall).toHaveAttribute('data-state', 'arrived');
});

test('by keyboard alone: name, URLs, removal, creation, the key and the way on', async ({
  page,
  request,
}) => {
  const wizard = await openWizard(page, request);
  const { keyboard } = page;
  await expect(wizard.nameInput).toBeFocused();
  await keyboard.type('By hand');
  await keyboard.press('Enter');
  await expect(wizard.urlInput).toBeFocused();
  for (const url of ['https://one.example.org', 'https://two.example.org']) {
    await keyboard.type(url);
    await keyboard.press('Enter');
    await expect(wizard.urlInput).toHaveValue('');
    await expect(wizard.urlInput).toBeFocused();
  }
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await expect(wizard.root.getByRole('button', { name: 'Remove https://one.example.org' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(wizard.urlInput).toBeFocused();
  await expect(wizard.whitelist.getByRole('listitem')).toHaveText(['https://two.example.org']);
  for (let steps = 0; steps < 4; steps++) await keyboard.press('Tab');
  await expect(wizard.createProject).toBeFocused();
  await keyboard.press('Enter');
  await wizard.expectState('summarised');
  await expect(wizard.heading).toBeFocused();
  await keyboard.press('Tab');
  await expect(wizard.revealKey).toBeFocused();
  await keyboard.press('Space');
  await expect(wizard.keyText).toHaveText(/^oid_[0-9A-Za-z]{33}$/);
});

test('the projects page shows its four faces and selects by name', async ({ page, request, machine }) => {
  const account = await register(request);
  await signIn(page, account);
  const projects = new ProjectsPage(page);
  await projects.goto();
  await expect(page.getByText('There are no projects to display')).toBeVisible();
  await expect(page.getByText('Create your first project to get started')).toBeVisible();

  for (const projectName of ['First', 'Sécond 🍊']) {
    await createProject(request, account, { projectName, whitelistURL: ['https://app.example.org'] });
  }
  await projects.goto('Sécond 🍊');
  await expect(projects.detail.getByRole('heading')).toHaveText('Sécond 🍊');
  await projects.select('First');
  await expect(page).toHaveURL('/projects?project=First');
  expect(await projects.readKey()).toMatch(/^oid_[0-9A-Za-z]{33}$/);

  await projects.goto('Gone');
  await expect(page.getByText('There is no project called “Gone”')).toBeVisible();

  await page.route('**/devportal/v1/user/projects', (route) => route.fulfill({ status: 503, body: 'down' }));
  await projects.goto();
  await expect(page.getByText('Failed to load projects')).toBeVisible();
  await expect(page.getByText('503: down')).toBeVisible();
  // The connection reads the list once when it is made; from then on only Retry asks again.
  await machine('realtime').is('live.current');
  await expect(page.getByText('503: down')).toBeVisible();
  await page.unroute('**/devportal/v1/user/projects');
  await projects.retry.click();
  await expect(projects.entry('First')).toBeVisible();
});
