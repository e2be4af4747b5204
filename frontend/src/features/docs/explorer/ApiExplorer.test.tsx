import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import { meteredPaths } from '@orange-id/contract/metered.paths';
import { unusedKey } from '@orange-id/contract/saved.key.fixture';
import { serverTimingOf } from '@orange-id/contract/server.timing';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import type { UsageKey, UsageRow } from '@orange-id/contract/usage.schema';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { copiedText } from '../../../testing/clipboard';
import { expectToast } from '../../../testing/expect.toast';
import { keepProjects } from '../../../testing/kept.projects';
import { json, network, refusal, silence } from '../../../testing/network';
import { config, openPortal, type Portal } from '../../../testing/open.portal';
import { pageOutline } from '../../../testing/page.outline';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const balance = { address, balance: '1.5', currency: 'ETH', usd_value: 4500 };
const typedKey = 'oid_4fGhJk2mNpQrStVwXyZ1a2b3c4d5e6f7g8';
const projectKey = `oid_${'1'.padStart(33, 'k')}`;
const saved = (id: string, name: string, more: Partial<SavedKey> = {}) => ({
  ...unusedKey,
  id,
  name,
  key: `oid_${id.repeat(33)}`,
  ...more,
});
const usageKey = (id: string, key: string): UsageKey => ({
  id,
  name: 'Mine',
  ...apiKeyEnds(key),
  projectId: null,
  isActive: true,
});

/** The requests to the endpoints, as they reached the network. */
let calls: Request[];
beforeEach(() => {
  calls = [];
});

/** Answers the calls to one path, with the response time that Usage stores. */
function answerCalls(
  path: string,
  answer: () => Response | Promise<Response>,
  serverMs: number | null = 3.25,
) {
  const note = async ({ request }: { request: Request }) => {
    calls.push(request.clone());
    const response = await answer();
    if (serverMs !== null) response.headers.set('server-timing', serverTimingOf(serverMs));
    return response;
  };
  network.use(http.get(path, note), http.post(path, note));
}
const answerBalance = (serverMs?: number | null) =>
  answerCalls('/api/v1/wallet/balance', () => json(balance), serverMs);

/**
 * Mocks Usage with the account's keys and with rows that it returns for any filter. Returns the queries by endpoint.
 */
function answerUsage(keys: UsageKey[], rows: UsageRow[]) {
  const asked: URLSearchParams[] = [];
  network.use(
    http.get('/api/usage/keys', () => json(keys)),
    http.get('/api/usage', ({ request }) => {
      const { searchParams } = new URL(request.url);
      // The live connection reads the newest row too.
      if (searchParams.has('endpoint')) asked.push(searchParams);
      return json({ rows, next: null });
    }),
  );
  return asked;
}

const open = (endpoint = 'walletBalance', as: 'developer' | 'visitor' = 'visitor') =>
  openPortal(`/docs?endpoint=${endpoint}#explorer`, { as });

async function openAsVisitor(endpoint?: string) {
  const portal = open(endpoint);
  const key = await screen.findByLabelText<HTMLInputElement>('API key');
  return { ...portal, key };
}

/** Pastes a text into a field; typing it would render the page once per character. */
async function fill(user: Portal['user'], field: HTMLElement, text: string) {
  await user.click(field);
  await user.paste(text);
}

/** Enters a key and sends the call with the Enter key. */
async function enterKey(user: Portal['user'], field: HTMLElement, text: string) {
  await fill(user, field, text);
  await waitFor(() => expect(testApi()).toBeEnabled());
  await user.keyboard('{Enter}');
}

const button = (name: string) => screen.getByRole('button', { name });
const testApi = () => button('Test API');
const response = () => within(screen.getByRole('region', { name: 'Response' }));
const choose = async ({ user }: Pick<Portal, 'user'>, box: string, option: string | RegExp) => {
  await user.click(screen.getByRole('combobox', { name: box }));
  await user.click(
    await screen.findByText(option, { selector: '.explorer_option, .ant-select-item-option-content' }),
  );
};

