import { useSyncExternalStore } from 'react';
import type { ColorScheme } from './color.scheme';

const darkQuery = '(prefers-color-scheme: dark)';
const calmQuery = '(prefers-reduced-motion: reduce)';

/**
 * The colour scheme of the page around the panel: dark if its root declares only `color-scheme: dark`, or declares both
 * and the system prefers dark. Browsers render a page that declares neither as light.
 */
function readAppearance(): ColorScheme {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  if (!scheme.includes('dark')) return 'light';
  return scheme.includes('light') && !matchMedia(darkQuery).matches ? 'light' : 'dark';
}

/** Pages switch their theme through an attribute of the root element; the system through the media query. */
function watchAppearance(onChange: () => void): () => void {
  const media = matchMedia(darkQuery);
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true });
  media.addEventListener('change', onChange);
  return () => {
    observer.disconnect();
    media.removeEventListener('change', onChange);
  };
}

function watchMotion(onChange: () => void): () => void {
  const media = matchMedia(calmQuery);
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
}

export const usePageAppearance = (): ColorScheme => useSyncExternalStore(watchAppearance, readAppearance);

/** Whether the visitor allows motion. */
export const useMotion = (): boolean =>
  useSyncExternalStore(watchMotion, () => !matchMedia(calmQuery).matches);
