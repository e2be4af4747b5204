import { createWriteStream, type WriteStream } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import type { DatabaseAddress } from '../config/database.address.js';
import { ConfigurationError } from '../config/environment.js';

/** Between two messages of the server; the checkpoint that comes first takes seconds. */
const silenceMs = 300_000;
const mostWaitingBytes = 4 * 1_048_576;

/**
 * Copies a running PostgreSQL server into `folder` by the replication command `BASE_BACKUP`: `base.tar`, a file named
 * by its id for each further tablespace, and `backup_manifest` with their checksums. The archive has the write-ahead
 * log up to its end, so a server started on its files recovers everything that was committed before. Throws
 * `ConfigurationError` if the role may not replicate or the server is older than 15.
 */
export async function baseBackup(address: DatabaseAddress, folder: string): Promise<void> {
  const client = new pg.Client({
    ...address,
    application_name: 'orange-portal backup',
    connectionTimeoutMillis: 10_000,
    // The driver's types do not list this parameter.
    ...({ replication: 'true' } as object),
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const copy = new BackupCopy(folder);
    client.query(copy as unknown as pg.Submittable);
    await copy.done;
  } catch (error) {
    throw problemOf(error as Error & { code?: string }, address);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const command = "BASE_BACKUP (LABEL 'orange-portal', CHECKPOINT 'fast', WAL true, MANIFEST 'yes')";

/** The command's response: each message of the copy begins with its kind. */
class BackupCopy {
  readonly done: Promise<void>;
  private settle!: { resolve(): void; reject(error: Error): void };
  private file: WriteStream | null = null;
  private readonly closing: Promise<void>[] = [];
  /** Bytes that are received and not written. */
  private waiting = 0;
  private silence: NodeJS.Timeout | undefined;

  constructor(private readonly folder: string) {
    this.done = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
  }

  submit(connection: Connection): null {
    this.await(connection.stream);
    connection.query(command);
    return null;
  }

  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: Connection): void {
    this.await(stream);
    const [kind] = chunk;
    if (kind === 0x6e) this.open(textIn(chunk, 1));
    else if (kind === 0x6d) this.open('backup_manifest');
    else if (kind === 0x64) this.write(chunk.subarray(1), stream);
  }

  handleReadyForQuery(): void {
    clearTimeout(this.silence);
    this.close();
    Promise.all(this.closing).then(() => this.settle.resolve(), this.settle.reject);
  }

  handleError(error: Error): void {
    clearTimeout(this.silence);
    this.file?.destroy();
    this.settle.reject(error);
  }

  /** The positions in the write-ahead log, and the tablespaces, whose archives follow. */
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}

  private open(name: string): void {
    this.close();
    if (!/^[\w.-]+$/.test(name)) {
      return this.settle.reject(new Error(`unexpected file ${JSON.stringify(name)} in the backup`));
    }
    const file = createWriteStream(join(this.folder, name), { flags: 'wx', mode: 0o600, flush: true });
    const closed = finished(file);
    // At once: after a full disk nothing more is read.
    closed.catch((error: Error) => this.settle.reject(error));
    this.closing.push(closed);
    this.file = file;
  }

  /** Reads on once the disk has caught up. */
  private write(bytes: Buffer, stream: Socket): void {
    this.waiting += bytes.length;
    if (this.waiting > mostWaitingBytes) stream.pause();
    // The driver reuses the memory of a message.
    this.file?.write(Buffer.from(bytes), () => {
      this.waiting -= bytes.length;
      if (this.waiting === 0) stream.resume();
    });
  }

  private close(): void {
    this.file?.end();
    this.file = null;
  }

  private await(stream: Socket): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => stream.destroy(new Error('the server stopped sending')), silenceMs);
  }
}

interface Connection {
  stream: Socket;
  query(text: string): void;
}

const textIn = (bytes: Buffer, from: number): string => bytes.toString('utf8', from, bytes.indexOf(0, from));

function problemOf(error: Error & { code?: string }, { user }: DatabaseAddress): Error {
  if (error.code === '42501' || error.code === '28000') {
    return new ConfigurationError(
      `DATABASE_URL must name a role that may make backups (${error.message}); allow it with: ` +
        `alter role ${pg.escapeIdentifier(user)} replication; and a line for the database "replication" in pg_hba.conf`,
    );
  }
  return error;
}
