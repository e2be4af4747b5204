import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { bulkhead, BulkheadPolicy, BulkheadRejectedError } from 'cockatiel';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { PortalError } from '../http/portal.error.js';

/** Retry-After in seconds: most requests take less. */
const retryAfterSeconds = 1;

interface Places {
  policy: BulkheadPolicy;
  open: number;
}

/**
 * Limits how many requests of one user run at once, so that many requests of one user do not slow down all others.
 * Further ones wait for those of the same user.
 */
@Injectable()
export class RequestsPerUser {
  private readonly users = new Map<string, Places>();

  /**
   * Resolves when the request may run, and counts it until its response is complete or its client has left. Throws
   * `request.rateLimited` if too many requests of the user already wait, or this one has waited for too long.
   */
  async enter(userId: string, response: ServerResponse): Promise<void> {
    const places = this.placesOf(userId);
    try {
      await new Promise<void>((admit, refuse) => {
        const late = () => refuse(new PortalError('request.rateLimited', { retryAfterSeconds }));
        const patience = setTimeout(late, limits.requestWaitMs);
        places.policy
          .execute(async () => {
            clearTimeout(patience);
            if (response.writableEnded || response.closed) throw new PortalError('request.timedOut');
            admit();
            await once(response, 'close');
          })
          .catch(refuse)
          .finally(() => {
            clearTimeout(patience);
            if (--places.open === 0) this.users.delete(userId);
          });
      });
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error;
      throw new PortalError('request.rateLimited', { retryAfterSeconds, cause: error });
    }
  }

  private placesOf(userId: string): Places {
    let places = this.users.get(userId);
    if (!places) {
      const policy = bulkhead(limits.requestsPerUser, limits.requestsWaitingPerUser);
      this.users.set(userId, (places = { policy, open: 0 }));
    }
    places.open++;
    return places;
  }
}
