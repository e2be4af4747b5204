import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { WAITS } from '../config/waits.js';
import { startOwnPostgres } from '../testing/own.postgres.js';
import { probesOf } from '../testing/probes.js';
import { startPortalOn } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { withWait } from '../testing/with.wait.js';

describe('a database that becomes read-only, as a primary that is demoted', () => {
  let postgres: Awaited<ReturnType<typeof startOwnPostgres>>;
  let portal: Awaited<ReturnType<typeof startPortalOn>>;
  beforeAll(async () => {
    postgres = await startOwnPostgres();
    portal = await startPortalOn(postgres.address, { LOG_LEVEL: 'warn' });
  }, 60_000);
  afterAll(async () => {
    jest.restoreAllMocks();
    await portal.close();
    await postgres.remove();
  });

  test('counts as down until it accepts writes again: 503 and not ready, with one line in the log for each connection', async () => {
    const logged: string[] = [];
    for (const level of ['warn', 'error'] as const) {
      jest
        .spyOn(Logger.prototype, level)
        .mockImplementation((line: unknown) => void logged.push(String(line)));
    }
    const { metered, login, isReady } = await probesOf(portal);
    expect([(await metered()).status, (await login()).status, await isReady()]).toEqual([200, 200, true]);

    const admin = new pg.Client(postgres.address);
    await admin.connect();
    // Sessions that are open become read-only, too.
    await admin.query('alter system set default_transaction_read_only = on');
    await admin.query('select pg_reload_conf()');
    await until('it is not ready', async () => !(await isReady()));
    // Each call waits this long for its commit.
    const answers = await withWait(portal.app.get(WAITS), 'commitMs', 1_000, async () => [
      await login(),
      await metered(),
      await login(),
      await metered(),
    ]);
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
