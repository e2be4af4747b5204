import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { AbstractLogger, DataSource } from 'typeorm';
import { parseEnvironment } from '../config/environment.js';
import { dataSourceOptions } from '../database/database.options.js';
import { newId } from '../database/new.id.js';
import { createTestDatabase } from '../testing/test.app.js';
import type { ClickHouseClient } from './clickhouse/clickhouse.client.js';
import { ClickHouseHistory } from './clickhouse/clickhouse.history.js';
import { NewestCallsRepository } from './clickhouse/newest.calls.repository.js';
import { PostgresHistoryRepository } from './postgres.history.repository.js';
import type { UsageHistory } from './usage.history.port.js';

const hour = 3_600_000;
const owner = newId();
const now = Date.now();
/** Texts that a caller chooses, and that would end a literal if they were not quoted. */
const hostile = "' or 1 = 1 -- \\";
const everyFilter: UsageFilters = {
  keyId: newId(),
  projectId: hostile,
  endpoint: hostile,
  method: 'GET',
  status: 'errors',
  errorCode: 'request.invalid',
  origin: hostile,
  from: new Date(now - 80 * hour).toISOString(),
  to: new Date(now).toISOString(),
};

class Statements extends AbstractLogger {
  readonly all: { text: string; values: unknown[] }[] = [];
  override logQuery(text: string, values: unknown[] = []): void {
    this.all.push({ text, values });
  }
  protected writeLog(): void {}
}

// A portal whose database is divided by owner asks one part of it, and nobody sees another owner's calls.
describe('every query of calls', () => {
  const statements = new Statements();
  const clickHouseQueries: string[] = [];
  let dataSource: DataSource;
  let drop: () => Promise<void>;
  let histories: Record<'PostgreSQL' | 'ClickHouse', UsageHistory>;

  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    const options = dataSourceOptions(database.address, parseEnvironment({ NODE_ENV: 'test' }));
    dataSource = new DataSource({ ...options, logging: ['query'], logger: statements });
    await dataSource.initialize();
    await dataSource.query('insert into usage_shipped (user_id, seq, pruned) values ($1, 50, 10)', [owner]);
    await dataSource.query('insert into usage_shipped_hours (hour, build) values ($1, 2), ($2, 1)', [
      Math.floor(now / hour) - 5,
      Math.floor(now / hour) - 20,
    ]);
    const client: Pick<ClickHouseClient, 'rows'> = {
      rows: (sql) => {
        clickHouseQueries.push(sql);
        // A place, for questions that read rows in two steps.
        if (sql.startsWith('select seq, ts') && !sql.includes('path'))
          return Promise.resolve([[1, now, owner]] as never);
        return Promise.resolve((sql.startsWith('select count()') ? [[1, 1, 1]] : []) as never);
      },
    };
    const postgres = new PostgresHistoryRepository(dataSource);
    histories = {
      PostgreSQL: postgres,
      ClickHouse: new ClickHouseHistory(
        client as ClickHouseClient,
        postgres,
        new NewestCallsRepository(dataSource),
      ),
    };
  });
  afterAll(async () => {
    await dataSource.destroy();
    await drop();
  });
  beforeEach(() => {
    statements.all.length = 0;
    clickHouseQueries.length = 0;
  });

  const askAll = async (history: UsageHistory) => {
    for (const filters of [{}, everyFilter]) {
      for (const hours of [3, 80]) {
        const shown = { from: now - hours * hour, to: now };
        const keyIds = filters === everyFilter ? [everyFilter.keyId as string] : null;
        await history.figures({ userId: owner, filters, keyIds, shown, range: shown });
      }
      await history.page(owner, { ...filters, limit: 10 });
      await history.page(owner, { ...filters, limit: 10, after: 5 });
      await history.page(owner, { ...filters, limit: 10, before: 40 });
      await history.seqRange(owner, filters, 60);
      await history.rowsIn(owner, filters, { first: 1, last: 60 }, 10);
    }
    await history.hasCallsOf(owner, newId());
  };
  const namesOwner = ({ text, values }: { text: string; values: unknown[] }) =>
    [...text.matchAll(/user_id = \$(\d+)/g)].some(([, place]) => values[Number(place) - 1] === owner);

  test.each(['PostgreSQL', 'ClickHouse'] as const)(
    'names its owner in PostgreSQL, for a history in %s',
    async (name) => {
      await askAll(histories[name]);
      // All owners share the kinds of calls.
      const ofCalls = statements.all.filter(({ text }) =>
        /\b(api_usage|usage_(?!shipped_hours|kinds$)\w+)\b/.test(text),
      );
      expect(ofCalls.length).toBeGreaterThan(5);
      expect(ofCalls.filter((statement) => !namesOwner(statement))).toEqual([]);
    },
  );

  test('names its owner in ClickHouse, and quotes every text of a filter', async () => {
    await askAll(histories.ClickHouse);
    expect(clickHouseQueries.length).toBeGreaterThan(20);
    for (const table of ['calls', 'hours', 'hour_origins']) {
      expect(clickHouseQueries.some((sql) => sql.includes(`from ${table} `))).toBe(true);
    }
    // What is left without literals can't have come from a caller.
    const bare = clickHouseQueries.map((sql) =>
      sql.replaceAll(`toUUID('${owner}')`, 'OWNER').replace(/'(?:[^'\\]|\\.)*'/g, "''"),
    );
    for (const sql of bare) {
      const tables = sql.match(/from (?:calls|hours|hour_origins)\s/g) ?? [];
      const named = sql.match(/from (?:calls|hours|hour_origins)\s+where owner = OWNER and /g) ?? [];
      expect([sql, named.length]).toEqual([sql, tables.length]);
      expect(sql).not.toMatch(/1 = 1|--|\\/);
    }
  });
});
