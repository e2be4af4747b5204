import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { addressOf, type DatabaseAddress } from '../config/database.address.js';
import { startOwnPostgres } from '../testing/own.postgres.js';
import { probesOf } from '../testing/probes.js';
import { startPortalOn } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { baseBackup } from './base.backup.js';
import { removeDataFolder } from './cluster.folders.js';
import { databaseProblems } from './database.check.js';
import { type EmbeddedPostgres, placeCluster, startEmbeddedPostgres } from './embedded.postgres.js';

const run = promisify(execFile);

async function ask<T extends object>(address: DatabaseAddress, sql: string, values: unknown[] = []) {
  const client = new pg.Client(address);
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** A second server that replays what the first writes. */
async function startStandbyOf(primary: DatabaseAddress, dataDir: string): Promise<EmbeddedPostgres> {
  const [row] = await ask<{ server_version: string }>(primary, 'show server_version');
  const copy = await mkdtemp(join(tmpdir(), 'portal-test-copy-'));
  await baseBackup(primary, copy);
  await placeCluster(dataDir, row?.server_version ?? '', async (cluster) => {
    await run('tar', ['-xof', join(copy, 'base.tar'), '-C', cluster]);
    await writeFile(join(cluster, 'standby.signal'), '');
    await appendFile(
      join(cluster, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${primary.host} port=${primary.port} user=${primary.user}'\n`,
    );
  });
  await rm(copy, { recursive: true });
  return startEmbeddedPostgres({ dataDir });
}

describe('a DATABASE_URL with the hosts of a standby and of a primary', () => {
  let primary: Awaited<ReturnType<typeof startOwnPostgres>>;
  let standby: EmbeddedPostgres;
  let dataDir: string;
  let portal: Awaited<ReturnType<typeof startPortalOn>>;
  beforeAll(async () => {
    primary = await startOwnPostgres();
    dataDir = await mkdtemp(join(tmpdir(), 'portal-test-'));
    standby = await startStandbyOf(primary.address, dataDir);
    const hosts = [standby, primary].map(({ address }) => encodeURIComponent(address.host)).join(',');
    const address = addressOf(`postgres://portal@${hosts}/portal?target_session_attrs=read-write`);
    expect(await databaseProblems(address)).toEqual([]);
    expect(address.host).toBe(primary.address.host);
    portal = await startPortalOn(address, { LOG_LEVEL: 'warn' });
  }, 120_000);
  afterAll(async () => {
    jest.restoreAllMocks();
    await portal.close();
    await standby.stop();
    removeDataFolder(dataDir);
    await primary.remove();
  });

  test('follows the primary: after the standby is promoted, everything is served, and the calls from before are there', async () => {
    const logged: string[] = [];
    jest
      .spyOn(Logger.prototype, 'warn')
      .mockImplementation((line: unknown) => void logged.push(String(line)));
    const { metered, login, isReady } = await probesOf(portal);
    expect([(await metered()).status, (await metered()).status]).toEqual([200, 200]);
    const stored = async () => {
      const [row] = await ask<{ calls: string }>(standby.address, 'select count(*) as calls from api_usage');
      return Number(row?.calls);
    };
    await until('the standby has both calls', async () => (await stored()) === 2);

    await primary.stopAtOnce();
    await until('calls are refused', async () => (await metered()).status === 503);
    expect((await login()).status).toBe(503);
    await ask(standby.address, 'select pg_promote()');
    await until('it is ready', isReady);
    await until('calls are stored', async () => (await metered()).status === 200);
    expect((await login()).status).toBe(200);
    expect(await stored()).toBeGreaterThanOrEqual(3);
    expect(logged.filter((line) => !/^not reachable, trying again: /.test(line))).toEqual([]);
  }, 60_000);
});
