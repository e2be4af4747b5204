import { PortalError } from './portal.error.js';

/**
 * Limits how many operations run at once for each name, for example for a user, so that one user cannot hold up all
 * others.
 */
export class ConcurrencyLimiter {
  private readonly running = new Map<string, number>();

  constructor(private readonly max: number) {}

  /** Throws `request.rateLimited`, with a wait of 1 s, while `max` operations of this name run. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const running = this.running.get(name) ?? 0;
    if (running >= this.max) throw new PortalError('request.rateLimited', { retryAfterSeconds: 1 });
    this.running.set(name, running + 1);
    try {
      return await work();
    } finally {
      const left = (this.running.get(name) as number) - 1;
      if (left > 0) this.running.set(name, left);
      else this.running.delete(name);
    }
  }
}
