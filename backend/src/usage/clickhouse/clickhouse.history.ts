import { Logger } from '@nestjs/common';
import { rollupsFromMs } from '@orange-id/contract/usage.range';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import type { UsageMetrics, UsageQuery, UsageRow } from '@orange-id/contract/usage.schema';
import { PortalError } from '../../http/portal.error.js';
import { Figures, percents, type Percentiles, rankOf } from '../usage.figures.js';
import type { FiguresQuestion, SeqRange, UsageHistory } from '../usage.history.port.js';
import { type ClickHouseClient, ClickHouseRefused, ClickHouseUnreachable } from './clickhouse.client.js';
import {
  durationsQuery,
  figureQueries,
  type FiguresSource,
  hasKeyQuery,
  type Place,
  placesQuery,
  rowsQuery,
  type RowsQuestion,
  seqRangeQuery,
  type StoredCall,
  usageRowOf,
} from './history.sql.js';
import type { CallGroup, Division, NewestCallsRepository } from './newest.calls.repository.js';

const hourMs = 3_600_000;
/** Up to this many rows are sorted for exact percentiles. */
const exactMostRows = 100_000;
const readWaitMs = 5_000;
/** A question that fails faster is asked once more. */
const againWithinMs = 500;
/** After a failure, ClickHouse is not asked for so long, so that pages do not wait for a server that is down. */
const restMs = 5_000;
/** Rows that PostgreSQL counts besides ClickHouse; when more are not shipped yet, it answers alone. */
const newestMost = 200_000;

/** Exceptions among the hours of a range; with more of them the server takes longer to read the question than the rows. */
const exceptionsMost = 200;

type PlainFigures = Omit<UsageMetrics, 'today'>;

/**
 * Reads history from ClickHouse and what is not there yet from PostgreSQL: a row is counted from exactly one of them,
 * by its sequence number. While ClickHouse is down or slow, PostgreSQL answers with the days that it keeps.
 */
export class ClickHouseHistory implements UsageHistory {
  private readonly logger = new Logger('ClickHouse');
  private restsUntil = -Infinity;
  private isDown = false;

  constructor(
    private readonly client: ClickHouseClient,
    private readonly postgres: UsageHistory,
    private readonly newest: NewestCallsRepository,
  ) {}

  figures(question: FiguresQuestion): Promise<PlainFigures> {
    return this.orElse(
      () => this.readFigures(question),
      async () => {
        const figures = await this.postgres.figures(question);
        const keptFrom = await this.newest.keptFrom(question.userId);
        if (keptFrom === null || keptFrom <= question.shown.from) return figures;
        return { ...figures, completeFrom: new Date(keptFrom).toISOString() };
      },
    );
  }

  page(userId: string, query: UsageQuery): Promise<UsageRow[]> {
    return this.orElse(
      () => this.readPage(userId, query),
      () => this.postgres.page(userId, query),
    );
  }

  /** An export says nothing of what it lacks, so it waits for a ClickHouse that has rows of it. */
  seqRange(userId: string, filters: UsageFilters, upToSeq: number): Promise<SeqRange> {
    return this.orElse(
      async () => {
        const { shipped } = await this.newest.division(userId);
        const everything = { first: 1, last: upToSeq };
        if (filters.from === undefined && filters.to === undefined) return everything;
        const most = Math.min(shipped, upToSeq);
        const [[count, min, max]] = (await this.ask<[number, number, number]>(
          seqRangeQuery(userId, filters, most),
        )) as [[number, number, number]];
        return { first: count > 0 ? min : most + 1, last: upToSeq > most ? upToSeq : max };
      },
      () => this.completely(userId, () => this.postgres.seqRange(userId, filters, upToSeq)),
    );
  }

  rowsIn(userId: string, filters: UsageFilters, range: SeqRange, limit: number): Promise<UsageRow[]> {
    return this.orElse(
      () => this.readDown(userId, filters, range, limit),
      () => this.completely(userId, () => this.postgres.rowsIn(userId, filters, range, limit)),
    );
  }

  async hasCallsOf(userId: string, keyId: string): Promise<boolean> {
    if (await this.postgres.hasCallsOf(userId, keyId)) return true;
    return this.orElse(
      async () => (await this.ask(hasKeyQuery(userId, keyId))).length > 0,
      () => this.completely(userId, () => Promise.resolve(false)),
    );
  }

  private async readPage(userId: string, query: UsageQuery): Promise<UsageRow[]> {
    const limit = query.limit + 1;
    const before = query.before ?? Number.MAX_SAFE_INTEGER;
    if (query.after === undefined) {
      return this.readDown(userId, query, { first: 1, last: before - 1 }, limit);
    }
    const { shipped } = await this.newest.division(userId);
    const range = { first: query.after + 1, last: Math.min(shipped, before - 1) };
    const found = await this.stored({ userId, filters: query, range, order: 'asc', limit });
    if (found.length === limit) return found;
    const after = Math.max(query.after, shipped);
    const rest = await this.postgres.page(userId, { ...query, after, limit: query.limit - found.length });
    return [...found, ...rest];
  }

  /** Rows newest first: the newest from PostgreSQL, those before them from ClickHouse. */
  private async readDown(
    userId: string,
    filters: UsageFilters,
    { first, last }: SeqRange,
    limit: number,
  ): Promise<UsageRow[]> {
    const { shipped } = await this.newest.division(userId);
    const newest = { first: Math.max(first, shipped + 1), last };
    const found = newest.first > last ? [] : await this.postgres.rowsIn(userId, filters, newest, limit);
    if (found.length === limit) return found;
    const range = { first, last: Math.min(last, shipped) };
    const rest = await this.stored({ userId, filters, range, order: 'desc', limit: limit - found.length });
    return [...found, ...rest];
  }

