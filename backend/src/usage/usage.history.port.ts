import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import type { UsageMetrics, UsageQuery, UsageRow } from '@orange-id/contract/usage.schema';
import type { TimeRange } from './usage.range.js';

/** Injection token of the `UsageHistory`. */
export const USAGE_HISTORY = Symbol('usage history');

export interface FiguresQuestion {
  userId: string;
  filters: UsageFilters;
  /** The keys that `filters.keyId` and `filters.projectId` name; `null` for all keys of the owner. */
  keyIds: string[] | null;
  /** The bounded range of the answer, by which the chart is divided. */
  shown: TimeRange;
  /** The range of the calls to count: `shown`, with `to` at infinity if the question has no end. */
  range: TimeRange;
}

/** Sequence numbers, both included; none if `first` is above `last`. */
export interface SeqRange {
  first: number;
  last: number;
}

/**
 * Reads stored calls. Each method names one owner and includes every call that was committed before it was called. A
 * read that takes too long rejects with `usage.tooManyCalls`. The callers check whose key or project a filter names,
 * and limit how many reads run at once.
 */
export interface UsageHistory {
  /**
   * The owner's rows that match, newest first, or oldest first with `query.after`: one more than `query.limit` if there
   * are more.
   */
  page(userId: string, query: UsageQuery): Promise<UsageRow[]>;

  /** The owner's figures. Counts are exact; `percentiles` in the answer says whether they are, too. */
  figures(question: FiguresQuestion): Promise<Omit<UsageMetrics, 'today'>>;

  /** A range up to `upToSeq` that holds the sequence numbers of all rows that match; may be wider than needed. */
  seqRange(userId: string, filters: UsageFilters, upToSeq: number): Promise<SeqRange>;

  /** The owner's rows in the range that match, newest first, at most `limit`. */
  rowsIn(userId: string, filters: UsageFilters, range: SeqRange, limit: number): Promise<UsageRow[]>;

  /** Whether the owner has a stored call with the key: calls outlive their key. */
  hasCallsOf(userId: string, keyId: string): Promise<boolean>;
}
