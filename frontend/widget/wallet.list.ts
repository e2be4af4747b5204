import { useSyncExternalStore } from 'react';
import type { Config, Connector } from 'wagmi';
import { watchConnectors } from 'wagmi/actions';
import type { Wallet } from './login.types';
import { pairingType } from './wallet.connect';

/** One wallet to choose from; `icon` is a data URI the wallet announced, absent when it announced none or another. */
export interface ListedWallet extends Wallet {
  icon?: string;
}

/** The connector over `window.ethereum`, for wallets that announce nothing. */
const fallbackId = 'injected';
const nameMaxCharacters = 40;

/**
 * The wallets to show, in the order they announced themselves (EIP-6963); the one behind `window.ethereum` only when
 * none did; last the one for wallets in other devices, if there is one. Icons other than data URIs are dropped: EIP-6963 wants them so, and a remote one would tell its host
 * who signs in where.
 */
export function listWallets(
  connectors: readonly Pick<Connector, 'uid' | 'id' | 'type' | 'name' | 'icon'>[],
  hasEthereum: boolean,
): ListedWallet[] {
  // By type: an id is what a wallet says of itself.
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

/** A view of the wallets as `useSyncExternalStore` wants it: the same array until it changes. */
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
      // Wallets that inject late say so by this event.
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

/** The wallets of this browser, kept current while they announce themselves. */
export function useWallets(config: Config): ListedWallet[] {
  const { subscribe, read } = storeOf(config);
  return useSyncExternalStore(subscribe, read);
}
