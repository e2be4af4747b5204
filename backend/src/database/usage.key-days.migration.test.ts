import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource, type MigrationInterface } from 'typeorm';
import { parseEnvironment } from '../config/environment.js';
import { createTestDatabase } from '../testing/test.app.js';
import { PostgresHistoryRepository } from '../usage/postgres.history.repository.js';
import { dataSourceOptions } from './database.options.js';
import { UsageKeyDays1766624400000 } from './migrations/0033-usage-key-days.js';
import { newId } from './new.id.js';

const hour = 3_600_000;
const day = 24 * hour;
/** Midnight, ten days ago. */
const midnight = Math.floor(Date.now() / day - 10) * day;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: DataSource;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  const options = dataSourceOptions(database.address, parseEnvironment({ NODE_ENV: 'test' }));
  const all = options.migrations as (new () => MigrationInterface)[];
  const before = all.slice(0, all.indexOf(UsageKeyDays1766624400000));
  db = await new DataSource({ ...options, migrations: before }).initialize();
  await db.runMigrations();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

test('the migration keeps the figures of rows that are gone, and leaves the earlier roll-ups to an earlier portal', async () => {
  const [userId, one, two] = [newId(), newId(), newId()];
  const histogram = (calls: number) => [...Array<number>(20).fill(0), calls];
  for (const [keyId, at, calls, errors, serverErrors, blocked] of [
    [one, 3, 10, 3, 1, 2],
    [one, 4, 5, 0, 0, 0],
    [two, 30, 1, 1, 1, 0],
  ] as const) {
    await db.query(
      `insert into usage_hours (user_id, api_key_id, hour, calls, errors, server_errors, blocked, last_at, histogram)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        userId,
        keyId,
        new Date(midnight + at * hour),
        calls,
        errors,
        serverErrors,
        blocked,
        new Date(midnight + at * hour + 1_234),
        histogram(calls),
      ],
    );
  }
  for (const [keyId, place, status, calls] of [
    [one, 0, 200, 11],
    [one, 0, 404, 4],
    [two, 1, 503, 1],
  ] as const) {
    await db.query("insert into usage_days values ($1, $2, $3, '/api/v1/key', 'GET', $4, $5)", [
      userId,
      keyId,
      new Date(midnight + place * day).toISOString().slice(0, 10),
      status,
      calls,
    ]);
  }
  await db.query('insert into usage_watermarks (user_id, seq) values ($1, 16)', [userId]);
  await db.query('insert into usage_heads (user_id, seq) values ($1, 16)', [userId]);
  const [other, origin] = [newId(), 'https://a.example.com'];
  await db.query(
    `with kind as (
       insert into usage_kinds (endpoint, method, status_code, outcome, error_code)
       values ('/api/v1/key', 'GET', 403, 'blocked', 'key.originRefused') returning id
     ), key as (
       insert into usage_keys (user_id, api_key_id) values ($1, $2) returning id
     ), origin as (
       insert into usage_origins (user_id, origin) values ($1, $3) returning id
     ), watermark as (
       insert into usage_watermarks (user_id, seq, cells_seq) values ($1, 7, 7)
     )
     insert into usage_cells (user_id, key, part, hour, kind, origin, calls, quarters, buckets, bucket_calls, keys, key_calls, origins, origin_calls)
     select $1, 0, part, $4::int, kind.id, 0, 7, case when part = 1 then array[0, 4, 0, 3] end, array[9, 30], array[2, 5],
       array[key.id], array[7], array[origin.id], array[7]
     from kind, key, origin, (values (1), (2)) as p (part)`,
    [other, one, origin, midnight / hour],
  );

  const runner = db.createQueryRunner();
  await new UsageKeyDays1766624400000().up(runner);
  await new UsageKeyDays1766624400000().down(runner);
  await new UsageKeyDays1766624400000().up(runner);
  await runner.release();

  const history: PostgresHistoryRepository = Object.assign(new PostgresHistoryRepository(db), {
    cellsFromCalls: -1,
  });
  const ask = (owner: string, filters: object, keyIds: string[] | null, days: number) => {
    const shown = { from: midnight, to: midnight + days * day };
    return history.figures({ userId: owner, filters, keyIds, shown, range: shown });
  };
  const all = await ask(userId, {}, null, 3);
  expect([all.totals.calls, all.totals.errors, all.totals.blocked, all.percentiles]).toEqual([
    16,
    4,
    2,
    'histogram',
  ]);
  expect(all.series.filter(({ calls }) => calls > 0)).toEqual([
    { at: new Date(midnight + 3 * hour).toISOString(), calls: 10, errors: 3, serverErrors: 1, blocked: 2 },
    { at: new Date(midnight + 4 * hour).toISOString(), calls: 5, errors: 0, serverErrors: 0, blocked: 0 },
    { at: new Date(midnight + 30 * hour).toISOString(), calls: 1, errors: 1, serverErrors: 1, blocked: 0 },
  ]);
  expect(all.statuses).toEqual([
    { statusCode: 200, calls: 11 },
    { statusCode: 404, calls: 4 },
    { statusCode: 503, calls: 1 },
  ]);
  expect(all.keys).toEqual([
    { keyId: one, calls: 15 },
    { keyId: two, calls: 1 },
  ]);
  expect((await ask(userId, { keyId: two }, [two], 3)).totals).toMatchObject({ calls: 1, errors: 1 });

  const blocked = await ask(other, { status: 'blocked' }, null, 1);
  expect([blocked.totals.calls, blocked.keys, blocked.origins]).toEqual([
    7,
    [{ keyId: one, calls: 7 }],
    [{ origin, calls: 7 }],
  ]);
  expect(blocked.series.filter(({ calls }) => calls > 0).map(({ at, calls }) => [at, calls])).toEqual([
    [new Date(midnight + hour / 4).toISOString(), 4],
    [new Date(midnight + (3 * hour) / 4).toISOString(), 3],
  ]);
  const left = await db.query(
    'select (select count(*)::int from usage_hours) as hours, (select count(*)::int from usage_days) as days',
  );
  expect(left).toEqual([{ hours: 3, days: 3 }]);
});
