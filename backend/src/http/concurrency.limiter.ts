import type { ErrorCode } from '@orange-id/contract/error.codes';
import { PortalError } from './portal.error.js';

/**
 * Limits how many operations run at once for each name, for example for a user, so that one user cannot hold up all
 * others.
 */
export class ConcurrencyLimiter {
  private readonly running = new Map<string, number>();

  constructor(
    private readonly max: number,
    private readonly refusal: ErrorCode = 'request.rateLimited',
    private readonly message?: string,
  ) {}

  /** Throws the refusal, with a wait of 1 s, while `max` operations of this name run. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const leave = this.enter(name);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Counts an operation until the returned function is called, which must happen only once. Throws like `run`. */
  enter(name: string): () => void {
    const others = this.running.get(name) ?? 0;
    if (others >= this.max) {
      const { message } = this;
      throw new PortalError(this.refusal, {
        retryAfterSeconds: 1,
        ...(message === undefined ? {} : { message }),
      });
    }
    this.running.set(name, others + 1);
    return () => {
      const left = (this.running.get(name) as number) - 1;
      if (left > 0) this.running.set(name, left);
      else this.running.delete(name);
    };
  }
}
