import { useSyncExternalStore } from 'react';

const dayMs = 86_400_000;

/** The UTC day of a time in ms since the epoch, such as `2026-11-21`. */
export const utcDayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Calls `listener` at each UTC midnight; returns the unsubscribe function. */
export function onUtcMidnight(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const plan = () => {
    timer = setTimeout(
      () => {
        listener();
        plan();
      },
      dayMs - (Date.now() % dayMs),
    );
  };
  plan();
  return () => clearTimeout(timer);
}

/** Today's date in UTC; updates at UTC midnight while the page is open. */
export const useUtcDay = (): string => useSyncExternalStore(onUtcMidnight, () => utcDayOf(Date.now()));
