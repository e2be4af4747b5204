import type { EmbeddedPostgres } from './embedded.postgres.js';

const lookEveryMs = 250;
const retryFirstMs = 100;
const retryMostMs = 3_000;
/** The free space that PostgreSQL needs to recover from a full disk: one segment of the write-ahead log. In bytes. */
const segmentBytes = 16 * 1_048_576;
/** An outage is over once the server has accepted connections for this long. */
const steadyForMs = 5_000;
const retryStopMs = 100;
const trimEveryMs = 60_000;

export interface SupervisorLog {
  warn(line: string): void;
  log(line: string): void;
}

/**
 * Restarts the embedded database when it ends unexpectedly, for example because the disk of its write-ahead log is full
 * or the system kills it. Attempts use backoff, and follow at once when space becomes free. An outage is logged once,
 * however many attempts it takes. Once a minute it cuts the server's log if that is too large.
 */
export class PostgresSupervisor {
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;
  private isStopped = false;
  private outage: Outage | null = null;
  /** The last failure of the check, which is logged once. */
  private failure: string | null = null;
  private trimmedAt = -Infinity;

  constructor(
    private readonly postgres: Omit<EmbeddedPostgres, 'address'>,
    private readonly logger: SupervisorLog,
  ) {}

  watch(): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.take(), lookEveryMs).unref();
  }

  /** Stops watching, and stops the server, even during a start. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    // A start in progress fails once its process exists and has been stopped.
    while (this.isLooking) {
      await this.postgres.halt().catch(() => undefined);
      if (this.isLooking) await new Promise((resolve) => setTimeout(resolve, retryStopMs));
    }
    await this.postgres.stop();
  }

  private async take(): Promise<void> {
    this.isLooking = true;
    try {
      await this.look();
      await this.trimLog();
      this.failure = null;
    } catch (error) {
      const failure = `Supervising the embedded database failed: ${String(error)}`;
      if (failure !== this.failure) this.logger.warn(failure);
      this.failure = failure;
    }
    this.isLooking = false;
    this.watch();
  }

  private async look(): Promise<void> {
    if (await this.postgres.isRunning()) return this.lookWhetherOver();
    if (this.outage === null) {
      this.outage = { acceptsSince: null, attempt: null, hasFailed: false };
      this.logger.warn(`The embedded database stopped unexpectedly. Restarting it${await this.why()}`);
    }
    this.outage.acceptsSince = null;
    if (await this.mayTry(this.outage)) await this.try(this.outage);
  }

  private async trimLog(): Promise<void> {
    if (performance.now() - this.trimmedAt < trimEveryMs) return;
    this.trimmedAt = performance.now();
    await this.postgres.trimLog();
  }

  private async mayTry({ attempt }: Outage): Promise<boolean> {
    if (attempt === null || performance.now() - attempt.at >= attempt.waitMs) return true;
    return (await this.postgres.room()) >= attempt.room + segmentBytes;
  }

  private async try(outage: Outage): Promise<void> {
    // Measured before the attempt, so that space freed during a failed attempt is noticed.
    const room = await this.postgres.room();
    try {
      await this.postgres.start();
    } catch {
      if (!outage.hasFailed && !this.isStopped) {
        this.logger.warn(`The embedded database cannot be started yet, trying again${await this.why()}`);
      }
      outage.hasFailed = true;
    }
    // Also after a success: a server that ends again at once must not be restarted in a tight loop.
    const waitMs = Math.min(2 * (outage.attempt?.waitMs ?? retryFirstMs / 2), retryMostMs);
    outage.attempt = { at: performance.now(), waitMs, room };
  }

  private async lookWhetherOver(): Promise<void> {
    if (this.outage === null) return;
    if (!(await this.postgres.accepts())) {
      this.outage.acceptsSince = null;
      return;
    }
    this.outage.acceptsSince ??= performance.now();
    if (performance.now() - this.outage.acceptsSince < steadyForMs) return;
    this.outage = null;
    this.logger.log('The embedded database is back');
  }

  private async why(): Promise<string> {
    const words = await this.postgres.lastWords();
    return words === null ? '' : `: ${words}`;
  }
}

interface Outage {
  /** When the server first accepted connections again, in ms of `performance.now`. */
  acceptsSince: number | null;
  /** The last attempt to start it: when it ended, and the free bytes before it. */
  attempt: { at: number; waitMs: number; room: number } | null;
  hasFailed: boolean;
}
