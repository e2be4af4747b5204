import type { Project } from '@orange-id/contract/projects.schema';
import { expect, type Page, type Route } from '@playwright/test';
import { registerWithProfile, signIn } from '../fixtures/account';
import { axeFindings } from '../fixtures/axe';
import { machineTest as test, type MachineHandle } from '../fixtures/machine';
import { isTooWide } from '../fixtures/width';
import { ProjectsPage } from '../pages/projects.page';

const known = 'https://app.example.org';
const more = 'https://more.example.org';
const code = 'orange-0000000001';
const chosen = { code, projectName: 'Acme Shop' };
const project: Project = {
  id: '1',
  ...chosen,
  apiKey: `oid_${'k'.repeat(33)}`,
  urls: [known, more],
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUpdatedAt: '2026-01-01T00:00:00.000Z',
};

type Answer = (route: Route) => unknown;
const down: Answer = (route) => route.fulfill({ status: 503, body: 'down' });
const lost: Answer = (route) => route.abort('connectionreset');
const silence: Answer = () => undefined;
const gone =
  (what: string): Answer =>
  (route) =>
    route.fulfill({ status: 404, json: { statusCode: 404, message: 'gone', code: what } });
const json =
  (body: unknown): Answer =>
  (route) =>
    route.fulfill({ json: body });
const text =
  (body: string): Answer =>
  (route) =>
    route.fulfill({ contentType: 'text/plain', body });

type Event = Parameters<MachineHandle['send']>[0];

/** An event, the response to the next calls, or something to wait for; then the state that must follow, if any. */
type Step = [what: Event | Answer | 'half a minute' | 'listed', state?: string];

/** Opens the page of a project from a mocked list, with a fake clock. */
test.beforeEach(async ({ page, request }) => {
  await page.clock.install();
  await signIn(page, await registerWithProfile(request));
  await page.route('**/devportal/v1/user/projects', json([project]));
  const projects = new ProjectsPage(page);
  await projects.goto();
  await expect(projects.title(project.projectName)).toBeVisible();
});

async function go(page: Page, handle: MachineHandle, call: string, steps: Step[]): Promise<void> {
  for (const [what, state] of steps) {
    if (typeof what === 'function') {
      await page.unroute(call);
      await page.route(call, what);
    } else if (what === 'half a minute') await page.clock.fastForward(30_000);
    // The list, which has not changed on the server, has been fetched again.
    else if (what === 'listed') await expect(new ProjectsPage(page).urls).toHaveText(project.urls);
    else await handle.send(what);
    if (state) await handle.is(state);
  }
}

test('the dialog that replaces a key visits every state: confirming, failed, vanished, succeeded, and closed', async ({
  page,
  machine,
}) => {
  const open: Step = [{ type: 'key.update', project: chosen }, 'confirming'];
  const confirm = (state: string): Step => [{ type: 'update.confirm' }, state];
  const cancel: Step = [{ type: 'update.cancel' }, 'closed'];
  const listed = (apiKey: string, state: string): Step => [{ type: 'key.change', apiKey }, state];
  const made: Step[] = [[text('oid_new')], open, confirm('succeeded.shown')];
  await go(page, machine('updateKey'), '**/devportal/v1/project/generateKey', [
    [{ type: 'key.update', project: null }, 'closed'],
    ...[open, cancel],
    ...[open, [{ type: 'project.vanish' }, 'vanished'] as Step, cancel],
    ...[[gone('project.notFound')] as Step, open, confirm('vanished'), cancel],
    ...[[down] as Step, open, listed(project.apiKey, 'confirming'), confirm('failed')],
    ...[listed(project.apiKey, 'failed'), cancel],
    ...[[text('')] as Step, open, confirm('failed')],
    ...[[silence] as Step, confirm('working'), ['half a minute', 'failed'] as Step],
    [{ type: 'project.vanish' }, 'vanished'],
    cancel,
    // The response was lost, but the list now has another key than before the attempt.
    ...[[lost] as Step, open, confirm('failed'), listed('oid_other', 'succeeded.shown')],
    [{ type: 'key.dismiss' }, 'closed'],
    ...made,
    [{ type: 'dialog.leave' }, 'succeeded.asking'],
    [{ type: 'key.keep' }, 'succeeded.shown'],
    listed('oid_replaced', 'succeeded.shown'),
    [{ type: 'project.vanish' }, 'succeeded.shown'],
    [{ type: 'key.copied' }, 'succeeded.shown'],
    [{ type: 'dialog.leave' }, 'closed'],
  ]);
});

