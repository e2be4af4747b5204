import { useEffect, useEffectEvent, useRef } from 'react';

/** Number of views opened before this one, stored next to what the page and its router keep in an entry's state. */
const depthKey = 'loginPanelView';

type HistoryState = Record<string, unknown> | null;
const depthOf = (state: unknown): number => Number((state as HistoryState)?.[depthKey] ?? 0);

/**
 * Makes the browser's Back button go back view by view. Opening a view adds an entry at the same URL, with the state of
 * the entry before; going back in the panel removes it. `depth` is the number of views opened before this one, or
 * `null` while the panel leaves the page and the history must not change. `goBack` goes back one view and returns
 * `true`, or returns `false` if that isn't possible now.
 */
export function useViewHistory(isOn: boolean, depth: number | null, goBack: () => boolean): void {
  /** The number of entries the panel has added up to the current one; after a reload it starts at its first view. */
  const entries = useRef<number | null>(null);
  /** Whether the panel's own move through the history is under way: the browser completes it later, with `popstate`. */
  const isMoving = useRef(false);

  const move = (delta: number) => {
    isMoving.current = true;
    window.history.go(delta);
  };

  /** Adds or removes entries until there is one per view. An entry added during a move would be lost. */
  const matchHistory = useEffectEvent(() => {
    if (depth === null || isMoving.current) return;
    entries.current ??= depthOf(window.history.state);
    if (depth < entries.current) move(depth - entries.current);
    for (let next = entries.current + 1; next <= depth; next++)
      window.history.pushState({ ...(window.history.state as HistoryState), [depthKey]: next }, '');
    entries.current = depth;
  });
  useEffect(() => {
    if (isOn) matchHistory();
  }, [isOn, depth]);

  const followHistory = useEffectEvent((arrived: number) => {
    if (isMoving.current) {
      isMoving.current = false;
      entries.current = arrived;
      // A view may have been opened or closed since the move began.
      matchHistory();
      return;
    }
    const from = entries.current ?? 0;
    // The user went forward to a view whose input is gone, so return.
    if (arrived > from) move(from - arrived);
    if (arrived >= from) return;
    let at = from;
    while (at > arrived && goBack()) at--;
    // Busy: the view stays, so its entry does too.
    if (at > arrived) move(at - arrived);
    entries.current = at;
  });
  useEffect(() => {
    if (!isOn) return;
    const onPop = ({ state }: PopStateEvent) => followHistory(depthOf(state));
    window.addEventListener('popstate', onPop);
    return () => window.removeEventListener('popstate', onPop);
  }, [isOn]);
}
