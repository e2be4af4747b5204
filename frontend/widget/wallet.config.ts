import { limits } from '@orange-id/contract/limits';
import { createConfig, http, injected, type Config } from 'wagmi';
import { mainnet } from 'wagmi/chains';
import { pairingConnector, type PairingOptions } from './wallet.connect';

/**
 * The wallet library for one chain, Ethereum mainnet (spec §7): EIP-6963 discovery, plus `window.ethereum` for
 * wallets that announce nothing, and wallets in other devices where a WalletConnect project is given. Calls to a node:
 * 10 s each, 3 retries, 150 ms doubling (spec §9). Nothing is stored: a sign-in ends with tokens, and a remembered
 * wallet connection would outlive it.
 */
export const createWalletConfig = (pairing: PairingOptions | null = null): Config =>
  createConfig({
    chains: [mainnet],
    connectors: [injected(), ...(pairing ? [pairingConnector(pairing)] : [])],
    transports: {
      [mainnet.id]: http(undefined, {
        timeout: limits.walletRpcTimeoutMs,
        retryCount: limits.walletRpcRetries,
        retryDelay: limits.walletRpcRetryDelayMs,
      }),
    },
    storage: null,
  });
