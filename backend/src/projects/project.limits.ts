import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { AttemptLimiter } from '../identity/attempt.limiter.js';

const hourMs = 3_600_000;

/** How much one user may do with projects within an hour, on this instance. Attempts that fail count too. */
@Injectable()
export class ProjectLimits {
  /** Making projects, by owner. */
  readonly making = new AttemptLimiter(
    limits.projectsMadePerHour,
    hourMs,
    (seconds) =>
      `You made ${limits.projectsMadePerHour} projects within an hour, which is the most. Try again in ${seconds} s`,
  );
  /** Adding and removing URLs and replacing keys, by owner. */
  readonly changing = new AttemptLimiter(
    limits.projectsChangedPerHour,
    hourMs,
    (seconds) =>
      `You changed projects ${limits.projectsChangedPerHour} times within an hour, which is the most. Try again in ${seconds} s`,
  );
}
