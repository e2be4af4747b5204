import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { DataSource } from 'typeorm';
import type { DatabaseAddress } from '../config/database.address.js';
import { parseEnvironment } from '../config/environment.js';
import { dataSourceOptions } from '../database/database.options.js';
import { newId } from '../database/new.id.js';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { createTestDatabase } from '../testing/test.app.js';
import { PostgresHistoryRepository } from './postgres.history.repository.js';
import { ensureUsagePartitions } from './usage.partitions.js';
import { UsageRollups } from './usage.rollups.js';

const day = 24 * 3_600_000;
const now = Date.now();
const shown = { from: now - 20 * day, to: now };

let address: DatabaseAddress;
let drop: () => Promise<void>;
let db: DataSource;
let rollups: UsageRollups;
let history: PostgresHistoryRepository;
let userId: string;
let keyId: string;
beforeAll(async () => {
  ({ address, drop } = await createTestDatabase());
  await ensureUsagePartitions(address, now);
  db = new DataSource(dataSourceOptions(address, parseEnvironment({ NODE_ENV: 'test' })));
  await db.initialize();
  // Not initialised as a module: it folds only when the test calls it.
  rollups = new UsageRollups(address, new MetricsRegistry());
  await rollups['connection'].start();
  history = Object.assign(new PostgresHistoryRepository(db), { cellsFromCalls: -1 });
});
beforeEach(() => {
  userId = newId();
  keyId = newId();
});
afterAll(async () => {
  await rollups.onApplicationShutdown();
  await db.destroy();
  await drop();
});

/** Stores calls that come every 97 minutes, the last one now; the place from 0 decides what each is. */
async function store(rows: number, origin = "'https://a.example.com'"): Promise<void> {
  await db.query(
    `insert into api_usage (seq, user_id, api_key_id, endpoint, method, status_code, response_time, timestamp, origin, outcome)
     select n, $1, $2, '/api/v1/key', case when n % 2 = 0 then 'GET' else 'POST' end, 200, n,
       $3::timestamptz - ($4 - n) * interval '97 minutes', ${origin}, 'ok'
     from generate_series(1, $4::int) as n`,
    [userId, keyId, new Date(now - 1), rows],
  );
  await db.query('insert into usage_heads (user_id, seq) values ($1, $2)', [userId, rows]);
}

const ask = (filters: UsageFilters = {}, keyIds: string[] | null = null) =>
  history.figures({ userId, filters, keyIds, shown, range: shown });
const sum = (parts: readonly { calls: number }[] | null) =>
  (parts ?? []).reduce((total, { calls }) => total + calls, 0);

test('from the 251st new origin of a day on, origins share one entry, and a filter still finds the calls of each', async () => {
  await store(280, "'https://site-' || n || '.example.com'");
  expect(await rollups.fold()).toBe(true);
  const known = await db.query('select count(*)::int as entries from usage_origins where user_id = $1', [
    userId,
  ]);
  expect(known).toEqual([{ entries: 250 }]);
  const { totals, origins, percentiles } = await ask();
  expect([totals.calls, percentiles]).toEqual([280, 'histogram']);
  // The newest part of an hour is read from the rows, which have the origin itself.
  expect(origins?.find(({ origin }) => origin === 'other')?.calls).toBeGreaterThanOrEqual(29);
  for (const place of [250, 251, 270]) {
    const origin = `https://site-${place}.example.com`;
    const method = place % 2 === 0 ? 'GET' : 'POST';
    for (const filters of [{ origin }, { origin, method }]) {
      const found = await ask(filters);
      expect([place, found.totals.calls, found.totals.p50 !== null]).toEqual([place, 1, true]);
      expect([found.keys, found.origins]).toEqual([[{ keyId, calls: 1 }], [{ origin, calls: 1 }]]);
    }
    const other = await ask({ origin, method: method === 'GET' ? 'POST' : 'GET' });
    expect([other.totals.calls, other.keys]).toEqual([0, []]);
  }
  expect((await ask({ origin: 'https://site-999.example.com' })).totals.calls).toBe(0);
});

