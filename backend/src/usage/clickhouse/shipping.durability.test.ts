import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { appendFile } from 'node:fs/promises';
import pg from 'pg';
import { SecretsService } from '../../secrets/secrets.service.js';
import { expectWhole, type Ledger, newLedger, seedCallers, startCallers } from '../../testing/callers.js';
import { describeClickHouse, startOwnClickHouse } from '../../testing/own.clickhouse.js';
import { type ServerProcess, startServer } from '../../testing/server.process.js';
import { createTestDatabase } from '../../testing/test.app.js';
import { until } from '../../testing/until.js';
import { clickHouseAddress, ClickHouseClient } from './clickhouse.client.js';

const portalSecret = 'a secret of the tests that is long enough';
const secrets = new SecretsService({ current: portalSecret, previous: null });
const concurrentCallers = 32;

/** `npm run test:clickhouse` sets the long form and the file of the report. */
const { CLICKHOUSE_FORM, CLICKHOUSE_REPORT } = process.env;
const isLong = CLICKHOUSE_FORM === 'long';
const [kills, stops] = isLong ? [20, 5] : [2, 1];

describeClickHouse('each stored call is in ClickHouse exactly once', () => {
  jest.setTimeout(isLong ? 1_500_000 : 120_000);
  const cleanUps: (() => Promise<unknown>)[] = [];
  const report: Record<string, number>[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  afterAll(async () => {
    if (CLICKHOUSE_REPORT) await appendFile(CLICKHOUSE_REPORT, `${JSON.stringify({ killed: report })}\n`);
  });

  test(`after kill -9 of the portal that ships ${kills} times and of ClickHouse ${stops} times under load, and a restart of both portals one after the other`, async () => {
    const own = await startOwnClickHouse();
    cleanUps.push(() => own.remove());
    const client = new ClickHouseClient(clickHouseAddress(own.url));
    const { address, drop } = await createTestDatabase();
    cleanUps.push(drop);
    const db = new pg.Client(address);
    db.on('error', () => undefined);
    await db.connect();
    cleanUps.push(() => db.end());

    const start = async (): Promise<ServerProcess> => {
      const server = await startServer(address, { PORTAL_SECRET: portalSecret, CLICKHOUSE_URL: own.url });
      cleanUps.push(async () => server.isRunning() && server.end('SIGKILL'));
      return server;
    };
    const portals = [await start(), await start()];
    const keys = await seedCallers(db, secrets);
    const ledger = newLedger();
    let turn = 0;
    const callers = startCallers(concurrentCallers, () => portals[turn++ % 2]?.url as string, keys, ledger);
    cleanUps.push(() => callers.stop());

    const shipped = async (): Promise<number> => {
      const { rows } = await db.query('select coalesce(sum(seq), 0)::int as rows from usage_shipped');
      return rows[0].rows;
    };
    const shippedMore = async () => {
      const before = await shipped();
      await until('more rows are shipped', async () => (await shipped()) > before, 60_000);
    };
    const isInserting = async () => ((await db.query('select from usage_shipment')).rowCount ?? 0) > 0;
    /** The place of the portal that ships: the other one doesn't know how far it is. */
    const placeOfShipper = () =>
      until(
        'one portal ships',
        async () => {
          const texts = await Promise.all(
            portals.map(({ url }) =>
              fetch(`${url}/metrics`).then(
                (answer) => answer.text(),
                () => '',
              ),
            ),
          );
          const place = texts.findIndex((text) => /^usage_shipping_lag_rows \d/m.test(text));
          return place === -1 ? null : { place };
        },
        60_000,
      );
    const note = (round: Record<string, number>) => {
      report.push(round);
      if (isLong) process.stdout.write(`${JSON.stringify(round)}\n`);
    };
    let uncertain = 0;

    for (let round = 1; round <= kills; round++) {
      await shippedMore();
      const { place } = await placeOfShipper();
      const victim = portals[place] as ServerProcess;
      // Every second kill comes in the middle of an insert, whose outcome the next instance must find out.
      if (round % 2 === 0) await until('an insert is under way', isInserting);
      expect((await victim.end('SIGKILL')).signal).toBe('SIGKILL');
      if (await isInserting()) uncertain++;
      portals[place] = await start();
      note({ kill: round, answered: ledger.answered.size, shipped: await shipped() });
    }
    for (let round = 1; round <= stops; round++) {
      await shippedMore();
      if (round % 2 === 0) await until('an insert is under way', isInserting);
      const before = ledger.answered.size;
      await own.stop('SIGKILL');
      await until('calls are answered without ClickHouse', () => ledger.answered.size > before + 200, 30_000);
      await own.startAgain();
      note({ stop: round, answered: ledger.answered.size, shipped: await shipped() });
    }
    await shippedMore();
    for (const place of [0, 1]) {
      const restarted = portals[place] as ServerProcess;
      portals[place] = await start();
      expect(await restarted.end('SIGTERM')).toEqual({ code: 0, signal: null });
      await shippedMore();
    }
    await callers.stop();
    const stored = await expectWhole(db, ledger);
    await until('every row is shipped', async () => (await shipped()) === stored, 60_000);
    await expectSame(client, db, ledger);
    note({ stored, uncertain });
  });
});

/** Checks that ClickHouse has each stored row once, and nothing else. */
async function expectSame(client: ClickHouseClient, db: pg.Client, ledger: Ledger): Promise<void> {
  const options = { timeoutMs: 30_000 };
  const { rows } = await db.query(
    `select user_id::text as owner, seq::int, api_key_id::text as key, origin, status_code as status,
       (extract(epoch from timestamp) * 1000)::float8 as ts
     from api_usage order by owner, seq`,
  );
  const found = await client.rows<[string, number, string, string, number, number]>(
    'select toString(owner) as o, seq, toString(key), origin, status, ts from calls order by o, seq',
    options,
  );
  expect(found.length).toBe(rows.length);
  expect(found).toEqual(
    rows.map(({ owner, seq, key, origin, status, ts }) => [owner, seq, key, origin, status, ts]),
  );
  const origins = new Set(found.map(([, , , origin]) => origin));
  expect([...ledger.answered].filter((origin) => !origins.has(origin))).toEqual([]);
}
