import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { version } from '@orange-id/contract/version';
import { forwardedHeaders } from '../testing/forwarded.headers.js';
import { startTestApp, TestApp } from '../testing/test.app.js';

describe('health', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  test('live and ready return 200', async () => {
    expect((await portal.call('GET', '/health/live')).body).toEqual({ status: 'ok' });
    expect((await portal.call('GET', '/health/ready')).body).toEqual({ status: 'ok' });
  });

  test('ready returns 503 with Retry-After if the database is down, live still returns 200', async () => {
    const gone = await startTestApp();
    await gone.db.destroy();
    const ready = await gone.call('GET', '/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.headers.get('retry-after')).toBe('1');
    expect(ready.body).toMatchObject({ statusCode: 503, code: 'database.unavailable' });
    expect((await gone.call('GET', '/health/live')).status).toBe(200);
    await gone.db.initialize();
    await gone.close();
  });

  test('an unknown path below /api returns a JSON 404', async () => {
    const answer = await portal.call('GET', '/api/nothing-here');
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ statusCode: 404, error: 'Not Found', code: 'route.notFound' });
  });

  test('a path that cannot be decoded returns 400 with an error code', async () => {
    const answer = await portal.call('GET', '/%zz');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'request.invalid',
      message: 'The URL can’t be decoded. Write a percent sign in it as %25',
    });
  });
});

describe('access to the metrics', () => {
  const token = 'a-token-for-the-metrics-of-a-test';
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ METRICS_TOKEN: token, TRUST_PROXY: '1' });
  });
  afterAll(() => portal.close());
  const read = (headers: Record<string, string> = {}) => portal.call('GET', '/metrics', { headers });
  const outside = { 'x-forwarded-for': '203.0.113.7' };

  test('a program on the same machine reads the metrics without a token', async () => {
    const { status, text } = await read();
    expect(status).toBe(200);
    expect(text).toContain('process_uptime_seconds');
    expect(text).toContain(`\nportal_build_info{version="${version}"} 1\n`);
    for (const name of [
      'process_open_fds',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_gc_duration_seconds',
    ]) {
      expect(text).toContain(`\n# TYPE ${name} `);
    }
    expect(text.match(/^# TYPE (?!nodejs_|process_).*$/gm)?.toSorted()).toMatchSnapshot();
  });

  test.each([
    ['without a token', {}],
    ['with another token', { authorization: `Bearer ${token}x` }],
    ['with the token under another scheme', { authorization: `Basic ${token}` }],
    ['with the token alone', { authorization: token }],
  ])('a request %s through a proxy on the same machine is refused the metrics', async (_how, headers) => {
    const { status, body } = await read({ ...outside, ...headers });
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'auth.required' });
  });

  test.each(forwardedHeaders)(
    'a request through a proxy, with %j, is refused the metrics',
    async (headers) => {
      expect((await read(headers)).status).toBe(401);
    },
  );

  test.each([
    ...[
      'evil.example',
      'evil.example:3000',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'evil.example#localhost',
    ],
    ...['evil@localhost', '192.0.2.7', '[::ffff:192.0.2.7]', '0.0.0.0'],
  ])(
    'a page whose host name "%s" resolves to this machine is refused the metrics without a token',
    async (host) => {
      const { app } = portal;
      expect((await app.inject({ url: '/metrics', headers: { host } })).statusCode).toBe(401);
      const authorization = `Bearer ${token}`;
      expect((await app.inject({ url: '/metrics', headers: { host, authorization } })).statusCode).toBe(200);
    },
  );

  test.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST',
    'portal.localhost',
    '127.0.0.1:3000',
    '127.1.2.3',
    '[::1]',
    '[::1]:3000',
  ])('a program that names this machine %s reads the metrics', async (host) => {
    expect((await portal.app.inject({ url: '/metrics', headers: { host } })).statusCode).toBe(200);
  });

  test('METRICS_TOKEN lets another machine read the metrics', async () => {
    const { status, text } = await read({ ...outside, authorization: `Bearer ${token}` });
    expect(status).toBe(200);
    expect(text).toContain('process_uptime_seconds');
  });

  test('without METRICS_TOKEN no other machine can read the metrics', async () => {
    const closed = await startTestApp({ TRUST_PROXY: '1' });
    for (const authorization of ['Bearer ', 'Bearer undefined']) {
      const headers = { ...outside, authorization };
      expect((await closed.call('GET', '/metrics', { headers })).status).toBe(401);
    }
    await closed.close();
  });
});

describe('rate limit of the readiness check', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ TRUST_PROXY: '1' });
  });
  afterAll(() => portal.close());
  const check = (from?: string) =>
    portal.call('GET', '/health/ready', from === undefined ? {} : { headers: { 'x-forwarded-for': from } });

  test('each address has its own limit, and a monitor on the same machine has none', async () => {
    const answers = await Promise.all(
      Array.from({ length: limits.readinessChecksPerMinute + 10 }, () => check('203.0.113.7')),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get('retry-after')).not.toBeNull();
    expect((await check('203.0.113.8')).status).toBe(200);
    const own = await Promise.all(
      Array.from({ length: limits.readinessChecksPerMinute + 10 }, () => check()),
    );
    // On a busy machine some of these checks may time out and return 503.
    expect(own.map(({ status }) => status)).not.toContain(429);
  });
});
