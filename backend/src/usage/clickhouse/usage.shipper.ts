import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseAddress } from '../../config/database.address.js';
import { newId } from '../../database/new.id.js';
import { ConnectionLost, SteadyConnection } from '../../database/steady.connection.js';
import type { MetricsRegistry } from '../../health/metrics.registry.js';
import { JobLogger } from '../../jobs/job.logger.js';
import { seqOf, spansSql, timesOf, writeCall } from './call.rows.js';
import { type ClickHouseClient, literal } from './clickhouse.client.js';
import { callColumns, ensureSchema, hourOf, type ServerFeatures } from './clickhouse.schema.js';
import { HistoryUpkeep, type UpkeepSettings } from './history.upkeep.js';
import { RowBinaryWriter } from './row.binary.js';
import { type CallTexts, type Shipment, ShippingRepository, type Span } from './shipping.repository.js';

const everyMs = 500;
const retryFirstMs = 1_000;
const retryMostMs = 15_000;
const rowsAtOnce = 50_000;
const databaseWaitMs = 30_000;
const insertWaitMs = 30_000;
const askWaitMs = 30_000;
const stopWaitMs = 60_000;
const ownersPerQuestion = 100;
const lagEveryMs = 15_000;
const nobody = '00000000-0000-0000-0000-000000000000';

/** Rows and what they are. */
interface Load {
  spans: readonly Span[];
  rows: readonly CallTexts[];
}

/** In milliseconds. */
export interface ShippingWaits {
  /**
   * An insert is sent at most this long after it was noted, and another instance acts on the note only later: an
   * instance that was frozen in between then sends nothing.
   */
  leaseMs: number;
  /** By then the server has begun or refused an insert whose connection is gone. */
  arrivalMs: number;
}
const usualWaits: ShippingWaits = { leaseMs: 5_000, arrivalMs: 1_000 };

/**
 * Copies stored calls to ClickHouse, each exactly once, in sequence order for each owner. One instance does this. Each
 * insert is noted in PostgreSQL before it begins and confirmed after it ended. If its outcome is unknown, because a
 * server, this process or a connection failed, the insert is first made to end; then ClickHouse is asked which rows it
 * has, and the others are sent.
 */
export class UsageShipper {
  private readonly logger = new JobLogger('ClickHouse', 'shipping');
  private readonly connection: SteadyConnection;
  private readonly repository: ShippingRepository;
  private readonly upkeep: HistoryUpkeep;
  private readonly writer = new RowBinaryWriter();
  private readonly metrics;
  private features: ServerFeatures | null = null;
  private isHolder = false;
  /** The last insert of this instance. */
  private insertId: string | null = null;
  /** Whether an insert may have an unknown outcome. */
  private isUncertain = true;
  /** Whether ClickHouse was seen to have no rows that the database does not know of, since the lock was taken. */
  private isChecked = false;
  private isStopped = false;
  private running: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private retryMs = retryFirstMs;
  private failure: string | null = null;
  private after = nobody;
  private lag: number | null = null;
  private lagAt = 0;
  private caughtUpAt = 0;
  /** Aborts what runs when the lock is lost or the instance stops. */
  private end = new AbortController();

  constructor(
    address: DatabaseAddress,
    private readonly client: ClickHouseClient,
    settings: UpkeepSettings,
    metrics: MetricsRegistry,
    private readonly waits = usualWaits,
  ) {
    this.connection = new SteadyConnection(address, {
      name: 'shipping',
      onDown: () => this.loseLock(),
    });
    this.repository = new ShippingRepository((statement) => {
      // A new connection does not have the lock of the one before.
      if (this.connection.isUp && !this.isHolder && !/advisory/.test(statement.text)) {
        return Promise.reject(new ConnectionLost('the lock for shipping is lost'));
      }
      return this.connection.query(statement, databaseWaitMs);
    });
    this.upkeep = new HistoryUpkeep(
      this.repository,
      client,
      settings,
      (spans) => this.shipAgain(spans),
      this.logger,
    );
    this.metrics = {
      rows: metrics.counter('usage_rows_shipped_total', 'Rows of calls that ClickHouse confirmed'),
      failures: metrics.counter(
        'usage_shipping_failures_total',
        'Failed attempts to ship rows to ClickHouse',
      ),
      repairs: metrics.counter(
        'usage_shipping_repairs_total',
        'Inserts of unknown outcome that were completed',
      ),
    };
    metrics.gauge(
      'usage_shipping_lag_rows',
      'Stored rows that ClickHouse does not have yet; unknown on instances that do not ship',
      () => (this.isHolder ? this.lag : null),
    );
    metrics.gauge(
      'usage_shipping_caught_up_timestamp_seconds',
      'When this instance last had shipped every row; 0 if it never has: one instance at a time ships',
      () => this.caughtUpAt / 1000,
    );
  }

