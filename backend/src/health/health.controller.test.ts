import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, TestApp } from '../testing/test.app.js';

describe('health', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  test('live and ready answer 200', async () => {
    expect((await portal.call('GET', '/health/live')).body).toEqual({ status: 'ok' });
    expect((await portal.call('GET', '/health/ready')).body).toEqual({ status: 'ok' });
  });

  test('ready answers 503 with Retry-After when the database is gone, live stays 200', async () => {
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

  test('an unknown address below /api is a JSON 404', async () => {
    const answer = await portal.call('GET', '/api/nothing-here');
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ statusCode: 404, error: 'Not Found', code: 'route.notFound' });
  });

  test('an address that cannot be decoded is a coded 400', async () => {
    const answer = await portal.call('GET', '/%zz');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'request.invalid', message: 'The address is not valid' });
  });
});
