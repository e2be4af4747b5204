import { exampleCall } from '@orange-id/contract/example.call';
import { meteredPaths, type MeteredRouteId } from '@orange-id/contract/metered.paths';
import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { newEmail, password, register, signIn, type Account } from '../fixtures/account';
import { coinCode, startEthereumNode, type EthereumNode } from '../fixtures/ethereum.node';
import { axeFindings } from '../fixtures/axe';
import { tabTo } from '../fixtures/keyboard';
import { machineTest as test } from '../fixtures/machine';
import { registerWithProject } from '../fixtures/project';
import { tooWideElements } from '../fixtures/width';
import { ExplorerPage } from '../pages/explorer.page';
import { UsagePage } from '../pages/usage.page';

const coin = '0x00000000000000000000000000000000c0ffee01';
const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

let node: EthereumNode;
test.beforeAll(async () => {
  node = await startEthereumNode();
  await node.rpc('anvil_setCode', [coin, coinCode]);
  await node.rpc('anvil_setBalance', [address, '0x14d1120d7b160000']);
});
test.afterAll(() => node.stop());

/** The origins that a page sends requests to. */
function watchOrigins(page: Page): Set<string> {
  const origins = new Set<string>();
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http')) origins.add(origin);
  });
  return origins;
}

async function makeKey(page: Page, { accessToken }: Account, name: string): Promise<string> {
  const answer = await page.request.post('/api/keys', {
    data: { name },
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { key: string }).key;
}

/** Signs a new person in to a project, as a page on one of its sites does, and returns their access token. */
async function registerPlayer(request: APIRequestContext, code: string, site: string): Promise<string> {
  const answer = await request.post('/api/v1/auth/email/register', {
    headers: { origin: site, 'ocp-apim-subscription-key': code },
    data: { email: newEmail(), password, passwordConfirm: password },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return ((await answer.json()) as { token: { accessToken: string } }).token.accessToken;
}

test('a visitor calls every endpoint with a project’s key, and each answers', async ({
  page,
  request,
  machine,
  baseURL,
}) => {
  const site = 'https://play.example.com';
  const { account, apiKey, code } = await registerWithProject(request, [site], 'Explored');
  const player = await registerPlayer(request, code, site);
  await request.post(`/api/projects/${code}/games`, {
    headers: { authorization: `Bearer ${account.accessToken}` },
    data: { name: 'Coin Rush' },
  });
  const origins = watchOrigins(page);
  const explorer = new ExplorerPage(page);
  await explorer.goto();
  await expect(explorer.test).toBeDisabled();
  await explorer.typedKey.fill(apiKey);
  const wallet = privateKeyToAccount(generatePrivateKey());

  const called: MeteredRouteId[] = [];
  const call = async (id: MeteredRouteId, fill: () => Promise<void> = async () => {}) => {
    if (called.length > 0) await explorer.chooseEndpoint(id);
    await expect(page).toHaveURL(new RegExp(`/docs\\?endpoint=${id}#explorer$`));
    await fill();
    await explorer.send('200 OK');
    called.push(id);
    return explorer.answer();
  };
  const balance = await call('walletBalance', () => explorer.parameter('address').fill(address));
  expect(balance).toMatchObject({ address, balance: '1.5', currency: 'ETH' });
  await call('walletTransactions', async () => {
    await explorer.parameter('address').fill(address);
    await explorer.parameter('blocks').fill('1');
  });
  const { message, text } = await call('walletMessage', () =>
    explorer.parameter('address').fill(wallet.address),
  );
  const signature = await wallet.signMessage({ message: String(text) });
  const connected = await call('walletConnect', () =>
    explorer.body.fill(JSON.stringify({ message, signature })),
  );
  expect(connected).toMatchObject({ address: wallet.address });
  await call('tokens');
  await call('addToken', () => explorer.body.fill(JSON.stringify({ address: coin })));
  expect(await call('token', () => explorer.parameter('id').fill(coin))).toMatchObject({ symbol: 'COIN' });
  for (const id of ['gameData', 'saveGameData', 'addScore'] as const) {
    await call(id, async () => {
      await explorer.parameter('Authorization').fill(`Bearer ${player}`);
      if (id === 'saveGameData') await explorer.body.fill(JSON.stringify({ data: { level: 3 }, version: 0 }));
    });
  }
  expect(await call('leaderboard')).toMatchObject({ scores: [{ rank: 1, name: null, score: 1250 }] });
  expect(await call('key')).toMatchObject({ project: { name: 'Explored' } });

  // The other endpoints succeed with the examples in `meteredPaths`.
  for (const id of (Object.keys(meteredPaths) as MeteredRouteId[]).filter((each) => !called.includes(each))) {
    const { parameters = {}, body } = exampleCall(meteredPaths[id]);
    await call(id, async () => {
      for (const [name, value] of Object.entries(parameters)) await explorer.parameter(name).fill(value);
      if (body !== undefined) await explorer.body.fill(JSON.stringify(body));
    });
  }

  expect(called.sort()).toEqual(Object.keys(meteredPaths).sort());
  await machine('explorer').is('answered');
  expect([...origins]).toEqual([baseURL]);
});

test('a call with a saved key is found in Usage through its link, with the keyboard only', async ({
  page,
  request,
}) => {
  const account = await register(request);
  await makeKey(page, account, 'Older');
  await makeKey(page, account, 'Newer');
  await signIn(page, account);
  const explorer = new ExplorerPage(page);
  await explorer.goto();
  await expect(explorer.root.getByText(/^Newer \(/)).toBeVisible();
  await expect(explorer.test).toBeEnabled();

  const { keyboard } = page;
  await explorer.endpoint.focus();
  await keyboard.press('ArrowDown');
  // ArrowUp moves from the first option to the last.
  await keyboard.press('ArrowUp');
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\?endpoint=key#explorer$/);
  await tabTo(page, explorer.test);
  await keyboard.press('Enter');
  await expect(explorer.toast('Request successful')).toBeVisible();
  await expect(explorer.test).toBeFocused();
  expect(await explorer.answer()).toMatchObject({ project: null, name: 'Newer' });
  await tabTo(page, explorer.recorded);
  await keyboard.press('Enter');

  const usage = new UsagePage(page);
  await expect(usage.detail).toContainText('Call 1');
  await expect(usage.field('Endpoint')).toContainText('/api/v1/key');
  await expect(usage.field('API key')).toContainText('Newer');
  await expect(usage.rows).toHaveCount(1);
});

test('the explorer sends no invalid call, shows refusals and failures, and ignores cancelled and outdated calls', async ({
  page,
  request,
  machine,
}) => {
  const account = await register(request);
  await makeKey(page, account, 'Server');
  await signIn(page, account);
  const explorer = new ExplorerPage(page);
  await explorer.goto();
  await explorer.choose(explorer.keyChoice, 'Another key');
  await explorer.anotherKey.fill('oid_wrong');

  await explorer.parameter('address').fill('vitalik.eth');
  await explorer.test.click();
  await expect(explorer.root.getByText('Address is invalid.')).toBeVisible();
  await expect(explorer.parameter('address')).toBeFocused();
  await explorer.parameter('address').fill('');
  await explorer.send('401 Unauthorized');
  await expect(explorer.toast('Request failed')).toBeVisible();
  await expect(explorer.responseBody).toContainText('"message": "Invalid API key"');
  await explorer.parameter('address').fill('0x12');
  await explorer.test.click();
  await expect(explorer.parameter('address')).toHaveAttribute('aria-invalid', 'true');

  await explorer.parameter('address').fill(address);
  await explorer.send('401 Unauthorized');

  await explorer.choose(explorer.keyChoice, 'Server');
  await explorer.chooseEndpoint('addToken');
  let isHeld = false;
  await page.route('**/api/v1/tokens', (route) => (isHeld ? undefined : route.abort()));
  await explorer.send('0 No response');
  await expect(explorer.response.getByRole('alert')).toContainText('The server couldn’t be reached.');
  await explorer.body.fill('{');
  await explorer.test.click();
  await expect(explorer.root.getByText(/^The body isn’t valid JSON/)).toBeVisible();
  await explorer.body.fill(JSON.stringify({ address: coin }));

  isHeld = true;
  await explorer.test.click();
  await machine('explorer').is('requesting');
  await explorer.cancel.click();
  await machine('explorer').is('editing');
  await explorer.test.click();
  await machine('explorer').is('requesting');
  await explorer.chooseEndpoint('walletBalance');
  await machine('explorer').is('editing');
  await expect(explorer.response).toContainText('Test the API to see');

  await explorer.examples.click();
  await explorer.root.getByText('Python', { exact: true }).click();
  await expect(explorer.root.getByRole('group', { name: 'Python script' })).toContainText(
    `/api/v1/wallet/balance?address=${address}`,
  );
});

test('the explorer passes axe in both themes and fits a phone, with a response, an invalid field and code', async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await explorer.goto();
  await explorer.typedKey.fill('oid_wrong');
  await explorer.send('401 Unauthorized');
  await explorer.response.getByText(/^Headers/).click();
  await explorer.parameter('address').fill('0x12');
  await explorer.test.click();
  await expect(explorer.root.getByText('Address is invalid.')).toBeVisible();
  const within = '[data-machine="explorer"]';
  expect(await axeFindings(page, { within })).toEqual([]);

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await axeFindings(page, { within, isSecondLook: true })).toEqual([]);
  expect(await tooWideElements(page)).toEqual([]);
  await explorer.chooseEndpoint('walletConnect');
  await explorer.examples.click();
  await explorer.root.getByText('Python', { exact: true }).click();
  await expect(explorer.root.getByRole('group', { name: 'Python script' })).toBeVisible();
  expect(await axeFindings(page, { within, isSecondLook: true })).toEqual([]);
  expect(await tooWideElements(page)).toEqual([]);
});
