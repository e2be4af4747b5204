import { Inject, Injectable, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { DATABASE_ADDRESS } from '../database/database.options.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { ConnectionLost, SteadyConnection } from '../database/steady.connection.js';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { JobLogger } from '../jobs/job.logger.js';
import { type Folded, foldSql, widenSql } from './usage.fold.repository.js';

/** Held by the one instance that folds, for the lifetime of its connection. */
const foldLock = 7_276_002;
const foldEveryMs = 500;
const longestPauseMs = 2_000;
const foldWaitMs = 30_000;
/** Rows of a step: a small one costs several times as much per row. */
const stepRows = 20_000;
/** Rows of many different hours touch many cells: then a step has more rows, which share cells, and more time. */
const scatteredHours = 48;
const scatteredStepRows = 50_000;
const scatteredWaitMs = 120_000;
/** Calls a day above which a key gets cells of its own; the figures of a key below it are read from its rows. */
const wideFromCalls = 10_000;
const tidyEveryMs = 60_000;
/** Twice the period in which a batch is retried. */
const batchesKeptMs = 10 * 60_000;

/**
 * The pause after a fold that left no backlog, both in milliseconds. A larger step costs less per row, so a slow fold is
 * followed by a longer pause; the roll-ups still stay close to the newest row.
 */
export const pauseAfter = (foldMs: number): number =>
  Math.min(longestPauseMs, Math.max(foldEveryMs, foldMs * 9));

const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * Keeps the roll-ups up to date and the tables tidy. One instance at a time does this; reads add the rows after the
 * watermark, so no result depends on how far behind the roll-ups are.
 */
@Injectable()
export class UsageRollups implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new JobLogger('Roll-ups', 'roll-ups');
  private readonly connection: SteadyConnection;
  private isHolder = false;
  private isStopped = false;
  private after = nobody;
  private isScattered = false;
  private readonly wideFromCalls: number = wideFromCalls;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private tidiedAt = 0;
  private foldedAt = 0;
  /** The last failure, which is logged once. */
  private failure: string | null = null;

  constructor(@Inject(DATABASE_ADDRESS) address: DatabaseAddress, metrics: MetricsRegistry) {
    metrics.gauge(
      'usage_rollups_folded_timestamp_seconds',
      'When this instance last brought the roll-ups up to date; 0 if it never has: one instance at a time does',
      () => this.foldedAt / 1000,
    );
    this.connection = new SteadyConnection(address, {
      name: 'roll-ups',
      // Otherwise a step goes on without its connection, and keeps the lock. Some systems can't tell.
      prepare: async (client) => {
        await client.query("set client_connection_check_interval = '1s'").catch(() => undefined);
      },
      onDown: () => (this.isHolder = false),
    });
  }

  async onModuleInit(): Promise<void> {
    await this.connection.start();
    this.plan(foldEveryMs);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    // A step can take minutes. It is one transaction, so it may be cut.
    await this.connection.stop();
    await this.running;
  }

  /** Folds the present rows if this instance is the one that folds; returns whether it is. */
  async fold(): Promise<boolean> {
    if (!(await this.hold())) return false;
    this.after = nobody;
    let isMore = true;
    while (isMore && !this.isStopped) isMore = await this.foldSome();
    return true;
  }

  private plan(ms: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.tick();
    }, ms).unref();
  }

  private async tick(): Promise<void> {
    const startedAt = performance.now();
    this.logger.begin();
    try {
      if (this.connection.isUp && (await this.fold())) {
        this.foldedAt = Date.now();
        await this.tidy();
        this.failure = null;
      }
    } catch (error) {
      if (!(error instanceof ConnectionLost)) {
        const isRepeated = this.failure === String(error);
        this.logger.failed('folding failed, trying again', error, { isRepeated });
        this.failure = String(error);
      }
    }
    this.plan(pauseAfter(performance.now() - startedAt));
  }

  private async hold(): Promise<boolean> {
    if (this.isHolder) return true;
    const { rows } = await this.connection.query(
      { text: 'select pg_try_advisory_lock($1) as held', values: [foldLock] },
      foldWaitMs,
    );
    this.isHolder = rows[0].held;
    return this.isHolder;
  }

  /** Folds the next owners in turn; returns false when a step reaches the last owner and leaves none of its rows. */
  private async foldSome(): Promise<boolean> {
    const [most, waitMs] = this.isScattered ? [scatteredStepRows, scatteredWaitMs] : [stepRows, foldWaitMs];
    const { rows } = await this.connection.query(
      { name: 'usage.fold', text: foldSql, values: [this.after, most, this.wideFromCalls] },
      waitMs,
    );
    const { hours, isMore, last, heavy } = rows[0] as Folded;
    this.isScattered = hours > scatteredHours;
    this.after = last ?? nobody;
    for (const id of heavy) {
      await this.connection.query({ name: 'usage.widen', text: widenSql, values: [id] }, scatteredWaitMs);
    }
    return isMore || last !== null;
  }

  private async tidy(): Promise<void> {
    const now = Date.now();
    if (now - this.tidiedAt < tidyEveryMs) return;
    this.tidiedAt = now;
    await this.connection.query(
      { text: 'delete from ingest_batches where id < $1', values: [firstIdOf(now - batchesKeptMs)] },
      foldWaitMs,
    );
    await this.connection.query(
      {
        text: `delete from deleted_keys where deleted_at < now() - interval '${limits.deletedKeysKeptDays} days'`,
      },
      foldWaitMs,
    );
    await this.connection.query(
      { text: "delete from key_changes where at < now() - interval '1 day'" },
      foldWaitMs,
    );
  }
}

/** A UUID below every UUIDv7 of this time (ms since the epoch) or later: batch ids sort by creation time. */
function firstIdOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
