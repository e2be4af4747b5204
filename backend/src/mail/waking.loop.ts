import { Logger } from '@nestjs/common';
import { isDatabaseDown } from '../http/error.filter.js';

const retryMs = 1_000;

/**
 * Does `turn` over and over, one at a time: when it is woken, and otherwise after as many milliseconds as the last
 * turn asked for. A turn that fails is taken again after a second; `what` names it in the log, which has one line
 * however often the same failure comes.
 */
export class WakingLoop {
  private readonly logger = new Logger('Mail');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private isWoken = false;
  private isStopped = false;
  private failure: string | null = null;

  constructor(
    private readonly what: string,
    private readonly turn: () => Promise<number>,
  ) {}

  /** Has a turn taken soon; while one runs, another follows it. */
  wake(): void {
    if (this.isStopped) return;
    this.isWoken = true;
    this.running ??= this.run();
  }

  /** Resolves when the turn under way has ended; there is none after it. */
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
    try {
      const waitMs = await this.turn();
      this.failure = null;
      return waitMs;
    } catch (error) {
      // A database that is down is told of by those who serve requests.
      if (!isDatabaseDown(error) && this.failure !== String(error)) {
        this.failure = String(error);
        this.logger.error(`${this.what} failed: ${this.failure}`);
      }
      return retryMs;
    }
  }
}
