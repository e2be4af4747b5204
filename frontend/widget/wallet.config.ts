import { createConfig, http, injected, type Config } from 'wagmi';
import { mainnet } from 'wagmi/chains';

/**
 * The wallet library for one chain, Ethereum mainnet (spec §7): EIP-6963 discovery, plus `window.ethereum` for
 * wallets that announce nothing. Calls to a node: 10 s each, 3 retries, 150 ms doubling (spec §9). Nothing is
 * stored: a sign-in ends with tokens, and a remembered wallet connection would outlive it.
 */
export const createWalletConfig = (): Config =>
  createConfig({
    chains: [mainnet],
    connectors: [injected()],
    transports: { [mainnet.id]: http(undefined, { timeout: 10_000, retryCount: 3, retryDelay: 150 }) },
    storage: null,
  });
