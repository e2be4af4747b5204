import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ErrorCode } from '@orange-id/contract/error.codes';
import { bucketOf, histogramBuckets, quantileOf } from '@orange-id/contract/latency.histogram';
import { usageMatcher, usageTime } from '@orange-id/contract/usage.filter.rule';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { usageMetrics, type UsageMetrics, type UsageRow } from '@orange-id/contract/usage.schema';
import fc from 'fast-check';
import pg from 'pg';
import type { DatabaseAddress } from '../config/database.address.js';
import { newId } from '../database/new.id.js';
import type { MeteredCall } from '../usage/metered.call.js';
import type { UsageHistory } from '../usage/usage.history.port.js';
import { ingestStatement } from '../usage/usage.ingest.js';
import { ensureUsagePartitions } from '../usage/usage.partitions.js';
import { rangeOf } from '../usage/usage.range.js';
import { createTestDatabase } from './test.app.js';

const hour = 3_600_000;
const day = 24 * hour;

export interface HistoryUnderTest {
  history: UsageHistory;
  /** Brings the roll-ups, and what else follows the stored rows, up to date. */
  followUp(): Promise<void>;
  stop(): Promise<void>;
}

const projectCode = 'orange-abcdefghij';
const oddOrigin = 'https://a.example.com:8443';
/** The code stored with these statuses; calls with the others store none. */
const storedCodes: Record<number, ErrorCode> = { 400: 'request.invalid', 401: 'key.replaced' };
const impliedCodes: Partial<Record<UsageRow['outcome'], ErrorCode>> = {
  blocked: 'key.originRefused',
  limited: 'request.rateLimited',
};

