import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseAddress } from '../config/database.address.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { expectWhole, Ledger, newLedger, seedCallers, startCallers } from '../testing/callers.js';
import { CutMoment, startCuttingProxy } from '../testing/cutting.proxy.js';
import { makeOwnCluster, startOwnPostgres } from '../testing/own.postgres.js';
import { ServerProcess, startEmbeddedServer, startServer } from '../testing/server.process.js';
import { makeSmallDisk, noSmallDiskBecause } from '../testing/small.disk.js';
import { signUp } from '../testing/sign.up.js';
import { callAt, createTestDatabase } from '../testing/test.app.js';
import { until } from '../testing/until.js';

const portalSecret = 'a secret of the tests that is long enough';
const secrets = new SecretsService({ current: portalSecret, previous: null });
const concurrentCallers = 64;

/** `npm run test:durability` sets the long form and writes a report. */
const { DURABILITY_FORM, DURABILITY_REPORT } = process.env;
const isLong = DURABILITY_FORM === 'long';
const [kills, stops, cuts, fillings] = isLong ? [20, 10, 40, 5] : [2, 1, 4, 1];

type Round = Record<string, number>;
const report: Record<string, Round[]> = {};

const missingReason = noSmallDiskBecause();
if (missingReason !== null) process.stdout.write(`The tests on a full disk are left out: ${missingReason}\n`);
const smallDiskTest = missingReason === null ? test : test.skip;

