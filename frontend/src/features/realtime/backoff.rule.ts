const firstDelayMs = 500;
/** Long enough for a server to restart under reconnecting clients, short enough for a user who watches the page. */
const longestDelayMs = 4_000;

/**
 * Ms to wait before attempt `attempt` (from 1): doubles from 0.5 s to 4 s, half of it random, so that clients
 * disconnected together don't reconnect together.
 */
export function backoffMs(attempt: number, random: number = Math.random()): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
}
