import { Inject, Injectable } from '@nestjs/common';
import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import type { UsageKey, UsageMetrics, UsagePage, UsageQuery } from '@orange-id/contract/usage.schema';
import { PortalError } from '../http/portal.error.js';
import { ApiKeyFactory } from '../keys/api-key.factory.js';
import { DailyQuota } from './daily.quota.js';
import { UsageBulkhead } from './usage.bulkhead.js';
import { USAGE_HISTORY } from './usage.history.port.js';
import type { UsageHistory } from './usage.history.port.js';
import { rangeOf, TimeRange } from './usage.range.js';
import { UsageRepository } from './usage.repository.js';

/** Reads usage of an owner, after checking that the owner may. */
@Injectable()
export class UsageService {
  constructor(
    private readonly repository: UsageRepository,
    @Inject(USAGE_HISTORY) private readonly history: UsageHistory,
    private readonly bulkhead: UsageBulkhead,
    private readonly apiKeys: ApiKeyFactory,
    private readonly quota: DailyQuota,
  ) {}

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
    const found = await this.history.page(userId, query);
    const rows = found.slice(0, query.limit);
    return { rows, next: found.length > query.limit ? (rows.at(-1)?.seq ?? null) : null };
  }

  /**
   * The owner's figures for a range. Throws 404 for another user's key or project, `usage.tooManyCalls` if more rows
   * must be read than is possible in a minute, `usage.tooManyQueries` as `UsageBulkhead` does.
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
    const keyIds = await this.checkOwner(userId, filters);
    const figures = await this.history.figures({ userId, filters, keyIds, shown, range });
    const { calls, own } = await this.repository.today(userId);
    return { ...figures, today: { calls, quota: this.quota.of(own) } };
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
  async checkOwner(userId: string, { keyId, projectId }: UsageFilters): Promise<string[] | null> {
    if (keyId !== undefined && !(await this.hasKey(userId, keyId))) throw new PortalError('keys.notFound');
    if (projectId === undefined) return keyId === undefined ? null : [keyId];
    const ids = await this.repository.keysOfProject(userId, projectId);
    if (ids === null) throw new PortalError('project.notFound');
    return keyId === undefined ? ids : ids.filter((id) => id === keyId);
  }

  private async hasKey(userId: string, keyId: string): Promise<boolean> {
    return (await this.repository.hasKey(userId, keyId)) || (await this.history.hasCallsOf(userId, keyId));
  }
}

/** Throws `request.invalid` if a range with both ends is empty, backwards or too long. */
export function checkRange(filters: UsageFilters): void {
  if (filters.from !== undefined && filters.to !== undefined) rangeOf(filters, 0);
}
