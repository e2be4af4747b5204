import { expect } from '@playwright/test';
import { createProject, register, registerWithProfile, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { ProjectsPage } from '../pages/projects.page';
import { WizardPage } from '../pages/wizard.page';

/** Counts what reaches the project service from this page. */
function creationsOf(page: import('@playwright/test').Page): unknown[] {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/devportal/v1/project')) bodies.push(request.postDataJSON());
  });
  return bodies;
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

test('each URL the rules refuse is told in the words of the wizard and stays in the field', async ({
  page,
  request,
}) => {
  await signIn(page, await registerWithProfile(request));
  const wizard = new WizardPage(page);
  await wizard.goto();
  await wizard.submitName('');
  await expect(wizard.root).toContainText('Please enter a project name.');
  await wizard.submitName('Refusals');
  for (const [url, sentence] of [
    ['', 'Please enter a URL to whitelist.'],
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

test('Back goes both ways, a reload loses nothing, and a double click creates one project', async ({
  page,
  request,
}) => {
  await signIn(page, await registerWithProfile(request));
  const wizard = new WizardPage(page);
  await wizard.goto();
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
  await wizard.back.click();
  await wizard.expectState('addingUrls');
  await wizard.createProject.click();
  await expect(page.getByText('Project name already taken').first()).toBeVisible();
  await wizard.expectState('addingUrls');
  await expect(wizard.whitelist.getByRole('listitem')).toHaveCount(2);
});

test('a creation that fails keeps the draft and says why', async ({ page, request, context }) => {
  await signIn(page, await registerWithProfile(request));
  const wizard = new WizardPage(page);
  await wizard.goto();
  await wizard.submitName('Unlucky');
  await wizard.addUrl('https://app.example.org');
  await page.route('**/devportal/v1/project', (route) => route.fulfill({ status: 502, body: 'boom' }));
  await wizard.createProject.click();
  await expect(page.getByText('Failed to create project: 502 - boom').first()).toBeVisible();
  await page.unroute('**/devportal/v1/project');
  await context.setOffline(true);
  await wizard.createProject.click();
  await expect(page.getByText('The server could not be reached').first()).toBeVisible();
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
  await signIn(page, await registerWithProfile(request));
  const wizard = new WizardPage(page);
  await wizard.goto();
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

test('the key is masked until revealed and copied whole', async ({ page, request, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, await registerWithProfile(request));
  const wizard = new WizardPage(page);
  await wizard.goto();
  await wizard.create('Secret', ['https://app.example.org']);
  await expect(wizard.keyText).toHaveText(/^oid_•+.{4}$/);
  await wizard.copyKey.click();
  await expect(wizard.copyKey).toHaveText('Copied!');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^oid_[0-9A-Za-z]{33}$/);
  expect(await wizard.readKey()).toBe(copied);
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
