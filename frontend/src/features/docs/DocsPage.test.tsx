import { expect, jest, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { unusedKey } from '@orange-id/contract/saved.key.fixture';
import { copiedText } from '../../testing/clipboard';
import { keepProjects } from '../../testing/kept.projects';
import { json, network } from '../../testing/network';
import { config, openPortal } from '../../testing/open.portal';

/** The tabs of the page, without those of the explorer. */
const tabs = () => within(screen.getByRole('tablist', { name: 'Documentation' })).getAllByRole('tab');
const selected = () =>
  tabs()
    .filter((tab) => tab.getAttribute('aria-selected') === 'true')
    .map(({ textContent }) => textContent);
const panel = (name: string) => screen.findByRole('tabpanel', { name });
const search = () => screen.getByRole('searchbox', { name: 'Search documentation' });

test('shows the overview first, and every other tab at its own URL', async () => {
  const { user } = openPortal('/docs', { as: 'visitor' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Documentation' })).toBeInTheDocument();
  expect(tabs().map((tab) => [tab.textContent, tab.getAttribute('href')])).toEqual([
    ['Overview', '/docs#overview'],
    ['Authentication', '/docs#authentication'],
    ['API Reference', '/docs#reference'],
    ['API Explorer', '/docs#explorer'],
  ]);
  await waitFor(() => expect(selected()).toEqual(['Overview']));
  expect(
    within(await panel('Overview')).getByRole('heading', { name: 'Make your first call' }),
  ).toBeVisible();
  await user.click(screen.getByRole('tab', { name: 'Authentication' }));
  await waitFor(() => expect(selected()).toEqual(['Authentication']));
  const tips = within(await panel('Authentication')).getByRole('region', { name: 'Security tips' });
  expect(within(tips).getAllByRole('listitem')).toHaveLength(4);
  await waitFor(() => expect(screen.queryByRole('tabpanel', { name: 'Overview' })).not.toBeInTheDocument());
});

test.each([
  ['#authentication-tips', 'Authentication', 'Security tips'],
  ['#reference-token', 'API Reference', 'Get a token'],
  ['#reference-group-defi', 'API Reference', 'DeFi APIs'],
  ['#overview-errors', 'Overview', 'Errors'],
])('a deep link to %s opens its tab', async (hash, tab, section) => {
  openPortal(`/docs${hash}`);
  const region = await within(await panel(tab)).findByRole('region', { name: section });
  expect(region).toHaveAttribute('id', hash.slice(1));
  expect(within(region).getByRole('link', { name: `Link to ${section}` })).toHaveAttribute(
    'href',
    `/docs${hash}`,
  );
});

test('for a signed-in user the code shows the newest key masked, and copying includes it', async () => {
  const key = `oid_${'2'.repeat(33)}`;
  network.use(http.get('/api/keys', () => json([{ ...unusedKey, id: '2', name: 'Server', key }])));
  const { user } = openPortal('/docs');
  const first = within(await panel('Overview')).getByRole('group', { name: 'curl command' });
  await waitFor(() => expect(first).toHaveTextContent('X-API-Key: oid_2222••••2222'));
  expect(document.body.innerHTML).not.toContain(key);
  await user.click(within(await panel('Overview')).getByRole('button', { name: 'Copy curl command' }));
  expect(await copiedText()).toContain(`X-API-Key: ${key}`);
});

test('the sign-in code has the values of the only project, of the one in the URL, or of the one chosen', async () => {
  keepProjects(
    { name: 'Shop', urls: ['https://shop.example.org', 'https://*.preview.example.org'] },
    { name: 'Blog', urls: ['https://blog.example.org'] },
  );
  const { user } = openPortal('/docs?project=Blog#authentication-sign-in');
  const authentication = within(await panel('Authentication'));
  const picker = await authentication.findByRole('combobox', { name: 'Code for' });
  const server = authentication.getByRole('group', { name: 'Node.js server' });
  await waitFor(() => expect(server).toHaveTextContent('"https://blog.example.org,http://localhost:8787,'));
  expect(server).not.toHaveTextContent('YOUR_PROJECT_ID');
  await user.selectOptions(picker, 'Shop');
  await waitFor(() => expect(server).toHaveTextContent('"https://shop.example.org,http://localhost:8787,'));
});

test('for a visitor, and for a user without keys, the code has a placeholder', async () => {
  const visit = openPortal('/docs', { as: 'visitor' });
  const code = async () => within(await panel('Overview')).getByRole('group', { name: 'curl command' });
  expect(await code()).toHaveTextContent('X-API-Key: YOUR_API_KEY');
  visit.close();
  openPortal('/docs');
  expect(await code()).toHaveTextContent('X-API-Key: YOUR_API_KEY');
});

test('the arrow keys, Home and End move between the tabs', async () => {
  const { user } = openPortal('/docs');
  await panel('Overview');
  act(() => screen.getByRole('tab', { name: 'Overview' }).focus());
  for (const [key, name] of [
    ['{ArrowRight}', 'Authentication'],
    ['{End}', 'API Explorer'],
    ['{ArrowRight}', 'Overview'],
    ['{ArrowLeft}', 'API Explorer'],
    ['{Home}', 'Overview'],
  ] as const) {
    await user.keyboard(key);
    await waitFor(() => expect([key, ...selected()]).toEqual([key, name]));
    expect(screen.getByRole('tab', { name })).toHaveFocus();
  }
  expect(tabs().map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1]);
});

test('typing in the search opens the API reference with the matching endpoints, and writes the text to the URL', async () => {
  jest.useFakeTimers();
  const { user, address } = openPortal('/docs');
  await panel('Overview');
  await user.type(search(), 'tokens/{{id}');
  await waitFor(() => expect(selected()).toEqual(['API Reference']));
  expect(search()).toHaveFocus();
  const reference = within(await panel('API Reference'));
  expect(reference.getByRole('status', { name: 'Search' })).toHaveTextContent(
    '1 endpoint matches “tokens/{id}”.',
  );
  expect(reference.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Token APIs',
  ]);
  expect(reference.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Get a token',
  ]);
  act(() => jest.advanceTimersByTime(300));
  await waitFor(() => expect(address()).toBe('/docs?q=tokens%2F%7Bid%7D'));
  expect(search()).toHaveValue('tokens/{id}');
  await user.click(reference.getByRole('button', { name: 'Clear search' }));
  await waitFor(() => expect(reference.getAllByRole('heading', { level: 3 })).toHaveLength(15));
  act(() => jest.advanceTimersByTime(300));
  await waitFor(() => expect(address()).toBe('/docs'));
});

