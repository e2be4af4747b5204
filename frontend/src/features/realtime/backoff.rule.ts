const firstDelayMs = 500;
/** Long enough for a server to come up under its clients, short enough for who watches the page. */
const longestDelayMs = 4_000;

/** Ms to wait before attempt `attempt` (from 1): doubling from 0.5 s to 4 s, half of it random, so that clients cut off together do not return together. */
export function backoffMs(attempt: number, random: number = Math.random()): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
}
