import { expect, jest, test } from '@jest/globals';
import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import { limits } from '@orange-id/contract/limits';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import { unusedKey } from '@orange-id/contract/saved.key.fixture';
import type { UsageKey } from '@orange-id/contract/usage.schema';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expectToast } from '../../testing/expect.toast';
import { json, network, refusal, silence } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const unreachable = 'The server couldn’t be reached. Check your connection and try again.';
const noAnswer =
  'The server didn’t respond within 30 s. The change may still have been made. Reload the page to check before you try again.';

/** Mocks the key endpoints with stored keys, newest first; creating and deleting changes them. */
function keepKeys(...names: string[]) {
  let count = 0;
  const make = (name: string): SavedKey => {
    count += 1;
    const key: SavedKey = {
      ...unusedKey,
      id: `id-${count}`,
      name,
      key: `oid_${String(count).padStart(33, 'k')}`,
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, count)).toISOString(),
    };
    kept.unshift(key);
    return key;
  };
  const remove = (id: string) => {
    kept.splice(0, kept.length, ...kept.filter((key) => key.id !== id));
  };
  const kept: SavedKey[] = [];
  /** The names of the keys requested. */
  const asked: string[] = [];
  for (const name of names) make(name);
  network.use(
    http.get('/api/keys', () => json(kept)),
    http.post<never, { name: string }>('/api/keys', async ({ request }) => {
      const { name } = await request.json();
      asked.push(name);
      return json(make(name), 201);
    }),
    http.delete<{ id: string }>('/api/keys/:id', ({ params }) => {
      remove(params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return { kept, asked, make, remove };
}

/** Opens the page with keys of these names and waits until they are listed. */
async function openKeys(...names: string[]) {
  const server = keepKeys(...names);
  const portal = openPortal('/keys');
  await portal.machine('savedKeys').is('listing');
  await waitFor(() => expect(rows()).toHaveLength(names.length));
  return { ...portal, ...server };
}

const list = () => screen.queryByRole('list', { name: 'Your API keys' });
const rows = () => within(list() ?? document.createElement('ul')).queryAllByRole('listitem');
const row = (name: string) => screen.findByRole('listitem', { name });
/** The key as this row shows it. */
const keyOf = (element: HTMLElement | undefined) => element?.querySelector('.copy-value_text');
const name = () => screen.getByRole('textbox', { name: /^Name/ });
const button = (called: string | RegExp) => screen.getByRole('button', { name: called });
const dialog = () => within(screen.getByRole('dialog', { name: 'Delete API key' }));
const confirm = () => dialog().getByRole('button', { name: 'Delete' });
const failure = () => within(screen.getByRole('main')).getByRole('alert');
const comeBack = () =>
  act(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
const entry = (called: string) =>
  within(screen.getByRole('navigation', { name: 'Portal' })).getByRole('link', { name: called });

test('the form requires a valid name, keeps what was typed, and allows two keys with the same name', async () => {
  const { user, asked } = await openKeys();
  expect(screen.getByText('No API keys yet')).toBeInTheDocument();
  const refusals = [
    ['', 'Name is required'],
    ['   ', 'Name is required'],
    ['a'.repeat(51), 'Name must be less than 50 characters'],
    ['a\u202eb', 'Name must not contain invisible or control characters'],
  ] as const;
  for (const [text, sentence] of refusals) {
    await user.clear(name());
    await user.click(name());
    await user.paste(text);
    await user.click(button('Create API key'));
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(name()).toHaveAttribute('aria-invalid', 'true');
    expect(name()).toHaveAccessibleDescription(expect.stringContaining(sentence));
    expect(name()).toHaveFocus();
    expect(name()).toHaveValue(text);
    await user.type(name(), 'x');
    expect(screen.queryByText(sentence)).not.toBeInTheDocument();
  }
  expect(asked).toEqual([]);

  const longest = `ключ 🔑 ${'W'.repeat(42)}`;
  for (const count of [1, 2]) {
    await user.clear(name());
    await user.click(name());
    await user.paste(longest);
    await user.click(button('Create API key'));
    await waitFor(() => expect(rows()).toHaveLength(count));
    await expectToast('API key created successfully', longest);
  }
  expect(asked).toEqual([longest, longest]);
});

test('each button of a key names its action in a tooltip', async () => {
  const { user } = await openKeys('CI');
  await user.tab();
  for (const action of ['Edit', 'Rotate', 'Delete']) {
    act(() => button(`${action} CI`).focus());
    await waitFor(() => expect(screen.getByRole('tooltip')).toHaveTextContent(action));
  }
});

test('a failed creation keeps the name and shows a toast, and an error in the form until the next attempt', async () => {
  const { user, asked } = await openKeys();
  network.use(http.post('/api/keys', () => refusal(503, 'Service unavailable'), { once: true }));
  await user.type(name(), 'Server');
  await user.click(button('Create API key'));
  await expectToast(
    'Failed to create API key',
    'The service is unavailable right now. Try again in a minute.',
  );
  expect(failure()).toHaveTextContent(
    'Failed to create API key: The service is unavailable right now. Try again in a minute.',
  );
  expect(name()).toHaveFocus();
  expect(name()).toHaveValue('Server');

  await user.keyboard('{Enter}');
  expect(await row('Server')).toBeInTheDocument();
  expect(within(screen.getByRole('main')).queryByRole('alert')).not.toBeInTheDocument();
  expect(asked).toEqual(['Server']);
});

test('a created key whose response was lost is found in the list and not created twice', async () => {
  const { user, kept, make } = await openKeys('Deploy script');
  let asked = 0;
  network.use(
    http.post('/api/keys', () => {
      asked += 1;
      if (asked === 1) make('Deploy script');
      return HttpResponse.error();
    }),
  );
  // Another key with the same name already exists.
  await user.type(name(), 'Deploy script{Enter}');
  await expectToast('API key created successfully', 'Deploy script');
  await waitFor(() => expect(rows()).toHaveLength(2));
  await waitFor(() => expect(rows()[0]).toHaveFocus());
  expect(keyOf(rows()[0])).toHaveTextContent(String(kept[0]?.key));
  expect(name()).toHaveValue('');
  expect(asked).toBe(1);

  await user.type(name(), 'Deploy script{Enter}');
  await waitFor(() => expect(failure()).toHaveTextContent('The server couldn’t be reached'));
  expect(name()).toHaveValue('Deploy script');
  expect(rows()).toHaveLength(2);
});

test('a creation that cannot reach the server shows an error and can be retried', async () => {
  const { user } = await openKeys();
  network.use(http.post('/api/keys', () => HttpResponse.error(), { once: true }));
  await user.type(name(), 'Server{Enter}');
  await waitFor(() =>
    expect(failure()).toHaveTextContent(new RegExp(`^Failed to create API key: ${unreachable}$`)),
  );
  await user.click(button('Create API key'));
  expect(await row('Server')).toBeInTheDocument();
});

test('a key above the limit shows the server’s message and refetches the list, and a deletion makes room', async () => {
  const { user, make } = await openKeys('Key 1');
  const full = `You have ${limits.savedKeysPerUser} API keys, the maximum. Delete one to create another`;
  network.use(http.post('/api/keys', () => refusal(409, full), { once: true }));
  make('Key 2');
  await user.type(name(), 'One more{Enter}');
  await waitFor(() => expect(failure()).toHaveTextContent(`Failed to create API key: ${full}.`));
  await waitFor(() => expect(rows()).toHaveLength(2));
  await user.click(button('Delete Key 1'));
  await user.click(confirm());
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(within(screen.getByRole('main')).queryByRole('alert')).not.toBeInTheDocument();
});

test('a failed deletion stays in the dialog, cancelling keeps the key, and a key that is already gone counts as deleted', async () => {
  const { user, machine, kept } = await openKeys('Server');
  network.use(http.delete('/api/keys/:id', () => new HttpResponse('down', { status: 503 }), { once: true }));
  await user.click(button('Delete Server'));
  await waitFor(() => expect(dialog().getByRole('button', { name: 'Cancel' })).toHaveFocus());
  await user.click(confirm());
  await expectToast(
    'Failed to delete API key',
    'The service is unavailable right now. Try again in a minute.',
  );
  expect(dialog().getByRole('alert')).toHaveTextContent(
    'Failed to delete API key: The service is unavailable right now. Try again in a minute.',
  );
  await machine('deleteKey').is('failed');
  expect(confirm()).toHaveFocus();
  await user.click(dialog().getByRole('button', { name: 'Cancel' }));
  await machine('deleteKey').is('closed');
  await waitFor(() => expect(button('Delete Server')).toHaveFocus());
  expect(kept).toHaveLength(1);

  await user.click(button('Delete Server'));
  expect(dialog().queryByRole('alert')).not.toBeInTheDocument();
  network.use(http.delete('/api/keys/:id', () => refusal(404, 'API key not found', 'keys.notFound')));
  await user.click(confirm());
  await expectToast('API key deleted successfully', 'Server');
});

test('a creation and a deletion without a response fail after 30 seconds', async () => {
  jest.useFakeTimers({ advanceTimers: true });
  const { user, machine } = await openKeys('Server');
  network.use(http.post('/api/keys', silence), http.delete('/api/keys/:id', silence));
  await user.type(name(), 'Other{Enter}');
  await machine('savedKeys').is('creating');
  expect(button('Creating...')).toBeDisabled();
  act(() => void jest.advanceTimersByTime(30_000));
  await waitFor(() => expect(failure()).toHaveTextContent(`Failed to create API key: ${noAnswer}`));

  await user.click(button('Delete Server'));
  await user.click(confirm());
  await machine('deleteKey').is('working');
  expect(dialog().getByRole('button', { name: 'Deleting...' })).toBeDisabled();
  act(() => void jest.advanceTimersByTime(30_000));
  await waitFor(() =>
    expect(dialog().getByRole('alert')).toHaveTextContent(`Failed to delete API key: ${noAnswer}`),
  );
});

test('the list and an open dialog show keys created or deleted elsewhere when the user returns', async () => {
  const { user, machine, make, remove } = await openKeys('Server');
  make('Elsewhere');
  comeBack();
  await waitFor(() => expect(rows()).toHaveLength(2));

  await user.click(button('Delete Server'));
  remove('id-1');
  comeBack();
  await machine('deleteKey').is('vanished');
  expect(dialog().getByRole('alert')).toHaveTextContent(
    'This API key was already deleted in another tab or on another device.',
  );
  const close = dialog().getByRole('button', { name: 'Close' });
  await waitFor(() => expect(close).toHaveFocus());
  await user.click(close);
  await machine('deleteKey').is('closed');
  expect(rows()).toHaveLength(1);
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Your API keys' })).toHaveFocus());
});

test('a new key is available in Usage at once, and one deleted elsewhere is gone when the page opens again', async () => {
  const { user, kept, remove } = await openKeys('Server');
  network.use(
    http.get('/api/analytics/metrics', silence),
    http.get('/api/usage/keys', () =>
      json(
        kept.map(({ id, name: called, key }): UsageKey => ({
          id,
          name: called,
          ...apiKeyEnds(key),
          projectId: null,
          isActive: true,
        })),
      ),
    ),
  );
  await user.click(entry('Usage'));
  await screen.findByRole('heading', { level: 1, name: 'Usage' });
  await user.click(entry('API Keys'));
  await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Script{Enter}');
  await row('Script');
  await user.click(entry('Usage'));
  await user.click(await screen.findByRole('combobox', { name: 'Key' }));
  expect(await screen.findAllByText(/^Script/)).not.toEqual([]);
  remove('id-1');
  await user.click(entry('API Keys'));
  await waitFor(() => expect(rows()).toHaveLength(1));
});

test('a new key is revealed and focused, even if the list was fetched before the response', async () => {
  const { user, make } = await openKeys();
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  network.use(
    http.post('/api/keys', async () => {
      const made = make('Early');
      await held;
      return json(made, 201);
    }),
  );
  await user.type(name(), 'Early{Enter}');
  await waitFor(() => {
    comeBack();
    expect(rows()).toHaveLength(1);
  });
  expect(keyOf(rows()[0])).toHaveTextContent(/^oid_\w{4}•+\w{4}$/);
  release();
  await waitFor(() => expect(keyOf(rows()[0])).toHaveTextContent(/^oid_\w{33}$/));
  expect(rows()[0]).toHaveFocus();
});

test('a list that fails to load shows an error, a key created then is still shown, and Retry loads the rest', async () => {
  const { kept } = keepKeys('Server');
  network.use(http.get('/api/keys', () => new HttpResponse('no', { status: 500 })));
  const { user } = openPortal('/keys');
  expect(await screen.findByText('Failed to load API keys')).toBeInTheDocument();
  await user.type(name(), 'Unlisted{Enter}');
  const unlisted = await row('Unlisted');
  expect(keyOf(unlisted)).toHaveTextContent(/^oid_\w{33}$/);
  expect(unlisted).toHaveFocus();
  expect(screen.getByRole('list', { name: 'The new API key' })).toContainElement(unlisted);
  expect(within(unlisted).getByText(/^Or send this call/)).toHaveTextContent(
    'Or send this call in the API Explorer.',
  );
  network.use(http.get('/api/keys', () => json(kept)));
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(rows()).toHaveLength(2));
});

test('a name typed before a reload is kept until its key is created', async () => {
  const first = await openKeys();
  await first.user.type(name(), 'Half');
  first.close();
  const second = openPortal('/keys');
  await waitFor(() => expect(name()).toHaveValue('Half'));
  await second.user.click(button('Create API key'));
  await row('Half');
  second.close();
  openPortal('/keys');
  await row('Half');
  expect(name()).toHaveValue('');
});

test('a key created while the user leaves the page leaves no draft of its name', async () => {
  const { user, make, goTo } = await openKeys();
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  network.use(
    http.post('/api/keys', async () => {
      await held;
      return json(make('Left'), 201);
    }),
  );
  await user.type(name(), 'Left{Enter}');
  await screen.findByRole('button', { name: 'Creating...' });
  await goTo('/faq');
  await screen.findByText('Coming Soon');
  release();
  await waitFor(() => expect(Object.keys(sessionStorage).join()).not.toContain('savedKeyDraft'));
  await goTo('/keys');
  await row('Left');
  expect(name()).toHaveValue('');
});

test('more than ten keys can be searched and sorted, and each shows when it was created and used', async () => {
  const { user, make, close } = await openKeys(
    ...Array.from({ length: 10 }, (_, index) => `Server ${index + 1}`),
  );
  expect(await row('Server 1')).toHaveTextContent(/Created.*Not used yet/);
  expect(screen.queryByRole('searchbox')).not.toBeInTheDocument();
  close();
  make('Deploy script').lastUsed = '2026-01-01T00:30:00.000Z';
  openPortal('/keys');
  await waitFor(() => expect(rows()).toHaveLength(11));
  expect(await row('Deploy script')).toHaveTextContent(/Created.*Last used/);
  const search = screen.getByRole('searchbox', { name: 'Search API keys' });
  await user.type(search, 'DEPLOY');
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(rows()[0]).toHaveAccessibleName('Deploy script');
  expect(screen.getByText('1 of 11 API keys')).toBeInTheDocument();
  await user.clear(search);
  await user.type(search, 'nothing like it');
  expect(await screen.findByText('No API key matches your search.')).toBeInTheDocument();
  await user.clear(search);
  await user.type(search, 'server');
  expect(rows()[0]).toHaveAccessibleName('Server 10');
  await user.click(screen.getByRole('combobox', { name: 'Sort API keys' }));
  await user.click(await screen.findByText('Name', { selector: '.ant-select-item-option-content' }));
  await waitFor(() => expect(rows()[0]).toHaveAccessibleName('Server 1'));
});

test('a key is created with an expiry and a limit by one press, and an invalid one creates none', async () => {
  const { user, asked, kept } = await openKeys();
  const changes: unknown[] = [];
  network.use(
    http.patch<{ id: string }, Partial<SavedKey>>('/api/keys/:id', async ({ request, params }) => {
      const body = await request.json();
      changes.push(body);
      return json(Object.assign(kept.find(({ id }) => id === params.id) as SavedKey, body));
    }),
  );
  await user.click(screen.getByText('Expiry and limit'));
  await user.type(name(), 'Deploy');
  const [expires, limit] = [screen.getByLabelText(/^Expires/), screen.getByLabelText(/^Limit/)];
  fireEvent.change(expires, { target: { value: '2020-01-31T12:00' } });
  await user.click(button('Create API key'));
  expect(screen.getByText('The expiry must be in the future')).toBeInTheDocument();
  expect(expires).toHaveFocus();
  expect(asked).toEqual([]);
  fireEvent.change(expires, { target: { value: '2099-01-31T12:00' } });
  await user.type(limit, '5');
  await user.click(button('Create API key'));
  await expectToast('API key created successfully', 'Deploy');
  expect(asked).toEqual(['Deploy']);
  expect(changes).toEqual([{ expiresAt: new Date('2099-01-31T12:00').toISOString(), rateLimit: 5 }]);
  expect(await row('Deploy')).toHaveTextContent('5 calls/s');
  expect(limit).toHaveValue('');
});

test('a key whose expiry and limit could not be set says so until they are', async () => {
  const { user, kept } = await openKeys();
  network.use(
    http.patch('/api/keys/:id', () => new HttpResponse('down', { status: 503 }), { once: true }),
    http.patch<{ id: string }, Partial<SavedKey>>('/api/keys/:id', async ({ request, params }) =>
      json(Object.assign(kept.find(({ id }) => id === params.id) as SavedKey, await request.json())),
    ),
  );
  await user.type(name(), 'Deploy');
  await user.click(screen.getByText('Expiry and limit'));
  await user.type(screen.getByLabelText(/^Limit/), '5');
  await user.click(button('Create API key'));
  await waitFor(() =>
    expect(failure()).toHaveTextContent(/^“Deploy” works, but without the expiry and the limit: The service/),
  );
  expect(await row('Deploy')).not.toHaveTextContent('calls/s');
  await user.click(button('Edit Deploy'));
  const editing = within(screen.getByRole('dialog', { name: 'Edit API key' }));
  await user.type(editing.getByLabelText(/^Limit/), '5{Enter}');
  await waitFor(() => expect(within(screen.getByRole('main')).queryByRole('alert')).not.toBeInTheDocument());
  expect(await row('Deploy')).toHaveTextContent('5 calls/s');
});
