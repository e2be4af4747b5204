import { expect, test } from '@jest/globals';
import type { Project } from '@orange-id/contract/projects.schema';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { json, network } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const projectsCall = '/devportal/v1/user/projects';
const urlsCall = '/devportal/v1/project/whitelist-urls';
const strangers = ['https://one.example.com', 'https://two.example.com', 'https://three.example.com'];
const known = ['https://a.example.org', 'https://b.example.org', 'https://c.example.org'];

const projectOf = (projectName: string, place: number): Project => ({
  id: `id-${place}`,
  code: `orange-000000000${place}`,
  projectName,
  urls: known,
  apiKey: `oid_${'k'.repeat(33)}`,
  createdAt: '2026-01-02T03:04:05.000Z',
  lastUpdatedAt: '2026-01-02T03:04:05.000Z',
});

const blocked: UsageMetrics = {
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-02T00:00:00.000Z',
  bucketSeconds: 900,
  totals: { calls: 3, errors: 0, blocked: 3, p50: null, p95: null, p99: null },
  percentiles: 'exact',
  series: [],
  endpoints: [],
  statuses: [],
  keys: [],
  origins: strangers.map((origin) => ({ origin, calls: 1 })),
  today: { calls: 0, quota: null },
};

/** Opens `/projects` at the second of two projects, both created in this browser, with three blocked origins. */
async function openProjects() {
  let projects = [projectOf('Acme', 1), projectOf('Throwaway', 2)];
  const change = (code: string, urls: (before: string[]) => string[]) => {
    projects = projects.map((each) => (each.code === code ? { ...each, urls: urls(each.urls) } : each));
    return json({ success: true, urls: projects.find((each) => each.code === code)?.urls ?? [] });
  };
  network.use(
    http.get(projectsCall, () => json(projects)),
    http.get('/api/analytics/metrics', () => json(blocked)),
    http.post(urlsCall, async ({ request }) => {
      const { code, urls } = (await request.json()) as { code: string; urls: string[] };
      return change(code, (before) => [...before, ...urls]);
    }),
    http.delete('/devportal/v1/project/whitelist', async ({ request }) => {
      const { code, url } = (await request.json()) as { code: string; url: string };
      change(code, (before) => before.filter((other) => other !== url));
      return json({ success: true, deleted: 1 });
    }),
    http.delete('/api/projects/:code', ({ params }) => {
      projects = projects.filter(({ code }) => code !== params['code']);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const entries = projects.map(({ code, projectName }) => ({
    id: code,
    name: projectName,
    submittedAt: '2026-01-01T00:00:00.000Z',
    whitelistedUrls: [],
    integrationMethod: 'undecided',
    status: 'created',
  }));
  localStorage.setItem(storageKeys.submittedProjects, JSON.stringify(entries));
  const portal = openPortal('/projects?project=Throwaway');
  await screen.findByRole('heading', { name: 'Throwaway' });
  const button = (name: string | RegExp) => screen.findByRole('button', { name });
  const dialog = () => screen.findByRole('dialog');
  /** Opens a dialog and confirms it. */
  const confirm = async (opener: string, act: string) => {
    await portal.user.click(await button(opener));
    await portal.user.click(await within(await dialog()).findByRole('button', { name: act }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  };
  return { ...portal, button, dialog, confirm };
}

test('the focus goes to the next blocked origin after one is allowed, and to the heading after the last one', async () => {
  const { button, confirm } = await openProjects();
  await confirm(`Allow ${strangers[1]}`, 'Allow');
  await waitFor(async () => expect(await button(`Allow ${strangers[2]}`)).toHaveFocus());
  await confirm(`Allow ${strangers[2]}`, 'Allow');
  await waitFor(async () => expect(await button(`Allow ${strangers[0]}`)).toHaveFocus());
  await confirm(`Allow ${strangers[0]}`, 'Allow');
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Blocked origins' })).toHaveFocus());
  // The calls were still blocked, so the card mentions them.
  expect(
    screen.getByText('No blocked origins. Every site blocked in the last 24 hours is allowed now.'),
  ).toBeInTheDocument();
});

test('the link of the last call opens it in Usage, filtered by its project', async () => {
  network.use(
    http.get('/api/usage', () =>
      json({ rows: [usageRowOf(7, { projectId: 'orange-0000000002' })], next: null }),
    ),
  );
  await openProjects();
  expect(await screen.findByRole('link', { name: /ago$|^now$|\d{4}/ })).toHaveAttribute(
    'href',
    '/usage?projectId=orange-0000000002&call=7',
  );
});

test('the focus goes to the next allowed URL after one is removed, and to Add URLs after the last removable one', async () => {
  const { button, confirm } = await openProjects();
  await confirm(`Remove ${known[0]}`, 'Remove');
  await waitFor(async () => expect(await button(`Remove ${known[1]}`)).toHaveFocus());
  await confirm(`Remove ${known[1]}`, 'Remove');
  await waitFor(async () => expect(await button('Add URLs')).toHaveFocus());
});

test.each(['Escape', 'Cancel'])('unsaved URLs are restored after %s', async (way) => {
  const { user, button, dialog } = await openProjects();
  await user.click(await button('Add URLs'));
  await user.type(await screen.findByLabelText('Allowed URL'), 'https://new.example.org{Enter}https://half');
  if (way === 'Escape') await user.keyboard('{Escape}');
  else await user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

  await user.click(await button('Add URLs'));
  const pending = within(await dialog()).getByRole('list', { name: 'Pending URLs' });
  expect(pending).toHaveTextContent('https://new.example.org');
  expect(await screen.findByLabelText('Allowed URL')).toHaveValue('https://half');
});

test('a project deleted here is never reported as unknown', async () => {
  const { address, confirm } = await openProjects();
  const said: string[] = [];
  const watch = new MutationObserver(() => said.push(document.body.textContent ?? ''));
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  await confirm('Delete project', 'Ok');
  await screen.findByRole('heading', { name: 'Acme' });
  watch.disconnect();
  expect(address()).toBe('/projects');
  expect(said.filter((text) => /There is no project called/.test(text))).toEqual([]);
});

test.each([
  [
    'Update API key',
    'This generates a new API key for Throwaway.The old key stops working within a second. You can’t restore it.',
  ],
  [
    'Delete project',
    'This deletes Throwaway and its allowed URLs. Its API key stops working within a second. You can’t undo this. Recorded calls stay in Usage.',
  ],
  [
    `Remove ${known[0]}`,
    `Pages on ${known[0]} will no longer be able to use the API key for Throwaway. Their calls are blocked within a second.`,
  ],
  [
    `Allow ${strangers[0]}`,
    `Pages on ${strangers[0]}, on any port, will be able to use the API key for Throwaway and to sign people in. Anyone can make a site appear here. Allow only your own.`,
  ],
])('the dialog of “%s” has an accessible description that states its effect', async (opener, words) => {
  const { user, button, dialog } = await openProjects();
  await user.click(await button(opener));
  await waitFor(async () =>
    expect(within(await dialog()).getByRole('button', { name: 'Cancel' })).toHaveFocus(),
  );
  const description = (await dialog()).getAttribute('aria-describedby') ?? '';
  expect(document.getElementById(description)?.textContent).toBe(words);
});
