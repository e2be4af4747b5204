import pg from 'pg';

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/**
 * A client of TypeORM's pool that is never used again after a query of its got no answer in time: what that query
 * does to the connection is unknown, and a transaction around it stays open there, because its ROLLBACK waits
 * behind it.
 */
export class PooledClient extends pg.Client {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- stands for all overloads of the driver
  override query(...args: any[]): any {
    const answer: unknown = (super.query as (...args: unknown[]) => unknown).apply(this, args);
    // Before the caller hears of it, and so before it can give the client back as a sound one.
    if (answer instanceof Promise) answer.catch((error: unknown) => isTimeout(error) && this.giveUp(error));
    return answer;
  }

  /** Whoever holds the client gives it back as broken when it hears of an error; the pool then drops it. */
  private giveUp(error: unknown): void {
    (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    if (this.listenerCount('error') > 0) this.emit('error', error as Error);
  }
}
