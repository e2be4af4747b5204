import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { transactionsCoverage } from '@orange-id/contract/metered.paths';
import { numberToHex } from 'viem';
import { WAITS } from '../config/waits.js';
import { Anvil, startAnvil } from '../testing/anvil.js';
import { seedKey, SeededKey } from '../testing/seed.key.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { withWait } from '../testing/with.wait.js';
import { ChainClient } from './chain.client.js';
import { TransactionsService } from './transactions.service.js';

/** Accounts of anvil, which send without signing. */
const [ada, bob, carol] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
] as const;
const ether = 10n ** 18n;

describe('the transactions of an address', () => {
  let node: Anvil;
  let portal: TestApp;
  let caller: SeededKey;
  beforeAll(async () => {
    node = await startAnvil();
    portal = await startTestApp({ ETH_RPC_URL: node.url });
    caller = await seedKey(portal);
    await node.rpc('evm_setAutomine', [false]);
  });
  afterAll(async () => {
    await portal.close();
    await node.stop();
  });

  const get = (query: string, { key } = caller) =>
    portal.call('GET', `/api/v1/wallet/transactions?${query}`, { headers: { 'x-api-key': key } });
  const send = (from: string, to: string | null, value = 0n, data = '0x') =>
    node.rpc('eth_sendTransaction', [
      { from, ...(to === null ? {} : { to }), value: numberToHex(value), data, gas: '0x30000' },
    ]) as Promise<string>;
  const mine = async (blocks = 1): Promise<number> => {
    await node.rpc('anvil_mine', [numberToHex(blocks)]);
    return Number(await node.rpc('eth_blockNumber', []));
  };

  test('are those it sent and received, newest first, with the details that a node provides', async () => {
    const out = await send(ada, bob, ether / 4n);
    const first = await mine();
    const [incoming, own] = [await send(bob, ada, 3n), await send(ada, ada)];
    await send(bob, carol, ether);
    const creation = await send(ada, null, 0n, '0x600160005260206000f3');
    const second = await mine();
    const { status, body } = await get(`address=${ada.toLowerCase()}&blocks=2`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      address: ada,
      scanned: { from_block: first, to_block: second },
      latest_block: second,
      next: first - 1,
      coverage: transactionsCoverage,
    });
    const found = new Map<string, object>(
      body.transactions.map((one: { hash: string }) => [one.hash, one] as const),
    );
    expect([...found.keys()].sort()).toEqual([out, incoming, own, creation].sort());
    expect(body.transactions.at(-1).hash).toBe(out);
    const common = { currency: 'ETH', timestamp: expect.stringMatching(/^\d{4}-.*\.000Z$/) };
    expect(found.get(out)).toEqual({
      ...common,
      hash: out,
      block_number: first,
      from: ada,
      to: bob,
      value: '0.25',
      direction: 'out',
    });
    expect(found.get(incoming)).toMatchObject({ from: bob, value: '0.000000000000000003', direction: 'in' });
    expect(found.get(own)).toMatchObject({ direction: 'self', value: '0' });
    expect(found.get(creation)).toMatchObject({ to: null, direction: 'out', block_number: second });
  });

  test('are found once each by following the cursor to the first block', async () => {
    const hashes: string[] = [];
    for (let round = 0; round < 5; round++) {
      hashes.push(await send(carol, bob, 1n));
      await mine(9);
    }
    const seen: string[] = [];
    const blocks: number[] = [];
    let query = `address=${carol}&blocks=7`;
    let next: number | null;
    do {
      const { body } = await get(query);
      seen.push(...body.transactions.map(({ hash }: { hash: string }) => hash));
      for (let block = body.scanned.to_block; block >= body.scanned.from_block; block--) blocks.push(block);
      next = body.next;
      query = `address=${carol}&blocks=7&cursor=${next}`;
    } while (next !== null);
    expect(seen.filter((hash) => hashes.includes(hash))).toEqual(hashes.reverse());
    const latest = Number(await node.rpc('eth_blockNumber', []));
    expect(blocks).toEqual(Array.from({ length: latest + 1 }, (_, place) => latest - place));
  });

  test('end with the block that fills the response, and the cursor continues before it', async () => {
    const address = '0x000000000000000000000000000000000000dEaD';
    const before = await mine();
    await send(bob, address, 7n);
    await mine();
    // One at a time: the node assigns the sender's nonces.
    for (let sent = 0; sent < limits.transactionsPerAnswer + 5; sent++) await send(ada, address, 1n);
    const long = await mine();
    await mine(1);
    const first = await get(`address=${address}&blocks=10`);
    expect(first.body.transactions).toHaveLength(limits.transactionsPerAnswer + 5);
    expect(first.body.scanned).toEqual({ from_block: long, to_block: long + 1 });
    const second = await get(`address=${address}&blocks=10&cursor=${first.body.next}`);
    expect(second.body.transactions).toMatchObject([{ block_number: before + 1, from: bob }]);
  });

  test('are read from 10 blocks by default', async () => {
    const latest = await mine(30);
    const { body } = await get(`address=${ada}`);
    expect(body.scanned).toEqual({ from_block: latest - 9, to_block: latest });
  });

  test.each([
    ['blocks=0', 'blocks: must be a whole number from 1 to 20 (given "0")'],
    ['blocks=21', 'blocks: must be a whole number from 1 to 20 (given "21")'],
    ['blocks=1e1', 'blocks: must be a whole number from 1 to 20 (given "1e1")'],
    ['blocks=5&blocks=6', 'blocks: must be given once'],
    ['cursor=-1', 'cursor: must be a whole number from 0 to 9007199254740991 (given "-1")'],
    ['cursor=99999999999999999999', 'cursor: must be a whole number from 0 to 9007199254740991'],
    ['cursor=9007199254740991', /^cursor: must be at most \d+, the latest block \(given 9007199254740991\)$/],
    ['page=2', /^page: isn’t a parameter of .*, which takes address, blocks, cursor$/],
  ])('returns 400 for %s, naming the value and what is allowed', async (query, message) => {
    const { status, body } = await get(`address=${ada}&${query}`);
    expect([status, body.code]).toEqual([400, 'request.invalid']);
    if (typeof message === 'string') expect(body.message).toContain(message);
    else expect(body.message).toMatch(message);
  });

  test('returns 400 for a project’s key without an address, and 200 for a saved key whose owner has a wallet', async () => {
    expect((await get('blocks=1')).body.code).toBe('wallet.addressRequired');
    const saved = await seedKey(portal, { isSaved: true, ethAddress: bob });
    const { status, body } = await get('blocks=1', saved);
    expect([status, body.address]).toEqual([200, bob]);
  });

  test('returns 429 with Retry-After after too many requests with the keys of one owner, while other owners still get responses', async () => {
    const busy = await seedKey(portal);
    // Freezes the clock: attempts refill over time, and on a slow machine one could refill before the last call.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    try {
      for (let sent = 0; sent < limits.transactionScansPerMinute; sent++) {
        expect((await get(`address=${ada}&blocks=1`, busy)).status).toBe(200);
      }
      const second = await seedKey(portal, { userId: busy.userId });
      const refused = await get(`address=${ada}&blocks=1`, second);
      expect([refused.status, refused.body.code]).toEqual([429, 'request.rateLimited']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      clock.mockRestore();
    }
    expect((await get(`address=${ada}&blocks=1`)).status).toBe(200);
  });

  test('leaves scans for other owners while one owner asks with many keys at once', async () => {
    const first = await seedKey(portal);
    const more = await Promise.all(
      Array.from({ length: limits.transactionScansPerOwner }, () =>
        seedKey(portal, { userId: first.userId, isSaved: true }),
      ),
    );
    await node.freeze();
    const answers = await withWait(portal.app.get(WAITS), 'chainMs', 25_000, async () => {
      const scans = [first, ...more].map((seeded) => get(`address=${ada}`, seeded));
      let other: ReturnType<typeof get>;
      try {
        const refused = await Promise.race(scans);
        expect([refused.status, refused.body.code]).toEqual([429, 'request.rateLimited']);
        expect(refused.headers.get('retry-after')).toBe('1');
        other = get(`address=${ada}`);
      } finally {
        node.thaw();
      }
      expect((await other).status).toBe(200);
      return Promise.all(scans);
    });
    expect(answers.map(({ status }) => status).sort()).toEqual([...more.map(() => 200), 429]);
    expect((await get(`address=${ada}`, first)).status).toBe(200);
  }, 30_000);

  test('are not read any further once the caller has stopped waiting', async () => {
    const { node: chain } = portal.app.get(ChainClient);
    const requests = jest.spyOn(globalThis, 'fetch');
    const question = { address: ada, blocks: 10, cursor: undefined };
    const scan = portal.app.get(TransactionsService)['scan'](chain, question, performance.now() - 1);
    await expect(scan).rejects.toThrow('The blocks could not be read in time');
    const sent = requests.mock.calls.map(([, init]) => JSON.parse(String(init?.body)).method);
    requests.mockRestore();
    expect(sent.sort()).toEqual(['eth_blockNumber', 'eth_chainId']);
  });

  test('refuses one scan too many with 503 while the node is silent, and completes the others when the node responds again', async () => {
    const keys = await Promise.all(
      Array.from({ length: limits.transactionScans + 1 }, () => seedKey(portal)),
    );
    await node.freeze();
    // The scans wait until the node is back, however long the machine takes to start them.
    const answers = await withWait(portal.app.get(WAITS), 'chainMs', 25_000, async () => {
      const scans = keys.map((seeded) => get(`address=${ada}`, seeded));
      try {
        const refused = await Promise.race(scans);
        expect([refused.status, refused.body.code]).toEqual([503, 'server.busy']);
      } finally {
        node.thaw();
      }
      return Promise.all(scans);
    });
    expect(answers.map(({ status }) => status).sort()).toEqual([...keys.slice(1).map(() => 200), 503]);
    expect((await get(`address=${ada}`)).status).toBe(200);
    await node.freeze();
    const late = await withWait(portal.app.get(WAITS), 'chainMs', 200, () => get(`address=${ada}`));
    node.thaw();
    expect([late.status, late.body.code, late.headers.get('retry-after')]).toEqual([
      ...[503, 'chain.unavailable', '1'],
    ]);
  }, 30_000);
});

test('returns 503 with the reason if the node serves another chain', async () => {
  const node = await startAnvil({ chainId: 31_337 });
  const portal = await startTestApp({ ETH_RPC_URL: node.url });
  try {
    const { key } = await seedKey(portal);
    const answer = await portal.call('GET', `/api/v1/wallet/transactions?address=${ada}`, {
      headers: { 'x-api-key': key },
    });
    expect([answer.status, answer.body.code]).toEqual([503, 'chain.unavailable']);
    expect(answer.body.message).toContain('is on chain 31337, not on chain 1');
  } finally {
    await portal.close();
    await node.stop();
  }
});
