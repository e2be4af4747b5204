import type { Connector, CreateConnectorFn } from 'wagmi';
import { walletConnect } from 'wagmi/connectors/walletConnect';
import type { Address } from 'viem';
import { LoginError } from './login.failure';
import { connectAccount, walletFailure, type Eip1193 } from './wallet.signer';

/** The connector of wallets in other devices is the one of this type. */
export const pairingType = walletConnect.type;

/** What the pairing library keeps, gone with the page: a remembered pairing would outlive the sign-in it was for. */
class MemoryStorage {
  readonly #items = new Map<string, unknown>();

  getKeys = async (): Promise<string[]> => [...this.#items.keys()];
  getEntries = async <T>(): Promise<[string, T][]> => [...this.#items.entries()] as [string, T][];
  getItem = async <T>(key: string): Promise<T | undefined> => this.#items.get(key) as T | undefined;
  setItem = async (key: string, value: unknown): Promise<void> => void this.#items.set(key, value);
  removeItem = async (key: string): Promise<void> => void this.#items.delete(key);
}

/** Who asks to be paired, and by which project of the relay's operator. `relayUrl` is theirs unless given. */
export interface PairingOptions {
  projectId: string;
  page: Pick<Location, 'host' | 'origin'>;
  relayUrl?: string;
}

/**
 * Wallets reached by WalletConnect. The library is fetched and the relay called when the first pairing begins, not when
 * the page opens: `setup` of wagmi's connector would do so at once.
 */
export function pairingConnector({ projectId, page, relayUrl }: PairingOptions): CreateConnectorFn {
  const create = walletConnect({
    projectId,
    relayUrl,
    showQrModal: false,
    // What a wallet shows of who asks; the address is the one it can check.
    metadata: { name: page.host, description: 'Sign in', url: page.origin, icons: [] },
    storage: new MemoryStorage(),
    telemetryEnabled: false,
    // Its log would carry the key of the pairing.
    logger: 'silent',
  });
  return (config) => ({ ...create(config), setup: async () => {} });
}

/**
 * Offers a pairing by its URI and waits for a wallet to take it up; then as `connectAccount`. Once `signal` is aborted a
 * wallet that still comes is sent away. Throws `LoginError` when the wallet declines or the relay cannot be reached.
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
    // An attempt that was given up fails minutes later, when the pairing may be another attempt's.
    if (isPaired) await endPairing(connector);
    throw error instanceof LoginError ? error : walletFailure(error, 'pairingFailed');
  } finally {
    connector.emitter.off('message', listen);
  }
}

/** Lets go of the paired wallet; that it could not be told changes nothing here. */
export const endPairing = (connector: Connector): Promise<void> => connector.disconnect().catch(() => {});
