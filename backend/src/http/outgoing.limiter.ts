import { AttemptLimiter } from './attempt.limiter.js';
import { ConcurrencyLimiter } from './concurrency.limiter.js';

/** What one destination takes of this instance. */
export interface OutgoingBounds {
  /** Requests to the portal that may wait for it at once. */
  atOncePerOwner: number;
  atOnce: number;
  /** Questions to it; left out, only those that wait count. */
  perSecondPerOwner?: number;
}

/**
 * Limits what waits for one destination outside the portal, such as the Ethereum node, per owner (an account or a
 * client address) and on this instance, so that a slow destination never holds up other requests. Refuses with
 * `service.tooManyCalls` and `Retry-After`, before any work.
 */
export class OutgoingLimiter {
  private readonly ofOwner: ConcurrencyLimiter;
  private readonly all: ConcurrencyLimiter;
  private readonly budget: AttemptLimiter | null;

  /** `destination` is for the message, as 'the Ethereum node'. */
  constructor(destination: string, { atOncePerOwner, atOnce, perSecondPerOwner }: OutgoingBounds) {
    const code = 'service.tooManyCalls';
    const wait = 'Try again in 1 second';
    this.ofOwner = new ConcurrencyLimiter(
      atOncePerOwner,
      code,
      `At most ${atOncePerOwner} calls of one owner may wait for ${destination} at once. ${wait}`,
    );
    this.all = new ConcurrencyLimiter(
      atOnce,
      code,
      `At most ${atOnce} calls may wait for ${destination} at once. ${wait}`,
    );
    this.budget =
      perSecondPerOwner === undefined
        ? null
        : new AttemptLimiter(
            perSecondPerOwner,
            1_000,
            () => `One owner may send ${destination} at most ${perSecondPerOwner} calls per second. ${wait}`,
            code,
          );
  }

  /** Runs work that waits for the destination, while there is a place for it. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    return this.ofOwner.run(owner, () => this.all.run('all', work));
  }

  /** Counts a question to the destination, just before it is sent. */
  spend(owner: string): void {
    this.budget?.take(owner);
  }
}
