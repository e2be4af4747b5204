import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ErrorCode } from '@orange-id/contract/error.codes';
import { bucketOf, histogramBuckets, quantileOf } from '@orange-id/contract/latency.histogram';
import { usageMatcher } from '@orange-id/contract/usage.filter.rule';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { rowFilters } from '@orange-id/contract/usage.range';
import { UsageMetrics, usageMetrics, UsageRow } from '@orange-id/contract/usage.schema';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { parseEnvironment } from '../config/environment.js';
import { waits } from '../config/waits.js';
import { dataSourceOptions } from '../database/database.options.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { newId } from '../database/new.id.js';
import { ApiKeyFactory } from '../keys/api-key.factory.js';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { createTestDatabase } from '../testing/test.app.js';
import type { MeteredCall } from './metered.call.js';
import { ensureUsagePartitions } from './usage.partitions.js';
import { DailyQuota } from './daily.quota.js';
import { RecordFailure, UsageRecorder } from './usage.recorder.js';
import { UsageRollups } from './usage.rollups.js';
import { UsageBulkhead } from './usage.bulkhead.js';
import { PostgresHistoryRepository } from './postgres.history.repository.js';
import { UsageRepository } from './usage.repository.js';
import { UsageService } from './usage.service.js';
import { bucketSql, usageColumns, UsageRecord, usageRowOf } from './usage.sql.js';

const hour = 3_600_000;
const day = 24 * hour;
const now = Date.now();

const owners = [newId(), newId()] as const;
const keysOf = { [owners[0]]: [newId(), newId(), newId()], [owners[1]]: [newId()] } as Record<
  string,
  string[]
>;

/** The last key of the first owner belongs to a project; the others are saved keys. */
const projectCode = 'orange-abcdefghij';
const projectKey = (keysOf[owners[0]] as string[])[2] as string;

/** The code stored with these statuses; calls with the others store none. */
const storedCodes: Record<number, ErrorCode> = { 400: 'request.invalid', 401: 'key.replaced' };

const callOf = (userId: string): fc.Arbitrary<MeteredCall> =>
  fc
    .record({
      keyId: fc.constantFrom(...(keysOf[userId] as string[])),
      endpoint: fc.constantFrom('/api/v1/key', '/api/v1/wallet/balance', 'unknown'),
      method: fc.constantFrom('GET', 'POST'),
      statusCode: fc.constantFrom(200, 200, 200, 400, 401, 403, 429, 503),
      responseTime: fc.double({ min: 0, max: 20_000, noNaN: true }).map(Math.fround),
      // Recent and older calls, so that a query for a few hours matches some, and so does one for many days.
      at: fc.oneof(
        fc.integer({ min: now - 25 * day, max: now }),
        fc.integer({ min: now - 2 * hour, max: now }),
      ),
      origin: fc.constantFrom(null, 'local', 'https://a.example.com'),
      calls: fc.integer({ min: 1, max: 9 }),
    })
    .map((call) => ({
      ...call,
      userId,
      projectId: call.keyId === projectKey ? projectCode : null,
      outcome:
        call.statusCode === 401
          ? 'revoked'
          : call.statusCode === 403
            ? 'blocked'
            : call.statusCode === 429
              ? 'limited'
              : call.statusCode < 400
                ? 'ok'
                : 'error',
      errorCode: storedCodes[call.statusCode] ?? null,
      path: call.endpoint === 'unknown' ? '/api/v1/…' : null,
      calls: call.statusCode === 429 ? call.calls : 1,
    }));

