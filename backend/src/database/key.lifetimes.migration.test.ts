import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource, type MigrationInterface } from 'typeorm';
import { parseEnvironment } from '../config/environment.js';
import { createTestDatabase } from '../testing/test.app.js';
import { ensureUsagePartitions } from '../usage/usage.partitions.js';
import { dataSourceOptions } from './database.options.js';
import { KeyLifetimes1764982800000 } from './migrations/0014-key-lifetimes.js';
import { newId } from './new.id.js';

const environment = parseEnvironment({ NODE_ENV: 'test' });
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: DataSource;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  const options = dataSourceOptions(database.address, environment);
  const all = options.migrations as (new () => MigrationInterface)[];
  const before = all.slice(0, all.indexOf(KeyLifetimes1764982800000));
  db = await new DataSource({ ...options, migrations: before }).initialize();
  await db.runMigrations();
  await ensureUsagePartitions(database.address);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

test('the migration finds the last call in the newest hour of each key, and keeps an hour whose rows are gone', async () => {
  const [userId, used, old] = [newId(), newId(), newId()];
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const count = (keyId: string, at: number) =>
    db.query(
      `insert into usage_hours (user_id, api_key_id, hour, calls, errors, blocked, histogram)
       values ($1, $2, $3, 2, 0, 0, '{}')`,
      [userId, keyId, new Date(at)],
    );
  for (const [place, at] of [hour + 1_234, hour + 61_234].entries()) {
    await db.query(
      `insert into api_usage (seq, user_id, api_key_id, endpoint, method, status_code, response_time, timestamp, outcome)
       values ($1, $2, $3, '/api/v1/key', 'GET', 200, 1, $4, 'ok')`,
      [place + 1, userId, used, new Date(at)],
    );
  }
  await count(used, hour);
  await count(used, hour - 3_600_000);
  await count(old, hour - 7_200_000);

  const runner = db.createQueryRunner();
  await new KeyLifetimes1764982800000().up(runner);
  const rows = await db.query('select api_key_id, hour, last_at from usage_hours order by hour');
  expect(rows).toEqual([
    { api_key_id: old, hour: new Date(hour - 7_200_000), last_at: null },
    { api_key_id: used, hour: new Date(hour - 3_600_000), last_at: null },
    { api_key_id: used, hour: new Date(hour), last_at: new Date(hour + 61_234) },
  ]);

  await new KeyLifetimes1764982800000().down(runner);
  await new KeyLifetimes1764982800000().up(runner);
  await runner.release();
  expect(await db.query('select count(*)::int as hours from usage_hours where last_at is not null')).toEqual([
    { hours: 1 },
  ]);
});
