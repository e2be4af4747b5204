import { useSyncExternalStore } from 'react';
import { readColorMode, subscribeColorMode, type ColorMode } from './color.mode';

/** The mode drawn now; `light` in the page that was drawn ahead, which styles alone make dark. */
export const useColorMode = (): ColorMode =>
  useSyncExternalStore(subscribeColorMode, readColorMode, () => 'light');
