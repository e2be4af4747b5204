import { Inject, Injectable, Logger, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { histogramBuckets } from '@orange-id/contract/latency.histogram';
import { limits } from '@orange-id/contract/limits';
import { DATABASE_ADDRESS } from '../database/database.options.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { ConnectionLost, SteadyConnection } from '../database/steady.connection.js';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { bucketSql, errorSql } from './usage.sql.js';

/** Held by the one instance that folds, for the lifetime of its connection. */
const foldLock = 7_276_002;
const foldEveryMs = 500;
const ownersAtOnce = 1_000;
const rowsPerOwner = 2_000;
const foldWaitMs = 30_000;
const tidyEveryMs = 60_000;
/** Twice the period in which a batch is retried. */
const batchesKeptMs = 10 * 60_000;

/** One expression per bucket: a join with a series of all buckets took four fifths of the statement's time. */
const histogramSql = Array.from(
  { length: histogramBuckets },
  (_, bucket) => `coalesce(max(calls) filter (where bucket = ${bucket}), 0)`,
).join(', ');

/**
 * Folds the next rows of each owner after the watermark, at most `rowsPerOwner` of `ownersAtOnce` owners, into both
 * roll-ups and advances the watermark: one statement, hence one transaction, from one snapshot. `$1` is the owner to
 * continue after.
 */
const foldSql = `
with span as materialized (
  select h.user_id, coalesce(w.seq, 0) as low, least(h.seq, coalesce(w.seq, 0) + ${rowsPerOwner}) as high, h.seq as head
  from usage_heads h left join usage_watermarks w on w.user_id = h.user_id
  where h.seq > coalesce(w.seq, 0) and h.user_id > $1
  order by h.user_id limit ${ownersAtOnce}
), fresh as materialized (
  select s.user_id, u.api_key_id, u.timestamp, date_trunc('hour', u.timestamp, 'UTC') as hour,
    (u.timestamp at time zone 'UTC')::date as day, u.endpoint, u.method, u.status_code, u.outcome, u.calls, u.bucket
  from span s cross join lateral (
    select *, ${bucketSql('response_time')} as bucket from api_usage
    where user_id = s.user_id and seq > s.low and seq <= s.high offset 0
  ) u
), buckets as (
  select user_id, api_key_id, hour, bucket, sum(calls)::int as calls,
    coalesce(sum(calls) filter (where ${errorSql}), 0) as errors,
    coalesce(sum(calls) filter (where ${errorSql} and status_code >= 500), 0) as server_errors,
    coalesce(sum(calls) filter (where outcome = 'blocked'), 0) as blocked, max(timestamp) as last_at
  from fresh group by 1, 2, 3, 4
), hours as (
  insert into usage_hours as r
    (user_id, api_key_id, hour, calls, errors, server_errors, blocked, last_at, histogram)
  select user_id, api_key_id, hour, sum(calls), sum(errors), sum(server_errors), sum(blocked), max(last_at),
    array[${histogramSql}]
  from buckets group by 1, 2, 3
  on conflict (user_id, hour, api_key_id) do update set
    calls = r.calls + excluded.calls, errors = r.errors + excluded.errors,
    server_errors = r.server_errors + excluded.server_errors, blocked = r.blocked + excluded.blocked,
    last_at = greatest(r.last_at, excluded.last_at),
    histogram = array(
      select old + new from unnest(r.histogram, excluded.histogram) with ordinality as b (old, new, place)
      order by place
    )
), days as (
  insert into usage_days as r (user_id, api_key_id, day, endpoint, method, status_code, calls)
  select user_id, api_key_id, day, endpoint, method, status_code, sum(calls) from fresh group by 1, 2, 3, 4, 5, 6
  on conflict (user_id, day, api_key_id, endpoint, method, status_code)
    do update set calls = r.calls + excluded.calls
), watermarks as (
  insert into usage_watermarks (user_id, seq) select user_id, high from span
  on conflict (user_id) do update set seq = excluded.seq
)
select count(*)::int as owners, coalesce(bool_or(high < head), false) as more,
  (select user_id from span order by user_id desc limit 1) as last
from span`;

/**
 * The pause after a fold of this duration, both in milliseconds. Under load at most a tenth of the time goes into folding;
 * a larger step costs less per row.
 */
export const pauseAfter = (foldMs: number): number => Math.max(foldEveryMs, foldMs * 9);

const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * Keeps the roll-ups up to date and the tables tidy. One instance at a time does this; reads add the rows after the
 * watermark, so no result depends on how far behind the roll-ups are.
 */
@Injectable()
export class UsageRollups implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Roll-ups');
  private readonly connection: SteadyConnection;
  private isHolder = false;
  private isStopped = false;
  private after = nobody;
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
    await this.running;
    await this.connection.stop();
  }

  /**
   * Folds the present rows if this instance is the one that folds; returns whether it is. With more than `ownersAtOnce`
   * owners, an owner with a long backlog may have rows left for the next call.
   */
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
    try {
      if (this.connection.isUp && (await this.fold())) {
        this.foldedAt = Date.now();
        await this.tidy();
        this.failure = null;
      }
    } catch (error) {
      if (!(error instanceof ConnectionLost) && String(error) !== this.failure) {
        this.failure = String(error);
        this.logger.error(`folding failed, trying again: ${this.failure}`);
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
    const { rows } = await this.connection.query(
      { name: 'usage.fold', text: foldSql, values: [this.after] },
      foldWaitMs,
    );
    const { owners, more, last } = rows[0] as { owners: number; more: boolean; last: string | null };
    const isLap = owners < ownersAtOnce;
    this.after = isLap ? nobody : (last as string);
    return more || !isLap;
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