/** Mostly absent, so that questions with few filters, which match many calls, are asked too. */
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const filtersOf = (userId: string): fc.Arbitrary<UsageFilters> =>
  fc
    .record({
      // Often whole hours and days, to test the edges of the roll-ups.
      from: fc.integer({ min: now - 26 * day, max: now - 1 }),
      length: fc.oneof(fc.integer({ min: 1, max: 3 * hour }), fc.integer({ min: 40 * hour, max: 27 * day })),
      unit: fc.constantFrom(1, hour, day),
      keyId: maybe(fc.constantFrom(...(keysOf[userId] as string[]))),
      projectId: maybe(fc.constantFrom(userId === owners[0] ? projectCode : undefined)),
      endpoint: maybe(fc.constantFrom('/api/v1/key', '/api/v1/none')),
      method: maybe(fc.constantFrom('GET', 'POST', 'PUT')),
      status: maybe(fc.constantFrom('200', '4xx', '503', 'errors', 'blocked', 'revoked')),
      errorCode: maybe(
        fc.constantFrom('request.invalid', 'key.replaced', 'key.originRefused', 'request.rateLimited'),
      ),
      origin: maybe(fc.constantFrom('none', 'local', 'https://a.example.com', 'https://b.example.com')),
    })
    .map(({ from, length, unit, ...rest }) => {
      const start = Math.floor(from / unit) * unit;
      const end = start + Math.ceil(length / unit) * unit;
      const given = Object.entries(rest).filter(([, value]) => value !== undefined);
      return {
        from: new Date(start).toISOString(),
        to: new Date(end).toISOString(),
        ...Object.fromEntries(given),
      };
    });

