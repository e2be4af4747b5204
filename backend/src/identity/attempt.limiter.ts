import { PortalError } from '../http/portal.error.js';

const windowMs = 60_000;
const keysMax = 50_000;

/**
 * Limits attempts per key (an address, an account) by the generic cell rate algorithm: `limit` at once, then refilled
 * evenly over a minute. Kept in this process; the oldest keys are forgotten when there are too many.
 */
export class AttemptLimiter {
  private readonly arrivals = new Map<string, number>();

  constructor(private readonly limit: number) {}

  /** Counts an attempt. Throws `request.rateLimited` with the seconds to wait when the key has none left. */
  take(key: string, nowMs = Date.now()): void {
    const step = windowMs / this.limit;
    const arrival = Math.max(this.arrivals.get(key) ?? 0, nowMs) + step;
    const waitMs = arrival - nowMs - windowMs;
    if (waitMs > 1e-6) {
      throw new PortalError('request.rateLimited', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
    }
    this.arrivals.delete(key);
    this.arrivals.set(key, arrival);
    if (this.arrivals.size > keysMax) this.forgetOldest();
  }

  /** Gives a key its attempts back, after one that succeeded. */
  forget(key: string): void {
    this.arrivals.delete(key);
  }

  private forgetOldest(): void {
    const oldest = this.arrivals.keys().next();
    if (!oldest.done) this.arrivals.delete(oldest.value);
  }
}
