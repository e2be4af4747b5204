import type { Waits } from '../config/waits.js';

/** Runs `act` with one of the portal's waits set to `ms`, and restores it however `act` ends. */
export async function withWait<T>(
  waits: Waits,
  name: keyof Waits,
  ms: number,
  act: () => Promise<T>,
): Promise<T> {
  const before = waits[name];
  waits[name] = ms;
  try {
    return await act();
  } finally {
    waits[name] = before;
  }
}
