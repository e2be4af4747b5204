import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import type { FastifyReply } from 'fastify';
import { AttemptLimiter } from '../http/attempt.limiter.js';
import { ConcurrencyLimiter } from '../http/concurrency.limiter.js';

const hourMs = 3_600_000;

/** Limits per user for projects on this instance, per hour or concurrently. Failed attempts count too. */
@Injectable()
export class ProjectLimits {
  /** New projects, by owner. */
  readonly making = new AttemptLimiter(
    limits.projectsMadePerHour,
    hourMs,
    (seconds) =>
      `You can create at most ${limits.projectsMadePerHour} projects an hour. Try again in ${waitInWords(seconds)}`,
  );
  /** Added and removed URLs, replaced, rotated and ended keys, by owner. */
  readonly changing = new AttemptLimiter(
    limits.projectsChangedPerHour,
    hourMs,
    (seconds) =>
      `You can make at most ${limits.projectsChangedPerHour} changes to your projects an hour. Try again in ${waitInWords(seconds)}`,
  );

  /** Project lists being sent, by owner. */
  private readonly lists = new ConcurrencyLimiter(limits.projectListsPerUser);

  /**
   * Counts a response with an owner's projects until its client has received it or disconnected: it can be 5 MB large,
   * and stays in memory for as long as the client takes to read it. Throws `request.rateLimited`.
   */
  listing(ownerId: string, { raw }: FastifyReply): void {
    // The client has left: the `close` event has already been emitted.
    if (raw.closed) return;
    raw.once('close', this.lists.enter(ownerId));
  }
}
