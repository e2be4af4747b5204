import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { rollupsFromMs, rowFilters } from '@orange-id/contract/usage.range';
import type { UsageMetrics, UsageQuery, UsageRow } from '@orange-id/contract/usage.schema';
import { DataSource, EntityManager } from 'typeorm';
import { isStatementTimeout } from '../database/statement.timeout.js';
import { PortalError } from '../http/portal.error.js';
import {
  CellsReader,
  type CellsState,
  daysAndHours,
  needsRowsOfHours,
  readCellsState,
} from './usage.cells.repository.js';
import { Figures } from './usage.figures.js';
import {
  readGroups,
  readGroupsInPieces,
  readHourDetails,
  readKeyDays,
  readPercentiles,
  rowsOf,
} from './usage.figures.repository.js';
import type { FiguresQuestion, SeqRange, UsageHistory } from './usage.history.port.js';
import { atOnce, inPieces, readPieces, type Reading } from './usage.pieces.js';
import type { TimeRange } from './usage.range.js';
import { usageColumns, UsageConditions, UsageRecord, usageRowOf } from './usage.sql.js';

const hourMs = 3_600_000;
const quarterMs = hourMs / 4;
const dayMs = 24 * hourMs;
/** Up to this many rows are sorted for exact percentiles, which costs more than counting them. */
const exactMostRows = 100_000;

/** With more calls than this, a chart of a short range has the buckets of the cells, so that only its ends read rows. */
const coarseFromCalls = 200_000;
/** Questions that are read piece by piece at once; the others keep half of the places of all questions. */
const longQuestionsMost = limits.usageQuestions / 2;
const retryAfterSeconds = 5;

/**
 * Reads usage from PostgreSQL. Figures come from the roll-ups where possible and from rows elsewhere. Counts are exact
 * either way; percentiles from the roll-ups are approximate.
 */
@Injectable()
export class PostgresHistoryRepository implements UsageHistory {
  /** Ranges with more calls are answered from the cells, those with fewer from the rows, hence with exact percentiles. */
  private readonly cellsFromCalls: number = exactMostRows;

  private readonly coarseFromCalls: number = coarseFromCalls;
  private longQuestions = 0;

  constructor(private readonly dataSource: DataSource) {}

  page(userId: string, query: UsageQuery): Promise<UsageRow[]> {
    const { after = 0, before = Number.MAX_SAFE_INTEGER, limit } = query;
    const range = { first: after + 1, last: before - 1 };
    return this.rowsBetween(userId, query, range, query.after === undefined ? 'desc' : 'asc', limit + 1);
  }

  figures(question: FiguresQuestion): Promise<Omit<UsageMetrics, 'today'>> {
    // All parts need the same state of the watermark, the roll-ups and the rows after it.
    const read = (isLong: boolean) =>
      this.dataSource.transaction('REPEATABLE READ', (manager) =>
        this.readFigures(manager, question, isLong ? inPieces(manager) : atOnce),
      );
    return this.orInPieces(
      () => read(false),
      () => read(true),
    );
  }

