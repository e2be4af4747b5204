import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { parseEnvironment } from '../../config/environment.js';
import { dataSourceOptions } from '../../database/database.options.js';
import { newId } from '../../database/new.id.js';
import { MetricsRegistry } from '../../health/metrics.registry.js';
import { testHistory } from '../../testing/history.suite.js';
import { describeClickHouse, type OwnClickHouse, startOwnClickHouse } from '../../testing/own.clickhouse.js';
import { seedKey } from '../../testing/seed.key.js';
import { signUp } from '../../testing/sign.up.js';
import { startTestApp, type TestApp } from '../../testing/test.app.js';
import { until } from '../../testing/until.js';
import type { MeteredCall } from '../metered.call.js';
import { USAGE_HISTORY, type UsageHistory } from '../usage.history.port.js';
import { ingestStatement } from '../usage.ingest.js';
import { ensureUsagePartitions } from '../usage.partitions.js';
import { UsageShipping } from '../usage.shipping.js';
import { PostgresHistoryRepository } from '../postgres.history.repository.js';
import { clickHouseAddress, ClickHouseClient } from './clickhouse.client.js';
import { ClickHouseHistory } from './clickhouse.history.js';
import { NewestCallsRepository } from './newest.calls.repository.js';
import { UsageShipper } from './usage.shipper.js';

describeClickHouse('the history of calls in ClickHouse', () => {
  testHistory(async (address) => {
    const own = await startOwnClickHouse();
    const client = new ClickHouseClient(clickHouseAddress(own.url));
    const dataSource = new DataSource(dataSourceOptions(address, parseEnvironment({ NODE_ENV: 'test' })));
    await dataSource.initialize();
    const settings = { USAGE_RETENTION_MONTHS: 0, USAGE_POSTGRES_DAYS: 0 };
    const shipper = new UsageShipper(address, client, settings, new MetricsRegistry());
    await shipper['connection'].start();
    await shipper.ship();
    const failing = () => Promise.reject(new Error('PostgreSQL alone was asked'));
    const postgres = new PostgresHistoryRepository(dataSource);
    const history = new ClickHouseHistory(
      client,
      {
        // The parts that ClickHouse's answers need.
        page: postgres.page.bind(postgres),
        rowsIn: postgres.rowsIn.bind(postgres),
        hasCallsOf: postgres.hasCallsOf.bind(postgres),
        figures: failing,
        seqRange: failing,
      },
      new NewestCallsRepository(dataSource),
    );
    return {
      history,
      followUp: async () => {
        await shipper.ship();
        await shipper.keepUp();
      },
      stop: async () => {
        await shipper.stop();
        await dataSource.destroy();
        await own.remove();
      },
    };
  });
});

describeClickHouse('while ClickHouse is away', () => {
  const day = 24 * 3_600_000;
  const now = Date.now();
  let portal: TestApp;
  let own: OwnClickHouse;
  let history: UsageHistory;
  let userId: string;
  let keyId: string;
  let token: string;

  beforeAll(async () => {
    own = await startOwnClickHouse();
    portal = await startTestApp({ CLICKHOUSE_URL: own.url, USAGE_POSTGRES_DAYS: '3' });
    history = portal.app.get(USAGE_HISTORY);
    ({ userId, token } = await signUp(portal));
    ({ keyId } = await seedKey(portal, { userId }));
    await ensureUsagePartitions(portal.address, now - 10 * day);
    const callAt = (at: number): MeteredCall => ({
      userId,
      keyId,
      projectId: null,
      endpoint: '/api/v1/key',
      method: 'GET',
      statusCode: 200,
      responseTime: 1,
      at,
      origin: null,
      outcome: 'ok',
      errorCode: null,
      path: null,
      calls: 1,
    });
    const times = [9, 8, 7, 2, 1, 0].map((days) => now - days * day);
    const statement = ingestStatement(newId(), times.map(callAt));
    await portal.db.query(statement.text, statement.values);
    // Its own works once a minute.
    await portal.app.get(UsageShipping).onApplicationShutdown();
    const client = new ClickHouseClient(clickHouseAddress(own.url));
    const shipper = new UsageShipper(portal.address, client, portal.environment, new MetricsRegistry());
    await shipper['connection'].start();
    await until('the rows are shipped and folded, and the old ones gone from PostgreSQL', async () => {
      if (await shipper.ship()) await shipper.keepUp();
      const [{ rows }] = await portal.db.query('select count(*)::int as rows from api_usage');
      return rows === 3;
    });
    await shipper.stop();
  }, 60_000);
  afterAll(async () => {
    await portal.close();
    await own.remove();
  });

  const ask = (days: number) => {
    const shown = { from: now - days * day, to: now + 1 };
    const filters = { endpoint: '/api/v1/key' };
    return history.figures({ userId, filters, keyIds: null, shown, range: shown });
  };
  const seqs = async () => (await history.page(userId, { limit: 10 })).map(({ seq }) => seq);
  const download = async () => {
    const body = { format: 'ndjson', filters: {} };
    const { body: made } = await portal.call('POST', '/api/usage/exports', { token, body });
    const path = new URL(made.url, portal.url).pathname;
    return portal.call('GET', path, { token });
  };

  test('nothing is missing while it answers, though PostgreSQL has given up old rows', async () => {
    const { totals, completeFrom } = await ask(20);
    expect([totals.calls, completeFrom]).toEqual([6, undefined]);
    expect(await seqs()).toEqual([6, 5, 4, 3, 2, 1]);
    expect((await download()).text.trim().split('\n')).toHaveLength(6);
  });

  test.each(['SIGSTOP', 'SIGKILL'] as const)(
    'after %s, recent days come from PostgreSQL, figures say so, and an export waits; then all is back',
    async (signal) => {
      await own.stop(signal);
      const { totals, completeFrom } = await ask(20);
      expect(totals.calls).toBe(3);
      expect(completeFrom).toBe(new Date(now - 2 * day).toISOString());
      // Complete without ClickHouse.
      expect((await ask(1)).totals.calls).toBe(2);
      expect((await ask(1)).completeFrom).toBeUndefined();
      expect(await seqs()).toEqual([6, 5, 4]);
      const refused = await download();
      expect([refused.status, refused.body.code]).toEqual([503, 'usage.historyAway']);
      if (signal === 'SIGSTOP') await own.stop('SIGCONT');
      else await own.startAgain();
      await until(
        'ClickHouse is asked again',
        async () => (await ask(20)).completeFrom === undefined,
        20_000,
      );
      expect(await seqs()).toEqual([6, 5, 4, 3, 2, 1]);
    },
    60_000,
  );
});
