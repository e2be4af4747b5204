/** How to reach a ClickHouse server. `url` has no credentials, so that it can be logged. */
export interface ClickHouseAddress {
  url: string;
  user: string;
  password: string;
  database: string;
}

/** Parses `CLICKHOUSE_URL`: `http://user:password@host:8123/database`. */
export function clickHouseAddress(text: string): ClickHouseAddress {
  const { origin, username, password, pathname } = new URL(text);
  return {
    url: origin,
    user: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)) || 'default',
  };
}

/** The server answered with an error. `code` is ClickHouse's number; null if the answer has none. */
export class ClickHouseRefused extends Error {
  override name = 'ClickHouseRefused';
  constructor(
    message: string,
    readonly code: number | null,
  ) {
    super(message);
  }
}

/** No complete answer arrived in time; whether the statement took effect is unknown. */
export class ClickHouseUnreachable extends Error {
  override name = 'ClickHouseUnreachable';
}

export interface QueryOptions {
  timeoutMs: number;
  settings?: Record<string, string | number>;
  signal?: AbortSignal | undefined;
}

export interface InsertOptions extends QueryOptions {
  /** Names the insert on the server, so that it can be found while it runs. */
  id: string;
}

/** The largest answer that is read into memory. */
const answerMaxBytes = 64 * 1024 * 1024;
const messageMaxLength = 300;

/** ClickHouse over HTTP: JSONCompact out, RowBinary in. Every request ends within its time-out. */
export class ClickHouseClient {
  constructor(private readonly address: ClickHouseAddress) {}

  get database(): string {
    return this.address.database;
  }

  /** The rows of a `select`. 64-bit integers are numbers: the portal's are below 2^53. */
  async rows<T extends unknown[]>(sql: string, options: QueryOptions): Promise<T[]> {
    const seconds = Math.max(1, Math.ceil(options.timeoutMs / 1000));
    const text = await this.send(`${sql} format JSONCompact`, {
      ...options,
      settings: {
        output_format_json_quote_64bit_integers: 0,
        // The server gives up, too: it does not notice when a client that reads nothing is gone.
        max_execution_time: seconds,
        ...options.settings,
      },
    });
    try {
      return (JSON.parse(text) as { data: T[] }).data;
    } catch {
      // An error after the first rows follows them in the body.
      throw refusalOf(text.slice(-messageMaxLength));
    }
  }

  /** Runs a statement that returns nothing. */
  async run(sql: string, options: QueryOptions & { database?: string }): Promise<void> {
    await this.send(sql, options);
  }

  /**
   * Inserts rows as RowBinary. A body that was cut stores nothing; after any other failure, any part of the rows may be
   * stored or still be on its way.
   */
  async insert(
    into: string,
    rows: Uint8Array<ArrayBuffer>,
    { id, settings, ...options }: InsertOptions,
  ): Promise<void> {
    await this.send(inOneBlock(rows), {
      ...options,
      settings: {
        ...settings,
        query_id: id,
        query: `insert into ${into} format RowBinary`,
        decompress: 1,
        http_native_compression_disable_checksumming_on_decompress: 1,
      },
    });
  }

  private async send(
    body: string | Uint8Array<ArrayBuffer>,
    { timeoutMs, settings = {}, signal, database }: QueryOptions & { database?: string },
  ): Promise<string> {
    const { url, user, password } = this.address;
    const search = new URLSearchParams({ database: database ?? this.address.database });
    for (const [name, value] of Object.entries(settings)) search.set(name, String(value));
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(`${url}/?${search}`, {
        method: 'POST',
        headers: { 'x-clickhouse-user': user, 'x-clickhouse-key': password },
        body,
        redirect: 'error',
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
      });
      const text = await readText(response);
      if (!response.ok) throw refusalOf(text);
      return text;
    } catch (error) {
      if (error instanceof ClickHouseRefused) throw error;
      throw new ClickHouseUnreachable(`ClickHouse at ${url}: ${reasonOf(error, timeoutMs)}`, {
        cause: error,
      });
    }
  }
}

/**
 * One block of ClickHouse's compressed format, uncompressed and without a checksum. The block begins with its length, so
 * the server refuses a body that was cut; it would take a plain body that was cut between two rows for a complete one.
 */
function inOneBlock(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const [checksumBytes, headBytes, uncompressed] = [16, 9, 0x02];
  const block = Buffer.alloc(checksumBytes + headBytes + bytes.length);
  block.writeUInt8(uncompressed, checksumBytes);
  block.writeUInt32LE(headBytes + bytes.length, checksumBytes + 1);
  block.writeUInt32LE(bytes.length, checksumBytes + 5);
  block.set(bytes, checksumBytes + headBytes);
  return block;
}

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > answerMaxBytes)
      throw new ClickHouseRefused(`the answer has more than ${answerMaxBytes} bytes`, null);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function refusalOf(text: string): ClickHouseRefused {
  const code = /Code: (\d+)/.exec(text)?.[1];
  const message = text.trim().slice(0, messageMaxLength) || 'an empty answer';
  return new ClickHouseRefused(`ClickHouse: ${message}`, code === undefined ? null : Number(code));
}

function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  return cause?.code ?? cause?.message ?? message;
}

/** A string literal of ClickHouse. */
export const literal = (text: string): string => `'${text.replaceAll('\0', '').replace(/[\\']/g, '\\$&')}'`;
