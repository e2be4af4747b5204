/**
 * Does `turn` over and over, one at a time: when it is woken, and otherwise after as many milliseconds as the last
 * turn asked for. `turn` must not throw.
 */
export class WakingLoop {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private isWoken = false;
  private isStopped = false;

  constructor(private readonly turn: () => Promise<number>) {}

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
      waitMs = await this.turn();
    }
    this.running = null;
    if (!this.isStopped) this.timer = setTimeout(() => this.wake(), waitMs).unref();
  }
}
