import { useSyncExternalStore } from 'react';

export type ColorMode = 'light' | 'dark';

const storedName = 'portal-theme';
const darkQuery = '(prefers-color-scheme: dark)';
const listeners = new Set<() => void>();

/** The visitor's own choice where there is one, otherwise the system's. */
function readMode(): ColorMode {
  const chosen = window.localStorage.getItem(storedName);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return window.matchMedia(darkQuery).matches ? 'dark' : 'light';
}

function subscribe(listener: () => void): () => void {
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

/** The mode drawn now. */
export const useColorMode = (): ColorMode => useSyncExternalStore(subscribe, readMode);

/** Remembers the visitor's choice; choosing what the system prefers follows the system again. */
export function chooseColorMode(mode: ColorMode): void {
  const system: ColorMode = window.matchMedia(darkQuery).matches ? 'dark' : 'light';
  if (mode === system) window.localStorage.removeItem(storedName);
  else window.localStorage.setItem(storedName, mode);
  listeners.forEach((listener) => listener());
}
