import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { newId } from '../../database/new.id.js';
import { describeClickHouse, startOwnClickHouse, type OwnClickHouse } from '../../testing/own.clickhouse.js';
import {
  clickHouseAddress,
  ClickHouseClient,
  ClickHouseRefused,
  ClickHouseUnreachable,
  literal,
} from './clickhouse.client.js';
import {
  bucketOfDuration,
  ensureSchema,
  featuresOf,
  outcomeIds,
  schemaStatements,
} from './clickhouse.schema.js';
import { RowBinaryWriter } from './row.binary.js';
import { bucketOf } from '@orange-id/contract/latency.histogram';

const options = { timeoutMs: 10_000 };

test('the parts of CLICKHOUSE_URL are decoded, and its defaults are those of ClickHouse', () => {
  expect(clickHouseAddress('https://us%65r:p%40ss@ch.example.com:8443/portal')).toEqual({
    url: 'https://ch.example.com:8443',
    user: 'user',
    password: 'p@ss',
    database: 'portal',
  });
  expect(clickHouseAddress('http://127.0.0.1:8123')).toEqual({
    url: 'http://127.0.0.1:8123',
    user: 'default',
    password: '',
    database: 'default',
  });
});

test('codecs, dictionaries and tokens are used from the version on that has them', () => {
  expect(featuresOf('18.16.1')).toEqual({ hasCodecs: false, hasTokens: false });
  expect(featuresOf('21.8.3.1')).toEqual({ hasCodecs: true, hasTokens: false });
  expect(featuresOf('25.3.2.39')).toEqual({ hasCodecs: true, hasTokens: true });
  const old = schemaStatements(featuresOf('18.16.1')).join('\n');
  expect(old).not.toMatch(/CODEC|LowCardinality|SETTINGS/);
  const current = schemaStatements(featuresOf('25.3.2.39'));
  expect(current[0]).toContain('ts Int64 CODEC(DoubleDelta, ZSTD), seq UInt64 CODEC(Delta, ZSTD)');
  expect(current[0]).toContain('origin LowCardinality(String)');
  expect(current[0]).toContain('SETTINGS non_replicated_deduplication_window = 1000');
});

test('the number of an outcome never changes', () => {
  expect(outcomeIds).toEqual({ ok: 1, error: 2, blocked: 3, limited: 4, overQuota: 5, revoked: 6 });
});

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});
const startHandmade = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ClickHouseClient> => {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new ClickHouseClient(clickHouseAddress(`http://name:hidden@127.0.0.1:${port}/portal`));
};

test('a server that never answers ends the request in time, and the error has no password', async () => {
  const client = await startHandmade(() => undefined);
  const error: Error = (await client.rows('select 1', { timeoutMs: 100 }).catch((e: Error) => e)) as Error;
  expect(error).toBeInstanceOf(ClickHouseUnreachable);
  expect(error.message).toMatch(/^ClickHouse at http:\/\/127\.0\.0\.1:\d+: no answer within 100 ms$/);
});

test('the password is in a header and not in the address', async () => {
  let asked: { url?: string | undefined; key?: unknown } = {};
  const client = await startHandmade((request, response) => {
    asked = { url: request.url, key: request.headers['x-clickhouse-key'] };
    response.end('{"data":[[1]]}');
  });
  expect(await client.rows('select 1', options)).toEqual([[1]]);
  expect(asked.key).toBe('hidden');
  expect(asked.url).not.toContain('hidden');
});

test('a redirect is not followed, because the password would go with it', async () => {
  const client = await startHandmade((_, response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
  });
  await expect(client.rows('select 1', options)).rejects.toThrow(ClickHouseUnreachable);
});

