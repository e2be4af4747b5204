import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource, type MigrationInterface } from 'typeorm';
import { parseEnvironment } from '../config/environment.js';
import { createTestDatabase } from '../testing/test.app.js';
import { ensureUsagePartitions } from '../usage/usage.partitions.js';
import { dataSourceOptions } from './database.options.js';
import { newId } from './new.id.js';
import { CallDetails1764720000000 } from './migrations/0011-call-details.js';

const environment = parseEnvironment({ NODE_ENV: 'test' });
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: DataSource;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  const options = dataSourceOptions(database.address, environment);
  const all = options.migrations as (new () => MigrationInterface)[];
  const before = all.slice(0, all.indexOf(CallDetails1764720000000));
  db = await new DataSource({ ...options, migrations: before }).initialize();
  await db.runMigrations();
  await ensureUsagePartitions(database.address);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

test('the migration counts the server errors of each hour in the roll-up, without those of calls that are not folded yet', async () => {
  const [userId, keyId] = [newId(), newId()];
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  const statuses = [200, 503, 400, 500, 502];
  for (const [place, status] of statuses.entries()) {
    await db.query(
      `insert into api_usage (seq, user_id, api_key_id, endpoint, method, status_code, response_time, timestamp, outcome)
       values ($1, $2, $3, '/api/v1/key', 'GET', $4, 1, $5, 'error')`,
      [place + 1, userId, keyId, status, hour],
    );
  }
  // The last call is not folded yet.
  await db.query('insert into usage_watermarks (user_id, seq) values ($1, 4)', [userId]);
  await db.query(
    "insert into usage_hours (user_id, api_key_id, hour, calls, errors, blocked, histogram) values ($1, $2, $3, 4, 3, 0, '{}')",
    [userId, keyId, hour],
  );
  const runner = db.createQueryRunner();
  await new CallDetails1764720000000().up(runner);
  await runner.release();
  const rows = await db.query('select calls, errors, server_errors from usage_hours');
  expect(rows).toEqual([{ calls: '4', errors: '3', server_errors: '2' }]);
});
