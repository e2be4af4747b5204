import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { bulkhead, BulkheadPolicy, BulkheadRejectedError } from 'cockatiel';
import { PortalError } from '../http/portal.error.js';

/** Seconds after which asking again makes sense: most questions take less. */
const retryAfterSeconds = 1;

interface Places {
  policy: BulkheadPolicy;
  open: number;
}

/**
 * Bounds how many usage questions run at once, of one user and of all together, so that questions about many calls
 * never hold all connections to the database: everything else goes on while they run. The rest wait for a place.
 */
@Injectable()
export class UsageBulkhead {
  private readonly all = bulkhead(limits.usageQuestions, limits.usageQuestionsWaiting);
  private readonly users = new Map<string, Places>();

  /**
   * Runs `question` when there is a place for it. Throws `usage.tooManyQueries` when there was none within `waitMs`
   * or too many wait already. The wait does not limit how long the question itself takes.
   */
  async run<T>(
    userId: string,
    question: () => Promise<T>,
    waitMs: number = limits.usageQuestionWaitMs,
  ): Promise<T> {
    const places = this.placesOf(userId);
    let timer: NodeJS.Timeout | undefined;
    let hasLeft = false;
    const left = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        hasLeft = true;
        reject(refusal());
      }, waitMs);
    });
    // Who has left takes the place and gives it back: a bulkhead passes it on only then, not when a signal is aborted.
    const inTime = <R>(work: () => Promise<R>) => (hasLeft ? Promise.reject(refusal()) : work());
    const begin = () => {
      clearTimeout(timer);
      return question();
    };
    const answer = places.policy.execute(() => inTime(() => this.all.execute(() => inTime(begin))));
    const isOver = () => this.leave(userId, places);
    answer.then(isOver, isOver);
    try {
      return await Promise.race([answer, left]);
    } catch (error) {
      if (error instanceof BulkheadRejectedError) throw refusal(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private placesOf(userId: string): Places {
    let places = this.users.get(userId);
    if (!places) {
      const policy = bulkhead(limits.usageQuestionsPerUser, limits.usageQuestionsWaitingPerUser);
      this.users.set(userId, (places = { policy, open: 0 }));
    }
    places.open++;
    return places;
  }

  private leave(userId: string, places: Places): void {
    if (--places.open === 0) this.users.delete(userId);
  }
}

const refusal = (cause?: unknown): PortalError =>
  new PortalError('usage.tooManyQueries', { retryAfterSeconds, cause });
