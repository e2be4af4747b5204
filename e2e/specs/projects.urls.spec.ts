import { expect } from '@playwright/test';
import { createProject } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { withAndWithoutMotion } from '../fixtures/motion';
import { elsewhere, openProject, registerWithProject } from '../fixtures/project';
import { call, stranger } from '../fixtures/usage';

const addPath = '**/devportal/v1/project/whitelist-urls';
const removePath = '**/devportal/v1/project/whitelist';
const known = 'https://app.example.org';

test('every rule speaks in the words of the dialog, beside the input and in a toast', async ({
  page,
  request,
}) => {
  const projects = await openProject(page, await registerWithProject(request));
  await projects.addUrls.click();
  await expect(projects.urlInput).toBeFocused();
  await expect(projects.save).toBeDisabled();
  await expect(projects.dialog).toContainText('Add at least one URL to save.');
  const refusals: [text: string, title: string, sentence: string][] = [
    ['', 'URL Required', 'Please enter a URL to whitelist.'],
    ['example.com', 'Invalid URL', 'Please enter a valid URL (e.g., https://example.com)'],
    ['ftp://example.com', 'Invalid URL', 'URL must use HTTP or HTTPS protocol (e.g., https://example.com)'],
    ['https://ab', 'Invalid URL', 'Please enter a valid domain name (e.g., https://example.com)'],
    ['http://localhost:5173', 'Invalid URL', 'Localhost URLs are not allowed for production projects'],
    ['http://127.0.0.1', 'Invalid URL', 'Localhost URLs are not allowed for production projects'],
    ['http://0.0.0.0', 'Invalid URL', 'Localhost URLs are not allowed for production projects'],
    ['https://192.168.1.1', 'Invalid URL', 'Please enter a valid domain name (e.g., https://example.com)'],
    [`${known}/path`, 'Duplicate URL', 'This URL is already whitelisted for this project'],
  ];
  for (const [text, title, sentence] of refusals) {
    await projects.addPending(text);
    await expect(projects.dialog.getByText(sentence, { exact: true })).toBeVisible();
    await expect(projects.toast(title)).toBeVisible();
    await expect(projects.toast(sentence)).toBeVisible();
    await expect(projects.urlInput).toBeFocused();
    await expect(projects.urlInput).toHaveValue(text);
  }
  await expect(projects.pending).toHaveCount(0);

  await projects.addPending('https://one.example.org');
  await expect(projects.toast('URL Added')).toBeVisible();
  await expect(projects.toast('https://one.example.org')).toBeVisible();
  await projects.addPending('HTTPS://Two.example.org:8443/shop?x=1');
  await expect(projects.toast('URL normalized to: https://two.example.org')).toBeVisible();
  await expect(projects.dialog.getByText('URL normalized to: https://two.example.org')).toBeVisible();
  await projects.addPending('https://two.example.org');
  await expect(projects.toast('Duplicate URL')).toBeVisible();
  await projects.addPending('https://münchen.de');
  await expect(projects.pending).toHaveText([
    'https://one.example.org',
    'https://two.example.org',
    'https://xn--mnchen-3ya.de',
  ]);
});

test('what is pending is saved as a whole and in force at once; removing one asks first', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  const projects = await openProject(page, owned);
  const addUrls = machine('addUrls');
  const site = { origin: 'https://one.example.org' };
  expect(await call(request, owned.apiKey, 1, site)).toEqual([403]);
  await expect(projects.removeUrl(known)).toHaveCount(0);

  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const sent: unknown[] = [];
  await page.route(addPath, async (route) => {
    sent.push(route.request().postDataJSON());
    await held;
    await route.continue();
  });
  await addUrls.is('closed');
  await projects.addUrls.click();
  await addUrls.is('collecting');
  await projects.addPending('https://one.example.org/');
  await projects.addPending('https://wrong.example.org');
  await projects.button('Remove https://wrong.example.org').click();
  await expect(projects.urlInput).toBeFocused();
  // What was typed last need not be added first.
  await projects.urlInput.fill('https://two.example.org');
  await projects.save.dblclick();
  await addUrls.is('working');
  await expect(projects.save).toHaveText('Saving...');
  await page.keyboard.press('Escape');
  await addUrls.is('working');
  release();
  await addUrls.is('succeeded');
  await expect(projects.toast('Whitelist URLs added successfully')).toBeVisible();
  await expect(projects.dialog).toHaveCount(0);
  expect(sent).toEqual([
    {
      code: owned.code,
      projectName: owned.projectName,
      urls: ['https://one.example.org', 'https://two.example.org'],
      userId: expect.any(String),
    },
  ]);
  await expect(projects.urls).toHaveText([known, 'https://one.example.org', 'https://two.example.org']);
  await expect.poll(() => call(request, owned.apiKey, 1, site)).toEqual([200]);

  const removeUrl = machine('removeUrl');
  await projects.removeUrl('https://one.example.org').click();
  await removeUrl.is('confirming');
  await expect(projects.cancel).toBeFocused();
  await projects.cancel.click();
  await removeUrl.is('closed');

  await page.route(removePath, (route) => route.fulfill({ status: 503, body: 'down' }));
  await projects.removeUrl('https://one.example.org').click();
  await projects.button('Remove').click();
  await removeUrl.is('failed');
  await expect(projects.toast('Failed to delete whitelist URL: 503: down')).toBeVisible();
  await expect(projects.dialog.getByRole('alert')).toHaveText('Failed to delete whitelist URL: 503: down');
  await expect(projects.button('Remove')).toBeFocused();

  await page.unroute(removePath);
  let letGo!: () => void;
  const waiting = new Promise<void>((resolve) => (letGo = resolve));
  let removals = 0;
  await page.route(removePath, async (route) => {
    removals += 1;
    await waiting;
    await route.continue();
  });
  await projects.button('Remove').dblclick();
  await removeUrl.is('working');
  await expect(projects.button('Removing...')).toBeDisabled();
  letGo();
  await removeUrl.is('succeeded');
  await expect(projects.toast('Whitelist URL removed successfully')).toBeVisible();
  await expect(projects.urls).toHaveText([known, 'https://two.example.org']);
  expect(removals).toBe(1);
  await expect.poll(() => call(request, owned.apiKey, 1, site)).toEqual([403]);

  await projects.removeUrl('https://two.example.org').click();
  await projects.button('Remove').click();
  await expect(projects.urls).toHaveText([known]);
  await expect(projects.removeUrl(known)).toHaveCount(0);
});

