import type { UsageRow } from '@orange-id/contract/usage.schema';

export interface Sequenced {
  /** Rows that follow `held`, in order and without a gap. */
  ready: UsageRow[];
  /** Rows after a gap, in order. */
  waiting: UsageRow[];
  /** The last sequence number after `ready` is delivered. */
  held: number;
}

/** Sorts rows by `seq`, drops duplicates and rows already delivered, and holds those after a gap. */
export function sequenceRows(
  held: number,
  waiting: readonly UsageRow[],
  incoming: readonly UsageRow[],
): Sequenced {
  const bySeq = new Map<number, UsageRow>();
  for (const row of waiting) bySeq.set(row.seq, row);
  for (const row of incoming) if (row.seq > held) bySeq.set(row.seq, row);
  const rows = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
  const firstBeyond = rows.findIndex((row, index) => row.seq !== held + 1 + index);
  const split = firstBeyond === -1 ? rows.length : firstBeyond;
  return { ready: rows.slice(0, split), waiting: rows.slice(split), held: held + split };
}