const outline = () => pageOutline(document.querySelector('[data-machine="explorer"]') as Element).join('\n');

describe('the form', () => {
  test.each(Object.keys(meteredPaths))('of %s has the content of its snapshot', async (endpoint) => {
    await openAsVisitor(endpoint);
    expect(outline()).toMatchSnapshot();
  });

  test('starts with the wallet balance, a password input for the key and an optional address', async () => {
    const { key } = await openAsVisitor();
    expect(document.querySelector('.explorer_about')).toHaveTextContent(
      'GET /api/v1/wallet/balance The balance of an Ethereum address, read from the chain.',
    );
    expect(key).toHaveAttribute('type', 'password');
    expect(screen.getByLabelText('address (optional)')).toHaveValue(address);
    expect(screen.getByRole('tab', { name: 'Configure' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('tab', { name: 'Code Examples' })).toBeInTheDocument();
    const samples = within(screen.getByRole('region', { name: 'Sample responses' }));
    expect(samples.getByRole('group', { name: 'sample response 200' })).toHaveTextContent(
      JSON.stringify(balance, null, 2).replace(/\s+/g, ' '),
    );
    expect(samples.getByRole('group', { name: 'sample response 401' })).toHaveTextContent(
      '"message": "Invalid API key"',
    );
  });

  test('Test API is disabled while a request is pending, and without a key, with the reason', async () => {
    answerCalls('/api/v1/wallet/balance', silence);
    const { user, key, machine } = await openAsVisitor();
    expect(testApi()).toBeDisabled();
    expect(testApi()).toHaveAccessibleDescription('API key is required');
    await fill(user, key, '  ');
    expect(testApi()).toBeDisabled();
    await fill(user, key, typedKey);
    await waitFor(() => expect(testApi()).toBeEnabled());
    expect(testApi()).not.toHaveAccessibleDescription();
    await user.click(testApi());
    await machine('explorer').is('requesting');
    expect(button('Testing...')).toBeDisabled();
    await user.click(button('Cancel'));
    await machine('explorer').is('editing');
    expect(testApi()).toBeEnabled();
    await waitFor(() => expect(testApi()).toHaveFocus());
  });

  test('a call with invalid fields is not sent: each of them says why, and the first has the focus', async () => {
    const { user, key, machine } = await openAsVisitor('walletTransactions');
    await fill(user, key, typedKey);
    await fill(user, screen.getByLabelText('address (optional)'), 'vitalik.eth');
    await fill(user, screen.getByLabelText('blocks (optional)'), '99');
    await user.click(testApi());
    const field = screen.getByLabelText('address (optional)');
    await waitFor(() => expect(field).toHaveFocus());
    expect(field).toHaveAccessibleDescription('Address is invalid.');
    expect(screen.getByLabelText('blocks (optional)')).toHaveAccessibleDescription(
      'Must be a whole number from 1 to 20.',
    );
    expect(machine('explorer').state()).toBe('editing');
    await user.clear(field);
    expect(field).toBeValid();
  });

  test('choosing another endpoint changes the URL and keeps what was typed', async () => {
    const portal = await openAsVisitor();
    await fill(portal.user, portal.key, typedKey);
    const other = `0x${'1'.repeat(40)}`;
    await portal.user.clear(screen.getByLabelText('address (optional)'));
    await fill(portal.user, screen.getByLabelText('address (optional)'), other);
    await choose(portal, 'Endpoint', /^Add a token/);
    expect(portal.address()).toBe('/docs?endpoint=addToken');
    expect(await screen.findByLabelText('Body (JSON)')).toHaveValue(
      '{\n  "address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"\n}',
    );
    expect(screen.getByLabelText('API key')).toHaveValue(typedKey);
    await choose(portal, 'Endpoint', /^Get wallet balance/);
    expect(await screen.findByLabelText('address (optional)')).toHaveValue(other);
  });

  test('the typed key is in no URL, no storage and no code example', async () => {
    answerBalance();
    const { user, key, machine } = await openAsVisitor();
    await fill(user, key, typedKey);
    await user.click(testApi());
    await machine('explorer').is('answered');
    await user.click(screen.getByRole('tab', { name: 'Code Examples' }));
    expect(await screen.findByRole('group', { name: 'curl command' })).toHaveTextContent('YOUR_API_KEY');
    expect(document.body.innerHTML.replace(/value="[^"]*"/g, '')).not.toContain(typedKey);
    expect(window.location.href + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain(
      typedKey,
    );
    expect(calls[0]?.url).not.toContain(typedKey);
  });

  test('a player’s token is sent as a header, and is in no code example', async () => {
    answerCalls('/api/v1/games/coin-rush/data', () => json({ data: null, version: 0, saved_at: null }));
    const { user, key, machine } = await openAsVisitor('gameData');
    await user.clear(screen.getByLabelText('Authorization (header)'));
    await fill(user, screen.getByLabelText('Authorization (header)'), 'Bearer a.player.token');
    await enterKey(user, key, typedKey);
    await machine('explorer').is('answered');
    expect(calls[0]?.headers.get('authorization')).toBe('Bearer a.player.token');
    await user.click(screen.getByRole('tab', { name: 'Code Examples' }));
    expect(await screen.findByRole('group', { name: 'curl command' })).toHaveTextContent(
      'Authorization: Bearer PLAYER_ACCESS_TOKEN',
    );
    expect(calls[0]?.url).not.toContain('player');
  });
});

describe('a response', () => {
  test('shows its status, time, headers and formatted body, after a call with exactly the given values', async () => {
    answerBalance();
    const { user, key } = await openAsVisitor();
    await fill(user, key, ` ${typedKey} `);
    await user.click(testApi());
    await expectToast('Request successful');
    expect(response().getByText('200 OK')).toBeInTheDocument();
    expect(response().getByText(/ in total$/)).toHaveTextContent(/^[\d.]+ m?s in total$/);
    expect(response().getByText('3.3 ms at the server')).toBeInTheDocument();
    expect(response().getByRole('group', { name: 'response body' }).textContent).toBe(
      JSON.stringify(balance, null, 2),
    );
    await user.click(response().getByText(/^Headers \(\d+\)$/));
    expect(response().getByText('content-type')).toBeInTheDocument();
    expect(response().getByText('The owner of the key sees this call in Usage.')).toBeInTheDocument();

    expect(calls).toHaveLength(1);
    const [call] = calls;
    expect([call?.method, call?.url]).toEqual([
      'GET',
      `http://localhost/api/v1/wallet/balance?address=${address}`,
    ]);
    expect(call?.headers.get('x-api-key')).toBe(typedKey);
    expect(call?.headers.get('content-type')).toBe('application/json');
    expect(call?.headers.get('authorization')).toBeNull();
    expect(call?.credentials).toBe('omit');
  });

  test('with an error status shows its status and message, and a toast says that the request failed', async () => {
    answerCalls('/api/v1/wallet/balance', () => refusal(401, 'Invalid API key', 'key.invalid'), null);
    const { user, key } = await openAsVisitor();
    await enterKey(user, key, 'oid_wrong');
    await expectToast('Request failed', '401 Unauthorized');
    expect(response().getByText('401 Unauthorized')).toBeInTheDocument();
    expect(response().getByRole('group', { name: 'response body' })).toHaveTextContent(
      '"message": "Invalid API key"',
    );
    expect(
      response().getByText('No account has this key, so Usage doesn’t list the call.'),
    ).toBeInTheDocument();
  });

  test('that never arrives is shown as status 0 with the reason, until the next one replaces it', async () => {
    answerCalls('/api/v1/wallet/balance', () => HttpResponse.error(), null);
    const { user, key } = await openAsVisitor();
    await fill(user, key, typedKey);
    await user.click(testApi());
    await expectToast('Request failed', 'The server couldn’t be reached.');
    expect(response().getByText('0 No response')).toBeInTheDocument();
    expect(response().getByRole('alert')).toHaveTextContent(
      'The server couldn’t be reached. Check your connection and try again.',
    );
    answerBalance();
    await user.click(testApi());
    await expectToast('Request successful');
    expect(response().queryByRole('alert')).not.toBeInTheDocument();
  });

  test('that takes longer than 30 s counts as failed, with the reason', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    answerCalls('/api/v1/wallet/balance', silence);
    const { user, key, machine } = await openAsVisitor();
    await fill(user, key, typedKey);
    await user.click(testApi());
    await machine('explorer').is('requesting');
    await waitFor(() => expect(calls).toHaveLength(1));
    act(() => void jest.advanceTimersByTime(30_000));
    await machine('explorer').is('failed');
    expect(response().getByRole('alert')).toHaveTextContent('The server didn’t respond within 30 s.');
  });

  test('that isn’t JSON is shown as text, an empty one is reported as empty, and only the start of a huge one is shown', async () => {
    const { user, key } = await openAsVisitor();
    await fill(user, key, typedKey);
    const bodyAfter = async (text: string) => {
      answerCalls('/api/v1/wallet/balance', () => new HttpResponse(text));
      await user.click(testApi());
      await waitFor(() => expect(testApi()).toBeEnabled());
    };
    await bodyAfter('<h1>Bad gateway</h1>');
    expect(response().getByRole('group', { name: 'response body' }).textContent).toBe('<h1>Bad gateway</h1>');
    expect(response().getByText('Text')).toBeInTheDocument();
    await bodyAfter('');
    expect(response().getByText('The response has no body.')).toBeInTheDocument();
    await bodyAfter('é'.repeat(1_000_000));
    expect(response().getByRole('group', { name: 'response body' }).textContent).toHaveLength(131_072);
    expect(response().getByText('The response is longer. This is the start of it.')).toBeInTheDocument();
  });
});

describe('a request', () => {
  test('with a body sends it as typed, and is not sent while the body isn’t valid JSON', async () => {
    answerCalls('/api/v1/tokens', () => json({}));
    const { user, key } = await openAsVisitor('addToken');
    await fill(user, key, typedKey);
    const body = screen.getByLabelText('Body (JSON)');
    await user.clear(body);
    await user.click(body);
    await user.paste('{"address": 1,');
    await user.click(testApi());
    await waitFor(() => expect(body).toHaveFocus());
    expect(body).toHaveAccessibleDescription(/^The body isn’t valid JSON: /);
    await user.paste(' "more": [true, null]}');
    await user.click(testApi());
    await expectToast('Request successful');
    expect(await calls[0]?.json()).toEqual({ address: 1, more: [true, null] });
  });

  test('with a path parameter goes to the path with the parameter filled in', async () => {
    answerCalls('/api/v1/tokens/:id', () => json({}));
    const { user, key } = await openAsVisitor('token');
    await enterKey(user, key, typedKey);
    await expectToast('Request successful');
    expect(calls[0]?.url).toBe('http://localhost/api/v1/tokens/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48');
  });
});

describe('the keys of a signed-in user', () => {
  test('can be chosen by name, with the newest chosen at first, and another key can still be typed', async () => {
    network.use(
      http.get('/api/keys', () =>
        json([saved('2', 'Server'), saved('1', 'Laptop', { replacedAt: '2026-01-02T03:04:05.000Z' })]),
      ),
    );
    answerBalance();
    answerUsage([], []);
    const portal = open('walletBalance', 'developer');
    expect(await screen.findByTitle('Server (oid_2222••••2222)')).toBeInTheDocument();
    expect(testApi()).toBeEnabled();
    expect(screen.getByRole('combobox', { name: 'API key' })).toHaveAccessibleDescription(
      'Choose one of your keys, or paste another.',
    );
    await choose(portal, 'API key', 'Laptop (oid_1111••••1111), replaced');
    await portal.user.click(testApi());
    await expectToast('Request successful');
    await choose(portal, 'API key', 'Another key');
    expect(testApi()).toBeDisabled();
    await fill(portal.user, screen.getByLabelText('Another API key'), typedKey);
    await portal.user.click(testApi());
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(calls.map(({ headers }) => headers.get('x-api-key'))).toEqual([saved('1', '').key, typedKey]);
  });

  test('include those of projects, in their own group, which make the call as well', async () => {
    network.use(http.get('/api/keys', () => json([saved('2', 'Server')])));
    keepProjects({ name: 'Coin Rush' });
    answerBalance();
    answerUsage([usageKey('9', projectKey)], []);
    const portal = open('walletBalance', 'developer');
    await screen.findByTitle('Server (oid_2222••••2222)');
    await portal.user.click(screen.getByRole('combobox', { name: 'API key' }));
    const groups = await screen.findAllByText(/.*/, { selector: '.ant-select-item-group' });
    expect(groups.map(({ textContent }) => textContent)).toEqual(['API Keys', 'Projects', 'Other']);
    await portal.user.click(
      await screen.findByText('Coin Rush (oid_kkkk••••kkk1)', {
        selector: '.ant-select-item-option-content',
      }),
    );
    await portal.user.click(testApi());
    await expectToast('Request successful');
    expect(calls[0]?.headers.get('x-api-key')).toBe(projectKey);
  });

  test('of a project are offered to an account without saved keys', async () => {
    keepProjects({ name: 'Coin Rush' });
    open('walletBalance', 'developer');
    expect(await screen.findByTitle('Coin Rush (oid_kkkk••••kkk1)')).toBeInTheDocument();
    expect(testApi()).toBeEnabled();
  });

  test('can’t be chosen while they load', async () => {
    network.use(http.get('/api/keys', silence));
    open('walletBalance', 'developer');
    await waitFor(() => {
      const box = screen.getByRole('combobox', { name: 'API key' });
      expect(box).toHaveAccessibleDescription('Loading your keys...');
      expect(box).toBeDisabled();
    });
  });

  test('are replaced by an input if there are none or the list fails to load, and Retry reloads the list', async () => {
    network.use(http.get('/api/keys', () => new HttpResponse('no', { status: 500 })));
    const { user } = open('walletBalance', 'developer');
    expect(await screen.findByText(/^Failed to load your keys: /)).toBeInTheDocument();
    expect(screen.getByLabelText('API key')).toHaveAttribute('type', 'password');
    network.use(http.get('/api/keys', () => json([])));
    await user.click(button('Retry'));
    expect(await screen.findByText(/^It’s sent to this portal only/)).toHaveTextContent(
      'To choose a key by name, create one in API Keys.',
    );
  });
});

test('if the portal’s Ethereum node can’t be reached, the page says so and offers the call that needs none', async () => {
  answerCalls('/api/v1/wallet/balance', () =>
    refusal(503, 'The Ethereum node can’t be reached. Try again later', 'chain.unavailable'),
  );
  const portal = await openAsVisitor();
  await enterKey(portal.user, portal.key, typedKey);
  const note = await response().findByRole('note');
  expect(note).toHaveTextContent('The portal can’t reach its Ethereum node');
  await portal.user.click(within(note).getByRole('button', { name: 'Try it' }));
  await waitFor(() => expect(portal.address()).toBe('/docs?endpoint=key'));
  expect(document.querySelector('.explorer_about')).toHaveTextContent('GET /api/v1/key');
});

describe('the call in Usage', () => {
  const row = (seq: number, responseTime = 3.25): UsageRow =>
    usageRowOf(seq, { keyId: '2', endpoint: '/api/v1/wallet/balance', responseTime });

  async function callWith(rows: UsageRow[], serverMs: number | null = 3.25) {
    network.use(http.get('/api/keys', () => json([saved('2', 'Server')])));
    answerBalance(serverMs);
    const asked = answerUsage([usageKey('2', saved('2', '').key)], rows);
    const portal = open('walletBalance', 'developer');
    await screen.findByTitle('Server (oid_2222••••2222)');
    await portal.user.click(testApi());
    await expectToast('Request successful');
    return { ...portal, asked };
  }

  test('is linked by its number if it is the only one of the key with the same response time', async () => {
    const { asked } = await callWith([row(1_235, 3.251), row(1_234), row(1_233, 3.249)]);
    expect(await response().findByRole('link', { name: 'View this call in Usage' })).toHaveAttribute(
      'href',
      '/usage?call=1234',
    );
    expect(asked[0]?.get('endpoint')).toBe('/api/v1/wallet/balance');
    expect(['keyId', 'method', 'status'].map((name) => asked[0]?.get(name))).toEqual(['2', 'GET', '200']);
  });

  test('is never guessed: if several fit, the link leads to all of them', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const { asked } = await callWith([row(1), row(2)]);
    for (let reads = 1; reads < 5; reads++) {
      await waitFor(() => expect(asked).toHaveLength(reads));
      act(() => void jest.advanceTimersByTime(1_500));
    }
    const similar = await response().findByRole('link', { name: 'See similar calls' });
    expect(similar.parentElement).toHaveTextContent(
      'This call can’t be told apart in Usage yet. See similar calls',
    );
    expect(similar).toHaveAttribute(
      'href',
      '/usage?keyId=2&endpoint=%2Fapi%2Fv1%2Fwallet%2Fbalance&method=GET&status=200',
    );
  });

  test('is described as possibly combined with others if its response has no server time', async () => {
    const { asked } = await callWith([row(1)], null);
    expect(
      await response().findByText(/^Usage may combine this call with others like it\./),
    ).toBeInTheDocument();
    expect(asked).toEqual([]);
  });

  test('is looked for until Usage responds', async () => {
    const { user } = await callWith([]);
    network.use(http.get('/api/usage', silence));
    await user.click(testApi());
    expect(await response().findByText('Looking for this call in Usage...')).toBeInTheDocument();
  });

  test('with a typed key is left to the user to find if their keys can’t be read', async () => {
    answerBalance();
    network.use(http.get('/api/usage/keys', () => refusal(500, 'internal')));
    const { user } = open('walletBalance', 'developer');
    await screen.findByText(/^It’s sent to this portal only/);
    await enterKey(user, screen.getByLabelText('API key'), typedKey);
    expect(
      await response().findByText('Usage couldn’t be read. If the key is yours, this call is listed there.'),
    ).toBeInTheDocument();
  });

  test('with a typed key is found if the key is the user’s own; otherwise the page says that its owner sees it', async () => {
    answerBalance();
    answerUsage([usageKey('2', typedKey)], [row(7)]);
    const { user } = open('walletBalance', 'developer');
    await screen.findByText(/^It’s sent to this portal only/);
    await enterKey(user, screen.getByLabelText('API key'), typedKey);
    expect(await response().findByRole('link', { name: 'View this call in Usage' })).toBeInTheDocument();
    await user.clear(screen.getByLabelText('API key'));
    await enterKey(user, screen.getByLabelText('API key'), 'oid_someone-elses');
    expect(
      await response().findByText('This key isn’t one of yours. Its owner sees this call in Usage.'),
    ).toBeInTheDocument();
  });
});

describe('the code examples', () => {
  test('make the configured call in four languages, with a placeholder for the key', async () => {
    const { user, key } = await openAsVisitor();
    await fill(user, key, typedKey);
    await user.click(screen.getByRole('tab', { name: 'Code Examples' }));
    for (const [language, label, start] of [
      ['curl', 'curl command', 'curl -H'],
      ['fetch', 'fetch snippet', 'const response = await fetch('],
      ['Node.js', 'Node.js script', '// Node.js'],
      ['Python', 'Python script', 'import json'],
    ] as const) {
      await user.click(screen.getByText(language, { selector: '.ant-segmented-item-label' }));
      const code = (await screen.findByRole('group', { name: label })).textContent ?? '';
      expect(code.startsWith(start)).toBe(true);
      expect(code).toContain(`${config.publicUrl}/api/v1/wallet/balance?address=${address}`);
      expect(code).toContain('YOUR_API_KEY');
    }
  });

  test('show the chosen key masked and copy it whole, but never a typed one', async () => {
    network.use(http.get('/api/keys', () => json([saved('2', 'Server')])));
    const portal = open('key', 'developer');
    await screen.findByTitle('Server (oid_2222••••2222)');
    await portal.user.click(screen.getByRole('tab', { name: 'Code Examples' }));
    const code = await screen.findByRole('group', { name: 'curl command' });
    expect(code).toHaveTextContent('X-API-Key: oid_2222••••2222');
    await portal.user.click(button('Copy curl command'));
    expect(await copiedText()).toContain(`X-API-Key: ${saved('2', '').key}'`);
    expect(document.body.innerHTML).not.toContain(saved('2', '').key);
  });

  test('are copied as shown, and the button shows a check for 2 s', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const { user } = await openAsVisitor('key');
    await user.click(screen.getByRole('tab', { name: 'Code Examples' }));
    await user.click(await screen.findByRole('button', { name: 'Copy curl command' }));
    const copied = await screen.findByRole('button', { name: 'Copied!' });
    expect(copied.querySelector('.anticon-check')).toBeInTheDocument();
    expect(await copiedText()).toBe("curl -H 'X-API-Key: YOUR_API_KEY' \\\n  'http://localhost/api/v1/key'");
    act(() => void jest.advanceTimersByTime(1_900));
    expect(button('Copied!')).toBeInTheDocument();
    act(() => void jest.advanceTimersByTime(200));
    await waitFor(() => expect(button('Copy curl command')).toBeInTheDocument());
  });

  test('and the call have the typed body with its numbers as they were typed', async () => {
    answerCalls('/api/v1/tokens', () => new HttpResponse('{"amount":12345678901234567890,"rate":1.0}'));
    const { user, key } = await openAsVisitor('addToken');
    const typed = '{ "amount": 12345678901234567890, "rate": 1.0 }';
    await fill(user, key, typedKey);
    await user.clear(screen.getByLabelText('Body (JSON)'));
    await fill(user, screen.getByLabelText('Body (JSON)'), typed);
    await user.click(testApi());
    const shown = await response().findByRole('group', { name: 'response body' });
    expect(shown.textContent).toBe('{\n  "amount": 12345678901234567890,\n  "rate": 1.0\n}');
    expect(await calls[0]?.text()).toBe(typed);
    await user.click(screen.getByRole('tab', { name: 'Code Examples' }));
    for (const [language, label] of [
      ['curl', 'curl command'],
      ['fetch', 'fetch snippet'],
      ['Node.js', 'Node.js script'],
      ['Python', 'Python script'],
    ] as const) {
      await user.click(screen.getByText(language, { selector: '.ant-segmented-item-label' }));
      const code = (await screen.findByRole('group', { name: label })).textContent ?? '';
      expect(code.replaceAll('\\"', '"')).toContain(typed);
    }
  });

  test('have the example body while the typed one isn’t valid, and say so', async () => {
    const { user } = await openAsVisitor('addToken');
    const body = screen.getByLabelText('Body (JSON)');
    await user.clear(body);
    await user.click(screen.getByRole('tab', { name: 'Code Examples' }));
    expect((await screen.findByText(/isn’t valid JSON/)).parentElement).toHaveTextContent(
      'Replace YOUR_API_KEY with your key. On a server, read it from an environment variable. ' +
        'The body is the example, because the one in Configure isn’t valid JSON.',
    );
    expect(screen.getByRole('group', { name: 'curl command' })).toHaveTextContent('0xA0b86991c6218b36');
  });
});