describe('usage figures', () => {
  let address: DatabaseAddress;
  let drop: () => Promise<void>;
  let db: DataSource;
  let recorder: UsageRecorder;
  let rollups: UsageRollups;
  let usage: UsageService;
  /** Answers as it does for many calls: from cells wherever possible. */
  let usageOfMany: UsageService;

  const secrets = new SecretsService({ current: 'a'.repeat(64), previous: null });
  const keyText = 'oid_4fGhABCDEFGHIJKLMNOPQRSTUVWXYZabc';
  const insertKey = (id: string, userId: string, isActive: boolean) => {
    const { bytes, version } = secrets.seal('api-key.store', keyText, id);
    return db.query(
      `insert into api_keys (id, user_id, name, prefix, key_hash, key_sealed, secret_version, is_active)
       values ($1::uuid, $2, 'k', 'oid_4fGh', $1::text::bytea, $3, $4, $5)`,
      [id, userId, bytes, version, isActive],
    );
  };

  beforeAll(async () => {
    ({ address, drop } = await createTestDatabase());
    await ensureUsagePartitions(address, now);
    const environment = parseEnvironment({ NODE_ENV: 'test' });
    db = new DataSource(dataSourceOptions(address, environment));
    await db.initialize();
    for (const [place, userId] of owners.entries()) {
      await db.query("insert into users (id, issuer, subject, provider) values ($1, 'test', $2, 'email')", [
        userId,
        String(place),
      ]);
      for (const keyId of keysOf[userId] as string[]) await insertKey(keyId, userId, true);
    }
    const projectId = newId();
    await db.query(
      'insert into projects (id, code, owner_id, project_name, name_key) values ($1, $2, $3, $4, $4)',
      [projectId, projectCode, owners[0], 'acme'],
    );
    await db.query('update api_keys set project_id = $1 where id = $2', [projectId, projectKey]);
    const quota = new DailyQuota(environment);
    recorder = new UsageRecorder(address, environment, new MetricsRegistry(), waits, quota);
    await recorder.onModuleInit();
    // Not initialised as a module: it folds only when the test calls it.
    rollups = new UsageRollups(address, new MetricsRegistry());
    await rollups['connection'].start();
    const serviceOf = (history: PostgresHistoryRepository) =>
      new UsageService(
        new UsageRepository(db),
        history,
        new UsageBulkhead(),
        new ApiKeyFactory(secrets),
        quota,
      );
    usage = serviceOf(new PostgresHistoryRepository(db));
    usageOfMany = serviceOf(Object.assign(new PostgresHistoryRepository(db), { cellsFromCalls: -1 }));
  });
  afterAll(async () => {
    await recorder.onApplicationShutdown();
    await rollups.onApplicationShutdown();
    await db.destroy();
    await drop();
  });

  const store = (calls: MeteredCall[]): Promise<RecordFailure[]> =>
    Promise.all(calls.map((call) => new Promise<RecordFailure>((settle) => recorder.record(call, settle))));

  let fromCells = 0;
  const rowsOf = async (userId: string): Promise<UsageRow[]> => {
    const records: UsageRecord[] = await db.query(
      `select ${usageColumns} from api_usage where user_id = $1 order by seq`,
      [userId],
    );
    return records.map(usageRowOf);
  };

  async function reconcile(userId: string, runs: number): Promise<void> {
    const all = await rowsOf(userId);
    await fc.assert(
      fc.asyncProperty(filtersOf(userId), async (filters) => {
        for (const service of [usage, usageOfMany]) {
          const answer = await service.metrics(userId, filters, now);
          usageMetrics.parse(answer);
          check(answer, filters, all);
          if (answer.percentiles === 'histogram' && rowFilters.some((name) => name in filters)) fromCells++;
        }
      }),
      { numRuns: runs },
    );
  }

  test('match the rows for random calls and ranges: unfolded, folded, half folded, and folded again', async () => {
    for (const [fold, wideFromCalls] of [
      [false, 0],
      [true, 1_000_000],
      [false, 0],
      [true, 100],
    ] as const) {
      for (const userId of owners) {
        const calls = fc.sample(callOf(userId), 400);
        expect(await store(calls)).toEqual(calls.map(() => null));
      }
      // The second fold gives keys their own cells, which have to count the calls of the first one, too.
      Object.assign(rollups, { wideFromCalls });
      if (fold) expect(await rollups.fold()).toBe(true);
      const [{ behind }] = await db.query(
        'select sum(h.seq - coalesce(w.owner_cells_seq, 0))::int as behind from usage_heads h left join usage_watermarks w using (user_id)',
      );
      expect(behind).toBe(fold ? 0 : 800);
      await Promise.all(owners.map((userId) => reconcile(userId, 60)));
    }
    expect(fromCells).toBeGreaterThan(20);
    const wide = await db.query('select is_wide from usage_keys where is_wide');
    expect(wide.length).toBeGreaterThan(0);
  }, 60_000);

  test('the rows of an owner are numbered from 1 without gaps', async () => {
    for (const userId of owners) {
      const seqs = (await rowsOf(userId)).map((row) => row.seq);
      expect(seqs).toEqual(seqs.map((_, place) => place + 1));
    }
  });

  test('the calls of a deleted key stay in the totals', async () => {
    const userId = owners[0];
    const [gone] = keysOf[userId] as [string];
    await rollups.fold();
    await db.query('delete from api_keys where id = $1', [gone]);
    await reconcile(userId, 40);
    await store(fc.sample(callOf(userId), 50));
    await reconcile(userId, 40);
  }, 30_000);

  test('paging visits every row once, newest first and oldest first, also with filters', async () => {
    const userId = owners[0];
    const all = await rowsOf(userId);
    const expected = all.filter((row) => row.statusCode >= 400 && row.statusCode < 500);
    const read = async (direction: 'after' | 'before') => {
      const seqs: number[] = [];
      let cursor: number | null = direction === 'after' ? 0 : Number.MAX_SAFE_INTEGER;
      while (cursor !== null) {
        const page = await usage.page(userId, { [direction]: cursor, limit: 97, status: '4xx' });
        seqs.push(...page.rows.map((row) => row.seq));
        cursor = page.next;
      }
      return seqs;
    };
    expect(await read('after')).toEqual(expected.map((row) => row.seq));
    expect(await read('before')).toEqual(expected.map((row) => row.seq).reverse());
  });

  test('the rows of a page are those that match by the contract, for all filters', async () => {
    const userId = owners[0];
    const all = await rowsOf(userId);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(filtersOf(userId), fc.boolean(), async (filters, isOpen) => {
        const { to, ...open } = filters;
        const asked = isOpen ? open : { ...open, ...(to === undefined ? {} : { to }) };
        const seqs: number[] = [];
        for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null;) {
          const page = await usage.page(userId, { ...asked, before, limit: 500 });
          seqs.push(...page.rows.map((row) => row.seq));
          before = page.next;
        }
        const matching = all.filter(usageMatcher(asked)).map((row) => row.seq);
        expect(seqs).toEqual(matching.reverse());
        found += seqs.length;
      }),
      { numRuns: 150 },
    );
    expect(found).toBeGreaterThan(0);
  }, 30_000);

  test('a range without an end includes rows of an instance whose clock runs ahead', async () => {
    const userId = owners[1];
    const keyId = (keysOf[userId] as string[])[0] as string;
    const [ahead] = fc.sample(callOf(userId), 1) as [MeteredCall];
    const before = await usage.metrics(userId, { from: new Date(now - 3 * day).toISOString() }, now);
    await store([{ ...ahead, keyId, at: now + hour, calls: 1 }]);
    for (const isFolded of [false, true]) {
      if (isFolded) await rollups.fold();
      for (const days of [3, 1]) {
        const from = new Date(now - days * day).toISOString();
        const after = await usage.metrics(userId, { from }, now);
        const rows = (await rowsOf(userId)).filter(usageMatcher({ from }));
        const calls = rows.reduce((sum, row) => sum + (row.calls ?? 1), 0);
        expect([isFolded, days, after.totals.calls]).toEqual([isFolded, days, calls]);
        expect(after.series.reduce((sum, part) => sum + part.calls, 0)).toBe(calls);
        if (days === 3) expect(calls).toBe(before.totals.calls + 1);
      }
    }
  });

  test("the list of keys has their projects but not the keys themselves, and omits revoked keys without calls and other owners' keys", async () => {
    await rollups.fold();
    const [live, unused] = [projectKey, newId()];
    await insertKey(unused, owners[0], false);
    const keys = await usage.keys(owners[0]);
    expect(keys.find(({ id }) => id === live)).toEqual({
      id: live,
      name: 'k',
      prefix: 'oid_4fGh',
      last4: 'Zabc',
      projectId: projectCode,
      isActive: true,
    });
    expect(keys.map(({ id }) => id)).not.toContain(unused);
    expect(keys.map(({ id }) => id)).not.toContain((keysOf[owners[1]] as string[])[0]);
  });

  test("another owner's key returns 404, and a page has only the rows of its owner", async () => {
    const [foreign] = keysOf[owners[1]] as [string];
    await expect(usage.metrics(owners[0], { keyId: foreign })).rejects.toMatchObject({ statusCode: 404 });
    await expect(usage.page(owners[0], { keyId: foreign, limit: 10 })).rejects.toMatchObject({
      statusCode: 404,
    });
    const page = await usage.page(owners[1], { limit: 500 });
    expect(new Set(page.rows.map((row) => row.keyId))).toEqual(new Set([foreign]));
  });

  test('the bucket in SQL equals the bucket in the contract', async () => {
    const edges = Array.from({ length: 90 }, (_, i) => 0.1 * 2 ** (i / 4));
    const times = [
      0,
      ...edges.flatMap((edge) => [edge * (1 - 1e-6), edge, edge * (1 + 1e-6)]),
      ...fc.sample(fc.double({ min: 0, max: 200_000, noNaN: true }), 2000),
    ].map(Math.fround);
    const rows: { bucket: number }[] = await db.query(
      `select ${bucketSql('t')} as bucket from unnest($1::real[]) with ordinality as x (t, place) order by place`,
      [times],
    );
    expect(rows.map((row) => row.bucket)).toEqual(times.map(bucketOf));
  });

  test('each day of a key has the time of its last call', async () => {
    const wrong = await db.query(
      `select d.last_at, (
         select max(timestamp) from api_usage u
         where u.api_key_id = k.api_key_id and u.timestamp >= to_timestamp(d.day * 86400)
           and u.timestamp < to_timestamp(d.day * 86400 + 86400)
       ) as expected
       from usage_key_days d join usage_keys k on k.id = d.key`,
    );
    expect(wrong.length).toBeGreaterThan(0);
    expect(
      wrong.filter((row: Record<string, Date>) => +(row['last_at'] ?? 0) !== +(row['expected'] ?? 1)),
    ).toEqual([]);
  });
});

