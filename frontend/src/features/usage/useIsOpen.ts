import { useCallback, useSyncExternalStore } from 'react';
import { boundsOf, type UsageView } from './usage.view';

/** Whether the view can still get new calls: its range goes up to now, or has not ended yet. */
export function useIsOpen(view: UsageView): boolean {
  const { to } = boundsOf(view, 0);
  const subscribe = useCallback(
    (onEnd: () => void) => {
      if (to === null) return () => {};
      // An end more than 24 days ahead fires at once and says nothing.
      const timer = setTimeout(onEnd, Math.max(0, to - Date.now()));
      return () => clearTimeout(timer);
    },
    [to],
  );
  // Asked of the clock at every rendering, so that a range that has ended is never drawn as open, not even at first.
  return useSyncExternalStore(subscribe, () => to === null || Date.now() < to);
}