  private async stored(question: RowsQuestion): Promise<UsageRow[]> {
    if (question.range.first > question.range.last) return [];
    const places = await this.ask<Place>(placesQuery(question));
    if (places.length === 0) return [];
    const rows = (await this.ask<StoredCall>(rowsQuery(question.userId, places))).map(usageRowOf);
    return rows.sort((a, b) => (question.order === 'asc' ? a.seq - b.seq : b.seq - a.seq));
  }

  private async readFigures({ userId, filters, shown, range }: FiguresQuestion): Promise<PlainFigures> {
    const figures = new Figures(shown);
    const isLong = shown.to - shown.from >= rollupsFromMs;
    // A row that is shipped after this is still counted from PostgreSQL, and not from ClickHouse.
    const { source, groups, newestDurations } = await this.newest.inSnapshot(async (manager) => {
      const division = await this.newest.division(userId, manager);
      requireClose(division);
      const { shipped } = division;
      const whole = {
        from: Math.ceil(range.from / hourMs),
        to: Math.floor(Math.min(range.to, shown.to) / hourMs),
      };
      const source: FiguresSource = {
        userId,
        filters,
        range,
        shipped,
        hours: isLong ? await this.newest.hours(manager, whole.from, whole.to, exceptionsMost) : null,
      };
      const question = { userId, filters, range, shipped };
      const groups = await this.newest.groups(manager, question, figures.stepMs);
      const newestDurations = source.hours ? [] : await this.newest.durations(manager, question);
      return { source, groups, newestDurations };
    });
    let count = addGroups(figures, groups);
    const [times, kinds, keys, origins] = await Promise.all([
      this.ask<[number, number, number, number, number, number, number]>(
        figureQueries.times(source, figures.stepMs),
      ),
      this.ask<[string, string, number, number]>(figureQueries.kinds(source)),
      this.ask<[string, number]>(figureQueries.keys(source)),
      this.ask<[string, number]>(figureQueries.origins(source)),
    ]);
    for (const [at, bucket, rows, calls, errors, serverErrors, blocked] of times) {
      count += rows;
      figures.addTime(at, { calls, errors, serverErrors, blocked });
      figures.addLatency(bucket, calls);
    }
    for (const [endpoint, method, statusCode, calls] of kinds) {
      figures.addKind({ endpoint, method, statusCode }, calls);
    }
    for (const [key, calls] of keys) figures.addKey(key, calls);
    for (const [origin, calls] of origins) figures.addOrigin(origin === '' ? null : origin, calls);
    const isExact = source.hours === null && count <= exactMostRows;
    const exact = isExact
      ? percentilesOf([...newestDurations, ...(await this.ask<[number, number]>(durationsQuery(source)))])
      : null;
    return figures.result({ exact, hasOrigins: true });
  }

  private async ask<T extends unknown[]>(sql: string): Promise<T[]> {
    const startedAt = performance.now();
    try {
      return await this.client.rows<T>(sql, { timeoutMs: readWaitMs });
    } catch (error) {
      // The server may close a kept connection in the moment in which it is used again.
      if (!(error instanceof ClickHouseUnreachable) || performance.now() - startedAt > againWithinMs)
        throw error;
      return this.client.rows<T>(sql, { timeoutMs: readWaitMs });
    }
  }

  /** PostgreSQL's answer, if it still has every row of the owner. */
  private async completely<T>(userId: string, read: () => Promise<T>): Promise<T> {
    if ((await this.newest.division(userId)).pruned > 0) throw new PortalError('usage.historyAway');
    return read();
  }

  private async orElse<T>(read: () => Promise<T>, instead: () => Promise<T>): Promise<T> {
    if (performance.now() < this.restsUntil) return instead();
    try {
      const answer = await read();
      if (this.isDown) this.logger.log('history is read again');
      this.isDown = false;
      return answer;
    } catch (error) {
      if (error instanceof ClickHouseUnreachable) this.restsUntil = performance.now() + restMs;
      else if (!(error instanceof ClickHouseRefused || error instanceof FarBehind)) throw error;
      // An outage is logged once.
      if (!this.isDown) this.logger.warn(`reading history failed, PostgreSQL answers: ${error.message}`);
      this.isDown = true;
      return instead();
    }
  }
}

/** So many rows are not shipped yet that PostgreSQL better answers with its roll-ups. */
class FarBehind extends Error {
  override name = 'FarBehind';
}

function requireClose({ head, shipped }: Division): void {
  if (head - shipped > newestMost)
    throw new FarBehind(`${head - shipped} rows of an owner are not shipped yet`);
}

/** Adds up the groups; returns the number of their rows. */
function addGroups(figures: Figures, groups: readonly CallGroup[]): number {
  let count = 0;
  for (const group of groups) {
    count += group.rows;
    figures.addTime(group.at, group);
    figures.addKind(group, group.calls);
    figures.addKey(group.key, group.calls);
    figures.addOrigin(group.origin, group.calls);
    figures.addLatency(group.bucket, group.calls);
  }
  return count;
}

function percentilesOf(durations: [ms: number, calls: number][]): Percentiles {
  durations.sort(([a], [b]) => a - b);
  const total = durations.reduce((sum, [, calls]) => sum + calls, 0);
  return percents.map((percent) => {
    let upTo = 0;
    return durations.find(([, calls]) => (upTo += calls) >= rankOf(percent, total))?.[0] ?? null;
  }) as Percentiles;
}
