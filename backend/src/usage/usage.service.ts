import { Inject, Injectable } from '@nestjs/common';
import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { rollupsFromMs, rowFilters } from '@orange-id/contract/usage.range';
import type { UsageKey, UsageMetrics, UsagePage, UsageQuery } from '@orange-id/contract/usage.schema';
import type { EntityManager } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { PortalError } from '../http/portal.error.js';
import { ApiKeyFactory } from '../keys/api-key.factory.js';
import { DailyQuota } from './daily.quota.js';
import { UsageBulkhead } from './usage.bulkhead.js';
import { Figures } from './usage.figures.js';
import { readDays, readGroups, readHours, readPercentiles, rowsOf } from './usage.figures.repository.js';
import { rangeOf, TimeRange } from './usage.range.js';
import { UsageRepository } from './usage.repository.js';
import { usageRowOf } from './usage.sql.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Up to this many rows are sorted for exact percentiles, which costs more than counting them. */
const exactMostRows = 100_000;

/**
 * Reads usage. Figures come from the roll-ups where possible and from rows elsewhere. Counts are exact either way;
 * percentiles from the roll-ups are approximate.
 */
@Injectable()
export class UsageService {
  private readonly quota: number | null;

  constructor(
    private readonly repository: UsageRepository,
    private readonly bulkhead: UsageBulkhead,
    private readonly apiKeys: ApiKeyFactory,
    @Inject(ENVIRONMENT) environment: Pick<Environment, 'USAGE_DAILY_QUOTA'>,
  ) {
    this.quota = new DailyQuota(environment.USAGE_DAILY_QUOTA).perDay;
  }

  /**
   * The owner's rows, newest first, or oldest first after a sequence number. Throws 404 for another user's key or
   * project, `usage.tooManyCalls` if the search timed out, `usage.tooManyQueries` as `UsageBulkhead` does.
   */
  async page(userId: string, query: UsageQuery): Promise<UsagePage> {
    checkRange(query);
    return this.bulkhead.run(userId, () => this.readPage(userId, query));
  }

  private async readPage(userId: string, query: UsageQuery): Promise<UsagePage> {
    await this.checkOwner(userId, query);
    const records = await inTime(this.repository.page(userId, query));
    const rows = records.slice(0, query.limit).map(usageRowOf);
    return { rows, next: records.length > query.limit ? (rows.at(-1)?.seq ?? null) : null };
  }

  /**
   * The owner's figures for a range. Throws 404 for another user's key or project, `usage.tooManyCalls` if more rows
   * must be read than is possible in time, `usage.tooManyQueries` as `UsageBulkhead` does.
   */
  async metrics(userId: string, filters: UsageFilters, now = Date.now()): Promise<UsageMetrics> {
    const shown = rangeOf(filters, now);
    const range = filters.to === undefined ? { ...shown, to: Infinity } : shown;
    return this.bulkhead.run(userId, () => this.readMetrics(userId, filters, shown, range));
  }

  private async readMetrics(
    userId: string,
    filters: UsageFilters,
    shown: TimeRange,
    range: TimeRange,
  ): Promise<UsageMetrics> {
    const answer = this.repository.inSnapshot(async (manager) => {
      const keyIds = await this.checkOwner(userId, filters, manager);
      const figures = new Figures(shown);
      const isInRollups = rowFilters.every((name) => filters[name] === undefined);
      const hours = isInRollups && shown.to - shown.from >= rollupsFromMs ? inside(range, hourMs) : null;
      const days = hours && inside(range, dayMs);
      if (hours && days) {
        await readHours(manager, userId, keyIds, hours, figures);
        await readDays(manager, userId, keyIds, days, figures);
      }
      const rows = rowsOf({ userId, filters, range, hours, days });
      const count = await readGroups(manager, rows, figures);
      const isExact = hours === null && count <= exactMostRows;
      const exact = isExact ? await readPercentiles(manager, rows, figures.totals.calls) : null;
      const today = { calls: await this.repository.today(userId, manager), quota: this.quota };
      return { ...figures.result({ exact, hasOrigins: hours === null }), today };
    });
    return inTime(answer);
  }

  /** The owner's keys that are live or were ever used, newest first. */
  async keys(userId: string): Promise<UsageKey[]> {
    const rows = await this.repository.keys(userId);
    return rows.map(({ code, ...row }) => ({
      id: row.id,
      name: row.name,
      ...apiKeyEnds(this.apiKeys.reveal(row)),
      projectId: code,
      isActive: row.isActive,
    }));
  }

  /** The keys that match the filters, or `null` for all. Throws 404 for another user's key or project. */
  async checkOwner(
    userId: string,
    { keyId, projectId }: UsageFilters,
    manager?: EntityManager,
  ): Promise<string[] | null> {
    if (keyId !== undefined && !(await this.repository.hasKey(userId, keyId, manager))) {
      throw new PortalError('keys.notFound');
    }
    if (projectId === undefined) return keyId === undefined ? null : [keyId];
    const ids = await this.repository.keysOfProject(userId, projectId, manager);
    if (ids === null) throw new PortalError('project.notFound');
    return keyId === undefined ? ids : ids.filter((id) => id === keyId);
  }
}

/** Throws `request.invalid` if a range with both ends is empty, backwards or too long. */
export function checkRange(filters: UsageFilters): void {
  if (filters.from !== undefined && filters.to !== undefined) rangeOf(filters, 0);
}

const statementTimeout = '57014';

/** A read that the server cancelled because it took too long gets its own error: the database is healthy. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    if (isStatementTimeout(error)) throw new PortalError('usage.tooManyCalls', { cause: error });
    throw error;
  });
}

export const isStatementTimeout = (error: unknown): boolean =>
  (error as { driverError?: { code?: string } } | null)?.driverError?.code === statementTimeout;

/** The part of a range that consists of whole units. */
const inside = ({ from, to }: TimeRange, unitMs: number): TimeRange => ({
  from: Math.ceil(from / unitMs) * unitMs,
  to: Math.floor(to / unitMs) * unitMs,
});
