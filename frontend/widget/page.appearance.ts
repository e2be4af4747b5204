import { useSyncExternalStore } from 'react';
import type { Appearance } from './login.theme';

const darkQuery = '(prefers-color-scheme: dark)';
const calmQuery = '(prefers-reduced-motion: reduce)';

/**
 * What the page around the panel looks like: dark when its root declares only `color-scheme: dark`, or declares
 * both and the system prefers dark. A page that declares nothing is drawn light by browsers.
 */
function readAppearance(): Appearance {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  if (!scheme.includes('dark')) return 'light';
  return scheme.includes('light') && !matchMedia(darkQuery).matches ? 'light' : 'dark';
}

/** A page switches its theme by an attribute of its root; the system, by the media query. */
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

export const usePageAppearance = (): Appearance => useSyncExternalStore(watchAppearance, readAppearance);

/** Whether the visitor lets things move. */
export const useMotion = (): boolean =>
  useSyncExternalStore(watchMotion, () => !matchMedia(calmQuery).matches);
