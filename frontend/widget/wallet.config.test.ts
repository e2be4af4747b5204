import { afterEach, expect, jest, test } from '@jest/globals';
import { getPublicClient } from 'wagmi/actions';
import { createWalletConfig } from './wallet.config';

afterEach(() => void jest.restoreAllMocks());

test('one chain, Ethereum mainnet, and nothing remembered', () => {
  const config = createWalletConfig();
  expect(config.chains.map(({ id }) => id)).toEqual([1]);
  expect(config.storage).toBeNull();
});

test('without a WalletConnect project there is no connector for wallets in other devices', () => {
  expect(createWalletConfig().connectors.map(({ type }) => type)).toEqual(['injected']);
  const page = { host: 'portal.example.com', origin: 'https://portal.example.com' };
  const config = createWalletConfig({ projectId: 'p', page });
  expect(config.connectors.map(({ type }) => type)).toEqual(['injected', 'walletConnect']);
});

test('a call to a node waits 10 s, and a failed one is tried three times more after 150, 300 and 600 ms', async () => {
  const deadlines: number[] = [];
  const waits: number[] = [];
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms = 0) => {
    (ms >= 10_000 ? deadlines : waits).push(ms);
    if (ms < 10_000) queueMicrotask(act);
    return 0;
  }) as typeof setTimeout);
  const fetched = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('offline'));
  const client = getPublicClient(createWalletConfig(), { chainId: 1 });
  await expect(client?.getBlockNumber()).rejects.toThrow();
  expect(fetched).toHaveBeenCalledTimes(4);
  expect(deadlines).toEqual([10_000, 10_000, 10_000, 10_000]);
  expect(waits.filter((ms) => ms > 0)).toEqual([150, 300, 600]);
});
