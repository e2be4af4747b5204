import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';

const dayMs = 24 * 3_600_000;

/**
 * Owners (usually none) who used up their calls of a UTC day (in days since the epoch), with the quota that they
 * reached, as reported when calls are stored.
 */
export interface SpentQuota {
  day: number;
  owners: Record<string, number> | null;
}

/**
 * Remembers which owners used up their calls of the current UTC day. The count itself is in `usage_heads`, which every
 * instance updates as it stores calls; the check per call is one look-up.
 */
@Injectable()
export class DailyQuota {
  private day = 0;
  private reached = new Map<string, number>();

  /** Calls per day of an owner without a quota of their own; `null` for no quota. */
  readonly perDay: number | null;

  constructor(@Inject(ENVIRONMENT) { USAGE_DAILY_QUOTA: perDay }: Pick<Environment, 'USAGE_DAILY_QUOTA'>) {
    this.perDay = perDay === 0 ? null : perDay;
  }

  learn({ day, owners }: SpentQuota): void {
    if (owners === null || day < this.day) return;
    if (day > this.day) {
      this.day = day;
      this.reached.clear();
    }
    for (const [userId, quota] of Object.entries(owners)) this.reached.set(userId, quota);
  }

  /** The quota of an owner; `own` is what an administrator has set: `null` for nothing, 0 for no quota. */
  of(own: number | null): number | null {
    return own === null ? this.perDay : own === 0 ? null : own;
  }

  /** `at` in ms since the epoch. A quota that was raised after it was reached counts again. */
  isSpent(userId: string, at: number, own: number | null): boolean {
    const reached = this.reached.get(userId);
    if (reached === undefined || Math.floor(at / dayMs) !== this.day) return false;
    const quota = this.of(own);
    return quota !== null && reached >= quota;
  }
}

/** Seconds from `at` (ms since the epoch) to the next UTC midnight. */
export const secondsToNextDay = (at: number): number => Math.ceil((dayMs - (at % dayMs)) / 1000);
