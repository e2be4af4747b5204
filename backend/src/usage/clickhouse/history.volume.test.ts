import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { appendFile } from 'node:fs/promises';
import { DataSource } from 'typeorm';
import { parseEnvironment } from '../../config/environment.js';
import { dataSourceOptions } from '../../database/database.options.js';
import { newId } from '../../database/new.id.js';
import { MetricsRegistry } from '../../health/metrics.registry.js';
import { describeClickHouse, type OwnClickHouse, startOwnClickHouse } from '../../testing/own.clickhouse.js';
import { createTestDatabase } from '../../testing/test.app.js';
import { PostgresHistoryRepository } from '../postgres.history.repository.js';
import { ensureUsagePartitions } from '../usage.partitions.js';
import { clickHouseAddress, ClickHouseClient } from './clickhouse.client.js';
import { ClickHouseHistory } from './clickhouse.history.js';
import { buildStatements, hourOf, sumTables } from './clickhouse.schema.js';
import { NewestCallsRepository } from './newest.calls.repository.js';
import { UsageShipper } from './usage.shipper.js';

const day = 24 * 3_600_000;

/** `npm run test:clickhouse` sets the long form, whose report has the times. */
const { CLICKHOUSE_FORM, CLICKHOUSE_REPORT } = process.env;
const isLong = CLICKHOUSE_FORM === 'long';
const [shippedRows, rawRows, summedRows] = isLong
  ? [1_000_000, 10_000_000, 100_000_000]
  : [2_000, 20_000, 200_000];
const runs = isLong ? 5 : 1;

