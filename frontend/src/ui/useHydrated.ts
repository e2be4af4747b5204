import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * Whether React runs the page: false at build time and during hydration. Until then buttons and fields are disabled,
 * because a click would be lost. A choice that the browser restores would be lost too, so those fields also have
 * `autoComplete="off"`.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
