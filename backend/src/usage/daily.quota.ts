const dayMs = 24 * 3_600_000;

/**
 * Owners (usually none) who used up their calls of a UTC day (in days since the epoch), as reported when calls are
 * stored.
 */
export interface SpentQuota {
  day: number;
  owners: readonly string[];
}

/**
 * Remembers which owners used up their calls of the current UTC day. The count itself is in `usage_heads`, which every
 * instance updates as it stores calls; the check per call is one set look-up.
 */
export class DailyQuota {
  private day = 0;
  private spent = new Set<string>();

  /** Calls per owner and day; `null` for no quota. */
  readonly perDay: number | null;

  /** `setting` is `USAGE_DAILY_QUOTA`, where 0 means no quota. */
  constructor(setting: number) {
    this.perDay = setting === 0 ? null : setting;
  }

  learn({ day, owners }: SpentQuota): void {
    if (owners.length === 0 || day < this.day) return;
    if (day > this.day) {
      this.day = day;
      this.spent = new Set();
    }
    for (const userId of owners) this.spent.add(userId);
  }

  /** `at` in ms since the epoch. */
  isSpent(userId: string, at: number): boolean {
    return this.spent.has(userId) && Math.floor(at / dayMs) === this.day;
  }
}

/** Seconds from `at` (ms since the epoch) to the next UTC midnight. */
export const secondsToNextDay = (at: number): number => Math.ceil((dayMs - (at % dayMs)) / 1000);