/** What every implementation of `UsageHistory` does. */
export function testHistory(start: (address: DatabaseAddress) => Promise<HistoryUnderTest>): void {
  const now = Date.now();
  const owners = [newId(), newId()] as const;
  const keys: Record<string, string[]> = {
    [owners[0]]: [newId(), newId(), newId()],
    [owners[1]]: [newId()],
  };
  const keysOf = (userId: string) => keys[userId] as string[];
  const projectKey = keysOf(owners[0])[2] as string;
  /** What the portal stored, in the order of the sequence. */
  const stored: Record<string, UsageRow[]> = { [owners[0]]: [], [owners[1]]: [] };
  const rowsOf = (userId: string) => stored[userId] as UsageRow[];

  let db: pg.Pool;
  let drop: () => Promise<void>;
  let subject: HistoryUnderTest;

  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    for (const at of [now - 35 * day, now]) await ensureUsagePartitions(database.address, at);
    db = new pg.Pool({ ...database.address, max: 2 });
    for (const [place, userId] of owners.entries()) {
      await db.query("insert into users (id, issuer, subject, provider) values ($1, 'test', $2, 'email')", [
        userId,
        String(place),
      ]);
    }
    subject = await start(database.address);
  }, 60_000);
  afterAll(async () => {
    await subject.stop();
    await db.end();
    await drop();
  });

  const callOf = (userId: string): fc.Arbitrary<MeteredCall> =>
    fc
      .record({
        keyId: fc.constantFrom(...keysOf(userId)),
        endpoint: fc.constantFrom('/api/v1/key', '/api/v1/wallet/balance', 'unknown'),
        method: fc.constantFrom('GET', 'POST'),
        statusCode: fc.constantFrom(200, 200, 200, 400, 401, 403, 429, 503),
        responseTime: fc.double({ min: 0, max: 20_000, noNaN: true }).map(Math.fround),
        at: fc.oneof(
          fc.integer({ min: now - 25 * day, max: now }),
          fc.integer({ min: now - 2 * hour, max: now }),
        ),
        origin: fc.constantFrom(null, 'local', oddOrigin),
        calls: fc.integer({ min: 1, max: 9 }),
      })
      .map((call) => ({
        ...call,
        userId,
        projectId: call.keyId === projectKey ? projectCode : null,
        outcome: outcomeOf(call.statusCode),
        errorCode: storedCodes[call.statusCode] ?? null,
        path: call.endpoint === 'unknown' ? '/api/v1/…' : null,
        calls: call.statusCode === 429 ? call.calls : 1,
      }));

  const store = async (calls: MeteredCall[]): Promise<void> => {
    await db.query(ingestStatement(newId(), calls));
    for (const call of calls) {
      const rows = rowsOf(call.userId);
      const code = call.errorCode ?? impliedCodes[call.outcome];
      rows.push({
        seq: rows.length + 1,
        keyId: call.keyId,
        projectId: call.projectId,
        endpoint: call.endpoint,
        method: call.method,
        statusCode: call.statusCode,
        responseTime: call.responseTime,
        timestamp: new Date(call.at).toISOString(),
        origin: call.origin,
        outcome: call.outcome,
        ...(code == null ? {} : { errorCode: code }),
        ...(call.path === null ? {} : { path: call.path }),
        ...(call.calls === 1 ? {} : { calls: call.calls }),
      });
    }
  };
  const storeSome = async (count: number) => {
    for (const userId of owners) await store(fc.sample(callOf(userId), count));
  };

  const filtersOf = (userId: string): fc.Arbitrary<UsageFilters> => {
    // Mostly absent, so that questions with few filters, which match many calls, are asked too.
    const maybe = <T>(value: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
    return fc
      .record({
        from: fc.integer({ min: now - 26 * day, max: now - 1 }),
        length: fc.oneof(
          fc.integer({ min: 1, max: 3 * hour }),
          fc.integer({ min: 40 * hour, max: 27 * day }),
        ),
        // Often whole hours and days, to test the edges of the roll-ups.
        unit: fc.constantFrom(1, hour, day),
        keyId: maybe(fc.constantFrom(...keysOf(userId))),
        projectId: maybe(fc.constant(projectCode)),
        endpoint: maybe(fc.constantFrom('/api/v1/key', "it's \\ none")),
        method: maybe(fc.constantFrom('GET', 'PUT')),
        status: maybe(fc.constantFrom('200', '4xx', '503', 'errors', 'blocked', 'revoked')),
        errorCode: maybe(fc.constantFrom('request.invalid', 'key.originRefused', 'request.rateLimited')),
        origin: maybe(fc.constantFrom('none', 'local', oddOrigin, "'; drop table calls --")),
      })
      .map(({ from, length, unit, ...rest }) => {
        const first = Math.floor(from / unit) * unit;
        const given = Object.entries(rest).filter(([, value]) => value !== undefined);
        return {
          from: new Date(first).toISOString(),
          to: new Date(first + Math.ceil(length / unit) * unit).toISOString(),
          ...Object.fromEntries(given),
        };
      });
  };

  const figures = async (userId: string, filters: UsageFilters): Promise<Omit<UsageMetrics, 'today'>> => {
    const shown = rangeOf(filters, now);
    const { keyId, projectId } = filters;
    const projectKeys = projectId === undefined || userId !== owners[0] ? null : [projectKey];
    const keyIds =
      keyId === undefined ? projectKeys : projectKeys ? projectKeys.filter((id) => id === keyId) : [keyId];
    const range = filters.to === undefined ? { ...shown, to: Infinity } : shown;
    const answer = await subject.history.figures({ userId, filters, keyIds, shown, range });
    usageMetrics.omit({ today: true }).parse(answer);
    return answer;
  };

  const reconcile = (userId: string, numRuns: number): Promise<void> =>
    fc.assert(
      fc.asyncProperty(filtersOf(userId), async (filters) => {
        const { projectId, ...rest } = filters;
        // The callers refuse another owner's project.
        const asked = projectId === undefined || userId === owners[0] ? filters : rest;
        checkFigures(await figures(userId, asked), asked, rowsOf(userId));
      }),
      { numRuns },
    );

  test('figures equal those of the rows, whatever of them is followed up', async () => {
    for (const isFollowed of [false, true, false, true]) {
      await storeSome(300);
      if (isFollowed) await subject.followUp();
      for (const userId of owners) await reconcile(userId, 20);
    }
  }, 120_000);

  test('figures are those of one moment while calls, late ones among them, are stored and followed up', async () => {
    const userId = owners[0];
    const wrong: unknown[] = [];
    for (let round = 0; round < 15; round++) {
      const before = rowsOf(userId).length;
      const asked = fc.sample(filtersOf(userId), 3);
      const [answers] = await Promise.all([
        Promise.all(asked.map((filters) => figures(userId, filters))),
        subject.followUp(),
        store(fc.sample(callOf(userId), 20)),
      ]);
      const moments = [before, rowsOf(userId).length].map((end) => rowsOf(userId).slice(0, end));
      for (const [place, answer] of answers.entries()) {
        const filters = asked[place] as UsageFilters;
        const isOfOne = moments.some((rows) => {
          try {
            checkFigures(answer, filters, rows);
            return true;
          } catch {
            return false;
          }
        });
        if (!isOfOne) wrong.push(filters);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  test('figures without an end include rows of an instance whose clock runs ahead', async () => {
    const userId = owners[1];
    const [ahead] = fc.sample(callOf(userId), 1) as [MeteredCall];
    await store([{ ...ahead, at: now + hour }]);
    for (const isFollowed of [false, true]) {
      if (isFollowed) await subject.followUp();
      for (const days of [3, 1]) {
        const from = new Date(now - days * day).toISOString();
        const { totals, series } = await figures(userId, { from });
        const expected = countOf(rowsOf(userId).filter(usageMatcher({ from })));
        expect([isFollowed, days, totals.calls]).toEqual([isFollowed, days, expected]);
        expect(series.reduce((sum, { calls }) => sum + calls, 0)).toBe(expected);
      }
    }
  });

  test('pages have every row that matches once, newest first and oldest first', async () => {
    await storeSome(50);
    for (const userId of owners) {
      await fc.assert(
        fc.asyncProperty(filtersOf(userId), fc.boolean(), async ({ from, to, ...filters }, isBounded) => {
          const asked = isBounded ? { from, to, ...filters } : filters;
          const expected = rowsOf(userId)
            .filter(usageMatcher(asked as UsageFilters))
            .map(plain);
          const read = async (name: 'after' | 'before', start: number) => {
            const rows: UsageRow[] = [];
            for (let cursor: number | undefined = start; cursor !== undefined;) {
              const page = await subject.history.page(userId, {
                ...(asked as UsageFilters),
                [name]: cursor,
                limit: 97,
              });
              rows.push(...page.slice(0, 97));
              cursor = page.length > 97 ? rows.at(-1)?.seq : undefined;
            }
            return rows.map(plain);
          };
          expect(await read('before', Number.MAX_SAFE_INTEGER)).toEqual([...expected].reverse());
          expect(await read('after', 0)).toEqual(expected);
        }),
        { numRuns: 10 },
      );
    }
  }, 60_000);

  test('a range of sequence numbers holds the rows that match, and is read newest first', async () => {
    await storeSome(20);
    for (const userId of owners) {
      const head = rowsOf(userId).length;
      await fc.assert(
        fc.asyncProperty(filtersOf(userId), fc.integer({ min: 1, max: head }), async (filters, upTo) => {
          const expected = rowsOf(userId)
            .filter(usageMatcher(filters))
            .filter(({ seq }) => seq <= upTo)
            .reverse();
          const range = await subject.history.seqRange(userId, filters, upTo);
          const rows = await subject.history.rowsIn(userId, filters, range, 1_000_000);
          expect(rows.map(plain)).toEqual(expected.map(plain));
          const some = await subject.history.rowsIn(userId, filters, range, 3);
          expect(some.map(plain)).toEqual(expected.slice(0, 3).map(plain));
        }),
        { numRuns: 20 },
      );
    }
  }, 60_000);

  test('calls of a key are found for its owner only, also before they are followed up', async () => {
    const [userId, other] = owners;
    const unknown = newId();
    expect(await subject.history.hasCallsOf(userId, projectKey)).toBe(true);
    expect(await subject.history.hasCallsOf(other, projectKey)).toBe(false);
    expect(await subject.history.hasCallsOf(userId, unknown)).toBe(false);
    const [call] = fc.sample(callOf(userId), 1) as [MeteredCall];
    await store([{ ...call, keyId: unknown }]);
    expect(await subject.history.hasCallsOf(userId, unknown)).toBe(true);
    await subject.followUp();
    expect(await subject.history.hasCallsOf(userId, unknown)).toBe(true);
  });

  test('an owner without calls gets empty answers', async () => {
    const nobody = newId();
    const { totals, endpoints } = await figures(nobody, {});
    expect(totals).toEqual({ calls: 0, errors: 0, blocked: 0, p50: null, p95: null, p99: null });
    expect(endpoints).toEqual([]);
    expect(await subject.history.page(nobody, { limit: 10 })).toEqual([]);
    const range = await subject.history.seqRange(nobody, {}, 0);
    expect(await subject.history.rowsIn(nobody, {}, range, 10)).toEqual([]);
  });
}

const outcomeOf = (statusCode: number): UsageRow['outcome'] => {
  const refused: Record<number, UsageRow['outcome']> = { 401: 'revoked', 403: 'blocked', 429: 'limited' };
  return refused[statusCode] ?? (statusCode < 400 ? 'ok' : 'error');
};

const countOf = (rows: readonly UsageRow[]): number => rows.reduce((sum, row) => sum + (row.calls ?? 1), 0);

/** Durations are stored with single precision and read as their shortest text. */
const plain = (row: UsageRow): UsageRow => ({ ...row, responseTime: Math.fround(row.responseTime) });

/** Recomputes figures row by row and compares all of them. */
function checkFigures(
  answer: Omit<UsageMetrics, 'today'>,
  filters: UsageFilters,
  all: readonly UsageRow[],
): void {
  const rows = all.filter(usageMatcher(filters));
  const isError = ({ outcome }: UsageRow) => ['error', 'limited', 'revoked'].includes(outcome);
  const isBlocked = ({ outcome }: UsageRow) => outcome === 'blocked';
  const stepMs = answer.bucketSeconds * 1000;
  const first = Math.floor(usageTime(filters.from as string) / stepMs) * stepMs;
  const bySteps = new Map<number, UsageRow[]>();
  for (const row of rows) {
    const at = Math.floor(Date.parse(row.timestamp) / stepMs) * stepMs;
    bySteps.set(at, [...(bySteps.get(at) ?? []), row]);
  }
  const by = (keyOf: (row: UsageRow) => string | number | null) => {
    const counts = new Map<string, number>();
    for (const row of rows) {
      const key = String(keyOf(row));
      counts.set(key, (counts.get(key) ?? 0) + (row.calls ?? 1));
    }
    return Object.fromEntries(counts);
  };
  expect({
    totals: { calls: answer.totals.calls, errors: answer.totals.errors, blocked: answer.totals.blocked },
    endpoints: Object.fromEntries(
      answer.endpoints.map(({ endpoint, method, calls }) => [`${method} ${endpoint}`, calls]),
    ),
    statuses: Object.fromEntries(answer.statuses.map(({ statusCode, calls }) => [String(statusCode), calls])),
    keys: Object.fromEntries(answer.keys.map(({ keyId, calls }) => [keyId, calls])),
    origins:
      answer.origins &&
      Object.fromEntries(answer.origins.map(({ origin, calls }) => [String(origin), calls])),
    completeFrom: answer.completeFrom,
  }).toEqual({
    totals: {
      calls: countOf(rows),
      errors: countOf(rows.filter(isError)),
      blocked: countOf(rows.filter(isBlocked)),
    },
    endpoints: by(({ method, endpoint }) => `${method} ${endpoint}`),
    statuses: by(({ statusCode }) => statusCode),
    keys: by(({ keyId }) => keyId),
    // Not every implementation has the origins of long ranges.
    origins: answer.origins && by(({ origin }) => origin),
    completeFrom: undefined,
  });
  expect(answer.series).toEqual(
    answer.series.map((_, place) => {
      const within = bySteps.get(first + place * stepMs) ?? [];
      return {
        at: new Date(first + place * stepMs).toISOString(),
        calls: countOf(within),
        errors: countOf(within.filter(isError)),
        serverErrors: countOf(within.filter(({ statusCode }) => statusCode >= 500)),
        blocked: countOf(within.filter(isBlocked)),
      };
    }),
  );
  const { p50, p95, p99 } = answer.totals;
  if (answer.percentiles === 'exact') {
    const times = rows
      .flatMap((row) => new Array<number>(row.calls ?? 1).fill(row.responseTime))
      .sort((a, b) => a - b);
    const nearest = (percent: number) => times[Math.ceil((percent * times.length) / 100) - 1] ?? null;
    expect([p50, p95, p99].map((ms) => ms && Math.fround(ms))).toEqual([50, 95, 99].map(nearest));
  } else {
    const histogram = new Array<number>(histogramBuckets).fill(0);
    for (const row of rows) {
      const bucket = bucketOf(row.responseTime);
      histogram[bucket] = (histogram[bucket] as number) + (row.calls ?? 1);
    }
    expect([p50, p95, p99]).toEqual([0.5, 0.95, 0.99].map((q) => quantileOf(histogram, q)));
  }
}