test('rows that only the days of keys count are added to the cells later, and every answer is the same before and after', async () => {
  await store(280);
  await rollups.fold();
  const questions: UsageFilters[] = [
    {},
    { method: 'GET' },
    { origin: 'https://a.example.com' },
    { status: '2xx' },
  ];
  const counts = async () => {
    const answers = await Promise.all(questions.map((filters) => ask(filters)));
    return answers.map(({ totals, series, endpoints, keys }) => [totals.calls, series, endpoints, keys]);
  };
  const cells = () =>
    db.query(
      `select user_id, key, part, hour, kind, origin, calls, array(select row(place, n)::text from unnest(places, counts) as l (place, n) order by place) as list
       from usage_owner_cells where user_id = $1 order by part, hour, kind, origin`,
      [userId],
    );
  const [expected, filled] = [await counts(), await cells()];
  expect(filled.length).toBeGreaterThan(100);

  // After an update from a portal without cells.
  await db.query('delete from usage_owner_cells where user_id = $1', [userId]);
  await db.query('update usage_watermarks set owner_cells_seq = 0 where user_id = $1', [userId]);
  const days = await db.query('select * from usage_key_days where user_id = $1 order by day', [userId]);
  expect(await counts()).toEqual(expected);
  expect((await ask({ method: 'GET' })).percentiles).toBe('exact');
  await rollups.fold();
  expect(await cells()).toEqual(filled);
  expect(await counts()).toEqual(expected);
  expect((await ask({ method: 'GET' })).percentiles).toBe('histogram');
  expect(await db.query('select * from usage_key_days where user_id = $1 order by day', [userId])).toEqual(
    days,
  );
});

test('a short range with very many calls has wider buckets, and counts as before', async () => {
  await store(280);
  await rollups.fold();
  const busy = Object.assign(new PostgresHistoryRepository(db), { cellsFromCalls: -1, coarseFromCalls: -1 });
  const short = { from: now - 8 * 3_600_000 - 7, to: now };
  for (const [filters, seconds] of [
    [{}, 900],
    [{ method: 'GET' }, 900],
    [{ origin: 'https://a.example.com' }, 3_600],
  ] as const) {
    const question = { userId, filters, keyIds: null, shown: short, range: short };
    const [few, many] = await Promise.all([
      new PostgresHistoryRepository(db).figures(question),
      (busy as PostgresHistoryRepository).figures(question),
    ]);
    expect([few.bucketSeconds, few.percentiles]).toEqual([300, 'exact']);
    expect([many.bucketSeconds, many.percentiles]).toEqual([seconds, 'histogram']);
    expect(few.totals.calls).toBeGreaterThan(1);
    for (const part of ['endpoints', 'statuses', 'keys', 'origins'] as const)
      expect(many[part]).toEqual(few[part]);
    expect(sum(many.series)).toBe(few.totals.calls);
  }
});

test('a key with many calls a day gets cells of its own, which count its earlier calls, too', async () => {
  await store(280);
  await rollups.fold();
  const isWide = async () =>
    (await db.query('select is_wide from usage_keys where user_id = $1 and api_key_id = $2', [
      userId,
      keyId,
    ])) as { is_wide: boolean }[];
  expect(await isWide()).toEqual([{ is_wide: false }]);
  // The cells of all keys serve an owner's only key.
  expect((await ask({ method: 'GET', keyId }, [keyId])).percentiles).toBe('histogram');
  await db.query(
    `insert into api_usage (seq, user_id, api_key_id, endpoint, method, status_code, response_time, timestamp, origin, outcome)
     values (281, $1, $2, '/api/v1/key', 'GET', 200, 1, $3, null, 'ok')`,
    [userId, newId(), new Date(now - 1)],
  );
  await db.query('update usage_heads set seq = 281 where user_id = $1', [userId]);
  await rollups.fold();
  const before = await ask({ method: 'GET', keyId }, [keyId]);
  expect(before.percentiles).toBe('exact');

  // The cells of all keys have what an only key did, also if its rows are gone.
  await db.query('delete from api_usage where user_id = $1 and seq < 200', [userId]);
  Object.assign(rollups, { wideFromCalls: 5 });
  const [last] = await db.query('select * from api_usage where user_id = $1 and seq = 279', [userId]);
  await db.query(
    `insert into api_usage (seq, user_id, api_key_id, endpoint, method, status_code, response_time, timestamp, origin, outcome)
     select 281 + n, $1, $2, '/api/v1/key', 'GET', 200, 1, $3, null, 'ok' from generate_series(1, 10) as n`,
    [userId, keyId, last.timestamp],
  );
  await db.query('update usage_heads set seq = 291 where user_id = $1', [userId]);
  await rollups.fold();
  expect(await isWide()).toEqual([{ is_wide: true }]);
  const after = await ask({ method: 'GET', keyId }, [keyId]);
  expect([after.percentiles, after.totals.calls]).toEqual(['histogram', before.totals.calls + 10]);
  expect(sum(after.origins)).toBe(after.totals.calls);
  await rollups.fold();
  expect((await ask({ method: 'GET', keyId }, [keyId])).totals.calls).toBe(after.totals.calls);
});
