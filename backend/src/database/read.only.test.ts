import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { createApp } from '../app.factory.js';
import { parseEnvironment } from '../config/environment.js';
import { startOwnPostgres } from '../testing/own.postgres.js';
import { seedKey } from '../testing/seed.key.js';
import { signUp } from '../testing/sign.up.js';
import { callAt, freePort } from '../testing/test.app.js';
import { until } from '../testing/until.js';

describe('a database that becomes read-only, as a primary that is demoted', () => {
  let postgres: Awaited<ReturnType<typeof startOwnPostgres>>;
  let app: NestFastifyApplication;
  let call: ReturnType<typeof callAt>;
  beforeAll(async () => {
    postgres = await startOwnPostgres();
    const port = await freePort();
    const environment = parseEnvironment({
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      PORTAL_SECRET: 'r'.repeat(32),
    });
    app = await createApp({ environment, address: postgres.address, webRoot: '/nonexistent' });
    await app.listen(port, '127.0.0.1');
    call = callAt(`http://localhost:${port}`);
  }, 60_000);
  afterAll(async () => {
    jest.restoreAllMocks();
    await app.close();
    await postgres.remove();
  });

  test('counts as down until it accepts writes again: 503 and not ready, with one line in the log for each connection', async () => {
    const logged: string[] = [];
    for (const level of ['warn', 'error'] as const) {
      jest
        .spyOn(Logger.prototype, level)
        .mockImplementation((line: unknown) => void logged.push(String(line)));
    }
    const user = await signUp({ call });
    const { key } = await seedKey({ app, db: app.get(DataSource) });
    const metered = () => call('GET', '/api/v1/key', { headers: { 'x-api-key': key } });
    const login = () =>
      call('POST', '/api/v1/auth/email/login', {
        body: { email: user.email, password: 'a long enough password' },
      });
    const isReady = async () => (await call('GET', '/health/ready')).status === 200;
    expect([(await metered()).status, (await login()).status, await isReady()]).toEqual([200, 200, true]);

    const admin = new pg.Client(postgres.address);
    await admin.connect();
    // Sessions that are open become read-only, too.
    await admin.query('alter system set default_transaction_read_only = on');
    await admin.query('select pg_reload_conf()');
    await until('it is not ready', async () => !(await isReady()));
    const answers = [await login(), await metered(), await login(), await metered()];
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after') !== null])).toEqual(
      Array.from({ length: 4 }, () => [503, true]),
    );
    await until('calls are refused at once', async () => (await metered()).body.code === 'usage.notRecorded');
    await Promise.all(Array.from({ length: 20 }, () => metered()));
    expect(logged.filter((line) => !/^not reachable, trying again: /.test(line))).toEqual([]);
    expect(logged.filter((line) => /read-only/.test(line)).length).toBeLessThanOrEqual(3);

    await admin.query('set default_transaction_read_only = off');
    await admin.query('alter system reset default_transaction_read_only');
    await admin.query('select pg_reload_conf()');
    await admin.end();
    await until('it is ready', isReady);
    expect((await login()).status).toBe(200);
    await until('calls are stored', async () => (await metered()).status === 200);
  }, 60_000);
});
