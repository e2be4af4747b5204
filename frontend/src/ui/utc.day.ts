import { useSyncExternalStore } from 'react';

const dayMs = 86_400_000;

/** The UTC day of a moment (ms since the epoch), such as `2026-11-21`. */
export const utcDayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Calls back at each UTC midnight; returns how to stop. */
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

/** Today by UTC; changes at midnight there while the page stays open. */
export const useUtcDay = (): string => useSyncExternalStore(onUtcMidnight, () => utcDayOf(Date.now()));
