import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { walletBalance } from '@orange-id/contract/metered.routes';
import { Environment, parseEnvironment } from '../config/environment.js';
import { WAITS, waits } from '../config/waits.js';
import { Anvil, priceFeedCode, startAnvil } from '../testing/anvil.js';
import { seedKey } from '../testing/seed.key.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { withWait } from '../testing/with.wait.js';
import { parseAddress } from './address.rule.js';
import { ChainClient } from './chain.client.js';
import { ChainService } from './chain.service.js';
import { PriceFeeds } from './price.feeds.js';

const checksummed = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const lower = checksummed.toLowerCase();
const feedAddress = '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419';
const now = () => Math.floor(Date.now() / 1000);

describe('an address', () => {
  test('is accepted in lower case, in upper case and with its correct checksum, and is returned with its checksum', () => {
    for (const text of [lower, `0x${lower.slice(2).toUpperCase()}`, checksummed]) {
      expect(parseAddress(text)).toBe(checksummed);
    }
  });

  test('is refused with an error that names it if its checksum, its length or its letters are wrong', () => {
    const wrongCase = checksummed.replace('dA6', 'Da6');
    const cases: [string, string][] = [
      [wrongCase, `"${wrongCase}" has a wrong checksum; check the address, or send it in lower case`],
      [lower.slice(0, -1), 'must be 0x followed by 40 hexadecimal digits'],
      [`${lower}0`, 'must be 0x followed by 40 hexadecimal digits'],
      [lower.slice(2), 'must be 0x followed by 40 hexadecimal digits'],
      [`0X${lower.slice(2)}`, 'must be 0x followed by 40 hexadecimal digits'],
      [lower.replace('d', 'g'), 'must be 0x followed by 40 hexadecimal digits'],
      ['vitalik.eth', '"vitalik.eth" must be 0x'],
      [` ${lower}`, 'must be 0x followed by 40 hexadecimal digits'],
    ];
    for (const [text, problem] of cases) {
      const refusal = (() => {
        try {
          return parseAddress(text);
        } catch (error) {
          return error;
        }
      })();
      expect(refusal).toMatchObject({
        message: 'Address is invalid.',
        code: 'wallet.addressInvalid',
        details: [{ path: 'address', message: expect.stringContaining(problem) }],
      });
    }
  });
});