test('what is not saved stays for later, and allowing a site does not save it', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  await call(request, owned.apiKey, 1, { origin: stranger });
  const projects = await openProject(page, owned);
  const addUrls = machine('addUrls');
  await projects.addUrls.click();
  await addUrls.is('collecting');
  await projects.addPending('https://abandoned.example.org');
  await page.mouse.click(5, 300);
  await addUrls.is('closed');
  await expect(projects.dialog).toHaveCount(0);
  await page.reload();
  await projects.allow(stranger).click();
  await projects.button('Allow').click();
  await machine('allowOrigin').is('succeeded');
  await expect(projects.urls).toHaveText([known, stranger]);
  // What opened it is gone with the blocked origin.
  await expect(page.getByRole('heading', { name: 'Blocked origins' })).toBeFocused();
});

test('offline while saving keeps the list, through a reload too', async ({
  page,
  request,
  context,
  machine,
}) => {
  const projects = await openProject(page, await registerWithProject(request));
  await projects.addUrls.click();
  await projects.addPending('https://one.example.org');
  await context.setOffline(true);
  await projects.save.click();
  await machine('addUrls').is('failed');
  const sentence =
    'Failed to add whitelist URLs: The server couldn’t be reached. Check your connection and try again.';
  await expect(projects.dialog.getByText(sentence)).toBeVisible();
  await expect(projects.toast(sentence)).toBeVisible();
  await expect(projects.save).toBeFocused();
  await context.setOffline(false);

  await projects.urlInput.fill('https://half');
  await machine('addUrls').is('collecting');
  await page.reload();
  await projects.addUrls.click();
  await expect(projects.pending).toHaveText(['https://one.example.org']);
  await expect(projects.urlInput).toHaveValue('https://half');
  await projects.urlInput.fill('');
  await page.route(addPath, (route) =>
    route.fulfill({
      status: 409,
      json: { statusCode: 409, message: 'It is there already', error: 'Conflict' },
    }),
  );
  await projects.save.click();
  await expect(projects.toast('Failed to add whitelist URLs: 409 It is there already')).toBeVisible();
  await page.unroute(addPath);
  await page.evaluate(() => {
    for (const name of ['accessToken', 'passport-token']) localStorage.removeItem(name);
  });
  await projects.save.click();
  await expect(projects.toast('Missing authentication credentials or API configuration')).toBeVisible();
});

test('each project has a list of its own, kept while another one is shown and when a site is allowed', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  await createProject(request, owned.account, { projectName: 'Other', whitelistURL: [known] });
  await call(request, owned.apiKey, 1, { origin: stranger });
  const projects = await openProject(page, owned);
  const addUrls = machine('addUrls');
  await projects.select('Other');
  await projects.select(owned.projectName);
  await projects.addUrls.click();
  await projects.addPending('https://one.example.org');
  // The dialog speaks of a project that is shown no longer.
  await page.goBack();
  await addUrls.is('closed');
  await expect(projects.title('Other')).toBeVisible();
  await expect(projects.dialog).toHaveCount(0);

  await projects.addUrls.click();
  await expect(projects.pending).toHaveCount(0);
  await projects.cancel.click();
  await page.reload();
  await projects.select(owned.projectName);
  await projects.allow(stranger).click();
  await projects.button('Allow').click();
  await machine('allowOrigin').is('succeeded');
  await expect(projects.urls).toHaveText([known, stranger]);
  await projects.addUrls.click();
  await expect(projects.pending).toHaveText(['https://one.example.org']);
  await projects.save.click();
  await addUrls.is('succeeded');
  await expect(projects.urls).toHaveText([known, stranger, 'https://one.example.org']);
});

