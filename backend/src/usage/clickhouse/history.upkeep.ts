import { setTimeout as pause } from 'node:timers/promises';
import type { JobLogger } from '../../jobs/job.logger.js';
import { spansSql } from './call.rows.js';
import { type ClickHouseClient, literal } from './clickhouse.client.js';
import { buildStatements, hourOf, sumTables } from './clickhouse.schema.js';
import type { OldSpan, ShippingRepository, Span } from './shipping.repository.js';

export interface UpkeepSettings {
  /** Months of rows that ClickHouse keeps, besides the current one; 0 for all. */
  USAGE_RETENTION_MONTHS: number;
  /** Days of rows that PostgreSQL keeps of those that ClickHouse has; 0 for all. */
  USAGE_POSTGRES_DAYS: number;
}

const everyMs = 60_000;
const dayMs = 24 * 3_600_000;
/** An hour is summed this long after its end, when its last calls are stored. */
const closedAfterMs = 10 * 60_000;
/** Reads that began with an earlier build of an hour have ended by then. */
const buildWaitMs = 300_000;
const waitMs = 30_000;
const pruneRows = 20_000;
const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * What follows from shipped rows: the sums of closed hours, the end of what is no longer kept in either database, and
 * of the calls of removed accounts.
 */
export class HistoryUpkeep {
  private ranAt = -Infinity;
  /** The hours whose earlier builds are removed in the next run, when nobody reads them any more. */
  private untidy: { hour: number; build: number }[] = [];

  constructor(
    private readonly repository: ShippingRepository,
    private readonly client: ClickHouseClient,
    private readonly settings: UpkeepSettings,
    private readonly shipAgain: (spans: readonly Span[]) => Promise<void>,
    private readonly logger: JobLogger,
  ) {}

  async runIfDue(signal: AbortSignal): Promise<void> {
    if (performance.now() - this.ranAt < everyMs) return;
    this.ranAt = performance.now();
    await this.run(signal);
  }

  /** `now` in ms since the epoch. */
  async run(signal: AbortSignal, now = Date.now()): Promise<void> {
    await this.removeAccounts(signal);
    await this.build(signal, now);
    await this.tidy(signal);
    await this.dropOld(signal, now);
    await this.prune(signal, now);
  }

  private async build(signal: AbortSignal, now: number): Promise<void> {
    const before = hourOf(now - closedAfterMs);
    for (;;) {
      const hours = await this.repository.nextHours(before);
      if (hours === null) return;
      // A database restored from a backup does not know of later builds.
      const [[found]] = (await this.client.rows(
        `select max(build) from hours where hour >= ${hours.from} and hour < ${hours.to}`,
        { timeoutMs: waitMs, signal },
      )) as [[number]];
      const next = { ...hours, build: Math.max(hours.build, found) + 1 };
      await this.repository.beginBuild(next);
      for (const statement of buildStatements(next.from, next.to, next.build)) {
        await this.client.run(statement, { timeoutMs: buildWaitMs, signal });
      }
      await this.repository.endBuild(next);
    }
  }

  /**
   * Removes rows that ClickHouse has and PostgreSQL does not know of: the database was restored from a backup, or a
   * standby without its last commits took over. The sequence numbers of such rows are given to other calls.
   */
  async removeSurplus(signal: AbortSignal): Promise<void> {
    const lastHour = await this.repository.lastHour();
    const from = lastHour === null ? 0 : lastHour - 24;
    const options = { timeoutMs: waitMs, signal };
    const found = await this.client.rows<[string, number]>(
      `select toString(owner), max(seq) from calls where ts >= ${from * 3_600_000} group by owner`,
      options,
    );
    const known = await this.repository.known(found.map(([owner]) => owner));
    const surplus = found.filter(([owner, seq]) => seq > (known.get(owner) ?? 0)).map(([owner]) => owner);
    if (surplus.length === 0) return;
    this.logger.warn(`the database was restored: removing later rows of ${surplus.length} owners`);
    for (const owner of surplus) {
      const condition = `owner = toUUID(${literal(owner)}) and seq > ${known.get(owner) ?? 0}`;
      await this.client.run(`alter table calls delete where ${condition}`, options);
    }
    for (const table of sumTables) {
      await this.client.run(`alter table ${table} delete where hour >= ${from}`, options);
    }
    await this.repository.forgetSums(from);
    while ((await this.openMutations(options)) > 0) await pause(200, null, { signal });
  }

