import { Logger } from '@nestjs/common';
import pg from 'pg';
import type { DatabaseAddress } from '../config/database.address.js';

/** The connection is down; whether a running statement took effect is unknown. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
  readonly code = 'ECONNRESET';
}

export interface SteadyConnectionOptions {
  /** Its purpose; shown in the log and as the server's `application_name`. */
  name: string;
  /** Sends a statement at once instead of waiting for the result of the previous one. */
  isPipelined?: boolean;
  /** Runs on each new connection before any other use. */
  prepare?: (client: pg.Client) => Promise<void>;
  onUp?: () => void;
  onDown?: () => void;
  onNotification?: (channel: string, payload: string) => void;
}

interface Job {
  statement: pg.QueryConfig;
  resolve: (result: pg.QueryResult) => void;
  reject: (error: Error) => void;
}

const connectTimeoutMs = 2_000;
const retryFirstMs = 50;
const retryMostMs = 500;

/**
 * One connection outside the pool that reconnects automatically, for work that must not wait for a free pool
 * connection. While it is down every statement fails at once; an outage is logged once, not once per failed statement.
 * Of several hosts it looks for the one that accepts writes, on behalf of the pool too.
 */
export class SteadyConnection {
  private readonly logger: Logger;
  private client: pg.Client | null = null;
  private readonly running = new Set<Job>();
  private waiting: Job[] = [];
  private retry: NodeJS.Timeout | undefined;
  private retryMs = retryFirstMs;
  private isOutageLogged = false;
  private isStopped = false;

  constructor(
    private readonly address: DatabaseAddress,
    private readonly options: SteadyConnectionOptions,
  ) {
    this.logger = new Logger(`Database ${options.name}`);
  }

  get isUp(): boolean {
    return this.client !== null;
  }

  /** Tries to connect once and returns; further attempts follow automatically. */
  async start(): Promise<void> {
    this.isStopped = false;
    await this.connect();
  }

  /**
   * Runs one statement after all earlier ones. Rejects with `ConnectionLost` if there is no connection, if it breaks,
   * or if no result arrives within `timeoutMs`, after which the connection is closed.
   */
  query(statement: pg.QueryConfig, timeoutMs: number): Promise<pg.QueryResult> {
    const client = this.client;
    if (client === null) return Promise.reject(new ConnectionLost(`no connection for ${this.options.name}`));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.lose(client, new ConnectionLost(`no answer to ${this.options.name} within ${timeoutMs} ms`));
      }, timeoutMs);
      this.waiting.push({
        statement,
        resolve: (result) => {
          clearTimeout(timer);
          resolve(result);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      this.runNext(client);
    });
  }

  private runNext(client: pg.Client): void {
    if (this.running.size > 0 && !this.options.isPipelined) return;
    const job = this.waiting.shift();
    if (job === undefined) return;
    this.running.add(job);
    client.query(job.statement).then(
      (result) => {
        if (!this.running.delete(job)) return;
        this.runNext(client);
        job.resolve(result);
      },
      (error: Error) => {
        if (!this.running.has(job)) return;
        // The server's refusals carry an SQLSTATE; any other error means that the connection broke.
        if (!isRefusal(error)) return this.lose(client, error);
        this.running.delete(job);
        this.runNext(client);
        job.reject(error);
      },
    );
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.retry);
    const client = this.client;
    this.client = null;
    if (client === null) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, 1_000)));
    await Promise.race([client.end().catch(() => undefined), late]);
    clearTimeout(timer);
    destroy(client);
    this.abandon(new ConnectionLost('stopped'));
  }

  private async connect(): Promise<void> {
    const { hosts } = this.address;
    const host = hosts?.current;
    const client = new pg.Client({
      ...this.address,
      application_name: `orange-portal ${this.options.name}`,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      pipeline: this.options.isPipelined ?? false,
      // Compiling these short statements, or planning them again, costs more than it saves.
      options: '-c jit=off -c plan_cache_mode=force_generic_plan',
    });
    client.on('error', (error) => this.lose(client, error));
    client.on('end', () => this.lose(client, new ConnectionLost('the server ended the connection')));
    client.on('notification', ({ channel, payload }) =>
      this.options.onNotification?.(channel, payload ?? ''),
    );
    try {
      await client.connect();
      await requireWrites(client);
      await this.options.prepare?.(client);
    } catch (error) {
      destroy(client);
      if (host) hosts?.leave(host);
      this.fail(error as Error);
      return;
    }
    if (host) hosts?.use(host);
    if (this.isStopped) return destroy(client);
    this.client = client;
    this.retryMs = retryFirstMs;
    if (this.isOutageLogged) this.logger.log('connected again');
    this.isOutageLogged = false;
    this.options.onUp?.();
  }

  private lose(client: pg.Client, error: Error): void {
    if (this.client !== client) return;
    this.client = null;
    destroy(client);
    this.abandon(error);
    this.fail(error);
    this.options.onDown?.();
  }

  private abandon(cause: Error): void {
    const jobs = [...this.running, ...this.waiting];
    this.running.clear();
    this.waiting = [];
    for (const job of jobs) job.reject(new ConnectionLost(cause.message, { cause }));
  }

  private fail(error: Error): void {
    if (this.isStopped) return;
    if (!this.isOutageLogged) this.logger.warn(`not reachable, trying again: ${error.message}`);
    this.isOutageLogged = true;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.connect(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, retryMostMs);
  }
}

/**
 * An error that ends the connection also has an SQLSTATE, but is not a refusal: a server that stops because it cannot
 * complete a commit may find that commit in its log at the next start. A server that became read-only is left, too.
 */
function isRefusal(error: Error): boolean {
  const { code, severity } = error as { code?: string; severity?: string };
  if (severity === 'FATAL' || severity === 'PANIC') return false;
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^(57P|08|E|25006)/.test(code);
}

/** Otherwise every statement on a standby would count as an outage of its own. */
async function requireWrites(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select current_setting('transaction_read_only') as state");
  if (rows[0]?.state === 'on') throw new Error('the server is read-only');
}

/** Closes the socket at once: a graceful close may wait for an unreachable peer. */
function destroy(client: pg.Client): void {
  (client as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream?.destroy();
}
