import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { seedKey, SeededKey } from '../testing/seed.key.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { ensureUsagePartitions } from './usage.partitions.js';
import { UsageRecorder } from './usage.recorder.js';
import { UsageRetention } from './usage.retention.js';
import { UsageService } from './usage.service.js';

const day = 24 * 3_600_000;
const now = Date.now();
const old = now - 100 * day;

describe('USAGE_RETENTION_MONTHS', () => {
  let portal: TestApp;
  let seeded: SeededKey;
  beforeAll(async () => {
    portal = await startTestApp({ USAGE_RETENTION_MONTHS: '0' });
    await ensureUsagePartitions(portal.address, old);
    seeded = await seedKey(portal);
    const recorder = portal.app.get(UsageRecorder);
    const row = { userId: seeded.userId, keyId: seeded.keyId, projectId: seeded.project?.code ?? null };
    const stored = [old, old + 5 * day, now].map(
      (at) =>
        new Promise((settle) =>
          recorder.record(
            {
              ...row,
              endpoint: '/api/v1/key',
              method: 'GET',
              statusCode: 200,
              responseTime: 7,
              at,
              origin: null,
              outcome: 'ok',
              errorCode: null,
              path: null,
              calls: 1,
            },
            settle,
          ),
        ),
    );
    expect(await Promise.all(stored)).toEqual([null, null, null]);
    await until('the roll-ups have them', async () => {
      const [{ seq }] = await portal.db.query(
        'select coalesce(max(owner_cells_seq), 0)::int as seq from usage_watermarks',
      );
      return seq === 3;
    });
  });
  afterAll(() => portal.close());

  const figures = async () => {
    const midnight = (time: number) => new Date(Math.floor(time / day) * day).toISOString();
    const range = { from: midnight(old - 10 * day), to: midnight(now + day) };
    const { totals, endpoints } = await portal.app.get(UsageService).metrics(seeded.userId, range, now);
    return { totals, endpoints };
  };
  const rows = () => portal.db.query('select timestamp from api_usage order by timestamp');
  const runRetention = async (months: number) => {
    const retention = new UsageRetention(portal.address, { USAGE_RETENTION_MONTHS: months });
    retention.onModuleInit();
    await retention.onApplicationShutdown();
  };

  test('0 keeps every row', async () => {
    await runRetention(0);
    expect(await rows()).toHaveLength(3);
  });

  test('old rows are deleted, and the figures of their days stay', async () => {
    const before = await figures();
    expect(before.totals.calls).toBe(3);
    await runRetention(1);
    const kept: { timestamp: Date }[] = await rows();
    expect(kept.map(({ timestamp }) => timestamp.getTime())).toEqual([now]);
    expect(await figures()).toEqual(before);
  });

  test('a run that fails is logged, and the next one is tried again in an hour', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const elsewhere = { ...portal.address, database: 'none' };
    const retention = new UsageRetention(elsewhere, { USAGE_RETENTION_MONTHS: 1 });
    retention.onModuleInit();
    await retention.onApplicationShutdown();
    const lines = log.mock.calls.map(([line]) => line);
    log.mockRestore();
    expect(lines).toContainEqual(
      expect.objectContaining({
        message:
          'creating or dropping months failed, trying again in an hour: error: database "none" does not exist',
        job: 'usage-months',
      }),
    );
  });

  test('numbering continues after the deleted rows', async () => {
    await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': seeded.key } });
    const [{ seq }] = await portal.db.query('select max(seq)::int as seq from api_usage');
    expect(seq).toBe(4);
    await expect(
      portal.app.get(UsageService).page(seeded.userId, { after: 0, limit: 10 }),
    ).resolves.toMatchObject({ rows: [{ seq: 3 }, { seq: 4 }], next: null });
  });
});