  async start(): Promise<void> {
    await this.connection.start();
    this.plan(0);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.end.abort();
    await this.running;
    await this.connection.stop();
  }

  /** Ships all present rows if this instance is the one that ships; returns whether it is. */
  async ship(): Promise<boolean> {
    if (!(await this.hold())) return false;
    // Also while ClickHouse is away.
    await this.measure();
    this.features ??= await ensureSchema(this.client);
    await this.settle();
    this.after = nobody;
    let load = await this.read([]);
    while (load !== null && !this.isStopped) {
      const { spans } = load;
      load = (await this.insert(load, () => this.read(spans))) ?? null;
      await this.measure();
    }
    this.caughtUpAt = Date.now();
    return true;
  }

  /** The work besides shipping, for a test. */
  keepUp(now?: number): Promise<void> {
    return this.upkeep.run(this.end.signal, now);
  }

  private plan(ms: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.tick();
    }, ms).unref();
  }

  private async tick(): Promise<void> {
    let waitMs = everyMs;
    this.logger.begin();
    try {
      if (this.connection.isUp && (await this.ship())) {
        await this.upkeep.runIfDue(this.end.signal);
        if (this.failure !== null) this.logger.log('rows are shipped again');
        this.failure = null;
        this.retryMs = retryFirstMs;
      }
    } catch (error) {
      waitMs = this.retryMs;
      this.retryMs = Math.min(this.retryMs * 2, retryMostMs);
      if (!this.isStopped && !(error instanceof ConnectionLost)) this.report(error as Error);
    }
    this.plan(waitMs);
  }

  /** An outage is logged once. */
  private report(error: Error): void {
    this.metrics.failures.inc();
    this.logger.failed('shipping rows failed, trying again', error, { isRepeated: this.failure !== null });
    this.failure = error.message;
  }

  private async hold(): Promise<boolean> {
    if (this.isHolder) return true;
    this.isUncertain = true;
    this.isChecked = false;
    this.end = new AbortController();
    this.isHolder = await this.repository.hold();
    return this.isHolder;
  }

  private loseLock(): void {
    this.isHolder = false;
    this.end.abort();
  }

  /** Rows to ship. The owners after the last one come first, so that an owner with a long backlog waits for the others. */
  private async read(taken: readonly Span[]): Promise<Load | null> {
    let spans = await this.repository.next(this.after, rowsAtOnce, taken);
    if (spans.length === 0 && this.after !== nobody) {
      spans = await this.repository.next(nobody, rowsAtOnce, taken);
    }
    const last = spans.at(-1);
    if (last === undefined) return null;
    this.after = last.userId;
    return { spans, rows: await this.repository.rows(spans) };
  }

  /** Inserts rows; meanwhile runs `during` and returns its result. */
  private async insert<T>({ spans, rows }: Load, during?: () => Promise<T>): Promise<T | undefined> {
    const insertId = (this.insertId = newId());
    for (const row of rows) writeCall(this.writer, row);
    const body = this.writer.take();
    const noted = performance.now();
    this.isUncertain = true;
    await this.repository.begin(insertId, spans, [...new Set(rows.map((row) => hourOf(Number(row[2]))))]);
    if (performance.now() - noted > this.waits.leaseMs) {
      throw new Error('the database took too long to note an insert');
    }
    const inserting = rows.length === 0 ? null : this.send(insertId, body);
    // A failure of the insert counts, whatever becomes of the other work.
    const [inserted, done] = await Promise.allSettled([inserting, during?.()]);
    if (inserted.status === 'rejected') throw inserted.reason;
    await this.repository.confirm(insertId, spans);
    this.isUncertain = false;
    this.metrics.rows.inc(rows.length);
    if (done.status === 'rejected') throw done.reason;
    return done.value;
  }

  private send(insertId: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.client.insert(`calls (${callColumns.join(', ')})`, body, {
      id: insertId,
      timeoutMs: insertWaitMs,
      signal: this.end.signal,
      settings: this.features?.hasTokens
        ? { insert_deduplication_token: createHash('sha256').update(body).digest('hex') }
        : {},
    });
  }

  /** Completes an insert of unknown outcome, if there is one. */
  private async settle(): Promise<void> {
    if (!this.isUncertain) return;
    if (!this.isChecked) await this.upkeep.removeSurplus(this.end.signal);
    this.isChecked = true;
    const shipment = await this.repository.unconfirmed();
    if (shipment !== null) await this.complete(shipment);
    this.isUncertain = false;
  }

  private async complete({ insertId, spans, ageMs }: Shipment): Promise<void> {
    const { leaseMs, arrivalMs } = this.waits;
    const leaseLeftMs = insertId === this.insertId ? 0 : Math.max(0, leaseMs - ageMs);
    await pause(leaseLeftMs + arrivalMs, null, { signal: this.end.signal });
    await this.stopInsert(insertId);
    const rows = await this.repository.rows(spans);
    const missing = await this.missing(spans, rows);
    if (missing.length > 0) await this.insert({ spans, rows: missing });
    else await this.repository.confirm(insertId, spans);
    this.metrics.repairs.inc();
    this.logger.warn(
      `completed an insert of unknown outcome: ${rows.length - missing.length} of its ${rows.length} rows were stored`,
    );
  }

  /** Waits until the insert does not run, and asks the server to end it. */
  private async stopInsert(insertId: string): Promise<void> {
    const deadline = performance.now() + stopWaitMs;
    const options = { timeoutMs: askWaitMs, signal: this.end.signal };
    const named = `query_id = ${literal(insertId)}`;
    for (;;) {
      const [[count]] = (await this.client.rows(
        `select count() from system.processes where ${named}`,
        options,
      )) as [[number]];
      if (count === 0) return;
      if (performance.now() > deadline) throw new Error(`the insert ${insertId} does not end`);
      await this.client.run(`kill query where ${named}`, options);
      await pause(200, null, { signal: this.end.signal });
    }
  }

  /** The rows that ClickHouse does not have. */
  private async missing(spans: readonly Span[], rows: readonly CallTexts[]): Promise<CallTexts[]> {
    if (rows.length === 0) return [];
    const times = timesOf(rows);
    const stored = new Map<string, (seq: number) => boolean>();
    const options = { timeoutMs: askWaitMs, signal: this.end.signal };
    for (let at = 0; at < spans.length; at += ownersPerQuestion) {
      const some = spans.slice(at, at + ownersPerQuestion);
      const found = await this.client.rows<[string, number, number]>(
        `select toString(owner), count(), max(seq) from calls where ${spansSql(some, times)} group by owner`,
        options,
      );
      for (const [owner, count, max] of found) {
        const span = some.find(({ userId }) => userId === owner) as Span;
        if (count === max - span.low) {
          stored.set(owner, (seq) => seq <= max);
          continue;
        }
        // A part that lies in another month is stored apart, so the stored rows can have gaps.
        const seqs = await this.client.rows<[number]>(
          `select seq from calls where ${spansSql([span], times)}`,
          options,
        );
        const known = new Set(seqs.map(([seq]) => seq));
        stored.set(owner, (seq) => known.has(seq));
      }
    }
    return rows.filter((row) => !stored.get(row[0])?.(seqOf(row)));
  }

  /** Sends the rows of spans that ClickHouse has lost. */
  private async shipAgain(spans: readonly Span[]): Promise<void> {
    const rows = await this.repository.rows(spans);
    const missing = await this.missing(spans, rows);
    if (missing.length > 0) await this.insert({ spans, rows: missing });
  }

  private async measure(): Promise<void> {
    if (performance.now() - this.lagAt < lagEveryMs && this.lag !== null) return;
    this.lagAt = performance.now();
    this.lag = await this.repository.lag();
  }
}
