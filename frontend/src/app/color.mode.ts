import { storageKeys } from '@orange-id/contract/storage.keys';

export type ColorMode = 'light' | 'dark';

const { colorMode: storedName } = storageKeys;
const darkQuery = '(prefers-color-scheme: dark)';
const listeners = new Set<() => void>();

const systemMode = (): ColorMode => (window.matchMedia(darkQuery).matches ? 'dark' : 'light');

/** The visitor's own choice where there is one, otherwise the system's. */
export function readColorMode(): ColorMode {
  const chosen = window.localStorage.getItem(storedName);
  return chosen === 'light' || chosen === 'dark' ? chosen : systemMode();
}

/** Has the page, and the browser's own frame around it, drawn in these colours. */
export function showColorMode(mode: ColorMode): void {
  document.documentElement.dataset.theme = mode;
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
