import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { usageKeyList, usageMetrics, usagePage } from '@orange-id/contract/usage.schema';
import { newId } from '../database/new.id.js';
import { seedKey, SeededKey } from '../testing/seed.key.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';

describe('the usage of an owner', () => {
  let portal: TestApp;
  let owner: SignedUp;
  let other: SignedUp;
  let ours: SeededKey;
  let saved: SeededKey;
  let theirs: SeededKey;
  beforeAll(async () => {
    portal = await startTestApp();
    owner = await signUp(portal);
    other = await signUp(portal);
    ours = await seedKey(portal, { userId: owner.userId, urls: ['https://a.example.com'] });
    saved = await seedKey(portal, { userId: owner.userId, isSaved: true });
    theirs = await seedKey(portal, { userId: other.userId });
    const call = (key: string, path: string, headers = {}) =>
      portal.call('GET', path, { headers: { 'x-api-key': key, ...headers } });
    await call(ours.key, '/api/v1/key');
    await call(ours.key, '/api/v1/key', { origin: 'https://evil.example.com' });
    await call(ours.key, '/api/v1/wallet/balance?address=nonsense');
    await call(saved.key, '/api/v1/key');
    await call(theirs.key, '/api/v1/key');
  });
  afterAll(() => portal.close());

  const get = (path: string, token: string | null = owner.token) =>
    portal.call('GET', path, token === null ? {} : { token });

  test('returns 401 without a token', async () => {
    expect((await get('/api/usage', null)).status).toBe(401);
    expect((await get('/api/analytics/metrics', null)).status).toBe(401);
  });

  test('returns 200 with the rows, newest first, each as the call was made', async () => {
    const answer = await get('/api/usage');
    expect(answer.status).toBe(200);
    const { rows, next } = usagePage.strict().parse(answer.body);
    expect(next).toBeNull();
    expect(rows).toMatchObject([
      { seq: 4, keyId: saved.keyId, projectId: null, statusCode: 200, outcome: 'ok' },
      { seq: 3, endpoint: '/api/v1/wallet/balance', statusCode: 400, outcome: 'error', origin: null },
      { seq: 2, statusCode: 403, outcome: 'blocked', origin: 'https://evil.example.com' },
      { seq: 1, keyId: ours.keyId, projectId: ours.project?.code, endpoint: '/api/v1/key', method: 'GET' },
    ]);
  });

  test('returns 200 with the figures of the last 24 hours', async () => {
    const answer = await get('/api/analytics/metrics');
    expect(answer.status).toBe(200);
    const metrics = usageMetrics.strict().parse(answer.body);
    expect(metrics.totals).toMatchObject({ calls: 4, errors: 1, blocked: 1 });
    expect(Date.parse(metrics.to) - Date.parse(metrics.from)).toBe(24 * 3_600_000);
    expect(metrics.endpoints).toEqual([
      { endpoint: '/api/v1/key', method: 'GET', calls: 3 },
      { endpoint: '/api/v1/wallet/balance', method: 'GET', calls: 1 },
    ]);
    expect(metrics.statuses).toEqual([
      { statusCode: 200, calls: 2 },
      { statusCode: 400, calls: 1 },
      { statusCode: 403, calls: 1 },
    ]);
  });

  test('returns 200 with the share of each key and origin, and percentiles that state their precision', async () => {
    const { body } = await get('/api/analytics/metrics');
    expect(body.percentiles).toBe('exact');
    expect(body.keys).toEqual([
      { keyId: ours.keyId, calls: 3 },
      { keyId: saved.keyId, calls: 1 },
    ]);
    expect(body.origins).toEqual([
      { origin: null, calls: 3 },
      { origin: 'https://evil.example.com', calls: 1 },
    ]);
    const long = await get(
      `/api/analytics/metrics?from=${new Date(Date.now() - 3 * 24 * 3_600_000).toISOString()}`,
    );
    expect(long.body).toMatchObject({ percentiles: 'histogram', origins: body.origins, keys: body.keys });
  });

  test('returns 200 with the keys to filter by, newest first, without the keys themselves', async () => {
    const answer = await get('/api/usage/keys');
    expect(
      usageKeyList
        .parse(answer.body)
        .map(({ id, prefix, last4, projectId }) => [id, prefix, last4, projectId]),
    ).toEqual([
      [saved.keyId, saved.key.slice(0, 8), saved.key.slice(-4), null],
      [ours.keyId, ours.key.slice(0, 8), ours.key.slice(-4), ours.project?.code],
    ]);
    expect(answer.text).not.toContain(ours.key);
  });

  test('filters by key, project, endpoint, status, method and origin', async () => {
    const calls = async (query: string) =>
      (await get(`/api/analytics/metrics?${query}`)).body.totals.calls as number;
    const rows = async (query: string) => (await get(`/api/usage?${query}`)).body.rows.length as number;
    const cases: [string, number][] = [
      [`keyId=${saved.keyId}`, 1],
      [`projectId=${ours.project?.code}`, 3],
      [`projectId=${ours.project?.code}&keyId=${saved.keyId}`, 0],
      ['endpoint=/api/v1/key', 3],
      ['status=4xx', 2],
      ['status=403', 1],
      ['status=errors', 1],
      ['status=blocked', 1],
      ['method=GET', 4],
      ['method=POST', 0],
      ['origin=none', 3],
      ['origin=https%3A%2F%2Fevil.example.com', 1],
      ['endpoint=/api/v1/key&status=2xx&origin=none&method=GET', 2],
    ];
    for (const [query, expected] of cases) {
      expect([query, await calls(query), await rows(query)]).toEqual([query, expected, expected]);
    }
  });

  test("returns 404 for another user's key and project, as for nonexistent ones", async () => {
    const foreign = [
      `keyId=${theirs.keyId}`,
      `keyId=${newId()}`,
      `projectId=${theirs.project?.code}`,
      'projectId=orange-nobodyhasx',
    ];
    for (const query of foreign) {
      for (const path of ['/api/usage', '/api/analytics/metrics']) {
        expect([query, (await get(`${path}?${query}`)).status]).toEqual([query, 404]);
      }
    }
  });

  test('returns 400 with the field, what is wrong with it and what is allowed', async () => {
    const message = async (path: string) => {
      const answer = await get(path);
      expect(answer.status).toBe(400);
      return answer.body.message as string;
    };
    expect(await message('/api/analytics/metrics?from=yesterday')).toBe(
      'from: must be an ISO 8601 time in the years 0001 to 9999, such as 2026-01-31T12:00:00Z (given "yesterday")',
    );
    expect(await message('/api/usage?keyId=5')).toBe('keyId: must be a key ID (given "5")');
    expect(await message('/api/usage?status=4x')).toBe(
      'status: must be a status such as 404, a class such as 4xx, errors, blocked or revoked (given "4x")',
    );
    expect(await message('/api/usage?userId=someone')).toBe(
      'userId: isn’t a known field; known fields are from, to, projectId, keyId, endpoint, method, status, errorCode, origin, after, before, limit',
    );
    expect(await message('/api/analytics/metrics?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z')).toBe(
      'from: must be before to (2026-01-02T00:00:00.000Z is not before 2026-01-01T00:00:00.000Z)',
    );
    expect(await message('/api/analytics/metrics?from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z')).toBe(
      'from: the range is 731 days; the maximum is 400. Choose a later from or an earlier to',
    );
    expect(await message('/api/usage?limit=501')).toBe(
      'limit: must be a whole number from 1 to 500 (given "501")',
    );
  });

  test('returns 422 with what to do if the calls cannot be searched in time', async () => {
    await portal.db.query('alter table api_usage rename to api_usage_away');
    await portal.db.query(
      'create view api_usage as select * from api_usage_away where pg_sleep(60) is not null',
    );
    const answers = Promise.all([get('/api/usage'), get('/api/analytics/metrics?status=4xx')]);
    // Makes the server time out at once instead of after 3 s, so that the test does not wait.
    let isAnswered = false;
    void answers.finally(() => (isAnswered = true));
    await until('both questions are given up', async () => {
      await portal.db.query(
        `select pg_cancel_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event = 'PgSleep'`,
      );
      return isAnswered;
    });
    const [page, metrics] = await answers;
    for (const answer of [page, metrics]) {
      expect([answer.status, answer.body.code]).toEqual([422, 'usage.tooManyCalls']);
      expect(answer.body.message).toBe('This range has too many calls to search. Choose a shorter one');
    }
    await portal.db.query('drop view api_usage');
    await portal.db.query('alter table api_usage_away rename to api_usage');
    expect((await get('/api/usage')).status).toBe(200);
  });
});
