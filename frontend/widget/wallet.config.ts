import { limits } from '@orange-id/contract/limits';
import { ProviderDisconnectedError, withTimeout } from 'viem';
import { createConfig, custom, injected, type Config } from 'wagmi';
import { mainnet } from 'wagmi/chains';
import { pairingConnector, type PairingOptions } from './wallet.connect';
import type { Eip1193 } from './wallet.signer';

/**
 * Sends RPC calls through the wallet of this browser. The library's default public node would learn who signs in where,
 * and a content security policy would block it. Each call times out after 10 s.
 */
async function callByWallet(call: { method: string; params?: unknown }): Promise<unknown> {
  const wallet = (globalThis as { ethereum?: Eip1193 }).ethereum;
  if (!wallet) throw new ProviderDisconnectedError(new Error('no wallet in this browser calls a node'));
  return withTimeout(() => wallet.request(call as Parameters<Eip1193['request']>[0]), {
    timeout: limits.walletRpcTimeoutMs,
  });
}

/**
 * The wallet library's configuration for one chain, Ethereum mainnet: EIP-6963 discovery, `window.ethereum` for wallets
 * that announce nothing, and wallets on other devices if a WalletConnect project is given. The panel itself makes no
 * RPC call; those of the library are retried 3 times, after 150 ms and doubling. Nothing is stored, because a
 * remembered wallet connection would outlive the sign-in.
 */
export const createWalletConfig = (pairing: PairingOptions | null = null): Config =>
  createConfig({
    chains: [mainnet],
    connectors: [injected(), ...(pairing ? [pairingConnector(pairing)] : [])],
    transports: {
      [mainnet.id]: custom(
        { request: callByWallet },
        { retryCount: limits.walletRpcRetries, retryDelay: limits.walletRpcRetryDelayMs },
      ),
    },
    storage: null,
  });
