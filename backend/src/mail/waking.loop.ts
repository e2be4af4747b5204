import { isDatabaseDown } from '../http/error.filter.js';
import type { JobLogger } from '../jobs/job.logger.js';

const retryMs = 1_000;

/**
 * Runs `turn` repeatedly, one at a time: when woken, and otherwise after the number of milliseconds that the last turn
 * returned. A failed turn is retried after a second; `what` names it in the log, which has one line for repeated
 * failures.
 */
export class WakingLoop {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private isWoken = false;
  private isStopped = false;
  private failure: string | null = null;

  constructor(
    private readonly logger: JobLogger,
    private readonly what: string,
    private readonly turn: () => Promise<number>,
  ) {}

  /** Requests a turn soon; if one is running, another follows it. */
  wake(): void {
    if (this.isStopped) return;
    this.isWoken = true;
    this.running ??= this.run();
  }

  /** Resolves when the current turn has ended; none follows. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    let waitMs = 0;
    while (this.isWoken && !this.isStopped) {
      this.isWoken = false;
      waitMs = await this.takeTurn();
    }
    this.running = null;
    if (!this.isStopped) this.timer = setTimeout(() => this.wake(), waitMs).unref();
  }

  private async takeTurn(): Promise<number> {
    this.logger.begin();
    try {
      const waitMs = await this.turn();
      this.failure = null;
      return waitMs;
    } catch (error) {
      // `SteadyConnection` logs an unreachable database, and `ErrorFilter` a full disk.
      if (!isDatabaseDown(error)) {
        this.logger.failed(`${this.what} failed`, error, { isRepeated: this.failure === String(error) });
        this.failure = String(error);
      }
      return retryMs;
    }
  }
}
