const minute = 60;
const steps = [1, 5, 15, minute, 5 * minute, 15 * minute, 3600, 6 * 3600, 24 * 3600];

/** The chart's bucket width in seconds for a range of `rangeMs`: the finest step that gives at most 120 buckets. */
export function bucketSecondsFor(rangeMs: number): number {
  return steps.find((step) => rangeMs / 1000 / step <= 120) ?? (steps.at(-1) as number);
}

/**
 * For ranges of at least this length, figures come from hourly and daily sums. With a filter of `rowFilters`, and for
 * shorter ranges, they come from single rows unless there are too many.
 */
export const rollupsFromMs = 48 * 3_600_000;
export const rowFilters = ['endpoint', 'method', 'status', 'errorCode', 'origin'] as const;

/** The ranges that the Usage page offers, in ms before now. */
export const usageRanges = {
  '1h': 3_600_000,
  '24h': 24 * 3_600_000,
  '7d': 7 * 24 * 3_600_000,
  '30d': 30 * 24 * 3_600_000,
} as const;
export type UsageRange = keyof typeof usageRanges;
