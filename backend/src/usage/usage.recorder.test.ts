import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { parseEnvironment } from '../config/environment.js';
import { Waits, waits } from '../config/waits.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { withStartLock } from '../database/migrate.js';
import { newId } from '../database/new.id.js';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { FreezingProxy, startFreezingProxy } from '../testing/freezing.proxy.js';
import { createTestDatabase } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import type { MeteredCall } from './metered.call.js';
import { ingestStatement } from './usage.ingest.js';
import { ensureUsagePartitions } from './usage.partitions.js';
import { DailyQuota } from './daily.quota.js';
import { RecordFailure, UsageRecorder } from './usage.recorder.js';

const userId = newId();
const keyId = newId();
const callAt = (place: number, more: Partial<MeteredCall> = {}): MeteredCall => ({
  userId,
  keyId,
  projectId: 'orange-abcdefghij',
  endpoint: '/api/v1/key',
  method: 'GET',
  statusCode: 200,
  responseTime: 1,
  at: Date.now(),
  origin: `https://call-${place}.example.com`,
  outcome: 'ok',
  errorCode: null,
  path: null,
  calls: 1,
  ...more,
});
const calls = (count: number) => Array.from({ length: count }, (_, place) => callAt(place));

describe('the usage recorder', () => {
  let address: DatabaseAddress;
  let drop: () => Promise<void>;
  let client: pg.Client;
  let proxy: FreezingProxy;
  const recorders: UsageRecorder[] = [];
  /** Shortened once storing is impossible, so that the test passes on a slow machine. */
  let shortened: Waits;

  // The faults that these tests cause are logged, as intended.
  beforeAll(async () => {
    Logger.overrideLogger(false);
    ({ address, drop } = await createTestDatabase());
  });
  afterAll(() => drop());
  beforeEach(async () => {
    shortened = { ...waits };
    // The previous test may have dropped partitions, and its recorder may still be creating them.
    await withStartLock(address, () => ensureUsagePartitions(address));
    client = new pg.Client(address);
    await client.connect();
    await client.query('truncate api_usage, usage_heads, ingest_batches');
    proxy = await startFreezingProxy(address);
  });
  afterEach(async () => {
    jest.useRealTimers();
    for (const recorder of recorders.splice(0)) await recorder.onApplicationShutdown();
    proxy.close();
    await client.end();
  });

  const start = async (
    durability = 'durable',
    via = address,
    quota = new DailyQuota({ USAGE_DAILY_QUOTA: 0 }),
  ): Promise<UsageRecorder> => {
    const environment = parseEnvironment({
      NODE_ENV: 'test',
      USAGE_DURABILITY: durability,
    });
    const recorder = new UsageRecorder(via, environment, new MetricsRegistry(), shortened, quota);
    await recorder.onModuleInit();
    recorders.push(recorder);
    return recorder;
  };
  const record = (recorder: UsageRecorder, call: MeteredCall): Promise<RecordFailure> =>
    new Promise((settle) => recorder.record(call, settle));
  const stored = async () =>
    (await client.query<{ origin: string; seq: string }>('select origin, seq from api_usage order by seq'))
      .rows;

  const dropPartitions = async (only?: string) => {
    const { rows } = await client.query<{ name: string }>(
      `select relid::text as name from pg_partition_tree('api_usage') where isleaf`,
    );
    expect(rows).toHaveLength(5);
    const names = rows.map(({ name }) => name).filter((name) => !only || name === only);
    expect(names).not.toEqual([]);
    for (const name of names) await client.query(`drop table ${name}`);
  };
  const isAwaited = async (locktype: string) => {
    const { rowCount } = await client.query(
      `select from pg_locks join pg_database d on d.oid = database
       where datname = current_database() and locktype = $1 and not granted`,
      [locktype],
    );
    return rowCount !== 0;
  };

  test('a retried batch is not stored twice, even while the first attempt is still running', async () => {
    const [id, batch] = [newId(), calls(20)];
    const other = new pg.Client(address);
    await other.connect();
    await client.query('begin');
    await client.query(ingestStatement(id, batch));
    const again = other.query(ingestStatement(id, batch));
    await client.query('commit');
    await again;
    await other.query(ingestStatement(id, batch));
    await other.end();
    expect((await stored()).map((row) => [Number(row.seq), row.origin])).toEqual(
      batch.map((call, place) => [place + 1, call.origin]),
    );
    expect((await client.query('select seq from usage_heads')).rows).toEqual([{ seq: '20' }]);
  });

  test('processes that store for the same owners at once never deadlock, and leave no gap', async () => {
    const owners = Array.from({ length: 12 }, newId);
    const [one, two] = [await start(), await start()];
    const failures = await Promise.all(
      Array.from({ length: 1200 }, (_, place) =>
        record(place % 2 ? one : two, callAt(place, { userId: owners[(place * 7) % 12] as string })),
      ),
    );
    expect(new Set(failures)).toEqual(new Set([null]));
    const { rows } = await client.query<{ seqs: string[] }>(
      'select array_agg(seq order by seq) as seqs from api_usage group by user_id',
    );
    expect(rows).toHaveLength(12);
    for (const { seqs } of rows) expect(seqs.map(Number)).toEqual(seqs.map((_, place) => place + 1));
  });

  test("an owner's calls of the day are counted across instances, and each instance learns when the quota is used up", async () => {
    const quotas = [1, 2].map(() => new DailyQuota({ USAGE_DAILY_QUOTA: 10 })) as [DailyQuota, DailyQuota];
    const one = await start('durable', address, quotas[0]);
    const two = await start('durable', address, quotas[1]);
    const now = Date.now();
    const refused: Partial<MeteredCall>[] = [
      { outcome: 'blocked', statusCode: 403 },
      { outcome: 'limited', statusCode: 429, calls: 50 },
      { outcome: 'overQuota', statusCode: 429, calls: 50 },
    ];
    for (const more of refused) expect(await record(one, callAt(0, more))).toBeNull();
    for (let place = 0; place < 9; place++) {
      const statusCode = place % 2 ? 200 : 400;
      await record(place % 3 ? one : two, callAt(place, { statusCode, outcome: place % 2 ? 'ok' : 'error' }));
    }
    expect([quotas[0].isSpent(userId, now, null), quotas[1].isSpent(userId, now, null)]).toEqual([
      false,
      false,
    ]);
    await record(one, callAt(9));
    expect(quotas[0].isSpent(userId, now, null)).toBe(true);
    const stranger = callAt(0, { userId: newId() });
    await record(one, stranger);
    expect(quotas[0].isSpent(stranger.userId, now, null)).toBe(false);
    // The other instance learns of it with the next call that it stores for this owner.
    expect(quotas[1].isSpent(userId, now, null)).toBe(false);
    await record(two, callAt(10));
    expect(quotas[1].isSpent(userId, now, null)).toBe(true);
    const { rows } = await client.query('select day_calls from usage_heads where user_id = $1', [userId]);
    expect(rows).toEqual([{ day_calls: '11' }]);
  });

  test("a new UTC day starts at zero, and a call adds to the stored day if the database's clock is behind it", async () => {
    const quota = new DailyQuota({ USAGE_DAILY_QUOTA: 10 });
    const recorder = await start('durable', address, quota);
    const day = async () =>
      (
        await client.query(
          `select day - (now() at time zone 'UTC')::date as ahead, day_calls from usage_heads`,
        )
      ).rows;
    await record(recorder, callAt(0));
    await client.query(`update usage_heads set day = day - 1, day_calls = 10`);
    await record(recorder, callAt(1));
    expect(await day()).toEqual([{ ahead: 0, day_calls: '1' }]);
    expect(quota.isSpent(userId, Date.now(), null)).toBe(false);
    await client.query(`update usage_heads set day = day + 1, day_calls = 3`);
    await record(recorder, callAt(2));
    expect(await day()).toEqual([{ ahead: 1, day_calls: '4' }]);
  });

  test('unusual origins are stored unchanged', async () => {
    const recorder = await start();
    const odd = ['a"b', 'a\\b', '{}', 'NULL', 'a,b', "a'b", ' ', 'ü\u{1F34A}'];
    for (const origin of odd) expect(await record(recorder, callAt(0, { origin }))).toBeNull();
    expect((await stored()).map((row) => row.origin)).toEqual(odd);
  });

  test('a call that the database refuses does not affect the others of its batch', async () => {
    const recorder = await start();
    const batch = calls(30).map((call, place) => (place === 17 ? { ...call, statusCode: 70_000 } : call));
    const failures = await Promise.all(batch.map((call) => record(recorder, call)));
    expect(
      failures.map((failure, place) => [place, failure]).filter(([, failure]) => failure !== null),
    ).toEqual([[17, 'usage.notRecorded']]);
    expect((await stored()).length).toBe(29);
    expect(await record(recorder, callAt(30))).toBeNull();
  });

  test('a missing partition is created; only a time that no partition can cover is refused', async () => {
    await dropPartitions();
    const recorder = await start();
    const far = { at: Date.now() + 2 * 365 * 24 * 3_600_000 };
    const failures = await Promise.all([
      record(recorder, callAt(0)),
      record(recorder, callAt(1, far)),
      record(recorder, callAt(2)),
    ]);
    expect(failures).toEqual([null, 'usage.notRecorded', null]);
  });

  test('a partition that could not be created at once is created by a later attempt', async () => {
    await dropPartitions();
    await client.query('select pg_advisory_lock(7276001)');
    const recorder = await start();
    const failure = record(recorder, callAt(0));
    await until('a try to make it waits', () => isAwaited('advisory'));
    await until('that try gives up', async () => !(await isAwaited('advisory')));
    await client.query('select pg_advisory_unlock(7276001)');
    expect(await failure).toBeNull();
  });

  test('a hanging holder of the start lock does not stop metering', async () => {
    const lastMonth = new Date();
    lastMonth.setUTCDate(0);
    await dropPartitions(`api_usage_${lastMonth.toISOString().slice(0, 7).replace('-', '_')}`);
    await client.query('select pg_advisory_lock(7276001)');
    const recorder = await start();
    const late = { at: lastMonth.getTime() };
    const [refused, stored] = await Promise.all([
      record(recorder, callAt(0, late)),
      record(recorder, callAt(1)),
    ]);
    // The call's deadline may fall into another attempt to store it, whose outcome is then unknown.
    expect(['usage.notRecorded', 'usage.outcomeUnknown']).toContain(refused);
    expect(stored).toBeNull();
    expect(await record(recorder, callAt(2))).toBeNull();
  });

  test('a full buffer refuses calls before a handler runs, and its content is stored', async () => {
    const recorder = await start();
    await client.query('begin');
    await client.query('lock table usage_heads in exclusive mode');
    const waiting = calls(10_000).map((call) => record(recorder, call));
    expect(recorder.isAccepting).toBe(false);
    expect(await record(recorder, callAt(10_000))).toBe('usage.notRecorded');
    await client.query('commit');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([null]));
    expect(recorder.isAccepting).toBe(true);
    expect((await stored()).length).toBe(10_000);
  });

  test('with a silent database the outcome is unknown, new calls are refused at once, and each call is stored once later', async () => {
    const recorder = await start('durable', proxy.address);
    expect(await record(recorder, callAt(0))).toBeNull();
    proxy.freeze();
    shortened.commitMs = 200;
    expect(await record(recorder, callAt(1))).toBe('usage.outcomeUnknown');
    await until('it is known to be down', () => !recorder.isAccepting);
    shortened.commitMs = waits.commitMs;
    // The bytes of the silent connection arrive now, followed by the retry.
    proxy.thaw();
    await until('it is known to be up', () => recorder.isAccepting);
    expect(await record(recorder, callAt(2))).toBeNull();
    expect((await stored()).map((row) => row.origin)).toEqual([0, 1, 2].map((place) => callAt(place).origin));
  }, 20_000);

  test('a call that never left the buffer is not stored, and its caller gets usage.notRecorded', async () => {
    const recorder = await start('durable', proxy.address);
    proxy.freeze();
    shortened.commitMs = 200;
    const sent = record(recorder, callAt(0));
    await until('the first batch is under way', () => recorder['inFlight'].length === 1);
    const kept = record(recorder, callAt(1));
    expect([await sent, await kept]).toEqual(['usage.outcomeUnknown', 'usage.notRecorded']);
    shortened.commitMs = waits.commitMs;
    proxy.thaw();
    await until('it is known to be up', () => recorder.isAccepting);
    expect(await record(recorder, callAt(2))).toBeNull();
    expect((await stored()).map((row) => row.origin)).toEqual([0, 2].map((place) => callAt(place).origin));
  }, 20_000);

  test('calls of many owners are sent before the previous batch is confirmed; those of one owner wait for it', async () => {
    const recorder = await start();
    await client.query('begin');
    await client.query('lock table usage_heads in exclusive mode');
    const first = record(recorder, callAt(0));
    await until('the first batch is under way', () => recorder['inFlight'].length === 1);
    const ofOne = Array.from({ length: 64 }, (_, place) => record(recorder, callAt(place)));
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(recorder['inFlight'].length).toBe(1);
    const ofMany = Array.from({ length: 8 }, () => record(recorder, callAt(0, { userId: newId() })));
    await until('the second is under way too', () => recorder['inFlight'].length === 2);
    const later = Array.from({ length: 64 }, () => record(recorder, callAt(0, { userId: newId() })));
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(recorder['inFlight'].length).toBe(2);
    await client.query('commit');
    const outcomes = await Promise.all([first, ...ofOne, ...ofMany, ...later]);
    expect(new Set(outcomes)).toEqual(new Set([null]));
    expect((await stored()).length).toBe(1 + 64 + 8 + 64);
  });

  test('two batches whose acknowledgements are lost together are stored once each', async () => {
    const recorder = await start('durable', proxy.address);
    const owners = Array.from({ length: 20 }, newId);
    const wave = () => owners.map((owner, place) => record(recorder, callAt(place, { userId: owner })));
    await client.query('begin');
    await client.query('lock table usage_heads in exclusive mode');
    const waves = wave();
    await until('the first batch is under way', () => recorder['inFlight'].length === 1);
    waves.push(...wave());
    await until('the second is under way too', () => recorder['inFlight'].length === 2);
    await until('the first waits for its heads', () => isAwaited('relation'));
    proxy.freeze();
    await client.query('commit');
    await until('both are stored', async () => (await stored()).length === 40);
    expect(new Set(await Promise.all(waves))).toEqual(new Set(['usage.outcomeUnknown']));
    await until('it is known to be down', () => !recorder.isAccepting);
    proxy.thaw();
    await until('both were sent again', () => recorder['inFlight'].length === 0);
    const { rows } = await client.query<{ seqs: string[] }>(
      'select array_agg(seq order by seq) as seqs from api_usage group by user_id',
    );
    expect(rows.map(({ seqs }) => seqs.map(Number))).toEqual(owners.map(() => [1, 2]));
  }, 20_000);

  test('a batch whose outcome stays unknown for five minutes is given up, with a log line, and frees the buffer', async () => {
    const recorder = await start('durable', proxy.address);
    const log = jest.spyOn(recorder['logger'], 'error');
    proxy.freeze();
    shortened.commitMs = 200;
    expect(await record(recorder, callAt(0))).toBe('usage.outcomeUnknown');
    await until('it is known to be down', () => !recorder.isAccepting);
    const [batch] = recorder['inFlight'];
    batch!.bornAt -= 5 * 60_000;
    await until('it is given up', () => recorder['inFlight'].length === 0);
    expect(log.mock.calls).toEqual([['gave up on 1 calls: whether they were stored is unknown']]);
    shortened.commitMs = waits.commitMs;
    proxy.thaw();
    await until('it is known to be up', () => recorder.isAccepting);
    expect(await record(recorder, callAt(1))).toBeNull();
  }, 20_000);

  test('a response that cannot be sent is logged and holds up no other response of its batch', async () => {
    const recorder = await start();
    const log = jest.spyOn(recorder['logger'], 'error');
    recorder.record(callAt(0), () => {
      throw new Error('the client left');
    });
    expect(await record(recorder, callAt(1))).toBeNull();
    expect(log.mock.calls).toEqual([['responding to a call failed: Error: the client left']]);
    expect(await stored()).toHaveLength(2);
  });

  test("an owner's refused calls make at most 20 rows a second, and closing stores the rest", async () => {
    jest.useFakeTimers({
      doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask', 'Date', 'performance'],
    });
    const recorder = await start();
    for (let place = 0; place < 50; place++) recorder.aggregate({ ...callAt(place), keyId: newId() });
    for (const rows of [20, 40]) {
      jest.advanceTimersByTime(1_000);
      await until(`${rows} rows are stored`, async () => (await stored()).length >= rows);
      expect(await stored()).toHaveLength(rows);
    }
    await recorder.onApplicationShutdown();
    expect(await stored()).toHaveLength(50);
  });

  test('in buffered mode the response does not wait, and closing stores the rest', async () => {
    const recorder = await start('buffered');
    await client.query('begin');
    await client.query('lock table usage_heads in exclusive mode');
    const failures = calls(50).map((call) => {
      let failure: RecordFailure | undefined;
      recorder.record(call, (outcome) => (failure = outcome));
      return failure;
    });
    expect(new Set(failures)).toEqual(new Set([null]));
    const closed = recorder.onApplicationShutdown();
    await client.query('commit');
    await closed;
    expect((await stored()).length).toBe(50);
  });
});
