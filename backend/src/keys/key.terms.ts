import { Inject, Injectable } from '@nestjs/common';
import type { ChangeKey } from '@orange-id/contract/keys.schema';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { PortalError } from '../http/portal.error.js';
import { givenNote } from '../http/request.issues.js';

/** The rules for the expiry and the limit of a key. */
@Injectable()
export class KeyTerms {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'RATE_LIMIT_PER_KEY'>) {}

  /** Throws `request.invalid` for an expiry that isn't after `now` and for a limit above the portal's. */
  check(
    { expiresAt, rateLimit }: Pick<ChangeKey, 'expiresAt' | 'rateLimit'>,
    { now, isOfProject }: { now: number; isOfProject: boolean },
  ): void {
    if (expiresAt && Date.parse(expiresAt) <= now) {
      const act = isOfProject ? 'replace or rotate' : 'delete or rotate';
      const allowed = `must be in the future. Choose a later time, or ${act} the key to stop it now`;
      throw refusal('expiresAt', allowed, expiresAt);
    }
    const most = this.environment.RATE_LIMIT_PER_KEY;
    if (rateLimit && rateLimit > most) {
      throw refusal(
        'rateLimit',
        `must be at most ${most} calls per second, the limit of this portal`,
        rateLimit,
      );
    }
  }
}

const refusal = (path: string, allowed: string, given: unknown): PortalError =>
  new PortalError('request.invalid', {
    message: `${path}: ${allowed}${givenNote(given)}`,
    details: [{ path, message: allowed, given: String(given) }],
  });
