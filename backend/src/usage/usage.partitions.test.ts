import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import type { DatabaseAddress } from '../config/database.address.js';
import { withStartLock } from '../database/migrate.js';
import { newId } from '../database/new.id.js';
import { createTestDatabase } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { dropOldUsage, ensureUsagePartitions } from './usage.partitions.js';

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

  test('cover the previous month and three months ahead, across the turn of the year, without a gap', async () => {
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

  test('are created during a long read without waiting for it and without blocking inserts', async () => {
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

  test('creating them has a deadline', async () => {
    const locker = new pg.Client(address);
    await locker.connect();
    await locker.query('begin');
    await locker.query('lock table pg_inherits in access exclusive mode');
    const making = ensureUsagePartitions(address, Date.parse('2026-11-15T00:00:00Z'), 300);
    await expect(making).rejects.toMatchObject({ code: '57014' });
    await locker.end();
  });

  test('are created once when several instances start at the same time', async () => {
    const now = Date.parse('2026-11-15T00:00:00Z');
    await Promise.all(
      Array.from({ length: 4 }, () => withStartLock(address, () => ensureUsagePartitions(address, now))),
    );
    expect(await names()).toHaveLength(5);
  });

  test('are created by a later attempt if another change holds the table', async () => {
    const holder = new pg.Client(address);
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table api_usage in share update exclusive mode');
    const waits = async () =>
      (await client.query(`select from pg_locks where relation = 'api_usage'::regclass and not granted`))
        .rowCount === 1;
    const created = ensureUsagePartitions(address, Date.parse('2026-11-15T00:00:00Z'));
    const outcome = created.catch((error: unknown) => error);
    await until('an attempt waits', waits);
    await until('it gives up', async () => !(await waits()));
    await holder.query('rollback');
    await holder.end();
    expect(await outcome).toBeUndefined();
    expect(await names()).toContain('api_usage_2026_11');
  });

  test('are tried once only if something other than a lock prevents them, and nothing is left half done', async () => {
    await client.query('create view api_usage_2026_12 as select 1');
    const statements = jest.spyOn(pg.Client.prototype, 'query');
    const creating = ensureUsagePartitions(address, Date.parse('2026-11-15T00:00:00Z'));
    await expect(creating).rejects.toMatchObject({ code: '42809' });
    const sent = statements.mock.calls.map(([statement]) => String(statement));
    statements.mockRestore();
    expect(sent.filter((text) => text.includes('"api_usage_2026_12"'))).toHaveLength(2);
    expect(sent.at(-1)).toBe('rollback');
    expect((await names()).at(-1)).toBe('api_usage_2026_11');
  });

  describe('the partitions of old months', () => {
    const user = newId();
    const november = Date.parse('2026-11-15T00:00:00Z');
    const drop = (months: number, now = november, waitMs = 5_000) =>
      dropOldUsage(address, months, now, waitMs);
    const storeAt = async (seq: number, timestamp: string) => {
      await client.query(
        `insert into api_usage (seq, user_id, api_key_id, endpoint, method, status_code, response_time, timestamp, outcome)
         values ($1, $2, $2, '/', 'GET', 200, 1, $3, 'ok')`,
        [seq, user, timestamp],
      );
      await client.query(
        `insert into usage_heads values ($1, $2) on conflict (user_id) do update set seq = excluded.seq`,
        [user, seq],
      );
    };
    const foldUpTo = (seq: number) =>
      client.query(
        `insert into usage_watermarks (user_id, seq, key_days_seq, owner_cells_seq) values ($1, 100, 100, $2)
         on conflict (user_id) do update set owner_cells_seq = excluded.owner_cells_seq`,
        [user, seq],
      );
    beforeEach(async () => {
      await ensureUsagePartitions(address, Date.parse('2026-08-15T00:00:00Z'));
      await ensureUsagePartitions(address, november);
    });

    test('are dropped while the months to keep stay, across the turn of the year', async () => {
      expect(await drop(2)).toEqual(['api_usage_2026_07', 'api_usage_2026_08']);
      expect(await drop(2)).toEqual([]);
      expect((await names())[0]).toBe('api_usage_2026_09');
      await insertAt('2026-09-01T00:00:00Z');
      await expect(insertAt('2026-08-31T23:59:59.999Z')).rejects.toMatchObject({ code: '23514' });
      expect(await drop(3, Date.parse('2027-01-31T23:59:59Z'))).toEqual(['api_usage_2026_09']);
      expect((await names())[0]).toBe('api_usage_2026_10');
    });

    test('stay while one of their rows is in no roll-up', async () => {
      await storeAt(1, '2026-07-31T23:59:59Z');
      await storeAt(2, '2026-08-31T23:59:59Z');
      await storeAt(3, '2026-11-01T00:00:00Z');
      await foldUpTo(1);
      expect(await drop(1)).toEqual(['api_usage_2026_07', 'api_usage_2026_09']);
      await foldUpTo(2);
      expect(await drop(1)).toEqual(['api_usage_2026_08']);
      const { rows } = await client.query('select seq from api_usage');
      expect(rows).toEqual([{ seq: '3' }]);
    });

    test('dropping them neither waits forever for an open read nor blocks calls, and the next run continues', async () => {
      await storeAt(1, '2026-07-15T00:00:00Z');
      await foldUpTo(1);
      const reader = new pg.Client(address);
      await reader.connect();
      await reader.query('begin isolation level repeatable read');
      expect((await reader.query('select from api_usage')).rowCount).toBe(1);
      await expect(drop(3, november, 300)).rejects.toMatchObject({ code: '57014' });
      await client.query("set statement_timeout = '1s'");
      await insertAt('2026-11-15T00:00:00Z');
      // The half-detached partition does not block the reader either.
      expect((await reader.query('select from api_usage')).rowCount).toBe(1);
      await reader.query('commit');
      await reader.end();
      expect(await drop(3)).toEqual(['api_usage_2026_07']);
      expect((await names())[0]).toBe('api_usage_2026_08');
    });

    test('are dropped even if a portal was killed between detaching and dropping', async () => {
      await client.query('alter table api_usage detach partition api_usage_2026_07');
      expect(await drop(3)).toEqual(['api_usage_2026_07']);
      const { rows } = await client.query("select to_regclass('api_usage_2026_07') as gone");
      expect(rows).toEqual([{ gone: null }]);
    });
  });
});
