import type { EntityManager } from 'typeorm';
import { isStatementTimeout } from '../database/statement.timeout.js';
import { PortalError } from '../http/portal.error.js';
import type { Figures } from './usage.figures.js';
import type { SeqRange } from './usage.history.port.js';
import type { TimeRange } from './usage.range.js';

/** What a question that takes long may take in all, in ms. */
const longestMs = 60_000;

/** How a question is read: at once, or piece by piece if that takes too long. */
export interface Reading {
  /** Adds what `read` adds for the range, or for its pieces, whose ends are multiples of `unitMs`. */
  each(range: TimeRange, unitMs: number, figures: Figures, read: ReadPiece): Promise<void>;
}
export type ReadPiece = (piece: TimeRange, figures: Figures) => Promise<void>;

export const atOnce: Reading = {
  each: async (range, _unitMs, figures, read) => {
    if (range.from < range.to) await read(range, figures);
  },
};

/**
 * Reads pieces in the transaction of `manager`, so that all see the same calls; halves a piece that takes longer than a
 * statement may. Rejects as the statement does if the smallest piece or all together take too long.
 */
export function inPieces(manager: EntityManager): Reading {
  const deadline = performance.now() + longestMs;
  return {
    async each(range, unitMs, figures, read) {
      const left = boundedFirst(range, unitMs);
      for (let piece = left.pop(); piece !== undefined; piece = left.pop()) {
        await manager.query('savepoint piece');
        // A piece may fail after a part of it was added.
        const added = figures.like();
        try {
          await read(piece, added);
        } catch (error) {
          const middle = middleOf(piece, unitMs);
          if (!isStatementTimeout(error) || middle === null || performance.now() > deadline) throw error;
          await manager.query('rollback to savepoint piece');
          left.push({ from: middle, to: piece.to }, { from: piece.from, to: middle });
          continue;
        }
        await manager.query('release savepoint piece');
        figures.add(added);
      }
    },
  };
}

/** The range in the reverse order of reading; of one without an end, what is after now is apart. */
function boundedFirst({ from, to }: TimeRange, unitMs: number): TimeRange[] {
  if (from >= to) return [];
  const now = Math.ceil(Date.now() / unitMs) * unitMs;
  if (to !== Infinity || from >= now) return [{ from, to }];
  return [
    { from: now, to },
    { from, to: now },
  ];
}

/** A multiple of the unit inside the piece; null if there is none. */
function middleOf({ from, to }: TimeRange, unitMs: number): number | null {
  const middle = Math.ceil((from + to) / 2 / unitMs) * unitMs;
  return middle > from && middle < to ? middle : null;
}

/** Sequence numbers of the first piece when rows are searched. */
const firstPiece = 200_000;

/**
 * The first `limit` rows in an order, found piece by piece. Rejects as the statement does if the smallest piece takes too
 * long, and with `usage.tooManyCalls` if all together do.
 */
export async function readPieces<Row>(
  { first, last }: SeqRange,
  order: 'asc' | 'desc',
  limit: number,
  read: (piece: SeqRange, most: number) => Promise<Row[]>,
): Promise<Row[]> {
  const deadline = performance.now() + longestMs;
  const rows: Row[] = [];
  let [low, high, size] = [first, last, firstPiece];
  while (low <= high && rows.length < limit) {
    if (performance.now() > deadline) throw new PortalError('usage.tooManyCalls');
    const piece =
      order === 'asc'
        ? { first: low, last: Math.min(high, low + size - 1) }
        : { first: Math.max(low, high - size + 1), last: high };
    try {
      rows.push(...(await read(piece, limit - rows.length)));
    } catch (error) {
      if (!isStatementTimeout(error) || size === 1) throw error;
      size = Math.ceil(size / 2);
      continue;
    }
    if (order === 'asc') low = piece.last + 1;
    else high = piece.first - 1;
  }
  return rows;
}