describe('no acknowledged call is lost and none is counted twice', () => {
  jest.setTimeout(isLong ? 1_200_000 : 90_000);
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  afterAll(async () => {
    if (DURABILITY_REPORT) await writeFile(DURABILITY_REPORT, JSON.stringify(report, null, 2));
  });

  const connect = async (address: DatabaseAddress) => {
    const client = new pg.Client(address);
    client.on('error', () => undefined);
    await client.connect();
    cleanUps.push(() => client.end());
    return client;
  };
  const start = async (address: DatabaseAddress): Promise<ServerProcess> => {
    const server = await startServer(address, { PORTAL_SECRET: portalSecret });
    cleanUps.push(async () => server.isRunning() && server.end('SIGKILL'));
    return server;
  };
  /**
   * Waits until 500 to 799 more calls are answered; the number differs each round, so that the cuts come at different
   * moments.
   */
  const answeredMore = (ledger: Ledger, round: number) => {
    const goal = ledger.answered.size + 500 + ((round * 137) % 300);
    return until(`${goal} calls are answered`, () => ledger.answered.size >= goal, 30_000);
  };
  /** Takes a lock that every commit needs, until `holder` rolls back; resolves once a commit waits for it. */
  const holdCommits = async (holder: pg.Client, client: pg.Client) => {
    await holder.query('begin');
    await holder.query('lock table usage_heads in exclusive mode');
    await until('a commit waits', async () => {
      const { rowCount } = await client.query(
        "select from pg_stat_activity where application_name = 'orange-portal usage' and wait_event_type = 'Lock'",
      );
      return rowCount !== 0;
    });
  };
  const note = (title: string, round: Round) => {
    (report[title] ??= []).push(round);
    if (isLong) process.stdout.write(`${title} ${JSON.stringify(round)}\n`);
  };

  test(`after kill -9 of the portal under ${concurrentCallers} concurrent callers, ${kills} times`, async () => {
    const { address, drop } = await createTestDatabase();
    cleanUps.push(drop);
    const [client, holder] = [await connect(address), await connect(address)];
    const keys = await seedCallers(client, secrets);
    let server = await start(address);
    const ledger = newLedger();
    const callers = startCallers(concurrentCallers, () => server.url, keys, ledger);
    cleanUps.push(() => callers.stop());
    for (let round = 1; round <= kills; round++) {
      await answeredMore(ledger, round);
      const brokenBefore = ledger.broken;
      // Every second kill comes in the middle of a commit, so that a portal that responds before the commit certainly
      // loses calls.
      const isHeld = round % 2 === 0;
      if (isHeld) await holdCommits(holder, client);
      expect((await server.end('SIGKILL')).signal).toBe('SIGKILL');
      if (isHeld) await holder.query('rollback');
      await until('callers notice', () => ledger.broken > brokenBefore);
      const [sent, answered] = [ledger.sent.size, ledger.answered.size];
      const stored = await expectWhole(client, ledger);
      note('kill -9 of the portal', { round, sent, answered, stored });
      server = await start(address);
    }
    await answeredMore(ledger, 0);
    await callers.stop();
    expect(ledger.refusals).toEqual([]);
    await expectWhole(client, ledger);
  });

  test(`after an immediate stop of PostgreSQL under load, ${stops} times, with 503 and Retry-After until it is back`, async () => {
    const postgres = await startOwnPostgres();
    cleanUps.push(() => postgres.remove());
    const { address } = postgres;
    const server = await start(address);
    let client = await connect(address);
    const keys = await seedCallers(client, secrets);
    const ledger = newLedger();
    const callers = startCallers(concurrentCallers, () => server.url, keys, ledger);
    cleanUps.push(() => callers.stop());
    for (let round = 1; round <= stops; round++) {
      await answeredMore(ledger, round);
      await postgres.stopAtOnce();
      const refusedBefore = ledger.refusals.length;
      await until('calls are refused', () => ledger.refusals.length >= refusedBefore + 200, 20_000);
      expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
      expect((await fetch(`${server.url}/health/ready`)).status).toBe(503);
      expect(server.isRunning()).toBe(true);

      await postgres.startAgain();
      const before = ledger.answered.size;
      await until('calls are answered again', () => ledger.answered.size > before, 5_000);
      client = await connect(address);
      const { sent, answered, refusals } = ledger;
      const figures = { sent: sent.size, answered: answered.size, refused: refusals.length };
      note('immediate stop of PostgreSQL', { round, ...figures, stored: await expectWhole(client, ledger) });
    }
    await answeredMore(ledger, 0);
    await callers.stop();

    expect(ledger.broken).toBe(0);
    expect(new Set(ledger.refusals.map(({ status }) => status))).toEqual(new Set([503]));
    expect(ledger.refusals.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
    expect(server.output().match(/Database usage\] not reachable/g) ?? []).toHaveLength(stops);
    await expectWhole(client, ledger);
  });

  test(`after ${cuts} lost acknowledgements of a commit, because a retried batch is recognised`, async () => {
    const { address, drop } = await createTestDatabase();
    cleanUps.push(drop);
    const client = await connect(address);
    const keys = await seedCallers(client, secrets);
    const proxy = await startCuttingProxy(address);
    cleanUps.push(async () => proxy.close());
    const server = await start(proxy.address);
    const ledger = newLedger();
    const callers = startCallers(concurrentCallers, () => server.url, keys, ledger);
    cleanUps.push(() => callers.stop());
    for (let round = 1; round <= cuts; round++) {
      await answeredMore(ledger, round);
      const moment: CutMoment = round % 2 === 1 ? 'committed' : 'sent';
      proxy.cutNext(moment);
      const cut = await until('a batch is cut', () => proxy.cuts[round - 1]);
      await until('it is sent again', () => cut.again);
      // If cut after the commit, the batch is already stored; if cut before, the server may or may not have stored it.
      if (moment === 'committed') expect(cut).toMatchObject({ moment, again: 'present' });
      const { sent, answered, refusals } = ledger;
      const figures = { sent: sent.size, answered: answered.size, refused: refusals.length };
      const isPresent = cut.again === 'present' ? 1 : 0;
      const stored = await expectWhole(client, ledger);
      note(`lost acknowledgement, cut when ${moment}`, { round, ...figures, isPresent, stored });
    }
    await answeredMore(ledger, 0);
    await callers.stop();
    expect(ledger.broken).toBe(0);
    expect(ledger.refusals.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual(
      [],
    );
    await expectWhole(client, ledger);
    const { rows } = await client.query<{ id: string }>(
      'select id from ingest_batches where id = any($1::uuid[])',
      [proxy.cuts.map(({ id }) => id)],
    );
    expect(rows).toHaveLength(cuts);
  });

  /** Starts a portal whose embedded database has `folder` on a separate disk of `mebibytes` MiB. */
  const startOnSmallDisk = async (mebibytes: number, folder: 'pg_wal' | 'base') => {
    const disk = makeSmallDisk(mebibytes);
    cleanUps.push(() => disk.remove());
    const cluster = await makeOwnCluster();
    cleanUps.push(() => cluster.remove());
    await disk.take(join(cluster.folder, folder), folder);
    const server = await startEmbeddedServer(cluster.dataDir, { PORTAL_SECRET: portalSecret });
    cleanUps.push(async () => server.isRunning() && server.end('SIGTERM'));
    return { disk, cluster, server };
  };

  smallDiskTest(
    `through a full disk of the write-ahead log, ${fillings} times: the database stops, and is restarted once there is space`,
    async () => {
      const { disk, cluster, server } = await startOnSmallDisk(96, 'pg_wal');
      let client = await connect(cluster.address);
      const keys = await seedCallers(client, secrets);
      const ledger = newLedger();
      const callers = startCallers(concurrentCallers, () => server.url, keys, ledger);
      cleanUps.push(() => callers.stop());
      for (let round = 1; round <= fillings; round++) {
        await answeredMore(ledger, round);
        // Uses up the rest of the current segments at once. A checkpoint may remove old ones, so the disk is filled
        // again.
        await until(
          'the database is gone',
          async () => {
            disk.fill();
            await client.query('select pg_switch_wal()').catch(() => undefined);
            return (await cluster.postmaster()) === null;
          },
          30_000,
        );
        const refusedBefore = ledger.refusals.length;
        await until('calls are refused', () => ledger.refusals.length >= refusedBefore + 200, 20_000);
        expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
        const ready = await fetch(`${server.url}/health/ready`);
        expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
        expect(server.isRunning()).toBe(true);

        const before = ledger.answered.size;
        disk.free();
        const freedAt = performance.now();
        await until('calls are answered again', () => ledger.answered.size > before, 30_000);
        const servedAgainMs = Math.round(performance.now() - freedAt);
        client = await connect(cluster.address);
        const { sent, answered, refusals } = ledger;
        const figures = { sent: sent.size, answered: answered.size, refused: refusals.length };
        note('full disk of the log', {
          round,
          ...figures,
          stored: await expectWhole(client, ledger),
          servedAgainMs,
        });
      }
      await answeredMore(ledger, 0);
      await callers.stop();
      expect(ledger.broken).toBe(0);
      expect(new Set(ledger.refusals.map(({ status }) => status))).toEqual(new Set([503]));
      expect(ledger.refusals.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
      await expectWhole(client, ledger);
      // Logged once per outage, whatever the number of attempts.
      const reports = server.output().match(/The embedded database stopped unexpectedly/g) ?? [];
      expect(reports.length).toBeGreaterThanOrEqual(1);
      expect(reports.length).toBeLessThanOrEqual(fillings);
      await client.end();
      expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(await cluster.postmaster()).toBeNull();
    },
  );

  smallDiskTest(
    `through a full disk of the tables, ${fillings} times: calls get 503 with Retry-After, while reads are answered`,
    async () => {
      const { disk, cluster, server } = await startOnSmallDisk(128, 'base');
      const client = await connect(cluster.address);
      const keys = await seedCallers(client, secrets);
      const user = await signUp({ call: callAt(server.url) });
      const postmaster = await cluster.postmaster();
      const ledger = newLedger();
      const callers = startCallers(concurrentCallers, () => server.url, keys, ledger);
      cleanUps.push(() => callers.stop());
      for (let round = 1; round <= fillings; round++) {
        await answeredMore(ledger, round);
        disk.fill();
        const refusedBefore = ledger.refusals.length;
        await until('calls are refused', () => ledger.refusals.length >= refusedBefore + 64, 30_000);
        for (const path of ['/api/keys', '/api/usage', '/api/analytics/metrics', '/health/ready']) {
          const { status } = await callAt(server.url)('GET', path, { token: user.token });
          expect([path, status]).toEqual([path, 200]);
        }

        const before = ledger.answered.size;
        disk.free();
        const freedAt = performance.now();
        await until('calls are answered again', () => ledger.answered.size > before, 30_000);
        const servedAgainMs = Math.round(performance.now() - freedAt);
        const { sent, answered, refusals } = ledger;
        const figures = { sent: sent.size, answered: answered.size, refused: refusals.length };
        const stored = await expectWhole(client, ledger);
        note('full disk of the tables', { round, ...figures, stored, servedAgainMs });
      }
      await answeredMore(ledger, 0);
      await callers.stop();
      expect(ledger.broken).toBe(0);
      expect(new Set(ledger.refusals.map(({ status }) => status))).toEqual(new Set([503]));
      expect(ledger.refusals.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
      await expectWhole(client, ledger);
      expect(await cluster.postmaster()).toBe(postmaster);
      const reports = server.output().match(/storing \d+ calls failed/g) ?? [];
      expect(reports.length).toBeLessThanOrEqual(fillings);
    },
  );
});
