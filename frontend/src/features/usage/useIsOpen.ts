import { useCallback, useSyncExternalStore } from 'react';
import { boundsOf, type UsageView } from './usage.view';

/** Whether the view can still receive new calls: its range ends now, or its end is in the future. */
export function useIsOpen(view: UsageView): boolean {
  const { to } = boundsOf(view, 0);
  const subscribe = useCallback(
    (onEnd: () => void) => {
      if (to === null) return () => {};
      // A delay of more than 24 days fires immediately, which is harmless.
      const timer = setTimeout(onEnd, Math.max(0, to - Date.now()));
      return () => clearTimeout(timer);
    },
    [to],
  );
  // Reads the clock at every render, so that a range that has ended is never shown as open, not even in the first
  // render.
  return useSyncExternalStore(subscribe, () => to === null || Date.now() < to);
}
