import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { concatHex, encodeAbiParameters, numberToHex } from 'viem';
import type { Hex } from 'viem';
import { Anvil, startAnvil } from '../testing/anvil.js';
import { seedKey, SeededKey } from '../testing/seed.key.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import {
  deployBytes32Token,
  deployRawToken,
  deployToken,
  placeFeed,
  placeNumber,
  type RawFacts,
} from '../testing/test.tokens.js';
import { AddedTokens } from './added.tokens.js';
import { tokenList } from './token.list.js';

const listed = (symbol: string) => tokenList.find((token) => token.symbol === symbol)!;
const now = () => Math.floor(Date.now() / 1000);
const text = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value]);
const nowhere = '0x00000000000000000000000000000000000A11cE';

describe('the tokens', () => {
  let node: Anvil;
  let portal: TestApp;
  let shop: SeededKey;
  beforeAll(async () => {
    node = await startAnvil();
    portal = await startTestApp({ ETH_RPC_URL: node.url });
    shop = await seedKey(portal);
  });
  afterAll(async () => {
    await portal.close();
    await node.stop();
  });

  const list = ({ key } = shop) => portal.call('GET', '/api/v1/tokens', { headers: { 'x-api-key': key } });
  const add = (address: unknown, { key } = shop) =>
    portal.call('POST', '/api/v1/tokens', { headers: { 'x-api-key': key }, body: { address } });
  const get = (address: string, { key } = shop) =>
    portal.call('GET', `/api/v1/tokens/${address}`, { headers: { 'x-api-key': key } });
  const addedOf = async (seeded: SeededKey): Promise<{ address: string; symbol: string }[]> =>
    (await list(seeded)).body.tokens.filter(({ source }: { source: string }) => source === 'added');

  describe('GET /api/v1/tokens', () => {
    test('returns the portal’s list with its source', async () => {
      const { status, body } = await list(await seedKey(portal));
      expect(status).toBe(200);
      expect(body.list).toMatchObject({ name: 'Aave token list', license: 'MIT' });
      expect(body.tokens).toHaveLength(tokenList.length);
      expect(body.tokens).toContainEqual({
        address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        name: 'USD Coin',
        symbol: 'USDC',
        decimals: 6,
        source: 'list',
        price_pair: 'USDC / USD',
      });
    });

    test('returns 429 with Retry-After when the keys of one owner ask for too many lists, and 200 to other owners', async () => {
      const busy = await seedKey(portal);
      const sameOwner = await seedKey(portal, { userId: busy.userId, isSaved: true });
      // Stops the clock: the limit refills with time, and a busy machine takes long for so many lists.
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
      try {
        const answers = await Promise.all(
          Array.from({ length: limits.tokenListsPerSecond }, () => list(busy)),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
        for (const seeded of [busy, sameOwner]) {
          const refused = await list(seeded);
          expect([refused.status, refused.body.code, refused.body.message]).toEqual([
            429,
            'request.rateLimited',
            'The limit of a key’s owner is 50 token lists a second. Retry in 1 s.',
          ]);
          expect(refused.headers.get('retry-after')).toBe('1');
        }
        expect((await list(await seedKey(portal))).status).toBe(200);
      } finally {
        clock.mockRestore();
      }
    });
  });

  describe('POST /api/v1/tokens', () => {
    test('returns 200 with the contract’s data, and adds the token to the list', async () => {
      const seeded = await seedKey(portal);
      const address = await deployToken(node, { name: 'My Coin', symbol: 'MINE', decimals: 6 });
      const answer = await add(address.toLowerCase(), seeded);
      expect(answer.status).toBe(200);
      const token = { address, name: 'My Coin', symbol: 'MINE', decimals: 6 };
      expect(answer.body).toEqual({ ...token, source: 'added', price_pair: null, total_supply: '1.5' });
      expect(await addedOf(seeded)).toEqual([{ ...token, source: 'added', price_pair: null }]);
    });

    test('reads names of type bytes32, which old tokens have', async () => {
      const { body } = await add(await deployBytes32Token(node));
      expect(body).toMatchObject({ name: 'Old Coin', symbol: 'OLD', decimals: 18, total_supply: '5' });
    });

    test('cleans and shortens the name and the symbol of a hostile contract', async () => {
      const address = await deployToken(node, {
        name: `\u202e${'x'.repeat(5_000)}`,
        symbol: 'US\u200bDC\u0000\n',
        decimals: 255,
        totalSupply: 2n ** 256n - 1n,
      });
      const { status, body } = await add(address);
      expect(status).toBe(200);
      expect(body.name).toBe(`${'x'.repeat(limits.tokenNameMaxCharacters - 1)}…`);
      expect(body.symbol).toBe('USDC');
      expect(body.source).toBe('added');
      const invalid = concatHex([numberToHex(32, { size: 32 }), numberToHex(32, { size: 32 })]);
      const raw = await deployRawToken(node, { name: concatHex([invalid, `0x41${'ff'.repeat(31)}`]) });
      expect((await add(raw)).body.name).toBe(`A${'\ufffd'.repeat(31)}`);
    });

    test.each<[string, RawFacts, string]>([
      ['an empty name', { name: text('') }, 'name()'],
      ['an invisible symbol', { symbol: text('\u200b') }, 'symbol()'],
      ['a symbol of 9 KB', { symbol: text('x'.repeat(9_000)) }, 'symbol()'],
      ['decimals beyond 255', { decimals: numberToHex(256, { size: 32 }) }, 'decimals()'],
      [
        'no decimals and half a supply',
        { decimals: '0x', totalSupply: '0x1234' },
        'decimals(), totalSupply()',
      ],
    ])('returns 400 for a contract with %s, naming the function', async (_, facts, functions) => {
      const address = await deployRawToken(node, facts);
      const { status, body } = await add(address);
      expect([status, body.code]).toEqual([400, 'token.invalid']);
      expect(body.message).toBe(
        `${address} isn’t a token: its contract returns nothing usable for ${functions}. Send the address of an ERC-20 token’s contract`,
      );
    });

    test.each<[string, Hex]>([
      ['reverts', '0x60006000fd'],
      ['uses up its gas', '0x5b600056'],
      ['returns a megabyte', '0x620fffff6000f3'],
      ['returns nothing', '0x00'],
    ])('returns 400 for a contract that %s', async (_, code) => {
      await node.rpc('anvil_setCode', [nowhere, code]);
      const { status, body } = await add(nowhere);
      expect([status, body.code]).toEqual([400, 'token.invalid']);
      await node.rpc('anvil_setCode', [nowhere, '0x']);
    });

    test('returns 400 for an address without a contract, a wrong address, and a body without one', async () => {
      const empty = await add(nowhere);
      expect([empty.status, empty.body.code]).toEqual([400, 'token.invalid']);
      expect(empty.body.message).toBe(
        `${nowhere} isn’t a contract on Ethereum mainnet. Send the address of an ERC-20 token’s contract`,
      );
      expect((await add('0x12')).body.code).toBe('wallet.addressInvalid');
      expect((await add('http://127.0.0.1:1/')).body.code).toBe('wallet.addressInvalid');
      for (const wrong of [undefined, 1, null, ['0x12'], 'x'.repeat(101)]) {
        expect((await add(wrong)).body).toMatchObject({
          code: 'request.invalid',
          details: [{ path: 'address' }],
        });
      }
    });

    test('returns 400 for a token of the portal’s list whose contract returns no name, and adds nothing', async () => {
      const seeded = await seedKey(portal);
      const { address } = listed('LDO');
      const impostor = await deployToken(node, { name: 'Impostor', symbol: 'XXX' });
      await node.rpc('anvil_setCode', [address, await node.rpc('eth_getCode', [impostor, 'latest'])]);
      // Only the code is copied, not the storage with the impostor's name and symbol.
      expect((await add(address, seeded)).body.code).toBe('token.invalid');
      expect(await addedOf(seeded)).toEqual([]);
    });

    test('adding beyond the maximum of a list drops the oldest token', async () => {
      const seeded = await seedKey(portal);
      await portal.db.query(
        `insert into added_tokens
         select gen_random_uuid(), $1, $2, '0x' || lpad(n::text, 40, '0'), 'n', 's', 18,
           timestamptz '2026-01-01' + make_interval(secs => n)
         from generate_series(1, $3::int) n`,
        [seeded.userId, seeded.project?.id, limits.addedTokensPerList],
      );
      const address = await deployToken(node);
      await add(address, seeded);
      const added = await addedOf(seeded);
      expect(added).toHaveLength(limits.addedTokensPerList);
      expect(added[0]?.address).toBe(address);
      expect(added.map((token) => token.address)).not.toContain(`0x${'1'.padStart(40, '0')}`);
    });

    test('40 tokens added concurrently to an almost full list all arrive, and the list keeps its maximum', async () => {
      const seeded = await seedKey(portal);
      await portal.db.query(
        `insert into added_tokens
         select gen_random_uuid(), $1, $2, '0x' || lpad(n::text, 40, '0'), 'n', 's', 18, timestamptz '2026-01-01'
         from generate_series(1, $3::int) n`,
        [seeded.userId, seeded.project?.id, limits.addedTokensPerList - 1],
      );
      const owner = { userId: seeded.userId, project: seeded.project as { code: string } };
      const token = { name: 'n', symbol: 's', decimals: 18 };
      const addresses = Array.from({ length: 40 }, (_, n) => `0x${`${n}`.padStart(40, 'f')}`);
      const added = portal.app.get(AddedTokens);
      await Promise.all(addresses.map((address) => added.add(owner, { ...token, address })));
      const listed = (await addedOf(seeded)).map(({ address }) => address);
      expect(listed).toHaveLength(limits.addedTokensPerList);
      expect(listed).toEqual(expect.arrayContaining(addresses));
    });

    test('the list of a project deleted since the key was looked up gets key.deleted', async () => {
      const gone = { userId: shop.userId, project: { code: 'orange-none' } };
      const reading = portal.app.get(AddedTokens).list(gone);
      await expect(reading).rejects.toMatchObject({ code: 'key.deleted', statusCode: 401 });
    });
  });

  describe('an added token is listed for', () => {
    test('every key of the project, and no other project, not even of the same owner', async () => {
      const [mine, other] = [await seedKey(portal), await seedKey(portal)];
      const sameOwner = await seedKey(portal, { userId: mine.userId });
      const address = await deployToken(node);
      await add(address, mine);
      expect(await addedOf(mine)).toHaveLength(1);
      for (const seeded of [other, sameOwner]) {
        expect(await addedOf(seeded)).toEqual([]);
        expect((await get(address, seeded)).body.code).toBe('token.notFound');
      }
    });

    test('all keys of an account without a project, and no project’s key, which others use', async () => {
      const saved = await seedKey(portal, { isSaved: true });
      const second = await seedKey(portal, { isSaved: true, userId: saved.userId });
      const ofProject = await seedKey(portal, { userId: saved.userId });
      const stranger = await seedKey(portal, { isSaved: true });
      const address = await deployToken(node);
      await add(address, saved);
      await add(address, saved);
      expect((await addedOf(second)).map((token) => token.address)).toEqual([address]);
      expect((await get(address, second)).status).toBe(200);
      for (const seeded of [ofProject, stranger]) {
        expect(await addedOf(seeded)).toEqual([]);
        expect((await get(address, seeded)).status).toBe(404);
      }
    });
  });

  describe('GET /api/v1/tokens/{id}', () => {
    const usdc = listed('USDC');
    const feed = usdc.feed!;

    test('returns 200 with the supply, and the price by the token’s feed', async () => {
      const updatedAt = now() - 60;
      await placeNumber(node, usdc.address, 25_000_000_123456n);
      await placeFeed(node, feed.address, { pair: 'USDC / USD', answer: 99_981_000n, updatedAt });
      const { status, body } = await get(usdc.address.toUpperCase().replace('0X', '0x'));
      expect(status).toBe(200);
      expect(body).toEqual({
        address: usdc.address,
        name: 'USD Coin',
        symbol: 'USDC',
        decimals: 6,
        source: 'list',
        price_pair: 'USDC / USD',
        total_supply: '25000000.123456',
        price: {
          usd: 0.99981,
          pair: 'USDC / USD',
          feed: feed.address,
          updated_at: new Date(updatedAt * 1000).toISOString(),
        },
      });
    });

    test('returns 200 without a price for a token without a feed', async () => {
      const address = await deployToken(node, { decimals: 2, totalSupply: 12_345n });
      await add(address);
      expect((await get(address)).body).toMatchObject({
        total_supply: '123.45',
        price_pair: null,
        price: null,
      });
      const broken = await deployToken(node);
      await add(broken);
      await node.rpc('anvil_setCode', [broken, '0x60006000fd']);
      expect((await get(broken)).body).toMatchObject({ symbol: 'TEST', total_supply: null });
    });

    test('returns 503 with the reason while the feed is no contract, stale, of another pair, broken or without a price', async () => {
      const { address, feed: pound } = listed('DAI');
      await placeNumber(node, address, 1n);
      const place = (change: object) =>
        placeFeed(node, pound!.address, { pair: 'DAI / USD', answer: 1n, updatedAt: now(), ...change });
      const steps: [() => Promise<unknown>, RegExp][] = [
        [() => Promise.resolve(), /^The price feed isn’t a contract on this chain\. Try again later$/],
        [() => place({ updatedAt: now() - 26 * 3600 }), /^The latest price is \d+ s old, too old to use/],
        [() => place({ pair: 'BTC / USD' }), /^The price feed isn’t one of DAI \/ USD/],
        [() => place({ answer: 0n }), /^The price feed returned no price/],
        [() => place({ answer: -1n }), /^The price feed returned no price/],
        [
          () => node.rpc('anvil_setCode', [pound!.address, '0x60006000fd']),
          /^The price feed couldn’t be read/,
        ],
        [() => placeNumber(node, pound!.address, 7n), /^The price feed couldn’t be read/],
      ];
      for (const [prepare, message] of steps) {
        await prepare();
        const answer = await get(address);
        expect([answer.status, answer.body.code]).toEqual([503, 'price.unavailable']);
        expect(answer.body.message).toMatch(message);
        expect(answer.headers.get('retry-after')).toBe('1');
      }
      await place({ answer: 1_00000000n });
      expect((await get(address)).body.price.usd).toBe(1);
    });

    test('returns 404 for an unlisted token, and 400 for an invalid address in any encoding', async () => {
      const unknown = await get(nowhere);
      expect([unknown.status, unknown.body.code]).toEqual([404, 'token.notFound']);
      for (const id of [
        'usdc',
        '0x12',
        `${nowhere}00`,
        '%00',
        '%2e%2e%2fkey',
        '..%2f..',
        'x'.repeat(5_000),
        '🍊',
      ]) {
        const answer = await get(id);
        expect([id.slice(0, 20), answer.status, answer.body.code]).toEqual([
          ...[id.slice(0, 20), 400, 'wallet.addressInvalid'],
        ]);
        expect(answer.body.details[0].path).toBe('id');
      }
      expect((await get('%zz')).body).toMatchObject({ statusCode: 400, code: 'request.invalid' });
      expect((await get('')).body).toMatchObject({ message: 'id: is required' });
      expect((await get(`${nowhere}?id=${nowhere}`)).body.message).toMatch(/^id: isn’t a parameter of/);
    });

    test('is one endpoint in usage, whatever the address', async () => {
      const seeded = await seedKey(portal);
      await get(nowhere, seeded);
      await get('nonsense', seeded);
      await portal.call('DELETE', `/api/v1/tokens/${nowhere}`, { headers: { 'x-api-key': seeded.key } });
      const rows = await portal.db.query('select distinct endpoint, path from api_usage where user_id = $1', [
        seeded.userId,
      ]);
      expect(rows).toEqual([{ endpoint: '/api/v1/tokens/{id}', path: null }]);
    });
  });

  test('a wrong method returns 405 with the allowed methods', async () => {
    const answer = await portal.call('PUT', '/api/v1/tokens', {
      headers: { 'x-api-key': shop.key },
      body: {},
    });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
  });
});

test('while the node is unreachable, routes that need it return 503 and the list is still served', async () => {
  const portal = await startTestApp({ ETH_RPC_URL: 'http://127.0.0.1:9' });
  try {
    const headers = { 'x-api-key': (await seedKey(portal)).key };
    const { address } = listed('WETH');
    const answers = [
      await portal.call('GET', `/api/v1/tokens/${address}`, { headers }),
      await portal.call('POST', '/api/v1/tokens', { headers, body: { address } }),
    ];
    for (const { status, body } of answers) expect([status, body.code]).toEqual([503, 'chain.unavailable']);
    expect((await portal.call('GET', '/api/v1/tokens', { headers })).status).toBe(200);
  } finally {
    await portal.close();
  }
});
