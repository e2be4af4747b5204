import type { ErrorCode } from '@orange-id/contract/error.codes';
import { PortalError } from './portal.error.js';
import { setLru } from './lru.map.js';

const minuteMs = 60_000;
const keysMax = 50_000;

/** The message for a limit, which is a sentence without its full stop: names the seconds to wait. */
export const limitReached =
  (limit: string) =>
  (seconds: number): string =>
    `${limit}. Retry in ${seconds} s.`;

/**
 * Limits attempts per key (an address, an account) with the generic cell rate algorithm: `limit` at once, then refilled
 * evenly over the window. Kept in this process; drops the oldest keys if there are too many.
 */
export class AttemptLimiter {
  private readonly arrivals = new Map<string, number>();

  /** `refusal` returns the message for a number of seconds to wait; the default is that of `code`. */
  constructor(
    private readonly limit: number,
    private readonly windowMs = minuteMs,
    private readonly refusal?: (seconds: number) => string,
    private readonly code: ErrorCode = 'request.rateLimited',
  ) {}

  /** Counts an attempt. Throws the refusal with the seconds to wait if the key has none left. */
  take(key: string, nowMs = Date.now()): void {
    const step = this.windowMs / this.limit;
    const arrival = Math.max(this.arrivals.get(key) ?? 0, nowMs) + step;
    const waitMs = arrival - nowMs - this.windowMs;
    if (waitMs > 1e-6) {
      const retryAfterSeconds = Math.ceil(waitMs / 1000);
      throw new PortalError(this.code, {
        retryAfterSeconds,
        ...(this.refusal ? { message: this.refusal(retryAfterSeconds) } : {}),
      });
    }
    setLru(this.arrivals, key, arrival, keysMax);
  }

  /** Undoes one attempt that had no effect. */
  giveBack(key: string, nowMs = Date.now()): void {
    const arrival = (this.arrivals.get(key) ?? 0) - this.windowMs / this.limit;
    if (arrival > nowMs) this.arrivals.set(key, arrival);
    else this.arrivals.delete(key);
  }

  /** Restores all attempts of a key after a success. */
  forget(key: string): void {
    this.arrivals.delete(key);
  }
}
