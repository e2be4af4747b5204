import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { seedKey, SeededKey } from '../testing/seed.key.js';
import { startAnother, startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { pauseAfter, UsageRollups } from './usage.rollups.js';

type Instance = Pick<TestApp, 'app' | 'call'>;

test.each([
  [20, 500],
  [100, 900],
  [2_000, 2_000],
])('a fold of %d ms that leaves no backlog is followed by a pause of %d ms', (foldMs, pauseMs) => {
  expect(pauseAfter(foldMs)).toBe(pauseMs);
});

describe('the roll-ups of two instances on one database', () => {
  let first: TestApp;
  let second: Awaited<ReturnType<typeof startAnother>>;
  let seeded: SeededKey;
  let isSecondOpen: boolean;
  beforeEach(async () => {
    first = await startTestApp();
    await until('the first one folds', () => isHolder(first));
    second = await startAnother(first);
    isSecondOpen = true;
    seeded = await seedKey(first);
  });
  afterEach(async () => {
    if (isSecondOpen) await second.close();
    await first.close();
  });

  const isHolder = ({ app }: Pick<Instance, 'app'>): boolean => app.get(UsageRollups)['isHolder'];
  /** The database processes that hold the lock. */
  const holders = async (): Promise<number[]> => {
    const rows: { pid: number }[] = await first.db.query(
      `select pid from pg_locks where locktype = 'advisory' and objid = 7276002 and granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.map(({ pid }) => pid);
  };
  const call = async (instance: Instance, times: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      const answer = await instance.call('GET', '/api/v1/key', { headers: { 'x-api-key': seeded.key } });
      expect(answer.status).toBe(200);
    }
  };
  /** Folds at once instead of after the pause that follows each fold, which is long on a busy machine. */
  const folded = (calls: number, instances: Pick<Instance, 'app'>[]) =>
    until(`${calls} calls are folded`, async () => {
      // The connection may just have been lost.
      await Promise.allSettled(instances.map(({ app }) => app.get(UsageRollups).fold()));
      const [row] = await first.db.query('select coalesce(sum(calls), 0)::int as calls from usage_key_days');
      return row.calls === calls;
    });

  test('one instance folds the calls of both; the other takes over when it stops', async () => {
    await call(first, 2);
    await call(second, 3);
    await folded(5, [first, second]);
    expect(await holders()).toHaveLength(1);
    expect([isHolder(first), isHolder(second)]).toEqual([true, false]);
    expect(await second.app.get(UsageRollups).fold()).toBe(false);

    const [pid] = await holders();
    await first.app.get(UsageRollups).onApplicationShutdown();
    await until('the other one holds the lease', () => isHolder(second));
    expect(await holders()).not.toContain(pid);
    await call(second, 4);
    await folded(9, [second]);
  });

  test('the instance that does not fold can stop: nothing is lost and nothing is counted twice', async () => {
    await call(second, 2);
    await second.close();
    isSecondOpen = false;
    await call(first, 2);
    await folded(4, [first]);
  });

  test('the instance that folds loses its connection: the lock is released, and each call is still folded once', async () => {
    await call(first, 3);
    await folded(3, [first, second]);
    const [pid] = await holders();
    await first.db.query('select pg_terminate_backend($1)', [pid]);
    await call(first, 2);
    await call(second, 2);
    await folded(7, [first, second]);
    expect(await holders()).toHaveLength(1);
    expect(await holders()).not.toContain(pid);
    expect([isHolder(first), isHolder(second)].filter(Boolean)).toHaveLength(1);
  });

  test('a stop ends a fold that still has a backlog', async () => {
    const rollups = first.app.get(UsageRollups);
    const foldSome = rollups['foldSome'].bind(rollups);
    const endless = jest.fn(async () => {
      await foldSome();
      return true;
    });
    Object.assign(rollups, { foldSome: endless });
    await until('a fold is under way', () => endless.mock.calls.length > 1);
    await rollups.onApplicationShutdown();
    await until('the other one holds the lease', () => isHolder(second));
  });

  test('a stop cuts a step that takes long; the other one takes over while what held the step up goes on', async () => {
    await call(first, 2);
    await folded(2, [first]);
    const [pid] = await holders();
    const slow = first.db.createQueryRunner();
    await slow.startTransaction();
    try {
      await slow.query('lock table usage_watermarks in exclusive mode');
      await call(second, 3);
      await until('a step waits', async () => {
        const rows = await first.db.query('select from pg_locks where pid = $1 and not granted', [pid]);
        return rows.length === 1;
      });
      await first.app.get(UsageRollups).onApplicationShutdown();
      await until('the other one holds the lock', () => isHolder(second));
      expect(await holders()).not.toContain(pid);
    } finally {
      await slow.rollbackTransaction();
      await slow.release();
    }
    await folded(5, [second]);
  });

  test('keys of deleted projects are deleted after 90 days', async () => {
    const rollups = first.app.get(UsageRollups);
    await first.db.query(
      `insert into deleted_keys (key_hash, id, user_id, project_code, deleted_at)
       select days::text::bytea, gen_random_uuid(), $1, 'orange-abcdefghij', now() - days * interval '1 day'
       from unnest(array[1, 89, 91]) as days`,
      [seeded.userId],
    );
    rollups['tidiedAt'] = 0;
    // At once instead of after the next pause, which is long on a busy machine.
    await rollups['tidy']();
    await until('the old one is forgotten', async () => {
      const rows = await first.db.query('select key_hash from deleted_keys order by 1');
      return rows.map(({ key_hash }: { key_hash: Buffer }) => String(key_hash)).join() === '1,89';
    });
  });
});
