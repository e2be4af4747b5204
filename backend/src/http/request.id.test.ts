import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { DataSource } from 'typeorm';
import { keepLog } from '../testing/leaks.js';
import { seedKey } from '../testing/seed.key.js';
import { signUp } from '../testing/sign.up.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { portalLogger } from './portal.logger.js';

describe('the id of a request', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ NODE_ENV: 'test', LOG_LEVEL: 'log', ACCESS_LOG: 'on' });
  });
  afterAll(() => portal.close());
  beforeEach(() => void keepLog());
  afterEach(() => void jest.restoreAllMocks());
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  /** Of a route of Nest, a metered one, an unknown path, a page and a URL that can't be decoded. */
  const urls = [
    '/api/account/archive',
    '/api/v1/key',
    '/api/nowhere',
    '/api/v1/nowhere',
    '/',
    '/%zz',
    '/api/v1/%zz',
  ];
  const idOf = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(portal.url + url, { headers });
    const id = response.headers.get('x-request-id');
    const body = await response.text();
    if (response.headers.get('content-type')?.includes('json')) expect(JSON.parse(body).requestId).toBe(id);
    return id;
  };

  test.each(urls)('each response to %s has a new one, and an error repeats it', async (url) => {
    const [one, two] = [await idOf(url), await idOf(url)];
    expect(one).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
    expect(two).not.toBe(one);
  });

  test.each(urls)('the response to %s has the one that was sent', async (url) => {
    expect(await idOf(url, { 'x-request-id': 'proxy.a-1_2' })).toBe('proxy.a-1_2');
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
    expect(await idOf(url, { traceparent })).toBe(trace);
    expect(await idOf(url, { traceparent, 'x-request-id': 'mine' })).toBe('mine');
  });

  test.each([
    ['an empty one', { 'x-request-id': '' }],
    ['a long one', { 'x-request-id': 'a'.repeat(65) }],
    ['one with markup', { 'x-request-id': '"><script>' }],
    ['one with a space', { 'x-request-id': 'a b' }],
    ['one beyond ASCII', { 'x-request-id': 'é' }],
    ['a trace of zeros', { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` }],
    ['a malformed trace', { traceparent: `00-${trace}` }],
  ])('%s is replaced', async (_what, headers) => {
    expect(await idOf('/api/v1/key', headers)).toMatch(/^[0-9a-f]{12}-/);
    expect(await idOf('/api/account/archive', headers)).toMatch(/^[0-9a-f]{12}-/);
  });

  test('what is no request is refused with one too', async () => {
    const socket = connect(Number(new URL(portal.url).port), '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    const [head, body] = (await text(socket)).split('\r\n\r\n') as [string, string];
    expect(JSON.parse(body).requestId).toBe(/^x-request-id: (.*)$/m.exec(head)?.[1]);
  });

  test('a failure is logged with its request, user, status, duration and stack', async () => {
    const { token, userId } = await signUp(portal);
    const log = keepLog();
    jest.spyOn(portal.app.get(DataSource), 'query').mockRejectedValue(new TypeError('a defect'));
    const { status, headers } = await portal.call('GET', '/api/account/archive', { token });
    jest.spyOn(portal.app.get(DataSource), 'query').mockRestore();
    expect(status).toBe(500);
    const id = headers.get('x-request-id');
    expect(log.text).toMatch(
      new RegExp(
        `TypeError: a defect \\(requestId=${id} userId=${userId} status=500 durationMs=[\\d.]+\\)\\n.*TypeError: a defect\\n +at `,
      ),
    );
  });

  test('a failed sign-in is logged with its reason and without the address', async () => {
    const log = keepLog();
    const body = { email: 'somebody@example.com', password: 'not the password' };
    const { headers } = await portal.call('POST', '/api/v1/auth/email/login', { body });
    expect(log.text).toContain(
      `A sign-in failed: auth.credentialsInvalid (method=email code=auth.credentialsInvalid requestId=${headers.get('x-request-id')})`,
    );
    expect(log.text).not.toMatch(/somebody|127\.0\.0\.1|not the password/);
  });

  test('the access log has paths without query, key and address', async () => {
    const { key, userId } = await seedKey(portal);
    const log = keepLog();
    await portal.call('GET', '/api/v1/key?secret=1', {
      headers: { 'x-api-key': key, 'x-request-id': 'metered' },
    });
    await portal.call('GET', '/api/account/archive?secret=1', { headers: { 'x-request-id': 'nest' } });
    expect(log.text).toMatch(
      new RegExp(
        `GET /api/v1/key 400 \\(method=GET path=/api/v1/key status=400 durationMs=[\\d.]+ requestId=metered userId=${userId}\\)`,
      ),
    );
    expect(log.text).toMatch(/GET \/api\/account\/archive 401 \(.*requestId=nest .*\)/);
    expect(log.text).not.toMatch(/secret=1|127\.0\.0\.1/);
    expect(log.text).not.toContain(key);
  });

  test('the access log has the beginnings of long paths', async () => {
    const log = keepLog();
    for (const path of ['/', '/api/v1/']) await portal.call('GET', `${path}${'x'.repeat(14_000)}`);
    expect(log.text.match(/x…/g)).toHaveLength(4);
    expect(log.text.length).toBeLessThan(2_000);
  });
});

describe('the log in production', () => {
  afterEach(() => void jest.restoreAllMocks());

  test('has one JSON object per line, also for text with line breaks', () => {
    const log = keepLog();
    const lines = portalLogger({ isProduction: true, LOG_LEVEL: 'log' });
    const logger = new Logger('Http');
    Logger.overrideLogger(lines);
    logger.error({ message: 'GET /a: failed', stack: 'Error\n  at b', requestId: 'r1', status: 500 });
    logger.error('plain', 'a stack');
    logger.warn('two\nlines');
    logger.debug('not shown');
    new Logger('RouterExplorer').log('not shown');
    Logger.overrideLogger(false);
    const objects = log.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(objects).toMatchObject([
      {
        level: 'error',
        context: 'Http',
        msg: 'GET /a: failed',
        stack: 'Error\n  at b',
        requestId: 'r1',
        status: 500,
      },
      { level: 'error', context: 'Http', msg: 'plain', stack: 'a stack' },
      { level: 'warn', context: 'Http', msg: 'two\nlines' },
    ]);
    expect(objects[0].time).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
});
