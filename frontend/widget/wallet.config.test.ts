import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { getPublicClient } from 'wagmi/actions';
import { createWalletConfig } from './wallet.config';

afterEach(() => void jest.restoreAllMocks());

test('the wallet configuration has one chain, Ethereum mainnet, and stores nothing', () => {
  const config = createWalletConfig();
  expect(config.chains.map(({ id }) => id)).toEqual([1]);
  expect(config.storage).toBeNull();
});

test('the connector for wallets on other devices exists only with a WalletConnect project', () => {
  expect(createWalletConfig().connectors.map(({ type }) => type)).toEqual(['injected']);
  const page = { host: 'portal.example.com', origin: 'https://portal.example.com' };
  const config = createWalletConfig({ projectId: 'p', page });
  expect(config.connectors.map(({ type }) => type)).toEqual(['injected', 'walletConnect']);
});

describe('an RPC call', () => {
  const page = globalThis as { ethereum?: unknown };
  const readBlock = () => getPublicClient(createWalletConfig(), { chainId: 1 })?.getBlockNumber();
  const reachingOut = () => jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('not from here'));
  afterEach(() => void delete page.ethereum);

  test('goes through the wallet and never from the page', async () => {
    const fetched = reachingOut();
    const asked: unknown[] = [];
    page.ethereum = { request: async (call: unknown) => (asked.push(call), '0x10') };
    expect(await readBlock()).toBe(16n);
    expect(asked).toEqual([{ method: 'eth_blockNumber' }]);
    expect(fetched).not.toHaveBeenCalled();
  });

  test('is not sent without a wallet', async () => {
    const fetched = reachingOut();
    await expect(readBlock()).rejects.toThrow('no wallet in this browser calls a node');
    expect(fetched).not.toHaveBeenCalled();
  });

  test('times out after 10 s and is retried three times, after 150, 300 and 600 ms', async () => {
    const deadlines: number[] = [];
    const waits: number[] = [];
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms = 0) => {
      (ms >= 10_000 ? deadlines : waits).push(ms);
      // No response comes, so each call ends by its time-out.
      queueMicrotask(act);
      return 0;
    }) as typeof setTimeout);
    const request = jest.fn(() => new Promise(() => {}));
    page.ethereum = { request };
    await expect(readBlock()).rejects.toThrow('timed out');
    expect(request).toHaveBeenCalledTimes(4);
    expect(deadlines).toEqual([10_000, 10_000, 10_000, 10_000]);
    expect(waits.filter((ms) => ms > 0)).toEqual([150, 300, 600]);
  });
});