  /** Asks again in pieces if a statement takes too long. */
  private async orInPieces<T>(ask: () => Promise<T>, inPieces: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!isStatementTimeout(error)) throw error;
    }
    if (this.longQuestions >= longQuestionsMost)
      throw new PortalError('usage.tooManyQueries', { retryAfterSeconds });
    this.longQuestions++;
    try {
      return await inPieces();
    } catch (error) {
      // The database is healthy.
      if (isStatementTimeout(error)) throw new PortalError('usage.tooManyCalls', { cause: error });
      throw error;
    } finally {
      this.longQuestions--;
    }
  }

  async seqRange(userId: string, filters: UsageFilters, upToSeq: number): Promise<SeqRange> {
    const everything = { first: 1, last: upToSeq };
    if (filters.from === undefined && filters.to === undefined) return everything;
    const where = new UsageConditions(userId).matchingInTime(filters);
    try {
      const [found]: { folded: string; first: string | null; last: string | null }[] =
        await this.dataSource.query(
          `with watermark as materialized (
             select coalesce((select key_days_seq from usage_watermarks where user_id = $1), 0) as seq
           ), keys as (
             select api_key_id as id from usage_keys where user_id = $1
           )
           select (select seq from watermark) as folded, min(r.seq) as first, max(r.seq) as last
           from watermark w cross join keys cross join lateral (
             select seq from api_usage where api_key_id = keys.id and seq <= w.seq and ${where.sql} offset 0
           ) r`,
          where.values,
        );
      // The roll-ups locate rows by key and time; rows that are not folded yet are found by sequence alone.
      const folded = Math.min(Number(found?.folded ?? 0), upToSeq);
      const hasUnfolded = upToSeq > folded;
      return {
        first: found?.first == null ? folded + 1 : Number(found.first),
        last: hasUnfolded ? upToSeq : Math.min(upToSeq, Number(found?.last ?? 0)),
      };
    } catch (error) {
      if (!isStatementTimeout(error)) throw error;
      return everything;
    }
  }

  rowsIn(
    userId: string,
    filters: UsageFilters,
    { first, last }: SeqRange,
    limit: number,
  ): Promise<UsageRow[]> {
    return this.rowsBetween(userId, filters, { first, last }, 'desc', limit);
  }

  async hasCallsOf(userId: string, keyId: string): Promise<boolean> {
    const found: unknown[] = await this.dataSource.query(
      'select from api_usage where api_key_id = $1 and user_id = $2 limit 1',
      [keyId, userId],
    );
    return found.length > 0;
  }

  private rowsBetween(
    userId: string,
    filters: UsageFilters,
    range: SeqRange,
    order: 'asc' | 'desc',
    limit: number,
  ): Promise<UsageRow[]> {
    const read = ({ first, last }: SeqRange, most: number): Promise<UsageRow[]> => {
      const where = new UsageConditions(userId).matchingInTime(filters);
      return this.rows(where.add('seq between ? and ?', first, last), order, most);
    };
    return this.orInPieces(
      () => read(range, limit),
      async () => {
        const [head]: { seq: string }[] = await this.dataSource.query(
          'select seq from usage_heads where user_id = $1',
          [userId],
        );
        const found = await this.seqRange(userId, filters, Math.min(range.last, Number(head?.seq ?? 0)));
        const within = { first: Math.max(range.first, found.first), last: found.last };
        return readPieces(within, order, limit, read);
      },
    );
  }

  private async rows(where: UsageConditions, order: 'asc' | 'desc', limit: number): Promise<UsageRow[]> {
    const records: UsageRecord[] = await this.dataSource.query(
      `select ${usageColumns} from api_usage where ${where.sql} order by seq ${order} limit ${limit}`,
      where.values,
    );
    return records.map(usageRowOf);
  }

  private async readFigures(
    manager: EntityManager,
    question: FiguresQuestion,
    reading: Reading,
  ): Promise<Omit<UsageMetrics, 'today'>> {
    const { userId, filters, keyIds, shown, range } = question;
    const isByKey = rowFilters.every((name) => filters[name] === undefined);
    const isLong = isByKey && shown.to - shown.from >= rollupsFromMs;
    let figures = new Figures(shown);
    const state = await readCellsState(manager, userId, keyIds);
    const isCovered = state.isCurrent && state.wideKeys.length > 0;
    // Keys without cells have days.
    const hours = inside(range, hourMs);
    if (isCovered && !(isLong && state.lightKeys.length > 0) && hours.from < hours.to) {
      const calls = isLong
        ? Infinity
        : await new CellsReader(manager, userId, state.wideKeys, hours).volume();
      // Cells have no quarters of an hour by origin.
      const unitMs = filters.origin === undefined ? quarterMs : hourMs;
      if (figures.stepMs < unitMs && (calls > this.coarseFromCalls || reading !== atOnce)) {
        figures = new Figures(shown, unitMs);
      }
      if (figures.stepMs >= unitMs && (calls > this.cellsFromCalls || reading !== atOnce)) {
        return readCells(manager, question, state, hours, { reading, figures });
      }
    }
    const covered = isLong ? inside(range, dayMs) : null;
    if (covered) {
      await reading.each(covered, dayMs, figures, (piece, added) =>
        readKeyDays(manager, userId, keyIds, piece, added),
      );
    }
    const query = { userId, filters, range, covered };
    if (reading !== atOnce) {
      await readGroupsInPieces(manager, query, reading, figures);
      return figures.result({ exact: null, hasOrigins: covered === null });
    }
    const rows = rowsOf(query);
    const count = await readGroups(manager, rows, figures);
    const isExact = covered === null && count <= exactMostRows;
    const exact = isExact ? await readPercentiles(manager, rows, figures.totals.calls) : null;
    return figures.result({ exact, hasOrigins: covered === null });
  }
}

/** Answers from the cells, from the rows of the part hours at both ends and from those that are not folded yet. */
async function readCells(
  manager: EntityManager,
  { userId, filters, keyIds, range }: FiguresQuestion,
  { from, wideKeys, lightKeys }: CellsState,
  hours: TimeRange,
  { reading, figures }: { reading: Reading; figures: Figures },
): Promise<Omit<UsageMetrics, 'today'>> {
  const isByKey = rowFilters.every((name) => filters[name] === undefined);
  // Of rows that were dropped before there were cells, the days of keys are left.
  const start = isByKey
    ? Math.max(hours.from, Math.min(hours.to, Math.floor(from / dayMs) * dayMs))
    : hours.from;
  const earlier = { from: hours.from, to: start };
  if (hours.from < start) {
    await reading.each(earlier, dayMs, figures, (piece, added) =>
      readKeyDays(manager, userId, keyIds, piece, added),
    );
  }
  const hasOrigins = figures.totals.calls === 0;
  const counted = { from: start, to: hours.to };
  await reading.each(counted, dayMs, figures, (piece, added) =>
    new CellsReader(manager, userId, wideKeys, piece).read(filters, added, hasOrigins),
  );
  if (needsRowsOfHours(filters)) {
    const wide = (keyIds ?? []).filter((id) => !lightKeys.includes(id));
    const rows = { userId, filters, keyIds: keyIds && wide };
    for (const beside of daysAndHours(counted).hours) {
      await reading.each(beside, 1, figures, (piece, added) => readHourDetails(manager, rows, piece, added));
    }
  }
  const query = { userId, filters, range, covered: hours, cells: { keyIds, lightKeys } };
  if (reading === atOnce) await readGroups(manager, rowsOf(query), figures);
  else await readGroupsInPieces(manager, query, reading, figures);
  return figures.result({ exact: null, hasOrigins });
}

/** The part of a range that consists of whole units. */
const inside = ({ from, to }: TimeRange, unitMs: number): TimeRange => ({
  from: Math.ceil(from / unitMs) * unitMs,
  to: Math.floor(to / unitMs) * unitMs,
});
