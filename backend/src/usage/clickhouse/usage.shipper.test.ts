import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { outcomes } from '@orange-id/contract/usage.schema';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { DatabaseAddress } from '../../config/database.address.js';
import { newId } from '../../database/new.id.js';
import { MetricsRegistry } from '../../health/metrics.registry.js';
import { describeClickHouse, startOwnClickHouse, type OwnClickHouse } from '../../testing/own.clickhouse.js';
import { createTestDatabase } from '../../testing/test.app.js';
import { until } from '../../testing/until.js';
import { ensureUsagePartitions } from '../usage.partitions.js';
import type { MeteredCall } from '../metered.call.js';
import { ingestStatement } from '../usage.ingest.js';
import { clickHouseAddress, ClickHouseClient } from './clickhouse.client.js';
import { UsageShipper } from './usage.shipper.js';

const hour = 3_600_000;
const day = 24 * hour;
const options = { timeoutMs: 10_000 };
const waits = { leaseMs: 500, arrivalMs: 100 };
const keepAll = { USAGE_RETENTION_MONTHS: 0, USAGE_POSTGRES_DAYS: 0 };

describeClickHouse('shipping calls to ClickHouse', () => {
  let own: OwnClickHouse;
  let client: ClickHouseClient;
  let address: DatabaseAddress;
  let drop: () => Promise<void>;
  let db: pg.Pool;
  let proxy: Server | undefined;
  const shippers: UsageShipper[] = [];

  beforeAll(async () => {
    own = await startOwnClickHouse();
    client = new ClickHouseClient(clickHouseAddress(own.url));
    ({ address, drop } = await createTestDatabase());
    await ensureUsagePartitions(address);
    await ensureUsagePartitions(address, Date.now() - 70 * day);
    db = new pg.Pool({ ...address, max: 3 });
  }, 60_000);
  afterEach(async () => {
    await Promise.all(shippers.splice(0).map((shipper) => shipper.stop()));
    proxy?.closeAllConnections();
    proxy?.close();
  });
  afterAll(async () => {
    await db.end();
    await drop();
    await own.remove();
  });

  /** Ships when the test asks, and not by itself. */
  const startShipper = async (through = client, settings = keepAll): Promise<UsageShipper> => {
    const shipper = new UsageShipper(address, through, settings, new MetricsRegistry(), waits);
    await shipper['connection'].start();
    shippers.push(shipper);
    return shipper;
  };
  const stop = (shipper: UsageShipper) => shippers.splice(shippers.indexOf(shipper), 1)[0]?.stop();

  const newOwner = async (): Promise<string> => {
    const id = newId();
    await db.query(
      `insert into users (id, issuer, subject, provider) values ($1::uuid, 'test', $1::uuid::text, 'email')`,
      [id],
    );
    return id;
  };
  const callOf = (userId: string, place: number, at = Date.now()): MeteredCall => ({
    userId,
    keyId: newId(),
    projectId: place % 2 ? 'orange-abcdefghij' : null,
    endpoint: place % 3 ? '/api/v1/key' : 'unknown',
    method: 'GET',
    statusCode: 200 + place,
    responseTime: Math.fround(place * 1.7),
    at,
    origin: place % 2 ? null : "https://a'b\\.example",
    outcome: outcomes[place % outcomes.length] as MeteredCall['outcome'],
    errorCode: place % 3 ? null : 'request.invalid',
    path: place % 3 ? null : '/api/v1/…',
    calls: 1 + place,
  });
  const store = (calls: MeteredCall[]) => db.query(ingestStatement(newId(), calls));
  const storeMany = (userId: string, count: number, at?: number) =>
    store(Array.from({ length: count }, (_, place) => callOf(userId, place % 100, at)));

  const countsOf = async (userId: string): Promise<{ rows: number; different: number; last: number }> => {
    const [[rows, different, last]] = (await client.rows(
      `select count(), uniqExact(seq), max(seq) from calls where owner = toUUID('${userId}')`,
      options,
    )) as [[number, number, number]];
    return { rows, different, last };
  };
  const each = (count: number) => ({ rows: count, different: count, last: count });

  /** ClickHouse behind a proxy; `act` decides what becomes of an insert. */
  const behind = async (
    act: (
      body: Buffer,
      forward: (body: Buffer) => Promise<Response>,
      path: string,
    ) => Promise<'answer' | 'cut'>,
  ): Promise<ClickHouseClient> => {
    const target = clickHouseAddress(own.url);
    proxy = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      const pass = async () => {
        const forward = (body: Buffer) =>
          fetch(target.url + request.url, {
            method: 'POST',
            headers: {
              'x-clickhouse-user': String(request.headers['x-clickhouse-user']),
              'x-clickhouse-key': String(request.headers['x-clickhouse-key']),
            },
            body: new Uint8Array(body),
          });
        const body = Buffer.concat(pieces);
        if (request.url?.includes('RowBinary')) {
          if ((await act(body, forward, request.url)) === 'cut') return response.destroy();
        }
        const answer = await forward(body);
        response.writeHead(answer.status).end(await answer.text());
      };
      request.on('end', () => void pass());
    });
    await new Promise<void>((resolve) => proxy?.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    return new ClickHouseClient({ ...target, url: `http://127.0.0.1:${port}` });
  };

  test('every column of a row arrives as it is stored', async () => {
    const owner = await newOwner();
    const at = Date.now() - 40 * day;
    const calls = Array.from({ length: 12 }, (_, place) => callOf(owner, place, at + place));
    await store(calls);
    expect(await (await startShipper()).ship()).toBe(true);
    const rows = await client.rows(
      `select toString(key), ts, seq, project, endpoint, method, status, outcome, error_code, origin, path, duration, calls
       from calls where owner = toUUID('${owner}') order by seq`,
      options,
    );
    expect(rows).toEqual(
      calls.map((call, place) => [
        call.keyId,
        at + place,
        place + 1,
        call.projectId ?? '',
        call.endpoint,
        call.method,
        call.statusCode,
        1 + outcomes.indexOf(call.outcome),
        call.errorCode ?? '',
        call.origin ?? '',
        call.path ?? '',
        expect.closeTo(call.responseTime, 3),
        call.calls,
      ]),
    );
  });

  test('one instance ships; another takes over when it ends, and continues after the last row', async () => {
    const owner = await newOwner();
    await storeMany(owner, 30);
    const first = await startShipper();
    const second = await startShipper();
    expect(await first.ship()).toBe(true);
    expect(await second.ship()).toBe(false);
    await storeMany(owner, 20);
    await stop(first);
    await until('the lock is free', () => second.ship());
    expect(await countsOf(owner)).toEqual(each(50));
  });

  test('rows of many owners, and late rows, are shipped once', async () => {
    const owners = await Promise.all(Array.from({ length: 150 }, newOwner));
    await store(owners.flatMap((owner) => [callOf(owner, 1), callOf(owner, 2, Date.now() - 69 * day)]));
    const shipper = await startShipper();
    await shipper.ship();
    await store(owners.map((owner) => callOf(owner, 3, Date.now() - 40 * day)));
    await shipper.ship();
    await shipper.ship();
    for (const owner of owners) expect(await countsOf(owner)).toEqual(each(3));
  });

  test.each([
    ['is lost on its way', () => Promise.resolve()],
    [
      'is stored, and its answer is lost',
      (body: Buffer, forward: (b: Buffer) => Promise<Response>) => forward(body),
    ],
  ])(
    'an insert that %s is completed by the next attempt',
    async (_name, before) => {
      const owner = await newOwner();
      await storeMany(owner, 40);
      let cuts = 0;
      const through = await behind(async (body, forward) => {
        if (cuts++ > 0) return 'answer';
        await before(body, forward);
        return 'cut';
      });
      const shipper = await startShipper(through);
      await expect(shipper.ship()).rejects.toThrow('ClickHouse at');
      await storeMany(owner, 5);
      await shipper.ship();
      expect(await countsOf(owner)).toEqual(each(45));
    },
    30_000,
  );

  test('an insert of which one month is stored, and a part of another owner, is completed by another instance', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    // Each third row is of another month: what is stored of the owner has gaps.
    await store([
      ...Array.from({ length: 30 }, (_, place) =>
        callOf(owner, place, place % 3 ? Date.now() : Date.now() - 40 * day),
      ),
      ...Array.from({ length: 10 }, (_, place) => callOf(other, place)),
    ]);
    const through = await behind(() => Promise.resolve('cut'));
    const first = await startShipper(through);
    await expect(first.ship()).rejects.toThrow('ClickHouse at');
    await stop(first);
    // The parts that the server stored of the insert before it failed.
    const insertSome = async (userId: string, isStored: (row: { seq: number; ts: number }) => boolean) => {
      const { rows } = await db.query(
        `select api_key_id as key, (extract(epoch from timestamp) * 1000)::float8 as ts, seq::int from api_usage
         where user_id = $1`,
        [userId],
      );
      const values = rows
        .filter(isStored)
        .map(({ key, ts, seq }) => `('${userId}', '${key}', ${ts}, ${seq})`);
      await client.run(`insert into calls (owner, key, ts, seq) values ${values.join(', ')}`, options);
    };
    await insertSome(owner, ({ ts }) => ts < Date.now() - 20 * day);
    await insertSome(other, ({ seq }) => seq <= 4);
    const second = await startShipper();
    await until('the lock is free', () => second.ship());
    expect(await countsOf(owner)).toEqual(each(30));
    expect(await countsOf(other)).toEqual(each(10));
  }, 30_000);

  test('an insert that still runs is ended before its rows are looked for', async () => {
    const owner = await newOwner();
    const at = Date.now();
    await store(Array.from({ length: 20 }, (_, place) => callOf(owner, place, at)));
    const running = async () => {
      const [[count]] = (await client.rows(
        `select count() from system.processes where query like '%sleepEachRow(%' and query not like '%processes%'`,
        options,
      )) as [[number]];
      return count > 0;
    };
    // An insert under the same id that stores a row every 0.3 seconds.
    const through = await behind(async (_body, _forward, path) => {
      const id = new URLSearchParams(path.slice(2)).get('query_id') as string;
      const slow = `insert into calls (owner, key, ts, seq)
        select toUUID('${owner}'), toUUID('${owner}'), toInt64(${at}), toUInt64(number + 1)
        from system.numbers where sleepEachRow(0.3) = 0 limit 20`;
      const one = { max_block_size: 1, min_insert_block_size_rows: 1, min_insert_block_size_bytes: 1 };
      client
        .run(slow, { timeoutMs: 30_000, settings: { query_id: id, max_threads: 1, ...one } })
        .catch(() => undefined);
      await until('the insert runs', running);
      return 'cut';
    });
    const first = await startShipper(through);
    await expect(first.ship()).rejects.toThrow('ClickHouse at');
    await stop(first);
    const second = await startShipper();
    await until('the lock is free', () => second.ship());
    expect(await running()).toBe(false);
    expect(await countsOf(owner)).toEqual(each(20));
  }, 60_000);

  test('a ClickHouse that was killed is found again, and nothing is lost', async () => {
    const owner = await newOwner();
    await storeMany(owner, 25);
    const shipper = await startShipper();
    await shipper.ship();
    await own.stop('SIGKILL');
    await storeMany(owner, 25);
    await expect(shipper.ship()).rejects.toThrow('ECONNREFUSED');
    await own.startAgain();
    await shipper.ship();
    expect(await countsOf(owner)).toEqual(each(50));
  }, 60_000);

  test('closed hours are summed, and again after a late row', async () => {
    const owner = await newOwner();
    const at = Math.floor(Date.now() / hour) * hour - 30 * hour;
    const shipper = await startShipper();
    const valid = async () => {
      const { rows } = await db.query('select hour, build from usage_shipped_hours where is_built');
      const builds = new Map(rows.map(({ hour, build }) => [hour, build]));
      const sums = await client.rows<[number, number, number, number]>(
        `select hour, build, sum(rows), sum(calls) from hours where owner = toUUID('${owner}') group by hour, build order by hour`,
        options,
      );
      return sums
        .filter(([at, build]) => builds.get(at) === build)
        .map(([hour, , rows, calls]) => [hour, rows, calls]);
    };
    await store([0, 1, 2].map((place) => callOf(owner, place, at + place * hour)));
    await shipper.ship();
    await shipper.keepUp();
    const first = at / hour;
    expect(await valid()).toEqual([
      [first, 1, 1],
      [first + 1, 1, 2],
      [first + 2, 1, 3],
    ]);
    await store([callOf(owner, 9, at + 100)]);
    await shipper.ship();
    expect((await valid()).map(([at]) => at)).toEqual([first + 1, first + 2]);
    await shipper.keepUp();
    await shipper.keepUp();
    expect(await valid()).toEqual([
      [first, 2, 11],
      [first + 1, 1, 2],
      [first + 2, 1, 3],
    ]);
    // The hour that runs is not summed yet.
    await store([callOf(owner, 1)]);
    await shipper.ship();
    await shipper.keepUp();
    expect(await valid()).toHaveLength(3);
    await until('earlier sums are gone', async () => {
      const [[builds]] = (await client.rows(
        `select uniqExact(build) from hours where owner = toUUID('${owner}') and hour = ${first}`,
        options,
      )) as [[number]];
      return builds === 1;
    });
  }, 30_000);

  test('after the database was restored, rows and sums that it does not know of are replaced', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const at = Math.floor(Date.now() / hour) * hour - 10 * hour;
    await storeMany(owner, 10, at);
    await storeMany(other, 10, at);
    const before = await startShipper();
    await before.ship();
    await before.keepUp();
    const tables = ['api_usage', 'usage_heads', 'usage_shipped', 'usage_shipped_hours'];
    for (const table of tables) await db.query(`create table kept_${table} as select * from ${table}`);
    await storeMany(owner, 10, at);
    await storeMany(owner, 5, at + 5 * hour);
    await before.ship();
    await before.keepUp();
    await stop(before);
    for (const table of tables) {
      await db.query(`truncate ${table}`);
      await db.query(`insert into ${table} select * from kept_${table}`);
      await db.query(`drop table kept_${table}`);
    }
    await store(Array.from({ length: 4 }, () => callOf(owner, 7, at + hour)));
    const after = await startShipper();
    await until('the lock is free', () => after.ship());
    await after.keepUp();
    expect(await countsOf(owner)).toEqual(each(14));
    expect(await countsOf(other)).toEqual(each(10));
    const { rows: built } = await db.query('select hour, build from usage_shipped_hours where is_built');
    const valid = built.map(({ hour, build }) => `(hour = ${hour} and build = ${build})`).join(' or ');
    expect(
      await client.rows(
        `select hour, sum(rows) from hours where owner = toUUID('${owner}') and (${valid}) group by hour order by hour`,
        options,
      ),
    ).toEqual([
      [at / hour, 10],
      [at / hour + 1, 4],
    ]);
  }, 30_000);

  test('the calls of a removed account are removed, and its id is forgotten', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    await storeMany(owner, 10, Date.now() - 20 * hour);
    await storeMany(other, 10, Date.now() - 20 * hour);
    const shipper = await startShipper();
    await shipper.ship();
    await shipper.keepUp();
    await db.query('delete from usage_heads where user_id = $1', [owner]);
    await db.query('delete from users where id = $1', [owner]);
    await until('the account is forgotten', async () => {
      await shipper.keepUp();
      const { rowCount } = await db.query('select from usage_shipped where user_id = $1', [owner]);
      return rowCount === 0;
    });
    expect((await countsOf(owner)).rows).toBe(0);
    expect(await client.rows(`select count() from hours where owner = toUUID('${owner}')`, options)).toEqual([
      [0],
    ]);
    expect(await countsOf(other)).toEqual(each(10));
  }, 30_000);

  test('months after the retention are dropped, and their sums stay', async () => {
    const owner = await newOwner();
    await storeMany(owner, 10, Date.now() - 69 * day);
    await storeMany(owner, 5);
    const shipper = await startShipper(client, { ...keepAll, USAGE_RETENTION_MONTHS: 1 });
    await shipper.ship();
    await shipper.keepUp();
    expect((await countsOf(owner)).rows).toBe(5);
    expect(
      await client.rows(`select sum(rows) from hours where owner = toUUID('${owner}')`, options),
    ).toEqual([[10]]);
  });

  test('PostgreSQL gives up old rows that ClickHouse has and the roll-ups count, and no others', async () => {
    const [owner, unfolded, lost] = [await newOwner(), await newOwner(), await newOwner()];
    for (const userId of [owner, unfolded, lost]) {
      await storeMany(userId, 10, Date.now() - 8 * day);
      await storeMany(userId, 5);
    }
    const shipper = await startShipper(client, { ...keepAll, USAGE_POSTGRES_DAYS: 7 });
    await shipper.ship();
    await db.query(
      'insert into usage_watermarks (user_id, seq, key_days_seq, owner_cells_seq) select user_id, seq, seq, seq from usage_heads where user_id = any($1)',
      [[owner, lost]],
    );
    await client.run(`alter table calls delete where owner = toUUID('${lost}') and seq = 3`, options);
    await until('ClickHouse lost a row', async () => (await countsOf(lost)).rows === 14);
    await storeMany(owner, 2);
    const seqs = async (userId: string) => {
      const { rows } = await db.query('select seq::int from api_usage where user_id = $1 order by 1', [
        userId,
      ]);
      return rows.map(({ seq }) => seq);
    };
    await shipper.keepUp();
    expect(await seqs(owner)).toEqual([11, 12, 13, 14, 15, 16, 17]);
    expect(await seqs(unfolded)).toHaveLength(15);
    // What ClickHouse lost was shipped again from PostgreSQL; it goes the next time.
    expect(await seqs(lost)).toHaveLength(15);
    expect(await countsOf(lost)).toEqual(each(15));
    await shipper.keepUp();
    expect(await seqs(lost)).toHaveLength(5);
  }, 30_000);
});
