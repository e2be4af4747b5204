/**
 * Counts calls per name in whole seconds and reports whether one is over its limit. Counts are dropped a second later,
 * so memory holds at most one second's calls. A burst across two seconds may reach twice the limit.
 */
export class RateWindow {
  private readonly counts = new Map<string, number>();
  private second = 0;

  constructor(private readonly perSecond: number) {}

  /** Counts one call; returns true if it is over the limit. `now` in ms since the epoch. */
  isOver(name: string, now: number): boolean {
    return this.count(name, now) > this.perSecond;
  }

  /** Counts one call; returns the number of calls in this second, for a limit that differs by name. */
  count(name: string, now: number): number {
    const second = Math.floor(now / 1000);
    if (second !== this.second) {
      this.second = second;
      this.counts.clear();
    }
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return count;
  }
}
