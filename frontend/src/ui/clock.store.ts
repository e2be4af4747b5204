import { useSyncExternalStore } from 'react';

const tickMs = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = 0;

function tick() {
  now = Date.now();
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
  // The timer doesn't run without listeners. React reads twice in a row and warns if the two differ.
  if (listeners.size === 0 && Math.abs(Date.now() - now) >= tickMs) now = Date.now();
  return now;
}

/** The time, at most a second old, in ms since the epoch; one timer for all relative times. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read);
}
