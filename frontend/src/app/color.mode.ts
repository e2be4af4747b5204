import { storageKeys } from '@orange-id/contract/storage.keys';

export type ColorMode = 'light' | 'dark';

const { colorMode: storedName } = storageKeys;
const darkQuery = '(prefers-color-scheme: dark)';
const listeners = new Set<() => void>();

const systemMode = (): ColorMode => (window.matchMedia(darkQuery).matches ? 'dark' : 'light');

function chosenMode(): ColorMode | null {
  const chosen = window.localStorage.getItem(storedName);
  return chosen === 'light' || chosen === 'dark' ? chosen : null;
}

/** The visitor's choice if there is one, otherwise the system's. */
export const readColorMode = (): ColorMode => chosenMode() ?? systemMode();

/** One year, in seconds. */
const cookieLife = 31_536_000;

/**
 * Copies the visitor's choice to a cookie for server-rendered pages, which run no script that could read the storage.
 * Not a secret.
 */
function storeInCookie(): void {
  const chosen = chosenMode() ?? '';
  const stored = new RegExp(`(?:^|; )${storedName}=([^;]*)`).exec(document.cookie)?.[1] ?? '';
  if (stored === chosen) return;
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${storedName}=${chosen}; Path=/; SameSite=Lax; Max-Age=${chosen ? cookieLife : 0}${secure}`;
}

/** Applies the colour mode to the page and to the browser's own interface. */
export function showColorMode(mode: ColorMode): void {
  document.documentElement.dataset.theme = mode;
  storeInCookie();
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    meta.media = meta.dataset.mode === mode ? 'all' : 'not all';
  }
}

/**
 * Calls `listener` when the mode may have changed in this tab, another tab or the system; returns the unsubscribe
 * function.
 */
export function subscribeColorMode(listener: () => void): () => void {
  const media = window.matchMedia(darkQuery);
  listeners.add(listener);
  media.addEventListener('change', listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    media.removeEventListener('change', listener);
    window.removeEventListener('storage', listener);
  };
}

/** Stores the visitor's choice; choosing the system's mode removes it and follows the system again. */
export function chooseColorMode(mode: ColorMode): void {
  if (mode === systemMode()) window.localStorage.removeItem(storedName);
  else window.localStorage.setItem(storedName, mode);
  listeners.forEach((listener) => listener());
}
