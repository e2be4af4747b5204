import { useEffect, useState } from 'react';
import { boundsOf, type UsageView } from './usage.view';

/** Whether the view can still get new calls: its range goes up to now, or has not ended yet. */
export function useIsOpen(view: UsageView): boolean {
  const { to } = boundsOf(view, 0);
  const [endedAt, setEndedAt] = useState<number | null>(() => (to !== null && to <= Date.now() ? to : null));
  useEffect(() => {
    if (to === null) return;
    // An end more than 24 days ahead fires at once and says nothing.
    const timer = setTimeout(() => Date.now() >= to && setEndedAt(to), Math.max(0, to - Date.now()));
    return () => clearTimeout(timer);
  }, [to]);
  return to === null || endedAt !== to;
}
