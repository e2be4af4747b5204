import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openLive } from '../testing/open.live.js';
import { seedKey } from '../testing/seed.key.js';
import { signUp } from '../testing/sign.up.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';

describe('the metrics', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());
  const read = async (): Promise<string> => (await portal.call('GET', '/metrics')).text;
  /** The value of a series; null if it isn't there. */
  const valueOf = async (series: string): Promise<number | null> => {
    const line = (await read()).split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length + 1));
  };
  const requests = (method: string, route: string, status: string) =>
    valueOf(`http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`);

  test('requests are counted by route template and status class, never by path', async () => {
    const { token } = await signUp(portal);
    await portal.call('GET', '/api/projects/orange-secretname/users', { token });
    await until('it is counted', () => requests('GET', '/api/projects/:code/users', '4xx'));
    expect(await read()).not.toContain('secretname');
  });

  test('requests to unknown paths, by whatever method, share one series per status class', async () => {
    for (const method of ['PROPFIND', 'GET', 'PUT', 'DELETE']) {
      await portal.app.inject({ method: method as 'GET', url: `/api/nowhere/${method}/1234` });
      await portal.app.inject({ method: method as 'GET', url: `/api/v1/nowhere/${method}/1234` });
    }
    const routes = (await read()).match(/^.*_count\{.*route="unmatched".*/gm);
    expect(routes?.map((line) => line.replace(/ \d+$/, ''))).toEqual([
      'http_request_duration_seconds_count{method="any",route="unmatched",status="4xx"}',
    ]);
    expect(await read()).not.toContain('nowhere');
  });

  test('a metered call is counted once, also one to an unknown path', async () => {
    const { key } = await seedKey(portal);
    const headers = { 'x-api-key': key };
    await portal.call('GET', '/api/v1/key', { headers });
    expect(await requests('GET', '/api/v1/key', '2xx')).toBe(1);
    const before = await requests('any', 'unmatched', '4xx');
    await portal.app.inject({ url: '/elsewhere', headers });
    expect(await requests('any', 'unmatched', '4xx')).toBe(Number(before) + 1);
    expect(await valueOf('usage_batch_calls_count')).toBeGreaterThan(0);
    expect(await valueOf('usage_commit_seconds_count')).toBe(await valueOf('usage_batches_total'));
  });

  test('sign-ins are counted by method and outcome', async () => {
    const { email } = await signUp(portal);
    const login = (password: string) =>
      portal.call('POST', '/api/v1/auth/email/login', { body: { email, password } });
    await login('certainly not the password');
    expect(await valueOf('sign_ins_total{method="email",outcome="auth.credentialsInvalid"}')).toBe(1);
    expect(await valueOf('sign_ins_total{method="wallet",outcome="ok"}')).toBe(0);
  });

  test('an open page is counted, with how late its rows are', async () => {
    const { token, userId } = await signUp(portal);
    const { key } = await seedKey(portal, { userId });
    const live = await openLive(portal.url, { token });
    await live.resume(0);
    expect(await valueOf('live_pages')).toBe(1);
    await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': key } });
    await until('the row arrives', () => live.rows.length === 1);
    expect(await valueOf('live_push_lag_seconds_count')).toBe(1);
    live.close();
    await until('the page is gone', async () => (await valueOf('live_pages')) === 0);
  });

  test('figures of the database are read, and unknown while it is down', async () => {
    const one = await startTestApp();
    await signUp(one);
    const figures = async () => {
      const { status, text } = await one.call('GET', '/metrics');
      expect(status).toBe(200);
      return text;
    };
    await until('the roll-ups are folded', async () =>
      /^usage_rollups_folded_timestamp_seconds [1-9]/m.test(await figures()),
    );
    expect(await figures()).toMatch(/^database_up 1$/m);
    expect(await figures()).toMatch(/^mail_queue [1-9]/m);
    expect(await figures()).toMatch(/^usage_partitions_ahead 3$/m);
    expect(await figures()).toMatch(/^database_pool_waiting 0$/m);
    await one.db.destroy();
    await until('the database is down', async () => /^database_up 0$/m.test(await figures()));
    expect(await figures()).toMatch(/^mail_queue Nan$/m);
    await one.db.initialize();
    await one.close();
  });
});
