import { expect, test } from '@jest/globals';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import { unusedKey } from '@orange-id/contract/saved.key.fixture';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expectToast } from '../../testing/expect.toast';
import { metricsOfCalls } from '../../testing/key.metrics';
import { keepProjects } from '../../testing/kept.projects';
import { json, network } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const keysCall = '/api/projects/:code/keys';

/**
 * Opens the page of a project whose key has these fields. Changing, rotating and ending the key on the page update the
 * mocked keys.
 */
async function openProject(key: Partial<SavedKey> = {}, features = {}) {
  const server = keepProjects({ name: 'Acme' });
  const [project] = server.kept;
  if (!project) throw new Error('no project');
  const keys: SavedKey[] = [{ ...unusedKey, name: 'Acme', key: project.apiKey, ...key }];
  network.use(
    http.get(keysCall, () => json(keys)),
    http.get('/api/analytics/metrics', () => json(metricsOfCalls(12))),
    http.patch('/api/keys/:id', async ({ request }) =>
      json(Object.assign(keys[0] as SavedKey, await request.json())),
    ),
    http.post<{ id: string }>(`${keysCall}/:id/rotate`, ({ params }) => {
      const old = keys[0] as SavedKey;
      Object.assign(old, { replacedAt: ago(0), expiresAt: ago(-7 * 86_400_000) });
      const made = {
        ...unusedKey,
        id: 'new',
        name: 'Acme',
        key: `oid_${'n'.repeat(33)}`,
        replacesId: params.id,
      };
      keys.unshift(made);
      project.apiKey = made.key;
      return json(made, 201);
    }),
    http.delete(`${keysCall}/:id`, () => {
      keys.pop();
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const portal = openPortal('/projects', { features });
  await screen.findByRole('heading', { name: 'Acme' });
  return { ...portal, keys, project };
}

const box = () => screen.findByRole('group', { name: 'API key of Acme' });
const button = (name: string) => screen.findByRole('button', { name });
const dialog = (name: string) => within(screen.getByRole('dialog', { name }));

test('a project shows the usage, the expiry and the limit of its key, which can be changed', async () => {
  const { user } = await openProject({ lastUsed: ago(5_000), callsToday: 7, expiresAt: ago(-3_600_000) });
  await waitFor(async () => expect(await box()).toHaveTextContent(/Last used \d+ s ago · 7 calls today/));
  expect(await box()).toHaveTextContent(/Expires in (1 h|59 min)/);
  await user.click(await button('Edit key'));
  await user.type(dialog('Edit API key').getByLabelText(/^Limit/), '9{Enter}');
  await expectToast('API key saved', 'Acme');
  expect(await box()).toHaveTextContent('9 calls/s');
});

test('Edit and Rotate stand together; Update API key, which replaces the key now, is apart and red', async () => {
  await openProject();
  const names = within(await box())
    .getAllByRole('button')
    .map((each) => [each.getAttribute('aria-label'), each.textContent]);
  expect(names.slice(-3)).toEqual([
    ['Edit key', 'Edit'],
    ['Rotate key', 'Rotate'],
    [null, 'Update API key'],
  ]);
  const update = await button('Update API key');
  expect(update).toHaveClass('ant-btn-dangerous');
  expect(update.querySelector('.anticon-reload')).toBeNull();
  expect(await button('Edit key')).not.toHaveClass('ant-btn-dangerous');
  expect(
    screen.getByText('Rotate keeps the old key working for some days. Update API key replaces it now.'),
  ).toBeInTheDocument();
});

test('a past expiry of a project’s key names what can be done there', async () => {
  const { user } = await openProject();
  await user.click(await button('Edit key'));
  fireEvent.change(dialog('Edit API key').getByLabelText(/^Expires/), {
    target: { value: '2020-01-31T12:00' },
  });
  await user.click(dialog('Edit API key').getByRole('button', { name: 'Save' }));
  expect(
    dialog('Edit API key').getByText(
      'The expiry must be in the future. To stop the key now, choose Update API key, or rotate it with 0 days',
    ),
  ).toBeInTheDocument();
});

test('a rotation shows the new key of the project, and both keys side by side until the old one is ended', async () => {
  const { user, project } = await openProject({ lastUsed: ago(5_000) });
  await user.click(await button('Rotate key'));
  await user.click(dialog('Rotate API key').getByRole('button', { name: 'Rotate key' }));
  await expectToast('API key rotated', 'Acme');
  await waitFor(async () => expect(await box()).toHaveFocus());
  const detail = within(screen.getByRole('region', { name: 'Project Acme' }));
  expect(detail.getAllByText(project.apiKey)).not.toEqual([]);
  expect(detail.getAllByRole('button', { name: 'Hide API key' })).toHaveLength(1);
  const overlap = screen.getByRole('region', { name: 'Both keys work' });
  expect(overlap.querySelector('p')).toHaveTextContent(
    /^The old key stops in (7 d|6 d 23 h)\. Switch your clients to the new key\. The old key’s calls show whether any still uses it\.$/,
  );
  const pair = within(overlap);
  for (const which of ['old', 'new']) {
    const traffic = within(pair.getByRole('region', { name: new RegExp(`^${which} key$`, 'i') }));
    expect(traffic.getByRole('link', { name: `View calls made with the ${which} key` })).toBeInTheDocument();
    expect(traffic.getByLabelText(`Calls with the ${which} key`)).toBeInTheDocument();
  }
  expect(screen.queryByRole('button', { name: 'Rotate key' })).not.toBeInTheDocument();

  await user.click(await button('End old key now'));
  expect(dialog('End old key now').getByText(/^The old key of/, { selector: 'span' })).toHaveTextContent(
    /^The old key of Acme stops working within a second\. The new key keeps working\. You can’t undo this\.$/,
  );
  await user.click(dialog('End old key now').getByRole('button', { name: 'End key' }));
  await expectToast('Old API key ended', 'Acme');
  await waitFor(() =>
    expect(screen.queryByRole('region', { name: 'Both keys work' })).not.toBeInTheDocument(),
  );
  expect(await button('Rotate key')).toBeInTheDocument();
});

test('the dialog that rotates a key says how long both keys can work', async () => {
  const { user } = await openProject();
  await user.click(await button('Rotate key'));
  await user.clear(dialog('Rotate API key').getByLabelText(/^Days until the old key stops/));
  expect(dialog('Rotate API key').getByText('From 0 to 30 days.')).toBeInTheDocument();
});

test('an old key whose calls fail to load says so, and a failure to end it shows its error', async () => {
  const { user } = await openProject({ lastUsed: ago(5_000) });
  const down = () => new HttpResponse('down', { status: 503 });
  network.use(http.get('/api/analytics/metrics', down), http.delete(`${keysCall}/:id`, down));
  await user.click(await button('Rotate key'));
  await user.click(dialog('Rotate API key').getByRole('button', { name: 'Rotate key' }));
  expect(await screen.findAllByText('Failed to load the calls of this key')).toHaveLength(2);

  await user.click(await button('End old key now'));
  expect(await dialog('End old key now').findByRole('note')).toHaveTextContent(
    /^Last used .+ Its calls in the last 24 hours couldn’t be counted\.$/,
  );
  await user.click(dialog('End old key now').getByRole('button', { name: 'End key' }));
  const unavailable = 'The service is unavailable right now. Try again in a minute.';
  await expectToast('Failed to end API key', unavailable);
  expect(dialog('End old key now').getByRole('alert').textContent).toBe(
    `Failed to end API key: ${unavailable}`,
  );
});

test('an old key that has stopped is reported as stopped', async () => {
  const { keys } = await openProject();
  await button('Edit key');
  keys.push({ ...unusedKey, id: 'old', name: 'Acme', replacedAt: ago(60_000), expiresAt: ago(1_000) });
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  expect(await screen.findByText('The old key has stopped.')).toBeInTheDocument();
});

test('an open dialog says that its key was rotated in another browser', async () => {
  const { user, machine, keys } = await openProject();
  await user.click(await button('Edit key'));
  Object.assign(keys[0] as SavedKey, { replacedAt: ago(0), expiresAt: ago(-1_000_000) });
  keys.unshift({ ...unusedKey, id: 'new', replacesId: keys[0]?.id ?? null });
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await machine('editKey').is('vanished');
  expect(dialog('Edit API key').getByRole('alert')).toHaveTextContent(/already rotated in another tab/);
});

test('a key’s usage that fails to load shows an error, and Retry loads it', async () => {
  const server = keepProjects({ name: 'Acme' });
  network.use(
    http.get('/api/analytics/metrics', () => json(metricsOfCalls(0))),
    http.get(keysCall, () => new HttpResponse('down', { status: 503 })),
  );
  const { user } = openPortal('/projects');
  expect(await screen.findByText('Failed to load the usage of this key')).toBeInTheDocument();
  expect(await button('Update API key')).toBeInTheDocument();
  network.use(http.get(keysCall, () => json([{ ...unusedKey, key: server.kept[0]?.apiKey }])));
  await user.click(within(await box()).getByRole('button', { name: 'Retry' }));
  expect(await button('Rotate key')).toBeInTheDocument();
});

test('a key says that its usage is loading, and that there is none if the service has no such key', async () => {
  keepProjects({ name: 'Acme' });
  let arrive!: () => void;
  const held = new Promise<void>((resolve) => (arrive = resolve));
  network.use(
    http.get('/api/analytics/metrics', () => json(metricsOfCalls(0))),
    http.get(keysCall, async () => {
      await held;
      return json([]);
    }),
  );
  openPortal('/projects');
  expect(await within(await box()).findByText('Loading usage...')).toBeInTheDocument();
  arrive();
  expect(await within(await box()).findByText('No usage data')).toBeInTheDocument();
  expect(screen.queryByText('Loading usage...')).not.toBeInTheDocument();
});

test('with a hosted project service a key can only be replaced', async () => {
  await openProject({}, { embeddedProjects: false });
  expect(await button('Update API key')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /^(Edit|Rotate) key$/ })).not.toBeInTheDocument();
});
