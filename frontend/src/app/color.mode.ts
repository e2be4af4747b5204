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

/** The visitor's own choice where there is one, otherwise the system's. */
export const readColorMode = (): ColorMode => chosenMode() ?? systemMode();

/** A year, in seconds. */
const cookieLife = 31_536_000;

/** Tells the visitor's choice to the pages of the server, which have no scripts to read the storage; no secret. */
function tellServer(): void {
  const chosen = chosenMode() ?? '';
  const told = new RegExp(`(?:^|; )${storedName}=([^;]*)`).exec(document.cookie)?.[1] ?? '';
  if (told === chosen) return;
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${storedName}=${chosen}; Path=/; SameSite=Lax; Max-Age=${chosen ? cookieLife : 0}${secure}`;
}

/** Has the page, and the browser's own frame around it, drawn in these colours. */
export function showColorMode(mode: ColorMode): void {
  document.documentElement.dataset.theme = mode;
  tellServer();
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    meta.media = meta.dataset.mode === mode ? 'all' : 'not all';
  }
}

/** Calls back when the mode may have changed, here, in another tab or in the system; returns how to stop. */
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

/** Remembers the visitor's choice; choosing what the system prefers follows the system again. */
export function chooseColorMode(mode: ColorMode): void {
  if (mode === systemMode()) window.localStorage.removeItem(storedName);
  else window.localStorage.setItem(storedName, mode);
  listeners.forEach((listener) => listener());
}
