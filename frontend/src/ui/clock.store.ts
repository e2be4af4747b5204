import { useSyncExternalStore } from 'react';

const tickMs = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let second = 0;

function tick() {
  second = Date.now() - (Date.now() % tickMs);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  if (listeners.size === 1) timer = setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function read() {
  // The timer doesn't run without listeners.
  if (listeners.size === 0) second = Date.now() - (Date.now() % tickMs);
  return second;
}

/** The current second, in ms since the epoch; one timer for all relative times. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read);
}
