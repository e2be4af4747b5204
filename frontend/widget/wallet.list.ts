import { useSyncExternalStore } from 'react';
import type { Config, Connector } from 'wagmi';
import { watchConnectors } from 'wagmi/actions';
import type { Wallet } from './login.types';
import { pairingType } from './wallet.connect';

/** One wallet to choose from; `icon` is the data URI that the wallet announced, if any. */
export interface ListedWallet extends Wallet {
  icon?: string;
}

/** The connector over `window.ethereum`, for wallets that announce nothing. */
const fallbackId = 'injected';
const nameMaxCharacters = 40;

/**
 * The wallets to show, in the order in which they announced themselves (EIP-6963). The one behind `window.ethereum` is
 * listed only if none did; wallets on other devices come last. Icons other than data URIs are dropped: EIP-6963
 * requires data URIs, and a remote icon would tell its host who signs in where.
 */
export function listWallets(
  connectors: readonly Pick<Connector, 'uid' | 'id' | 'type' | 'name' | 'icon'>[],
  hasEthereum: boolean,
): ListedWallet[] {
  // By type, because wallets choose their own id.
  const remote = connectors.filter(({ type }) => type === pairingType);
  const here = connectors.filter(({ type }) => type !== pairingType);
  const announced = here.filter(({ id }) => id !== fallbackId);
  const shown = announced.length > 0 ? announced : hasEthereum ? here : [];
  return [
    ...shown.map(({ uid, id, name, icon }) => ({
      id: uid,
      name: id === fallbackId ? 'Browser wallet' : shortened(name.trim()) || id,
      ...(icon?.trim().startsWith('data:image/') ? { icon: icon.trim() } : {}),
    })),
    ...remote.map(({ uid, name }) => ({ id: uid, name, isRemote: true })),
  ];
}

const shortened = (name: string): string =>
  name.length > nameMaxCharacters ? `${name.slice(0, nameMaxCharacters - 1)}…` : name;

const hasEthereum = (): boolean => 'ethereum' in window && window.ethereum != null;

/** The wallets as `useSyncExternalStore` needs them: the same array until one changes. */
function walletStore(config: Config) {
  let shown: ListedWallet[] = [];
  return {
    read(): ListedWallet[] {
      const now = listWallets(config.connectors, hasEthereum());
      if (JSON.stringify(now) !== JSON.stringify(shown)) shown = now;
      return shown;
    },
    subscribe(onChange: () => void): () => void {
      const unwatch = watchConnectors(config, { onChange });
      // Wallets that inject late dispatch this event.
      window.addEventListener('ethereum#initialized', onChange);
      return () => {
        unwatch();
        window.removeEventListener('ethereum#initialized', onChange);
      };
    },
  };
}

const stores = new WeakMap<Config, ReturnType<typeof walletStore>>();

function storeOf(config: Config): ReturnType<typeof walletStore> {
  const store = stores.get(config) ?? walletStore(config);
  stores.set(config, store);
  return store;
}

/** The wallets of this browser, updated as they announce themselves. */
export function useWallets(config: Config): ListedWallet[] {
  const { subscribe, read } = storeOf(config);
  return useSyncExternalStore(subscribe, read);
}
