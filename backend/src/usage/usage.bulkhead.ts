import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { bulkhead, BulkheadPolicy, BulkheadRejectedError } from 'cockatiel';
import { PortalError } from '../http/portal.error.js';

/** Retry-After in seconds: most queries take less. */
const retryAfterSeconds = 1;

interface Places {
  policy: BulkheadPolicy;
  open: number;
}

/**
 * Limits how many usage queries run at once, per user and in total, so that slow queries never hold all database
 * connections and other requests keep working. Further queries wait for a slot.
 */
@Injectable()
export class UsageBulkhead {
  private readonly all = bulkhead(limits.usageQuestions, limits.usageQuestionsWaiting);
  private readonly users = new Map<string, Places>();

  /**
   * Runs `query` when a slot is free. Throws `usage.tooManyQueries` if none was free within `waitMs` or if too many
   * queries already wait. The wait does not limit how long the query itself takes.
   */
  async run<T>(
    userId: string,
    query: () => Promise<T>,
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
    // A query that has waited too long still takes its slot and releases it: cockatiel does not pass on the slot of a
    // call whose signal is aborted.
    const inTime = <R>(work: () => Promise<R>) => (hasLeft ? Promise.reject(refusal()) : work());
    const begin = () => {
      clearTimeout(timer);
      return query();
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
