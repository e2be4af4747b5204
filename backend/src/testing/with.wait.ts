import type { Waits } from '../config/waits.js';

/** Runs `act` while one of the portal's waits is `ms`, and puts it back however `act` ends. */
export async function withWait<T>(
  patience: Waits,
  name: keyof Waits,
  ms: number,
  act: () => Promise<T>,
): Promise<T> {
  const before = patience[name];
  patience[name] = ms;
  try {
    return await act();
  } finally {
    patience[name] = before;
  }
}