describe('a wallet balance, from a real node', () => {
  let node: Anvil;
  let environment: Environment;
  beforeAll(async () => {
    node = await startAnvil();
    environment = parseEnvironment({ NODE_ENV: 'test', ETH_RPC_URL: node.url, ETH_PRICE_FEED: feedAddress });
    await node.rpc('anvil_setBalance', [checksummed, '0x14d1120d7b160000']);
  });
  afterAll(() => node.stop());

  const setFeed = (feed: { answer: bigint; updatedAt: number; decimals: number } | null) =>
    node.rpc('anvil_setCode', [feedAddress, feed === null ? '0x' : priceFeedCode(feed)]);
  const newService = () => {
    const client = new ChainClient(environment, waits);
    return new ChainService(client, new PriceFeeds(client), environment);
  };
  const ask = () => newService().walletBalance('an owner', checksummed);

  test('is in ether with all its digits, and has its value from the price feed', async () => {
    await setFeed({ answer: 3000_12345678n, updatedAt: now(), decimals: 8 });
    expect(await ask()).toEqual({
      address: checksummed,
      balance: '1.5',
      currency: 'ETH',
      usd_value: 4500.19,
    });
    await node.rpc('anvil_setBalance', [checksummed, '0x1']);
    expect(await ask()).toEqual({
      address: checksummed,
      balance: '0.000000000000000001',
      currency: 'ETH',
      usd_value: 0,
    });
    await node.rpc('anvil_setBalance', [checksummed, '0x14d1120d7b160000']);
  });

  test('has a reason instead of a value if the feed is missing or stale, or returns no price', async () => {
    await setFeed(null);
    expect(await ask()).toMatchObject({
      balance: '1.5',
      usd_value: null,
      usd_reason:
        'The portal’s price feed isn’t a contract on this chain. Its operator has to set ETH_PRICE_FEED to one',
    });
    await setFeed({ answer: 1n, updatedAt: now() - 3 * 3600, decimals: 8 });
    expect((await ask()).usd_reason).toMatch(/^The latest price is 1080\d s old, too old to use$/);
    for (const answer of [0n, -5n]) {
      await setFeed({ answer, updatedAt: now(), decimals: 8 });
      expect(await ask()).toMatchObject({ usd_value: null, usd_reason: 'The price feed returned no price' });
    }
    await node.rpc('anvil_setCode', [feedAddress, '0x60006000fd']);
    expect(await ask()).toMatchObject({ usd_value: null, usd_reason: 'The price feed couldn’t be read' });
  });

  test('caches a price for a while, but never a failure', async () => {
    const chain = newService();
    await setFeed(null);
    expect((await chain.walletBalance('an owner', checksummed)).usd_value).toBeNull();
    await setFeed({ answer: 2000_00000000n, updatedAt: now(), decimals: 8 });
    expect((await chain.walletBalance('an owner', checksummed)).usd_value).toBe(3000);
    await setFeed({ answer: 1000_00000000n, updatedAt: now(), decimals: 8 });
    expect((await chain.walletBalance('an owner', checksummed)).usd_value).toBe(3000);
    expect((await ask()).usd_value).toBe(1500);
  });

  describe('the API', () => {
    let portal: TestApp;
    beforeAll(async () => {
      portal = await startTestApp({ ETH_RPC_URL: node.url, ETH_PRICE_FEED: feedAddress });
      await setFeed({ answer: 3000_00000000n, updatedAt: now(), decimals: 8 });
    });
    afterAll(() => portal.close());
    const get = (key: string, query: string) =>
      portal.call('GET', `/api/v1/wallet/balance${query}`, { headers: { 'x-api-key': key } });

    test('returns 200 in the shape of the contract', async () => {
      const { key } = await seedKey(portal);
      const answer = await get(key, `?address=${lower}`);
      expect(answer.status).toBe(200);
      expect(walletBalance.strict().parse(answer.body)).toEqual({
        address: checksummed,
        balance: '1.5',
        currency: 'ETH',
        usd_value: 4500,
      });
    });

    test("returns 200 with the owner's linked wallet if a saved key names no address, as soon as a wallet is linked", async () => {
      const { key, userId } = await seedKey(portal, { isSaved: true });
      expect((await get(key, '')).status).toBe(400);
      await portal.db.query('update users set eth_address = $2 where id = $1', [userId, checksummed]);
      const answer = await get(key, '');
      expect(answer.status).toBe(200);
      expect(answer.body.address).toBe(checksummed);
    });

    test("returns 400 without an address and with a project's key, because anyone may use that key and must not see its owner's wallet", async () => {
      const { key } = await seedKey(portal, { ethAddress: checksummed });
      for (const query of ['', '?address=']) {
        const answer = await get(key, query);
        expect(answer.status).toBe(400);
        expect(answer.body.code).toBe('wallet.addressRequired');
        expect(answer.body.message).toMatch(/Add the address parameter/);
        expect(answer.text.toLowerCase()).not.toContain(lower);
      }
    });

    test('returns 503 within the deadline while the node is silent or down, and 200 once it is back', async () => {
      const { key, userId } = await seedKey(portal);
      let addresses = 0;
      // An answer about an address is kept for a second.
      const ask = () => get(key, `?address=0x${String(++addresses).padStart(40, '0')}`);
      await node.freeze();
      const frozen = await withWait(portal.app.get(WAITS), 'chainMs', 200, ask);
      node.thaw();
      expect(frozen.status).toBe(503);
      expect(frozen.headers.get('retry-after')).toBe('1');
      expect(frozen.body.code).toBe('chain.unavailable');
      expect((await ask()).status).toBe(200);
      await node.stop();
      const gone = await ask();
      expect(gone.status).toBe(503);
      expect(gone.body.message).toBe('The Ethereum node can’t be reached. Try again later');
      const rows: { status_code: number }[] = await portal.db.query(
        'select status_code from api_usage where user_id = $1 order by seq',
        [userId],
      );
      expect(rows.map((row) => row.status_code)).toEqual([503, 200, 503]);
    }, 20_000);
  });
});
