import { limits } from '@orange-id/contract/limits';
import { ProviderDisconnectedError, withTimeout } from 'viem';
import { createConfig, custom, injected, type Config } from 'wagmi';
import { mainnet } from 'wagmi/chains';
import { pairingConnector, type PairingOptions } from './wallet.connect';
import type { Eip1193 } from './wallet.signer';

/**
 * Calls to a node go through the wallet of this browser: the library's own choice of a public node would learn who
 * signs in where, and a page with a content security policy could not reach it. Each has 10 s.
 */
async function callByWallet(call: { method: string; params?: unknown }): Promise<unknown> {
  const wallet = (globalThis as { ethereum?: Eip1193 }).ethereum;
  if (!wallet) throw new ProviderDisconnectedError(new Error('no wallet in this browser calls a node'));
  return withTimeout(() => wallet.request(call as Parameters<Eip1193['request']>[0]), {
    timeout: limits.walletRpcTimeoutMs,
  });
}

/**
 * The wallet library for one chain, Ethereum mainnet: EIP-6963 discovery, plus `window.ethereum` for
 * wallets that announce nothing, and wallets in other devices where a WalletConnect project is given. The panel calls
 * no node; a call that the library makes is retried 3 times, 150 ms doubling. Nothing is stored: a sign-in
 * ends with tokens, and a remembered wallet connection would outlive it.
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
