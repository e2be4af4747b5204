import { Inject, Injectable, Logger, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { WAITS } from '../config/waits.js';
import type { Waits } from '../config/waits.js';
import { DATABASE_ADDRESS } from '../database/database.options.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { withStartLock } from '../database/migrate.js';
import { newId } from '../database/new.id.js';
import { ConnectionLost, SteadyConnection } from '../database/steady.connection.js';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { CallAggregator } from './call.aggregator.js';
import { DailyQuota, SpentQuota } from './daily.quota.js';
import type { MeteredCall } from './metered.call.js';
import { ingestStatement } from './usage.ingest.js';
import { ensureUsagePartitions, isCovered } from './usage.partitions.js';

/** Why a call may not be stored; `null` if it is stored, or buffered with `USAGE_DURABILITY=buffered`. */
export type RecordFailure = 'usage.notRecorded' | 'usage.outcomeUnknown' | null;

interface Entry {
  call: MeteredCall;
  /** `null` once the caller has its response, and for aggregated calls. */
  settle: ((failure: RecordFailure) => void) | null;
  expiresAt: number;
}

interface Batch {
  id: string;
  entries: Entry[];
  bornAt: number;
  isSending: boolean;
}

const shortestWaitMs = 1_000;
/** Calls that may wait to be stored; the most that `USAGE_DURABILITY=buffered` can lose. */
const bufferCalls = 10_000;

const batchCalls = 1_000;
/**
 * At most two batches are sent at the same time. The second one is sent early only if it has at least this many calls of
 * this many owners: the database then stores it while it commits the first. With few owners one large batch is faster.
 */
const batchesInFlight = 2;
const secondBatchCalls = 16;
const secondBatchOwners = 8;
/** PostgreSQL's error for a row that fits no partition; no constraint of `api_usage` raises the same code. */
const noPartition = '23514';
const sweepEveryMs = 100;
const retryAfterRefusalMs = 250;
const aggregateEveryMs = 1_000;
const partitionsLockWaitMs = 1_000;
/** Half of the retention of `ingest_batches`, so that a late retry always finds its own claim. */
const giveUpAfterMs = 5 * 60_000;
const drainMs = 5_000;
const batchBuckets = [1, 3, 10, 30, 100, 300, 1_000];
const commitBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Stores metered calls by group commit: a call joins the current batch and settles when its batch has committed.
 * Batches follow each other on one connection; the next is sent as soon as the previous one ends, or sooner if it holds
 * calls of many owners. A batch whose acknowledgement was lost is sent again under the same id, which stores nothing
 * twice.
 */
@Injectable()
export class UsageRecorder implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Usage');
  private readonly connection: SteadyConnection;
  private readonly isBuffered: boolean;
  private readonly listeners = new Set<(ownerIds: ReadonlySet<string>) => void>();
  private readonly aggregator = new CallAggregator();
  private waiting: Entry[] = [];
  private inFlight: Batch[] = [];
  private isFlushPlanned = false;
  /** How many waiting entries are sent one by one, because one of them made the server refuse their batch. */
  private toSendAlone = 0;
  private notBefore = 0;
  /** Whether the server currently refuses everything: a full disk, too many connections, a lock, a shutdown. */
  private isShort = false;
  private timers: NodeJS.Timeout[] = [];
  private readonly metrics;

  constructor(
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
    @Inject(ENVIRONMENT) environment: Environment,
    metrics: MetricsRegistry,
    @Inject(WAITS) private readonly waits: Waits,
    private readonly quota: DailyQuota,
  ) {
    this.isBuffered = environment.USAGE_DURABILITY === 'buffered';
    this.connection = new SteadyConnection(address, {
      name: 'usage',
      isPipelined: true,
      onUp: () => this.resume(),
    });
    this.metrics = {
      stored: metrics.counter('usage_calls_stored_total', 'Calls stored'),
      batches: metrics.counter('usage_batches_total', 'Group commits'),
      failed: metrics.counter('usage_calls_failed_total', 'Calls that got 503'),
      batchCalls: metrics.histogram('usage_batch_calls', 'Calls per group commit', batchBuckets),
      commitSeconds: metrics.histogram(
        'usage_commit_seconds',
        'Time from sending a batch to its commit',
        commitBuckets,
      ),
    };
    metrics.gauge('usage_calls_waiting', 'Calls waiting for their commit', () => this.pending);
  }

  async onModuleInit(): Promise<void> {
    this.timers.push(
      setInterval(() => this.sweep(), sweepEveryMs).unref(),
      setInterval(() => this.storeAggregated(), aggregateEveryMs).unref(),
    );
    await this.connection.start();
  }

  /** Returns false if a call could not be stored now, so that it is refused before its handler runs. */
  get isAccepting(): boolean {
    return this.pending < bufferCalls && (this.connection.isUp || this.isBuffered);
  }

  /** Stores one call. Calls `settle` exactly once, possibly before this returns. Never throws. */
  record(call: MeteredCall, settle: (failure: RecordFailure) => void): void {
    if (this.pending >= bufferCalls) {
      this.metrics.failed.inc();
      settle('usage.notRecorded');
      return;
    }
    const entry: Entry = { call, settle, expiresAt: this.deadlineOf(call) };
    this.waiting.push(entry);
    this.planFlush();
    if (this.isBuffered) this.answer(entry, null);
  }

  /**
   * Counts a call refused by the rate limit or the quota; one row a second stands for all such calls of a key and
   * route.
   */
  aggregate(call: MeteredCall): void {
    this.aggregator.add(call);
  }

  /**
   * Counts a call refused by the origin rule or for its revoked key, or reports that it needs its own row; see
   * `CallAggregator`.
   */
  aggregateByOrigin(call: MeteredCall): { isFirst: boolean; origin: string | null } {
    return this.aggregator.addByOrigin(call);
  }

  /** Calls `listener` with the owners of each commit. Returns a function that ends the subscription. */
  onCommitted(listener: (ownerIds: ReadonlySet<string>) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Runs after the last response: stores the rest of the buffer before the process ends. */
  async onApplicationShutdown(): Promise<void> {
    this.storeAggregated(true);
    const deadline = Date.now() + drainMs;
    while (this.pending > 0 && this.connection.isUp && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    if (this.pending > 0) this.logger.error(`${this.pending} calls could not be stored before shutdown`);
    for (const timer of this.timers) clearInterval(timer);
    await this.connection.stop();
  }

  /**
   * The deadline counts from the arrival of the call, so that a slow look-up does not extend it, but at least 1 s
   * remains after a slow handler.
   */
  private deadlineOf(call: MeteredCall): number {
    return Math.max(call.at + this.waits.commitMs, Date.now() + shortestWaitMs);
  }

  private get pending(): number {
    return this.inFlight.reduce((sum, batch) => sum + batch.entries.length, this.waiting.length);
  }

  private storeAggregated(all = false): void {
    for (const call of this.aggregator.take(all)) {
      this.waiting.push({ call, settle: null, expiresAt: Infinity });
    }
    this.planFlush();
  }

  /** The flush runs at the end of this turn of the event loop and includes all calls of the turn. */
  private planFlush(): void {
    if (this.isFlushPlanned) return;
    this.isFlushPlanned = true;
    setImmediate(() => {
      this.isFlushPlanned = false;
      this.flush();
    });
  }

  private flush(): void {
    if (!this.connection.isUp || Date.now() < this.notBefore) return;
    for (const batch of this.inFlight) {
      if (!batch.isSending) void this.send(batch);
    }
    while (this.waiting.length > 0 && this.mayFollow()) {
      const size = this.toSendAlone > 0 ? 1 : batchCalls;
      this.toSendAlone = Math.max(0, this.toSendAlone - 1);
      const entries = this.waiting.splice(0, size);
      const batch = { id: newId(), entries, bornAt: Date.now(), isSending: false };
      this.inFlight.push(batch);
      void this.send(batch);
    }
  }

  private mayFollow(): boolean {
    if (this.inFlight.length === 0) return true;
    if (this.toSendAlone > 0 || this.inFlight.length >= batchesInFlight) return false;
    return this.waiting.length >= secondBatchCalls && hasOwners(this.waiting, secondBatchOwners);
  }

  private async send(batch: Batch): Promise<void> {
    batch.isSending = true;
    const statement = ingestStatement(
      batch.id,
      batch.entries.map((entry) => entry.call),
      this.quota.perDay,
    );
    let isStored = false;
    try {
      const { rows } = await this.connection.query(statement, this.waits.commitMs);
      for (const spent of rows as SpentQuota[]) this.quota.learn(spent);
      isStored = true;
      this.drop(batch);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) await this.refused(batch, error as Error & { code?: string });
      // After a lost connection nobody knows whether the batch was stored, so it stays in flight and is sent again.
    }
    batch.isSending = false;
    // Sends the next batch before responding to the callers of this one, so that the database stays busy.
    this.flush();
    if (isStored) this.committed(batch);
  }

  private drop(batch: Batch): void {
    this.inFlight = this.inFlight.filter((one) => one !== batch);
  }

  private committed(batch: Batch): void {
    if (this.isShort) this.logger.log('calls are stored again');
    this.isShort = false;
    this.metrics.batches.inc();
    this.metrics.stored.inc(batch.entries.length);
    this.metrics.batchCalls.observe(batch.entries.length);
    this.metrics.commitSeconds.observe((Date.now() - batch.bornAt) / 1000);
    for (const entry of batch.entries) this.answer(entry, null);
    const ownerIds = new Set(batch.entries.map((entry) => entry.call.userId));
    for (const listener of this.listeners) listener(ownerIds);
  }

  /** The server refused the statement, so nothing of the batch is stored. */
  private async refused(batch: Batch, error: Error & { code?: string }): Promise<void> {
    this.drop(batch);
    const isConflict = error.code === '40P01' || error.code === '40001';
    const isMissingPartition = error.code === noPartition;
    const isShortage = /^(53|55|57|58)/.test(error.code ?? '');
    // A call at a time that no partition will ever cover must not block the others.
    const now = Date.now();
    const isUnstorable = isMissingPartition && batch.entries.some(({ call }) => !isCovered(call.at, now));
    if (isConflict || (isMissingPartition && !isUnstorable) || isShortage || batch.entries.length > 1) {
      // Logged once: a full disk refuses every attempt, four a second.
      if (!isConflict && !(isShortage && this.isShort)) {
        this.logger.warn(`storing ${batch.entries.length} calls failed: ${error.message}`);
      }
      this.isShort = isShortage;
      this.waiting.unshift(...batch.entries);
      if (isMissingPartition && !isUnstorable) await this.makePartitions();
      else if (isShortage) this.pause();
      else if (!isConflict) this.toSendAlone = batch.entries.length;
      return;
    }
    this.logger.error(`a call could not be stored: ${error.message}`);
    for (const entry of batch.entries) this.fail(entry, 'usage.notRecorded');
  }

  private async makePartitions(): Promise<void> {
    // Nothing is stored until this returns, so it must not wait for a hanging lock holder.
    const making = withStartLock(
      this.address,
      () => ensureUsagePartitions(this.address),
      partitionsLockWaitMs,
    );
    await making.catch((error: Error) => this.logger.error(`making partitions failed: ${error.message}`));
    this.pause();
  }

  private pause(): void {
    this.notBefore = Date.now() + retryAfterRefusalMs;
  }

  private resume(): void {
    this.notBefore = 0;
    this.flush();
  }

  /**
   * Settles the calls whose deadline has passed: a call that was never sent is not stored; one that was sent may be.
   */
  private sweep(): void {
    const now = Date.now();
    if (this.waiting.some((entry) => entry.expiresAt <= now)) {
      const [over, rest] = [[] as Entry[], [] as Entry[]];
      for (const entry of this.waiting)
        (entry.expiresAt <= now && !this.isBuffered ? over : rest).push(entry);
      this.waiting = rest;
      for (const entry of over) this.fail(entry, 'usage.notRecorded');
    }
    for (const batch of this.inFlight) {
      for (const entry of batch.entries) {
        if (entry.expiresAt <= now) this.fail(entry, 'usage.outcomeUnknown');
      }
      if (!batch.isSending && now - batch.bornAt > giveUpAfterMs) {
        this.logger.error(`gave up on ${batch.entries.length} calls: whether they were stored is unknown`);
        this.drop(batch);
      }
    }
    this.flush();
  }

  private fail(entry: Entry, failure: RecordFailure): void {
    if (entry.settle === null) return;
    this.metrics.failed.inc();
    this.answer(entry, failure);
  }

  /** A response that cannot be sent must not block the other responses of its batch. */
  private answer(entry: Entry, failure: RecordFailure): void {
    const { settle } = entry;
    entry.settle = null;
    try {
      settle?.(failure);
    } catch (error) {
      this.logger.error(`responding to a call failed: ${String(error)}`);
    }
  }
}

/** Whether the entries belong to at least `count` owners. */
function hasOwners(entries: readonly Entry[], count: number): boolean {
  const owners = new Set<string>();
  for (const { call } of entries) {
    if (owners.add(call.userId).size >= count) return true;
  }
  return false;
}