describeClickHouse('a large history', () => {
  jest.setTimeout(isLong ? 1_500_000 : 60_000);
  let own: OwnClickHouse;
  let client: ClickHouseClient;
  let dataSource: DataSource;
  let shipper: UsageShipper;
  let history: ClickHouseHistory;
  let drop: () => Promise<void>;
  const figures: Record<string, number | string> = {};
  const now = Date.now();
  const startOfToday = Math.floor(now / day) * day;

  beforeAll(async () => {
    own = await startOwnClickHouse();
    client = new ClickHouseClient(clickHouseAddress(own.url));
    const database = await createTestDatabase();
    ({ drop } = database);
    await ensureUsagePartitions(database.address);
    dataSource = new DataSource(dataSourceOptions(database.address, parseEnvironment({ NODE_ENV: 'test' })));
    await dataSource.initialize();
    const settings = { USAGE_RETENTION_MONTHS: 0, USAGE_POSTGRES_DAYS: 0 };
    shipper = new UsageShipper(database.address, client, settings, new MetricsRegistry());
    await shipper['connection'].start();
    await shipper.ship();
    const postgres = new PostgresHistoryRepository(dataSource);
    history = new ClickHouseHistory(client, postgres, new NewestCallsRepository(dataSource));
  }, 60_000);
  afterAll(async () => {
    await shipper.stop();
    await dataSource.destroy();
    await drop();
    await own.remove();
    if (CLICKHOUSE_REPORT) await appendFile(CLICKHOUSE_REPORT, `${JSON.stringify({ figures })}\n`);
    if (isLong) process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  });

  const newOwner = async (): Promise<string> => {
    const id = newId();
    await dataSource.query(
      `insert into users (id, issuer, subject, provider) values ($1::uuid, 'test', $1::uuid::text, 'email')`,
      [id],
    );
    return id;
  };
  const noteTime = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const times: number[] = [];
    let answer: T | undefined;
    for (let run = 0; run < runs; run++) {
      const startedAt = performance.now();
      answer = await work();
      times.push(Math.round(performance.now() - startedAt));
    }
    times.sort((a, b) => a - b);
    figures[`${name}, ms (median; all)`] = `${times[Math.floor(runs / 2)]}; ${times.join(', ')}`;
    return answer as T;
  };

  test('is shipped in blocks', async () => {
    const owner = await newOwner();
    for (let at = 0; at < shippedRows; at += 100_000) {
      await dataSource.query("set statement_timeout = '60s'");
      await dataSource.query(
        `insert into api_usage (seq, user_id, api_key_id, project_id, endpoint, method, status_code, response_time,
           timestamp, origin, outcome, calls)
         select $2 + n, $1, $1, null, '/api/v1/wallet/' || n % 7, 'GET', 200, n % 900 / 7.0,
           to_timestamp(($4::float8 - $5 + $2 + n) / 1000), 'https://' || n % 50 || '.example.com', 'ok', 1
         from generate_series(1, $3::int) as n`,
        [owner, at, Math.min(100_000, shippedRows - at), now, shippedRows],
      );
    }
    await dataSource.query('insert into usage_heads (user_id, seq) values ($1, $2)', [owner, shippedRows]);
    const startedAt = performance.now();
    expect(await shipper.ship()).toBe(true);
    const seconds = (performance.now() - startedAt) / 1000;
    figures['shipped, rows/s'] = Math.round(shippedRows / seconds);
    expect(
      await client.rows(`select count(), uniqExact(seq) from calls where owner = toUUID('${owner}')`, {
        timeoutMs: 30_000,
      }),
    ).toEqual([[shippedRows, shippedRows]]);
  });

  /** Makes rows inside ClickHouse, spread evenly over 30 days up to today. */
  const generate = async (owner: string, count: number) => {
    const stepMs = (30 * day) / count;
    const block = 5_000_000;
    for (let at = 0; at < count; at += block) {
      await client.run(
        `insert into calls (owner, key, ts, seq, endpoint, method, status, outcome, origin, duration, calls)
         select toUUID('${owner}'), toUUID('${owner}'), toInt64(${startOfToday - 30 * day} + number * ${stepMs}),
           toUInt64(number + 1), concat('/api/v1/wallet/', toString(number % 7)), if(number % 11 = 0, 'POST', 'GET'),
           toUInt16(if(number % 13 = 0, 400, 200)), toUInt8(if(number % 13 = 0, 2, 1)),
           -- A few origins and durations are frequent.
           concat('https://', toString(toUInt8(50 * pow(intHash32(number) % 1000 / 1000, 4))), '.example.com'),
           toFloat32(exp(5 * pow(intHash32(number + 7) % 1000 / 1000, 3))), 1
         from (select number from system.numbers limit ${at}, ${Math.min(block, count - at)})`,
        { timeoutMs: 300_000 },
      );
    }
    await dataSource.query('insert into usage_heads (user_id, seq) values ($1, $2)', [owner, count]);
    await dataSource.query('insert into usage_shipped (user_id, seq) values ($1, $2)', [owner, count]);
  };
  const thirtyDays = { from: startOfToday - 30 * day, to: startOfToday };
  const ask = (userId: string, filters = {}, shown = thirtyDays) =>
    history.figures({ userId, filters, keyIds: null, shown, range: shown });

  test('is counted from its rows', async () => {
    const owner = await newOwner();
    await generate(owner, rawRows);
    // As many exceptions as make it read rows: nothing is summed.
    const hours = Array.from({ length: 720 }, (_, hour) => hourOf(thirtyDays.from) + hour);
    await dataSource.query(
      'insert into usage_shipped_hours (hour) select unnest($1::int[]) on conflict (hour) do update set is_built = false',
      [hours],
    );
    const { totals } = await noteTime(`${rawRows} rows, 30 days`, () => ask(owner));
    expect(totals.calls).toBe(rawRows);
    const kind = { endpoint: '/api/v1/wallet/3' };
    const some = await noteTime(`${rawRows} rows, 30 days, one endpoint`, () => ask(owner, kind));
    expect(Math.abs(some.totals.calls - rawRows / 7)).toBeLessThan(1);
    const newest = await noteTime(`${rawRows} rows, newest page`, () => history.page(owner, { limit: 50 }));
    expect(newest[0]?.seq).toBe(rawRows);
    await client.run(
      `alter table calls drop partition ${new Date(now).toISOString().slice(0, 7).replace('-', '')}`,
      {
        timeoutMs: 60_000,
      },
    );
  });

  test('is counted from its sums per hour', async () => {
    const owner = await newOwner();
    await generate(owner, summedRows);
    const startedAt = performance.now();
    for (let hour = hourOf(thirtyDays.from); hour < hourOf(thirtyDays.to); hour += 24) {
      for (const statement of buildStatements(hour, hour + 24, 1))
        await client.run(statement, { timeoutMs: 300_000 });
    }
    figures['sums of 30 days built, s'] = Math.round((performance.now() - startedAt) / 1000);
    await dataSource.query('update usage_shipped_hours set is_built = true, build = 1');
    const { totals } = await noteTime(`${summedRows} rows, 30 days from the sums`, () => ask(owner));
    expect(totals.calls).toBe(summedRows);
    const kind = { endpoint: '/api/v1/wallet/3', origin: 'https://7.example.com' };
    const some = await noteTime(`${summedRows} rows, 30 days from the sums, one endpoint and origin`, () =>
      ask(owner, kind),
    );
    expect(some.totals.calls).toBeGreaterThan(0);
    for (const table of sumTables) {
      const [[lines]] = (await client.rows(`select count() from ${table} where owner = toUUID('${owner}')`, {
        timeoutMs: 30_000,
      })) as [[number]];
      figures[`lines of ${table}`] = lines;
    }
    const [[rowBytes, sumBytes]] = (await client.rows(
      `select sumIf(bytes_on_disk, table = 'calls'), sumIf(bytes_on_disk, table != 'calls') from system.parts
       where database = currentDatabase() and active`,
      { timeoutMs: 30_000 },
    )) as [[number, number]];
    figures['bytes on disk, rows and sums'] = `${rowBytes}, ${sumBytes}`;
  });
});
