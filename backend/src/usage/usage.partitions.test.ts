import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { DatabaseAddress } from '../database/embedded.postgres.js';
import { withStartLock } from '../database/migrate.js';
import { newId } from '../database/new.id.js';
import { createTestDatabase } from '../testing/test.app.js';
import { ensureUsagePartitions } from './usage.partitions.js';

describe('the partitions of api_usage', () => {
  let address: DatabaseAddress;
  let drop: () => Promise<void>;
  let client: pg.Client;
  beforeEach(async () => {
    ({ address, drop } = await createTestDatabase());
    client = new pg.Client(address);
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await drop();
  });

  const names = async (): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>(
      "select relid::text as name from pg_partition_tree('api_usage') where isleaf order by 1",
    );
    return rows.map((row) => row.name);
  };
  const insertAt = (timestamp: string) =>
    client.query(
      `insert into api_usage (seq, user_id, api_key_id, endpoint, method, status_code, response_time, timestamp, outcome)
       values (1, $1, $1, '/', 'GET', 200, 1, $2, 'ok')`,
      [newId(), timestamp],
    );

  test('reach from the month before to three months ahead, across the turn of the year, without a gap', async () => {
    await ensureUsagePartitions(address, Date.parse('2026-11-30T23:59:59.999Z'));
    expect(await names()).toEqual([
      'api_usage_2026_10',
      'api_usage_2026_11',
      'api_usage_2026_12',
      'api_usage_2027_01',
      'api_usage_2027_02',
    ]);
    const inside = ['2026-10-01T00:00:00Z', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00Z'];
    for (const time of [...inside, '2027-02-28T23:59:59.999999Z']) await insertAt(time);
    await expect(insertAt('2027-03-01T00:00:00Z')).rejects.toMatchObject({ code: '23514' });
  });

  test('have the indexes of the table', async () => {
    await ensureUsagePartitions(address, Date.parse('2026-11-30T00:00:00Z'));
    const { rows } = await client.query<{ indexes: string }>(
      "select count(*) as indexes from pg_indexes where tablename = 'api_usage_2027_01'",
    );
    expect(rows).toEqual([{ indexes: '2' }]);
  });

  test('are made while a long read is open, which neither waits nor makes inserts wait', async () => {
    await ensureUsagePartitions(address, Date.parse('2026-11-15T00:00:00Z'));
    const reader = new pg.Client(address);
    await reader.connect();
    await reader.query('begin isolation level repeatable read');
    await reader.query('select count(*) from api_usage');
    await ensureUsagePartitions(address, Date.parse('2026-12-15T00:00:00Z'));
    await insertAt('2027-03-05T00:00:00Z');
    await reader.query('commit');
    await reader.end();
    expect(await names()).toContain('api_usage_2027_03');
  });

  test('are made once when instances start at the same time', async () => {
    const now = Date.parse('2026-11-15T00:00:00Z');
    await Promise.all(
      Array.from({ length: 4 }, () => withStartLock(address, () => ensureUsagePartitions(address, now))),
    );
    expect(await names()).toHaveLength(5);
  });
});
