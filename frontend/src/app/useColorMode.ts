import { useSyncExternalStore } from 'react';
import { readColorMode, subscribeColorMode, type ColorMode } from './color.mode';

/** The current colour mode. `light` during prerendering; there, only CSS applies the dark mode. */
export const useColorMode = (): ColorMode =>
  useSyncExternalStore(subscribeColorMode, readColorMode, () => 'light');
