import { channel } from 'node:diagnostics_channel';
import pg from 'pg';
import type { DatabaseAddress } from '../config/database.address.js';

const mustGo = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === 'Query read timeout' || (error as { code?: unknown }).code === readOnlyCode);

/** The SQLSTATE of a write on a server that only reads, such as a primary that became a standby. */
export const readOnlyCode = '25006';

/** Published for each query of the pool. */
export interface QueryMessage {
  /** With placeholders. */
  text: string;
  result: Promise<unknown>;
}
export const queryChannel = channel('orange-portal:query');

/**
 * A client of TypeORM's pool that is never reused after one of its queries timed out: the effect of that query on the
 * connection is unknown, and a surrounding transaction stays open, because its ROLLBACK waits behind the query. Nor is
 * it reused after its server refused a write because it only reads: another server may be the primary by now. Of
 * several hosts it connects to the one that is current.
 */
export class PooledClient extends pg.Client {
  constructor(config?: pg.ClientConfig & { address?: DatabaseAddress }) {
    // Not a copy: the pool hides the password from enumeration.
    super(config);
    Object.assign(this, config?.address?.hosts?.current);
    // When the server ends, its last message can arrive in the packet that completes the connection, before the holder
    // of the client listens for errors. Without a listener, that would end the process.
    this.on('error', () => undefined);
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- stands for all overloads of the driver
  override query(...args: any[]): any {
    const answer: unknown = (super.query as (...args: unknown[]) => unknown).apply(this, args);
    if (!(answer instanceof Promise)) return answer;
    if (queryChannel.hasSubscribers) queryChannel.publish({ text: textOf(args[0]), result: answer });
    // Marks the client as broken before the caller learns of the error and can release it as healthy.
    answer.catch((error: unknown) => mustGo(error) && this.giveUp(error));
    return answer;
  }

  /** The holder of the client releases it as broken when an error is emitted; the pool then drops it. */
  private giveUp(error: unknown): void {
    (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    this.emit('error', error as Error);
  }
}

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : String((query as { text?: unknown } | null)?.text ?? '');