test('the dialog that adds URLs visits every state: collecting, failed, vanished and succeeded', async ({
  page,
  machine,
}) => {
  const open: Step = [
    { type: 'dialog.open', project: chosen, urls: project.urls, draft: null },
    'collecting',
  ];
  const type = (value: string): Step => [{ type: 'url.change', text: value }, 'collecting'];
  const add: Step = [{ type: 'url.add' }, 'collecting'];
  const save = (state: string): Step => [{ type: 'urls.save' }, state];
  const close: Step = [{ type: 'dialog.close' }, 'closed'];
  const follow = (urls: string[], state: string): Step => [{ type: 'whitelist.change', urls }, state];
  const drop = (url: string): Step => [{ type: 'url.remove', url }, 'collecting'];
  const [one, two] = ['https://one.example.org', 'https://two.example.org'];
  const saved = json({ success: true, urls: [known, more, one] });
  await go(page, machine('addUrls'), '**/devportal/v1/project/whitelist-urls', [
    [down],
    ...[open, type('nonsense'), save('collecting'), type(one), add, follow([known], 'collecting')],
    ...[save('failed'), type(two), drop(one), type(two), add, save('failed'), drop(two)],
    // The same URL is both typed and pending.
    ...[type(one), add, type(one), save('failed'), [{ type: 'url.add' }, 'collecting'] as Step],
    ...[type(''), save('failed'), follow([known, one], 'failed'), save('collecting')],
    ...[close, open, type(one), save('failed'), [{ type: 'dialog.close' }, 'closed'] as Step],
    ...[open, type(one), save('failed'), [{ type: 'project.vanish' }, 'vanished'] as Step, close],
    ...[open, [{ type: 'project.vanish' }, 'vanished'] as Step, close],
    ...[[gone('project.notFound')] as Step, open, type(one), save('vanished'), close],
    ...[[silence] as Step, open, type(one), save('working'), ['half a minute', 'failed'] as Step],
    ...[[saved] as Step, save('succeeded'), open, close],
  ]);
});

test('the dialogs that remove a URL, allow a site and delete a project visit every state, pass axe and fit 320 px', async ({
  page,
  machine,
}) => {
  const subject = { project: chosen, url: more };
  const allowed = { project: chosen, url: 'https://b.example.org' };
  const dialogs: [name: string, call: string, subject: unknown, what: string, done: Answer][] = [
    [
      ...(['removeUrl', '**/devportal/v1/project/whitelist', subject, 'url'] as const),
      json({ success: true, deleted: 1 }),
    ],
    [
      ...(['allowOrigin', '**/devportal/v1/project/whitelist-urls', allowed, 'url'] as const),
      json({ success: true, urls: [known, more] }),
    ],
    [
      ...(['deleteProject', '**/api/projects/*', { project: chosen }, 'project'] as const),
      (route) => route.fulfill({ status: 204 }),
    ],
  ];
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 320, height: 640 });
  const { dialog } = new ProjectsPage(page);
  const found: unknown[] = [];
  const look = async (name: string) => {
    await expect(dialog).toBeVisible();
    await expect.poll(() => isTooWide(page), { message: `the page under ${name}` }).toBe(false);
    const excess = () => dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await expect.poll(excess, { message: `${name} is no wider than the screen` }).toBe(0);
    for (const finding of await axeFindings(page, { within: '[role=dialog]' }))
      found.push([name, ...finding]);
  };
  for (const [name, call, about, what, done] of dialogs) {
    const open: Step = [{ type: 'submission.open', subject: about }, 'confirming'];
    const confirm = (state: string): Step => [{ type: 'submission.confirm' }, state];
    const cancel: Step = [{ type: 'submission.cancel' }, 'closed'];
    const vanish: Step = [{ type: 'submission.vanish', what }, 'vanished'];
    const start = (state: string): Step => [{ type: 'submission.start', subject: about }, state];
    // Deleting a project that no longer exists succeeds.
    const known404: Step[] =
      name === 'deleteProject' ? [] : [[gone('project.notFound')], open, confirm('vanished'), cancel];
    await go(page, machine(name), call, [open]);
    await look(name);
    await go(page, machine(name), call, [
      ...[cancel, open, vanish, cancel],
      ...known404,
      ...[[down] as Step, open, confirm('failed'), cancel, open, confirm('failed'), vanish, cancel],
      ...[start('failed'), start('failed'), open, confirm('failed'), [done] as Step],
      ...[confirm('succeeded'), start('succeeded'), ['listed'] as Step, open, cancel],
    ]);
  }
  expect(found).toEqual([]);
});