test('a search finds the sections of the other tabs by what they say', async () => {
  const { user, address } = openPortal('/docs?q=rotate%20keys#reference');
  const reference = within(await panel('API Reference'));
  await user.click(await reference.findByRole('link', { name: 'Security tips' }));
  await waitFor(() => expect(selected()).toEqual(['Authentication']));
  expect(address()).toBe('/docs');
});

test('a search without a match says so, and a search in the URL is shown', async () => {
  const { goTo } = openPortal('/docs?q=nothing%20like%20it#reference');
  const reference = within(await panel('API Reference'));
  await waitFor(() =>
    expect(reference.getByRole('status', { name: 'Search' })).toHaveTextContent(
      'No endpoint matches “nothing like it”.',
    ),
  );
  expect(reference.queryAllByRole('heading')).toEqual([]);
  await goTo('/docs?q=balance#reference');
  await waitFor(() => expect(search()).toHaveValue('balance'));
});

test('an endpoint that is only an illustration is marked as one and has neither code to copy nor a link to try it', async () => {
  openPortal('/docs#reference');
  const pools = within(await panel('API Reference')).getByRole('region', { name: 'List pools' });
  expect(pools).toHaveTextContent('Illustration');
  expect(within(pools).queryByRole('button')).not.toBeInTheDocument();
  expect(within(pools).queryByRole('link', { name: /^Try it/ })).not.toBeInTheDocument();
  const balance = screen.getByRole('region', { name: 'Get wallet balance' });
  expect(within(balance).getByRole('link', { name: /^Try it/ })).toHaveAttribute(
    'href',
    '/docs?endpoint=walletBalance#explorer',
  );
});

test('if the configuration names another site, links to the documentation open it in a new tab', async () => {
  const { docs } = config.links;
  config.links.docs = 'https://docs.example.com/start';
  try {
    openPortal('/faq', { as: 'visitor' });
    const link = await screen.findByRole('link', { name: /^Docs/ });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([
      'https://docs.example.com/start',
      '_blank',
    ]);
  } finally {
    config.links.docs = docs;
  }
});

test('the explorer keeps its endpoint and its input while another tab is open', async () => {
  const { user } = openPortal('/docs?endpoint=token#explorer', { as: 'visitor' });
  const explorer = within(await panel('API Explorer'));
  await user.type(await explorer.findByLabelText('API key'), 'oid_typed');
  await user.click(screen.getByRole('tab', { name: 'Authentication' }));
  await panel('Authentication');
  await user.click(screen.getByRole('tab', { name: 'API Explorer' }));
  const again = within(await panel('API Explorer'));
  expect(again.getByLabelText('API key')).toHaveValue('oid_typed');
  expect(again.getByText('/api/v1/tokens/{id}')).toBeInTheDocument();
});