  private async openMutations(options: { timeoutMs: number; signal: AbortSignal }): Promise<number> {
    const [[open]] = (await this.client.rows(
      'select count() from system.mutations where database = currentDatabase() and is_done = 0',
      options,
    )) as [[number]];
    return open;
  }

  private async tidy(signal: AbortSignal): Promise<void> {
    const due = this.untidy;
    this.untidy = await this.repository.untidy();
    if (due.length === 0) return;
    const earlier = due.map(({ hour, build }) => `(hour = ${hour} and build < ${build})`);
    for (const table of sumTables) {
      await this.client.run(`alter table ${table} delete where ${earlier.join(' or ')}`, {
        timeoutMs: waitMs,
        signal,
      });
    }
    await this.repository.tidied(due);
    this.untidy = [];
  }

  /** A mutation runs later, also after a restart of the server; the account is forgotten when it has ended. */
  private async removeAccounts(signal: AbortSignal): Promise<void> {
    const leaving = await this.repository.leaving();
    if (leaving.length === 0) return;
    const options = { timeoutMs: waitMs, signal };
    const fresh = leaving.filter(({ isLeaving }) => !isLeaving);
    if (fresh.length === 0) {
      if ((await this.openMutations(options)) > 0) return;
      const ids = leaving.map(({ userId }) => userId);
      const [[rows]] = (await this.client.rows(
        `select count() from calls where owner in (${ids.map((id) => `toUUID(${literal(id)})`).join(', ')})`,
        options,
      )) as [[number]];
      if (rows === 0) return this.repository.left(ids);
    }
    const owners = leaving.map(({ userId }) => `toUUID(${literal(userId)})`).join(', ');
    for (const table of ['calls', ...sumTables]) {
      await this.client.run(`alter table ${table} delete where owner in (${owners})`, options);
    }
  }

  /** The sums of dropped months stay. */
  private async dropOld(signal: AbortSignal, now: number): Promise<void> {
    const { USAGE_RETENTION_MONTHS: months } = this.settings;
    if (months === 0) return;
    const date = new Date(now);
    const oldest = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months));
    const kept = oldest.getUTCFullYear() * 100 + oldest.getUTCMonth() + 1;
    const options = { timeoutMs: waitMs, signal };
    const old = await this.client.rows<[string]>(
      `select distinct partition from system.parts
       where database = currentDatabase() and table = 'calls' and active and toUInt32OrZero(partition) < ${kept}`,
      options,
    );
    for (const [month] of old) {
      if (!/^\d{6}$/.test(month)) continue;
      await this.client.run(`alter table calls drop partition ${month}`, options);
      this.logger.log(`dropped the rows of ${month}; their sums stay`);
    }
  }

  /** Deletes rows from PostgreSQL that ClickHouse is seen to have. */
  private async prune(signal: AbortSignal, now: number): Promise<void> {
    const { USAGE_POSTGRES_DAYS: days } = this.settings;
    if (days === 0) return;
    const before = new Date(now - days * dayMs);
    for (let isMore = true; isMore;) {
      isMore = false;
      for (let after: string | undefined = nobody; after !== undefined;) {
        const due = await this.repository.prunable(after, before, pruneRows);
        const pruned = await this.pruneSome(
          due.filter(({ low, high }) => high > low),
          signal,
        );
        // An owner of whom a whole step was deleted may have more.
        isMore ||= pruned.some(({ low, high }) => high - low === pruneRows);
        after = due.at(-1)?.userId;
      }
    }
  }

  private async pruneSome(spans: readonly OldSpan[], signal: AbortSignal): Promise<OldSpan[]> {
    if (spans.length === 0) return [];
    const times = {
      from: Math.floor(Math.min(...spans.map(({ from }) => from))),
      to: Math.ceil(Math.max(...spans.map(({ to }) => to))),
    };
    const counts = await this.client.rows<[string, number]>(
      `select toString(owner), count() from calls where ${spansSql(spans, times)} group by owner`,
      { timeoutMs: waitMs, signal },
    );
    const stored = new Map(counts);
    const isStored = ({ userId, rows }: OldSpan) => (stored.get(userId) ?? 0) === rows;
    const lost = spans.filter((span) => !isStored(span));
    if (lost.length > 0) {
      this.logger.error(`ClickHouse lost rows of ${lost.length} owners; they are shipped again`);
      await this.shipAgain(lost);
    }
    const sure = spans.filter(isStored);
    if (sure.length > 0) await this.repository.prune(sure);
    return sure;
  }
}
