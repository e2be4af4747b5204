import { useEffect, useEffectEvent, useRef } from 'react';

/** Number of views opened before this one, beside what the page and its router keep in an entry's state. */
const depthKey = 'loginPanelView';

type HistoryState = Record<string, unknown> | null;
const depthOf = (state: unknown): number => Number((state as HistoryState)?.[depthKey] ?? 0);

/**
 * Makes the browser's Back lead back by views. Opening a view adds an entry at the same address, with the state of the
 * entry before; going back in the panel removes it. `depth` is the number of views opened before this one, `null` while
 * the panel leaves the page, which changes nothing. `goBack` leads one view back and returns `true`, or returns `false`
 * where that isn't possible now.
 */
export function useViewHistory(isOn: boolean, depth: number | null, goBack: () => boolean): void {
  /** The panel's entries up to the current one; after a reload the panel starts at its first view. */
  const entries = useRef<number | null>(null);

  useEffect(() => {
    if (!isOn || depth === null) return;
    entries.current ??= depthOf(window.history.state);
    if (depth < entries.current) window.history.go(depth - entries.current);
    for (let next = entries.current + 1; next <= depth; next++)
      window.history.pushState({ ...(window.history.state as HistoryState), [depthKey]: next }, '');
    entries.current = depth;
  }, [isOn, depth]);

  const followHistory = useEffectEvent((arrived: number) => {
    const from = entries.current ?? 0;
    // Forward again: what was typed there is gone.
    if (arrived > from) window.history.go(from - arrived);
    if (arrived >= from) return;
    let at = from;
    while (at > arrived && goBack()) at--;
    // Busy: it stays where it is, and so does its entry.
    if (at > arrived) window.history.go(at - arrived);
    entries.current = at;
  });
  useEffect(() => {
    if (!isOn) return;
    const onPop = ({ state }: PopStateEvent) => followHistory(depthOf(state));
    window.addEventListener('popstate', onPop);
    return () => window.removeEventListener('popstate', onPop);
  }, [isOn]);
}
