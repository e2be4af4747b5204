import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createApp } from '../app.factory.js';
import { parseEnvironment } from '../config/environment.js';
import { User } from '../auth/user.entity.js';
import { startRelay } from '../testing/database.relay.js';
import type { LogFields } from '../http/portal.logger.js';
import { seedKey } from '../testing/seed.key.js';
import { createTestDatabase, startTestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { dataSourceOptions } from './database.options.js';
import { migrate, withStartLock } from './migrate.js';

const variables = { NODE_ENV: 'test', LOG_LEVEL: 'error', PORTAL_SECRET: 'm'.repeat(32) };

/** A migration of the next version: it needs every table of the hot path for itself. */
class NextVersion1999999999999 implements MigrationInterface {
  name = 'NextVersion1999999999999';
  up = (runner: QueryRunner): Promise<void> =>
    runner.query('alter table api_keys add column next text; alter table usage_heads add column next text');
  down = async (): Promise<void> => undefined;
}

describe('starting on a database', () => {
  let logged: string[];
  let runs: Set<unknown>;
  beforeEach(() => {
    logged = [];
    runs = new Set();
    for (const level of ['log', 'warn'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((line: LogFields | string) => {
        logged.push(typeof line === 'string' ? line : line.message);
        if (typeof line !== 'string' && line['job'] === 'migration') runs.add(line['jobId']);
      });
    }
  });
  afterEach(() => void jest.restoreAllMocks());

  test('a migration that waits for a long transaction makes no call fail, says what it waits for, and goes on afterwards', async () => {
    const portal = await startTestApp();
    const { key } = await seedKey(portal);
    const migrations = [
      ...(dataSourceOptions(portal.address, portal.environment)
        .migrations as (new () => MigrationInterface)[]),
      NextVersion1999999999999,
    ];
    const dump = new pg.Client({ ...portal.address, application_name: 'dump' });
    await dump.connect();
    await dump.query('begin; select from usage_heads');
    let hasEnded = false;
    const migrating = migrate(portal.address, portal.environment, migrations).finally(
      () => (hasEnded = true),
    );
    const statuses: number[] = [];
    const attempts = async () => {
      // Within its own transaction the dump would see the sessions of its first look only.
      const rows = await portal.db.query<object[]>(
        "select 1 from pg_stat_activity where application_name = 'orange-portal migrations' and wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    };
    const calls = (async () => {
      while (!hasEnded) {
        const headers = { 'x-api-key': key };
        statuses.push((await portal.call('GET', '/api/v1/key', { headers })).status);
      }
    })();
    await until('it waits for the dump', attempts);
    await until('it has given up once', async () => !(await attempts()));
    await until('it waits again', attempts);
    await dump.query('commit');
    await dump.end();
    await migrating;
    await calls;
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(statuses.length).toBeGreaterThan(10);
    expect(logged.filter((line) => line.includes('NextVersion'))).toEqual([
      'Migrating: NextVersion1999999999999 …',
      expect.stringMatching(
        /^NextVersion1999999999999 has waited \d+ s for a table that another transaction uses, trying again; the oldest is open for \d+ s, of the server process \d+ \(dump\)$/,
      ),
    ]);
    expect(runs.size).toBe(1);
    await portal.close();
  }, 30_000);

  test('a role that may not look into the transaction that it waits for names its process', async () => {
    const { address, drop } = await createTestDatabase({ empty: true });
    const role = `plain_${randomBytes(6).toString('hex')}`;
    const dump = new pg.Client({ ...address, application_name: 'dump' });
    await dump.connect();
    await dump.query(`create role ${role} login; alter database ${address.database} owner to ${role}`);
    const environment = parseEnvironment(variables);
    const plain = { ...address, user: role };
    await migrate(plain, environment);

    await dump.query('begin; select from usage_heads');
    const migrations = dataSourceOptions(plain, environment).migrations as (new () => MigrationInterface)[];
    const migrating = migrate(plain, environment, [...migrations, NextVersion1999999999999]);
    await until('it says what it waits for', () => logged.some((line) => line.includes('trying again')));
    await dump.query('commit');
    await migrating;
    expect(logged.at(-1)).toMatch(
      /^NextVersion1999999999999 has waited 1 s for a table that another transaction uses, trying again; the server process \d+ \(dump\) of another role has locks$/,
    );
    await dump.query(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`);
    await dump.end();
    await drop();
  }, 30_000);

  test('an instance that waits for another one to start says so, and then starts', async () => {
    const { address, drop } = await createTestDatabase();
    let leave: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (leave = resolve));
    let isHeld = false;
    const first = withStartLock(address, () => ((isHeld = true), held));
    await until('the first holds the lock', () => isHeld);
    const second = withStartLock(address, async () => 'started');
    await until('the second says that it waits', () => logged.length > 0);
    expect(logged).toEqual([
      'Waiting for the start lock: another portal is starting or migrating this database',
    ]);
    leave();
    await first;
    expect(await second).toBe('started');
    await drop();
  });

  test('with MIGRATE=off the portal applies no migration, and refuses a database that lacks some', async () => {
    const { address, drop } = await createTestDatabase({ empty: true });
    const environment = parseEnvironment({ ...variables, MIGRATE: 'off' });
    const start = () => createApp({ environment, address, webRoot: '/nonexistent' });
    await expect(start()).rejects.toThrow(
      /^MIGRATE is off and the database lacks Init1763683200000, .*; run the command migrate first, for example: node /,
    );
    await migrate(address, environment);
    await (await start()).close();
    await drop();
  });

  test('a database that a newer version migrated is served, with a warning that names its migrations', async () => {
    const { address, drop } = await createTestDatabase();
    const environment = parseEnvironment(variables);
    const { migrations } = dataSourceOptions(address, environment);
    await migrate(address, environment, [
      ...(migrations as (new () => MigrationInterface)[]),
      NextVersion1999999999999,
    ]);
    logged = [];
    await migrate(address, environment);
    expect(logged).toEqual([
      'The database was migrated by a newer version (NextVersion1999999999999); serving it',
    ]);
    await drop();
  });

  test('two instances that start at once on an empty one migrate it once', async () => {
    const { address, drop } = await createTestDatabase({ empty: true });
    const start = () =>
      createApp({ environment: parseEnvironment(variables), address, webRoot: '/nonexistent' });
    const apps = await Promise.all([start(), start()]);
    const client = new pg.Client(address);
    await client.connect();
    const { rows } = await client.query('select name, count(*)::int as times from migrations group by name');
    await client.end();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row.times === 1)).toBe(true);
    await Promise.all(apps.map((app) => app.close()));
    await drop();
  });

  test('the portal starts even if the first connection of its pool breaks', async () => {
    const { address, drop } = await createTestDatabase();
    let isCut = false;
    const relay = await startRelay(address, (client, upstream) => {
      client.once('data', (start) => {
        const isOfPool = start.includes('application_name\0orange-portal\0');
        if (isOfPool && !isCut) {
          isCut = true;
          client.destroy();
          return;
        }
        upstream.write(start);
        client.pipe(upstream);
        upstream.pipe(client);
      });
    });
    const app = await createApp({
      environment: parseEnvironment(variables),
      address: relay.address,
      webRoot: '/nonexistent',
    });
    expect(isCut).toBe(true);
    expect(await app.get(DataSource).query('select 1 as one')).toEqual([{ one: 1 }]);
    await app.close();
    relay.close();
    await drop();
  });

  test('a secret other than the one that encrypted the database is refused with an error that names the variable', async () => {
    const { address, drop } = await createTestDatabase();
    const start = (secret: string, previous = '') =>
      createApp({
        environment: parseEnvironment({
          ...variables,
          PORTAL_SECRET: secret,
          PORTAL_SECRET_PREVIOUS: previous,
        }),
        address,
        webRoot: '/nonexistent',
      });
    await (await start('a'.repeat(32))).close();
    await expect(start('b'.repeat(32))).rejects.toThrow(
      "PORTAL_SECRET isn't the secret that encrypted this database",
    );
    await (await start('b'.repeat(32), 'a'.repeat(32))).close();
    await (await start('b'.repeat(32))).close();
    await drop();
  });

  test('a query with an undefined or null condition throws instead of dropping the filter', async () => {
    const { address, drop } = await createTestDatabase();
    const app = await createApp({
      environment: parseEnvironment(variables),
      address,
      webRoot: '/nonexistent',
    });
    const users = app.get(DataSource).getRepository(User);
    await expect(users.findOneBy({ id: undefined as unknown as string })).rejects.toThrow();
    await expect(users.findOneBy({ id: null as unknown as string })).rejects.toThrow();
    await app.close();
    await drop();
  });
});
