import { expect, type Page } from '@playwright/test';
import { createProject } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { elsewhere, openProject, registerWithProject } from '../fixtures/project';

const known = 'https://app.example.org';
const more = 'https://more.example.org';
const paths = {
  rotate: '**/devportal/v1/project/generateKey',
  add: '**/devportal/v1/project/whitelist-urls',
  remove: '**/devportal/v1/project/whitelist',
  delete: '**/api/projects/*',
};

const refuse = (page: Page, path: string) =>
  page.route(path, (route) => route.fulfill({ status: 503, body: 'down' }));
const say404 = (page: Page, path: string, code: string) =>
  page.route(path, (route) =>
    route.fulfill({ status: 404, json: { statusCode: 404, message: 'gone', code } }),
  );

test('what was put together is kept until it is saved or removed, whichever way it goes', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request);
  const projects = await openProject(page, owned);
  const addUrls = machine('addUrls');
  await projects.addUrls.click();
  await projects.addPending(more);
  await projects.urlInput.fill('nonsense');
  await projects.save.click();
  await addUrls.is('collecting');
  await expect(projects.urlInput).toBeFocused();
  await projects.urlInput.fill(`${more}/again`);
  await refuse(page, paths.add);
  await projects.save.click();
  await addUrls.is('failed');
  await projects.addUrl.click();
  await addUrls.is('collecting');
  await expect(projects.pending).toHaveText([more]);
  await projects.save.click();
  await addUrls.is('failed');
  await page.keyboard.press('Escape');
  await addUrls.is('closed');
  await projects.addUrls.click();
  await expect(projects.pending).toHaveText([more]);
  await projects.save.click();
  await addUrls.is('failed');
  await projects.button(`Remove ${more}`).click();
  await addUrls.is('collecting');
  await expect(projects.save).toBeDisabled();

  await projects.addPending(more);
  await projects.save.click();
  await addUrls.is('failed');
  await elsewhere(request, owned).add(more);
  await expect(projects.pending).toHaveCount(0);
  await addUrls.send({ type: 'urls.save' });
  await addUrls.is('collecting');

  await page.unroute(paths.add);
  for (const url of ['https://one.example.org', 'https://two.example.org']) {
    await projects.urlInput.fill(url);
    await projects.save.click();
    await addUrls.is('succeeded');
    await expect(projects.dialog).toHaveCount(0);
    await projects.addUrls.click();
    await addUrls.is('collecting');
  }
  await say404(page, paths.add, 'project.notFound');
  await projects.urlInput.fill('https://three.example.org');
  await projects.save.click();
  await addUrls.is('vanished');
});

test('a URL or project that is gone by the time of the answer is told of as gone', async ({
  page,
  request,
  machine,
}) => {
  const owned = await registerWithProject(request, [known, more]);
  const projects = await openProject(page, owned);
  const removeUrl = machine('removeUrl');
  await say404(page, paths.remove, 'project.urlNotFound');
  await projects.removeUrl(more).click();
  await projects.button('Remove').click();
  await removeUrl.is('vanished');
  await expect(projects.dialog).toContainText(
    'This URL was already removed in another tab or on another device.',
  );
  await projects.close.click();
  await page.unroute(paths.remove);
  await refuse(page, paths.remove);
  await projects.removeUrl(more).click();
  await projects.button('Remove').click();
  await removeUrl.is('failed');
  await projects.cancel.click();
  await removeUrl.is('closed');
});

test('after a failure each dialog still hears that its project was deleted', async ({
  page,
  request,
  machine,
}) => {
  const first = await registerWithProject(request, [known, more], 'First');
  const owned = [first];
  for (const projectName of ['Second', 'Third', 'Fourth', 'Fifth']) {
    const made = await createProject(request, first.account, { projectName, whitelistURL: [known, more] });
    owned.push({ ...first, projectName, code: made.projectId, apiKey: made.apiKey });
  }
  const projects = await openProject(page, owned[3] as typeof first, { isSubmitted: true });
  const ways = [
    ['updateKey', paths.rotate, projects.updateKey, 'Generate New Key'],
    ['addUrls', paths.add, projects.addUrls, 'Save Changes'],
    ['removeUrl', paths.remove, projects.removeUrl(more), 'Remove'],
    ['deleteProject', paths.delete, projects.deleteProject, 'Ok'],
  ] as const;
  for (const [index, [name, path, opener, act]] of ways.entries()) {
    const gone = owned[index] as typeof first;
    await projects.select(gone.projectName);
    await refuse(page, path);
    await opener.click();
    if (name === 'addUrls') await projects.addPending('https://one.example.org');
    await projects.button(act).click();
    await machine(name).is('failed');
    if (name === 'deleteProject') {
      await projects.cancel.click();
      await machine(name).is('closed');
      await opener.click();
      await projects.button(act).click();
      await machine(name).is('failed');
    }
    await elsewhere(request, gone).delete();
    await machine(name).is('vanished');
    await projects.close.click();
  }
  await projects.select('Fifth');
});

test('none of them waits longer than 30 s for an answer', async ({ page, request, machine }) => {
  const owned = await registerWithProject(request, [known, more]);
  await page.clock.install();
  const projects = await openProject(page, owned, { isSubmitted: true });
  const ways = [
    ['addUrls', paths.add, projects.addUrls, 'Save Changes'],
    ['removeUrl', paths.remove, projects.removeUrl(more), 'Remove'],
    ['deleteProject', paths.delete, projects.deleteProject, 'Ok'],
  ] as const;
  for (const [name, path, opener, act] of ways) {
    await page.route(path, () => undefined);
    await opener.click();
    if (name === 'addUrls') await projects.addPending('https://one.example.org');
    await projects.button(act).click();
    await machine(name).is('working');
    await page.clock.fastForward(30_000);
    await machine(name).is('failed');
    await expect(projects.dialog).toContainText('The server didn’t answer within 30 s');
    await projects.cancel.click();
  }
});

test('one project after the other can be deleted', async ({ page, request, machine }) => {
  const owned = await registerWithProject(request);
  const made = await createProject(request, owned.account, { projectName: 'Second', whitelistURL: [known] });
  const projects = await openProject(page, owned, { isSubmitted: true });
  await projects.select(owned.projectName);
  await projects.deleteProject.click();
  await projects.button('Ok').click();
  await machine('deleteProject').is('succeeded');
  await page.evaluate((id) => {
    const entry = {
      id,
      name: 'Second',
      submittedAt: 'x',
      whitelistedUrls: [],
      integrationMethod: 'x',
      status: 'x',
    };
    localStorage.setItem('submittedProjects', JSON.stringify([entry]));
  }, made.projectId);
  await projects.select('Second');
  await projects.deleteProject.click();
  await machine('deleteProject').is('confirming');
  await projects.button('Ok').click();
  await machine('deleteProject').is('succeeded');
  await expect(page.getByText('There are no projects to display')).toBeVisible();
});