test('Back takes a question about another project away, and waits for what is under way', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request, [known, 'https://more.example.org']);
  await createProject(request, owned.account, { projectName: 'Other', whitelistURL: [known] });
  const projects = await openProject(page, owned, { isSubmitted: true });
  const questions = [
    ['updateKey', projects.updateKey],
    ['removeUrl', projects.removeUrl(known)],
    ['deleteProject', projects.deleteProject],
  ] as const;
  for (const [name, opener] of questions) {
    await projects.select('Other');
    await projects.select(owned.projectName);
    await opener.click();
    await machine(name).is('confirming');
    await page.goBack();
    await machine(name).is('closed');
    await expect(projects.title('Other')).toBeVisible();
  }
  const back = async () => {
    await page.goBack();
    await machine('addUrls').is('closed');
    await expect(projects.title('Other')).toBeVisible();
  };
  await projects.select('Other');
  await projects.select(owned.projectName);
  await page.route(addPath, (route) => route.fulfill({ status: 503, body: 'down' }));
  await projects.addUrls.click();
  await projects.urlInput.fill('https://one.example.org');
  await projects.save.click();
  await machine('addUrls').is('failed');
  await back();
  await projects.select(owned.projectName);
  await page.route(removePath, () => undefined);
  await projects.removeUrl(known).click();
  await projects.button('Remove').click();
  await machine('removeUrl').is('working');
  await page.goBack();
  await expect(projects.title('Other')).toBeVisible();
  await machine('removeUrl').is('working');

  await page.reload();
  await projects.select(owned.projectName);
  await projects.addUrls.click();
  await expect(projects.pending).toHaveText(['https://one.example.org']);
  await elsewhere(request, owned).delete();
  await machine('addUrls').is('vanished');
  await back();

  await projects.goto('No such project');
  await projects.select('Other');
  await projects.addUrls.click();
  await page.goBack();
  await machine('addUrls').is('closed');
  await expect(page.getByText('There is no project called “No such project”')).toBeVisible();
});

for (const size of [
  { width: 360, height: 640 },
  { width: 767, height: 600 },
  { width: 1024, height: 600 },
])
  test(`a toast lies on no button of a dialog at ${size.width} px, and F8 leads to it`, async ({
    page,
    request,
  }) => {
    await page.setViewportSize(size);
    const projects = await openProject(page, await registerWithProject(request));
    await projects.addUrls.click();
    const viewport = page.locator('.toast-viewport');
    for (let n = 0; n < (size.width > 360 ? 9 : 4); n++) {
      await projects.addPending(`https://site-${n}.example.org`);
      await expect(projects.toast(`https://site-${n}.example.org`)).toBeVisible();
      const toast = await viewport.boundingBox();
      for (const button of [projects.save, projects.cancel, projects.addUrl]) {
        const box = await button.boundingBox();
        expect(box!.y).toBeGreaterThanOrEqual(toast!.y + toast!.height);
      }
    }
    await page.keyboard.press('F8');
    await expect(viewport).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await expect(page.locator('.toast')).toHaveCount(0);
    await expect(projects.pending).not.toHaveCount(0);
    await projects.addPending('https://one-more.example.org');
    await page.keyboard.press('F8');
    await expect(viewport).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(projects.dialog.locator(':focus')).toHaveCount(1);
  });

test('a hundred URLs are the most, and all of them can be reached', async ({ page, request, machine }) => {
  const listed = Array.from({ length: 98 }, (_, index) => `https://site-${index}.example.org`);
  const projects = await openProject(page, await registerWithProject(request, listed));
  await expect(projects.urls).toHaveCount(98);
  await projects.addUrls.click();
  await projects.addPending('https://one.example.org');
  await projects.addPending('https://two.example.org');
  await projects.addPending('https://three.example.org');
  await expect(projects.dialog.getByText('A project can have at most 100 URLs.')).toBeVisible();
  await projects.urlInput.fill('');
  await projects.save.click();
  await machine('addUrls').is('succeeded');
  await expect(projects.urls).toHaveCount(100);
});

withAndWithoutMotion(() => {
  test('by keyboard alone: add, remove', async ({ page, request }) => {
    const projects = await openProject(page, await registerWithProject(request));
    const { keyboard } = page;
    await projects.addUrls.focus();
    await keyboard.press('Enter');
    await expect(projects.urlInput).toBeFocused();
    await keyboard.type('https://one.example.org');
    await keyboard.press('Enter');
    await expect(projects.pending).toHaveCount(1);
    await expect(projects.urlInput).toBeFocused();
    for (
      let steps = 0;
      steps < 8 && !(await projects.save.evaluate((at) => at === document.activeElement));
      steps++
    )
      await keyboard.press('Tab');
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
    // What opened it is gone with the URL.
    await expect(projects.detail.getByRole('heading')).toBeFocused();
  });
});
