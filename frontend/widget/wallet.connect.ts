import type { Connector, CreateConnectorFn } from 'wagmi';
import { walletConnect } from 'wagmi/connectors/walletConnect';
import type { Address } from 'viem';
import { LoginError } from './login.failure';
import { connectAccount, walletFailure, type Eip1193 } from './wallet.signer';

/** The type of the connector for wallets on other devices. */
export const pairingType = walletConnect.type;

/**
 * Storage for the pairing library that lasts only as long as the page: a remembered pairing would outlive its sign-in.
 */
class MemoryStorage {
  readonly #items = new Map<string, unknown>();

  getKeys = async (): Promise<string[]> => [...this.#items.keys()];
  getEntries = async <T>(): Promise<[string, T][]> => [...this.#items.entries()] as [string, T][];
  getItem = async <T>(key: string): Promise<T | undefined> => this.#items.get(key) as T | undefined;
  setItem = async (key: string, value: unknown): Promise<void> => void this.#items.set(key, value);
  removeItem = async (key: string): Promise<void> => void this.#items.delete(key);
}

/** The page that asks to be paired, and its WalletConnect project. `relayUrl` is WalletConnect's own by default. */
export interface PairingOptions {
  projectId: string;
  page: Pick<Location, 'host' | 'origin'>;
  relayUrl?: string;
}

/**
 * Connector for wallets reached through WalletConnect. It loads the library and connects to the relay when the first
 * pairing begins; `setup` of wagmi's connector would do so as soon as the page opens.
 */
export function pairingConnector({ projectId, page, relayUrl }: PairingOptions): CreateConnectorFn {
  const create = walletConnect({
    projectId,
    relayUrl,
    showQrModal: false,
    // Shown by the wallet; it can verify only the URL.
    metadata: { name: page.host, description: 'Sign in', url: page.origin, icons: [] },
    storage: new MemoryStorage(),
    telemetryEnabled: false,
    // The library's log would contain the pairing key.
    logger: 'silent',
  });
  return (config) => ({ ...create(config), setup: async () => {} });
}

/**
 * Offers a pairing by its URI, waits for a wallet to accept it, then continues as `connectAccount`. After `signal` is
 * aborted, a wallet that still connects is disconnected. Throws `LoginError` if the wallet declines or the relay is
 * unreachable.
 */
export async function pairAccount(
  connector: Connector,
  onOffer: (uri: string) => void,
  signal: AbortSignal,
): Promise<Address> {
  const listen = ({ type, data }: { type: string; data?: unknown }) => {
    if (type === 'display_uri' && typeof data === 'string' && !signal.aborted) onOffer(data);
  };
  connector.emitter.on('message', listen);
  let isPaired = false;
  try {
    await connector.connect();
    isPaired = true;
    signal.throwIfAborted();
    return await connectAccount((await connector.getProvider()) as Eip1193);
  } catch (error) {
    // An abandoned attempt fails minutes later, when another attempt may own the pairing.
    if (isPaired) await endPairing(connector);
    throw error instanceof LoginError ? error : walletFailure(error, 'pairingFailed');
  } finally {
    connector.emitter.off('message', listen);
  }
}

/** Disconnects the paired wallet; a failure to notify it changes nothing here. */
export const endPairing = (connector: Connector): Promise<void> => connector.disconnect().catch(() => {});
