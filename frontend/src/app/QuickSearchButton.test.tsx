import { expect, jest, test } from '@jest/globals';
import { unusedKey } from '@orange-id/contract/saved.key.fixture';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { json, network, silence } from '../testing/network';
import { openPortal } from '../testing/open.portal';

const field = () => screen.findByRole('combobox', { name: 'Search pages, projects, keys and documentation' });
const isSearching = () => screen.queryByRole('combobox', { name: /^Search pages/ }) !== null;
const options = () => screen.getAllByRole('option').map((option) => option.firstChild?.textContent);
const active = () => screen.getByRole('option', { selected: true }).firstChild?.textContent;
const project = {
  id: 'p-1',
  code: 'orange-k3x9p2m7qa',
  projectName: 'Acme',
  apiKey: `oid_${'k'.repeat(33)}`,
  urls: [],
  createdAt: '2026-01-02T03:04:05.000Z',
  lastUpdatedAt: '2026-01-02T03:04:05.000Z',
};

test('Ctrl+K opens the search, and the keyboard alone finds and opens a project', async () => {
  network.use(
    http.get('/devportal/v1/user/projects', () => json([project])),
    http.get('/api/keys', () => json([])),
    // The search ends on the project's page, which loads the calls of its key.
    http.get('/api/analytics/metrics', silence),
  );
  const { user, address } = openPortal('/faq');
  await screen.findByText('Coming Soon');
  await user.keyboard('{Control>}k{/Control}');
  expect(await field()).toHaveFocus();
  await user.keyboard('acm');
  await waitFor(() => expect(options()).toEqual(['Acme']));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe(`/projects?project=${project.code}`));
  await waitFor(() => expect(isSearching()).toBe(false));
});

test.each([
  { system: 'Macintosh; Intel Mac OS X 10_15_7', shortcut: '⌘K' },
  { system: 'X11; Linux x86_64', shortcut: 'Ctrl K' },
])('the search’s button shows $shortcut on $system', async ({ system, shortcut }) => {
  jest.spyOn(navigator, 'userAgent', 'get').mockReturnValue(`Mozilla/5.0 (${system})`);
  openPortal('/faq', { as: 'visitor' });
  const button = await screen.findByRole('button', { name: 'Search' });
  await waitFor(() => expect(button.querySelector('kbd')).toHaveAttribute('data-keys', shortcut));
});

test('the arrow keys, Home and End move through the results and wrap around', async () => {
  const { user } = openPortal('/faq', { as: 'visitor' });
  await user.click(await screen.findByRole('button', { name: 'Search' }));
  const input = await field();
  await user.type(input, 'token');
  const all = options();
  expect(all.length).toBeGreaterThan(2);
  for (const [key, place] of [
    ['{ArrowDown}', 1],
    ['{ArrowUp}', 0],
    ['{ArrowUp}', all.length - 1],
    ['{ArrowDown}', 0],
    ['{End}', all.length - 1],
    ['{Home}', 0],
  ] as const) {
    await user.keyboard(key);
    await waitFor(() => expect([key, active()]).toEqual([key, all[place]]));
    expect(input).toHaveAttribute('aria-activedescendant', screen.getByRole('option', { selected: true }).id);
  }
  expect(input).toHaveFocus();
});

test('a search without a result says so, and one that fails to load projects and keys still finds pages', async () => {
  network.use(
    http.get('/devportal/v1/user/projects', () => HttpResponse.text('down', { status: 503 })),
    http.get('/api/keys', () => HttpResponse.text('down', { status: 503 })),
  );
  const { user } = openPortal('/faq');
  await user.click(await screen.findByRole('button', { name: 'Search' }));
  await user.type(await field(), 'settings');
  const dialog = within(screen.getByRole('dialog', { name: 'Search' }));
  expect(
    await dialog.findByText(
      'Your projects and API keys couldn’t be loaded, so they aren’t searched. ' +
        'Close this dialog and open it again to retry.',
    ),
  ).toBeInTheDocument();
  expect(options()[0]).toBe('Settings');
  await user.clear(await field());
  await user.type(await field(), '☃');
  expect(dialog.getByText(/^Nothing matches “☃”/)).toBeInTheDocument();
  await user.keyboard('{Enter}');
  expect(dialog.getByRole('combobox')).toHaveValue('☃');
});

test('the search says that projects and keys are loading, and finds an API key', async () => {
  let respond: (response: Response) => void = () => undefined;
  const response = new Promise<Response>((resolve) => (respond = resolve));
  network.use(
    http.get('/devportal/v1/user/projects', () => json([])),
    http.get('/api/keys', () => response),
  );
  const { user } = openPortal('/faq');
  await user.click(await screen.findByRole('button', { name: 'Search' }));
  await user.type(await field(), 'server');
  const dialog = within(screen.getByRole('dialog', { name: 'Search' }));
  expect(dialog.getByText('Loading your projects and API keys …')).toBeInTheDocument();
  respond(json([{ ...unusedKey, name: 'Server' }]));
  expect(await dialog.findByRole('option', { name: /^Server/ })).toHaveTextContent('Calls with this key');
  expect(dialog.getByRole('group', { name: 'API Keys' })).toBeInTheDocument();
  expect(dialog.queryByText(/^Loading/)).not.toBeInTheDocument();
});

test('the shortcut closes the search too, and does not open it over another dialog', async () => {
  const { user } = openPortal('/faq', { as: 'visitor' });
  await user.click(await screen.findByRole('button', { name: 'Search' }));
  await field();
  await user.keyboard('{Meta>}k{/Meta}');
  await waitFor(() => expect(isSearching()).toBe(false));
  await user.click(screen.getByRole('button', { name: 'Open menu' }));
  await user.keyboard('{Meta>}k{/Meta}');
  await waitFor(() => expect(isSearching()).toBe(false));
});

test('Ctrl+K opens the search on a keyboard without Latin letters', async () => {
  openPortal('/faq', { as: 'visitor' });
  await screen.findByText('Coming Soon');
  fireEvent.keyDown(document.body, { key: 'л', code: 'KeyK', ctrlKey: true });
  expect(await field()).toHaveFocus();
});

test('keys of an input method neither move through the results nor open one', async () => {
  const { user, address } = openPortal('/faq', { as: 'visitor' });
  await user.click(await screen.findByRole('button', { name: 'Search' }));
  const input = await field();
  await user.type(input, 'token');
  const first = active();
  for (const key of ['ArrowDown', 'ArrowUp', 'End', 'Enter']) {
    fireEvent.keyDown(input, { key, isComposing: true });
    expect(active()).toBe(first);
  }
  expect(address()).toBe('/faq');
});
