import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import { AttemptLimiter } from '../http/attempt.limiter.js';

const hourMs = 3_600_000;

/** Limits per user for projects on this instance, per hour. Failed attempts count too. */
@Injectable()
export class ProjectLimits {
  /** New projects, by owner. */
  readonly making = new AttemptLimiter(
    limits.projectsMadePerHour,
    hourMs,
    (seconds) =>
      `You can create at most ${limits.projectsMadePerHour} projects an hour. Try again in ${waitInWords(seconds)}`,
  );
  /** New names, added and removed URLs, replaced, rotated and ended keys, by owner. */
  readonly changing = new AttemptLimiter(
    limits.projectsChangedPerHour,
    hourMs,
    (seconds) =>
      `You can make at most ${limits.projectsChangedPerHour} changes to your projects an hour. Try again in ${waitInWords(seconds)}`,
  );
}
