import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { DatabaseAddress } from '../config/database.address.js';
import { newId } from '../database/new.id.js';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { createTestDatabase } from '../testing/test.app.js';
import { ensureUsagePartitions } from './usage.partitions.js';
import { UsageRollups } from './usage.rollups.js';
import { verifyUsage, type VerifiedDay } from './usage.verification.js';

const now = Date.now();

let address: DatabaseAddress;
let drop: () => Promise<void>;
let db: pg.Client;
let rollups: UsageRollups;
beforeAll(async () => {
  ({ address, drop } = await createTestDatabase());
  await ensureUsagePartitions(address, now);
  db = new pg.Client(address);
  await db.connect();
  // Not initialised as a module: it folds only when the test calls it.
  rollups = Object.assign(new UsageRollups(address, new MetricsRegistry()), {
    wideFromCalls: 40,
  }) as UsageRollups;
  await rollups['connection'].start();
});
afterAll(async () => {
  await rollups.onApplicationShutdown();
  await db.end();
  await drop();
});

/** Stores calls of two keys, the first with 2 of 3, in the hours before now, and folds them. */
async function storeAndFold(userId: string, from: number, to: number): Promise<void> {
  await db.query(
    `insert into api_usage (seq, user_id, api_key_id, endpoint, method, status_code, response_time, timestamp, origin, outcome, calls, error_code)
     select n, $1, case when n % 3 = 0 then $3 else $2 end::uuid, '/api/v1/key', case n % 2 when 0 then 'GET' else 'POST' end,
       status, n, $4::timestamptz - n % 90 * interval '31 minutes', case when n % 5 > 0 then 'https://site-' || n || '.example.com' end,
       case status when 200 then 'ok' when 403 then 'blocked' when 429 then 'limited' else 'error' end,
       case status when 429 then 3 else 1 end, case status when 400 then 'request.invalid' end
     from (
       select n, (array[200, 400, 403, 429, 503])[1 + n % 5]::smallint as status from generate_series($5::int, $6::int) as n
     ) numbered`,
    [userId, keysOf(userId)[0], keysOf(userId)[1], new Date(now - 1), from, to],
  );
  await db.query(
    'insert into usage_heads (user_id, seq) values ($1, $2) on conflict (user_id) do update set seq = excluded.seq',
    [userId, to],
  );
  expect(await rollups.fold()).toBe(true);
}
const keys = new Map<string, [string, string]>();
const keysOf = (userId: string): [string, string] => {
  const known = keys.get(userId) ?? [newId(), newId()];
  keys.set(userId, known);
  return known;
};

async function verify(userId: string | null): Promise<VerifiedDay[]> {
  const days: VerifiedDay[] = [];
  for await (const day of verifyUsage(db, userId)) days.push(day);
  return days;
}
const differencesOf = (days: VerifiedDay[]) => days.flatMap(({ differences }) => differences);

test('finds no difference after folding in several steps, with wide keys, other origins and rows that are not folded', async () => {
  const userId = newId();
  await storeAndFold(userId, 1, 100);
  await storeAndFold(userId, 101, 400);
  const wide = await db.query('select from usage_keys where user_id = $1 and is_wide', [userId]);
  expect(wide.rowCount).toBeGreaterThan(0);
  const others = await db.query('select from usage_other_origins where user_id = $1', [userId]);
  expect(others.rowCount).toBeGreaterThan(0);
  await db.query(
    `insert into api_usage (seq, user_id, api_key_id, endpoint, method, status_code, response_time, timestamp, outcome)
     values (401, $1, $2, '/api/v1/new', 'GET', 200, 1, $3, 'ok')`,
    [userId, newId(), new Date(now - 1)],
  );
  const days = await verify(userId);
  expect(differencesOf(days)).toEqual([]);
  expect(days.reduce((sum, { calls }) => sum + calls, 0)).toBe(560);
});

test('names what differs: a changed count, a missing day of a key, and calls that no row has', async () => {
  const [userId, other] = [newId(), newId()];
  await storeAndFold(userId, 1, 90);
  await storeAndFold(other, 1, 30);
  await db.query(
    'update usage_owner_cells set counts[1] = counts[1] + 1 where user_id = $1 and part = 2 and key = 0 and hour = $2',
    [userId, Math.floor(now / 86_400_000) * 24],
  );
  const cells = await verify(userId);
  expect(cells.filter(({ differences }) => differences.length > 0).map(({ day }) => day)).toEqual([
    new Date(now).toISOString().slice(0, 10),
  ]);
  for (const { table, row, inRows, inRollups } of differencesOf(cells)) {
    expect([table, row.includes('part 2'), Number(inRollups) - Number(inRows)]).toEqual([
      'usage_owner_cells',
      true,
      1,
    ]);
  }
  await db.query('delete from usage_key_days where user_id = $1', [other]);
  const days = differencesOf(await verify(other));
  expect(days.length).toBeGreaterThan(0);
  expect(days.every(({ table, inRollups }) => table === 'usage_key_days' && inRollups === null)).toBe(true);
  // The first row is there, so the others count as kept.
  await db.query('delete from api_usage where user_id = $1 and seq > 1', [other]);
  expect(differencesOf(await verify(null)).some(({ inRows }) => inRows === null)).toBe(true);
});

test('skips days whose rows are gone', async () => {
  const userId = newId();
  await storeAndFold(userId, 1, 90);
  await db.query('delete from api_usage where user_id = $1 and seq = 1', [userId]);
  const days = await verify(userId);
  expect(days).toEqual([]);
});