test('an answer that breaks off, and one that ends with an error, fail', async () => {
  const broken = await startHandmade((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"data":[[1]');
    setImmediate(() => response.destroy());
  });
  await expect(broken.rows('select 1', options)).rejects.toThrow(ClickHouseUnreachable);
  server?.close();
  const late = await startHandmade((_, response) => {
    response.end('{"data":[[1],\nCode: 241, e.displayText() = DB::Exception: Memory limit');
  });
  await expect(late.rows('select 1', options)).rejects.toMatchObject({
    name: 'ClickHouseRefused',
    code: 241,
  });
});

describeClickHouse('a real ClickHouse', () => {
  let own: OwnClickHouse;
  let client: ClickHouseClient;
  beforeAll(async () => {
    own = await startOwnClickHouse();
    client = new ClickHouseClient(clickHouseAddress(own.url));
    await ensureSchema(client);
  }, 60_000);
  afterAll(() => own.remove());

  test('making the tables again changes nothing', async () => {
    await ensureSchema(client);
    expect(await client.rows('select count() from calls', options)).toEqual([[0]]);
  });

  test('texts are quoted: none ends its literal', async () => {
    for (const text of ["a'b", 'a\\', "\\' or 1 = 1 --", 'ü€😀', 'a\nb\tc', '{}']) {
      expect(await client.rows(`select ${literal(text)}`, options)).toEqual([[text]]);
    }
  });

  test('a wrong password is refused', async () => {
    const wrong = new ClickHouseClient({ ...clickHouseAddress(own.url), password: 'wrong' });
    await expect(wrong.rows('select 1', options)).rejects.toThrow(ClickHouseRefused);
  });

  test('rows written as RowBinary are read as they were', async () => {
    const [owner, key] = [newId(), newId()];
    const writer = new RowBinaryWriter(8);
    const long = 'é'.repeat(200);
    const seq = 2 ** 53 - 1;
    for (const text of ['', long]) {
      writer.uuid(owner);
      writer.uuid(key);
      writer.uint64(1_764_115_200_123);
      writer.uint64(seq);
      for (const value of ['p', text, 'GET']) writer.text(value);
      writer.uint16(65_535);
      writer.uint8(6);
      for (const value of ['', text, '/a']) writer.text(value);
      writer.float32(12.3);
      writer.uint32(4_000_000_000);
    }
    await client.insert('calls', writer.take(), { ...options, id: newId() });
    expect(
      await client.rows(`select * from calls where owner = ${literal(owner)} order by endpoint`, options),
    ).toEqual(
      ['', long].map((text) => [
        owner,
        key,
        1_764_115_200_123,
        seq,
        'p',
        text,
        'GET',
        65_535,
        6,
        '',
        text,
        '/a',
        12.3,
        4_000_000_000,
      ]),
    );
  });

  test('a body that is cut anywhere, also between two rows, stores nothing', async () => {
    const numbers = new ClickHouseClient(clickHouseAddress(own.url));
    await client.run('create table numbers (a UInt32) engine = Memory', options);
    const { url, user, password, database } = clickHouseAddress(own.url);
    const whole = Buffer.from('010000000200000003000000', 'hex');
    const sent: Buffer[] = [];
    const fetching = jest.spyOn(globalThis, 'fetch').mockImplementationOnce((_url, init) => {
      sent.push(init?.body as unknown as Buffer);
      return Promise.resolve(new Response(''));
    });
    await numbers.insert('numbers', whole, { ...options, id: newId() });
    fetching.mockRestore();
    const search = new URLSearchParams({
      database,
      query: 'insert into numbers format RowBinary',
      decompress: '1',
      http_native_compression_disable_checksumming_on_decompress: '1',
    });
    const body = sent[0] as Buffer;
    for (let length = 1; length < body.length; length++) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `POST /?${search} HTTP/1.1\r\nHost: a\r\nX-ClickHouse-User: ${user}\r\nX-ClickHouse-Key: ${password}\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      socket.end(body.subarray(0, length));
      await new Promise((resolve) => socket.on('close', resolve).resume());
    }
    expect(await client.rows('select count() from numbers', options)).toEqual([[0]]);
    await client.insert('numbers', whole, { ...options, id: newId() });
    expect(await client.rows('select a from numbers order by a', options)).toEqual([[1], [2], [3]]);
  });

  test('the buckets of durations are those of the histogram', async () => {
    const durations = [0, 0.05, 0.1, 0.11, 0.2, 1, 1.1, 3.2, 12.8, 99.5, 819.2, 5_000, 88_000, 1e9].map(
      Math.fround,
    );
    const found = await client.rows<[number]>(
      `select ${bucketOfDuration} from (select arrayJoin([${durations.map((ms) => `toFloat32(${ms})`).join(', ')}]) as duration)`,
      options,
    );
    expect(found.map(([bucket]) => bucket)).toEqual(durations.map(bucketOf));
  });
});