/** Recomputes a response row by row and compares every figure. */
function check(answer: UsageMetrics, filters: UsageFilters, all: UsageRow[]): void {
  const rows = all.filter(usageMatcher(filters));
  const count = (some: UsageRow[]) => some.reduce((sum, row) => sum + (row.calls ?? 1), 0);
  const isError = ({ outcome }: UsageRow) => ['error', 'limited', 'revoked'].includes(outcome);

  expect(answer.totals.calls).toBe(count(rows));
  expect(answer.totals.errors).toBe(count(rows.filter(isError)));
  expect(answer.totals.blocked).toBe(count(rows.filter((row) => row.outcome === 'blocked')));

  const sum = (parts: { calls: number }[]) => parts.reduce((total, part) => total + part.calls, 0);
  expect(sum(answer.series)).toBe(answer.totals.calls);
  expect(sum(answer.endpoints)).toBe(answer.totals.calls);
  expect(sum(answer.statuses)).toBe(answer.totals.calls);
  expect(answer.series.reduce((total, part) => total + part.errors, 0)).toBe(answer.totals.errors);

  const stepMs = answer.bucketSeconds * 1000;
  // One comparison for each list: an assertion costs more than what it compares here.
  const timed = rows.map((row) => ({ row, time: Date.parse(row.timestamp) }));
  const inSteps = answer.series.map(({ at, calls, errors, serverErrors, blocked }) => {
    return { at, calls, errors, serverErrors, blocked };
  });
  expect(inSteps).toEqual(
    answer.series.map(({ at }) => {
      const start = Date.parse(at);
      const within = timed.filter(({ time }) => time >= start && time < start + stepMs).map(({ row }) => row);
      return {
        at,
        calls: count(within),
        errors: count(within.filter(isError)),
        serverErrors: count(within.filter((row) => row.statusCode >= 500)),
        blocked: count(within.filter(({ outcome }) => outcome === 'blocked')),
      };
    }),
  );
  expect(answer.endpoints.map(({ calls }) => calls)).toEqual(
    answer.endpoints.map(({ endpoint, method }) =>
      count(rows.filter((row) => row.endpoint === endpoint && row.method === method)),
    ),
  );
  expect(answer.statuses.map(({ calls }) => calls)).toEqual(
    answer.statuses.map(({ statusCode }) => count(rows.filter((row) => row.statusCode === statusCode))),
  );
  const keys = answer.keys.reduce((total, part) => total + part.calls, 0);
  expect(keys).toBe(answer.totals.calls);
  expect(answer.keys.map(({ calls }) => calls)).toEqual(
    answer.keys.map(({ keyId }) => count(rows.filter((row) => row.keyId === keyId))),
  );
  if (answer.origins) expect(sum(answer.origins)).toBe(answer.totals.calls);
  for (const { origin, calls } of answer.origins ?? []) {
    expect(calls).toBe(count(rows.filter((row) => row.origin === origin)));
  }

  const { p50, p95, p99 } = answer.totals;
  if (answer.percentiles === 'histogram') {
    const histogram = new Array<number>(histogramBuckets).fill(0);
    for (const row of rows) {
      const bucket = bucketOf(Math.fround(row.responseTime));
      histogram[bucket] = (histogram[bucket] as number) + (row.calls ?? 1);
    }
    expect([p50, p95, p99]).toEqual([0.5, 0.95, 0.99].map((q) => quantileOf(histogram, q)));
  } else {
    const times = rows.flatMap((row) => new Array<number>(row.calls ?? 1).fill(row.responseTime));
    times.sort((a, b) => a - b);
    const nearestRank = (percent: number) => times[Math.ceil((percent * times.length) / 100) - 1] ?? null;
    expect([p50, p95, p99]).toEqual([50, 95, 99].map(nearestRank));
  }
}
