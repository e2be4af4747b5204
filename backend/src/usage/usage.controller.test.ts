import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { usageMetrics, usagePage } from '@orange-id/contract/usage.schema';
import { newId } from '../database/new.id.js';
import { seedKey, SeededKey } from '../testing/seed.key.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { startTestApp, TestApp } from '../testing/test.app.js';

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

  test('401 without a token', async () => {
    expect((await get('/api/usage', null)).status).toBe(401);
    expect((await get('/api/analytics/metrics', null)).status).toBe(401);
  });

  test('200: the rows, newest first, each as the call was', async () => {
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

  test('200: the figures of the last 24 hours', async () => {
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

  test('filters by key, project, endpoint and status', async () => {
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
    ];
    for (const [query, expected] of cases) {
      expect([query, await calls(query), await rows(query)]).toEqual([query, expected, expected]);
    }
  });

  test("404 for another user's key and project, as for ones nobody has", async () => {
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

  test('400 names the field, what is wrong with it and the way out', async () => {
    const message = async (path: string) => {
      const answer = await get(path);
      expect(answer.status).toBe(400);
      return answer.body.message as string;
    };
    expect(await message('/api/analytics/metrics?from=yesterday')).toBe(
      'from: must be an ISO 8601 time (given "yesterday")',
    );
    expect(await message('/api/usage?keyId=5')).toBe('keyId: must be a key id (given "5")');
    expect(await message('/api/usage?status=4x')).toBe(
      'status: must be a status such as 404 or a class such as 4xx (given "4x")',
    );
    expect(await message('/api/usage?userId=someone')).toBe(
      'userId: is not a known field; known are from, to, keyId, projectId, endpoint, status, after, before, limit',
    );
    expect(await message('/api/analytics/metrics?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z')).toBe(
      'from: must be before to (2026-01-02T00:00:00.000Z is not before 2026-01-01T00:00:00.000Z)',
    );
    expect(await message('/api/analytics/metrics?from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z')).toBe(
      'from: the range is 731 days long, the most is 400; choose a later from or an earlier to',
    );
    expect(await message('/api/usage?limit=501')).toBe(
      'limit: must be a whole number from 1 to 500 (given "501")',
    );
  });
});
