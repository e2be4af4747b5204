import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { DataSource, MigrationExecutor } from 'typeorm';
import type { Migration } from 'typeorm';
import { ConfigurationError } from '../config/environment.js';
import type { Environment } from '../config/environment.js';
import { JobLogger } from '../jobs/job.logger.js';
import { dataSourceOptions } from './database.options.js';
import type { DatabaseAddress } from '../config/database.address.js';

/** The advisory lock for everything that must run once, however many instances start. */
const startLock = 7_276_001;

/** How long a connection may take at start-up, when no request waits for it. */
const startWaitMs = 10_000;

/** How long an instance waits at start for its turn, and for the tables that a migration changes. */
const longestWaitMs = 15 * 60_000;
/** A wait is logged when it begins, and then this often. */
const logEveryMs = 30_000;

/**
 * How long a migration waits for a table that another transaction reads. All later statements on that table wait behind
 * it, so this is half of what a request may wait for a lock. Between two attempts those statements run.
 */
const migrationLockMs = 1_000;
const betweenAttemptsMs = 2_000;

const logger = new JobLogger('Database', 'migration');

/**
 * Runs `work` while holding the start-up lock on a separate connection, so that two instances that start at once take
 * turns. Rejects if the lock was not free within `waitMs`; a wait at start is logged.
 */
export async function withStartLock<T>(
  address: DatabaseAddress,
  work: () => Promise<T>,
  waitMs?: number,
): Promise<T> {
  if (waitMs === undefined) logger.begin();
  const timeouts = {
    connectionTimeoutMillis: waitMs ?? startWaitMs,
    lock_timeout: waitMs ?? logEveryMs,
    query_timeout: 2 * (waitMs ?? logEveryMs),
  };
  const client = new pg.Client({ ...address, ...timeouts, application_name: 'orange-portal start' });
  // The server may end the connection while the work runs on other connections.
  client.on('error', () => undefined);
  await client.connect();
  try {
    if (waitMs !== undefined || !(await tookLock(client))) {
      await lockAtStart(client, waitMs === undefined ? longestWaitMs : 0);
    }
    return await work();
  } finally {
    await client.end();
  }
}

/** Takes the lock if nobody holds it; otherwise logs that it has to wait. */
async function tookLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    startLock,
  ]);
  if (rows[0]?.taken) return true;
  logger.log('Waiting for the start lock: another portal is starting or migrating this database');
  return false;
}

/** Tries again after each `lock_timeout` of the client until `longestMs` are over. */
async function lockAtStart(client: pg.Client, longestMs: number): Promise<void> {
  const since = performance.now();
  for (;;) {
    try {
      await client.query('select pg_advisory_lock($1)', [startLock]);
      return;
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() - since >= longestMs) throw error;
      logger.warn(`Waiting for the start lock for ${secondsSince(since)} s: held by ${await holder(client)}`);
    }
  }
}

async function holder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = $1 and objsubid = 1
       and database = (select oid from pg_database where datname = current_database())`,
    [startLock],
  );
  return rows.length === 0 ? 'nobody by now' : `the server process ${rows.map(({ pid }) => pid).join(', ')}`;
}

/**
 * Brings the schema up to date. Each migration has its own transaction; one that waits too long for a table is tried
 * again, so that the instances that serve meanwhile never wait long. Call under `withStartLock`. Throws
 * `ConfigurationError` if a table stays locked for 15 minutes.
 */
export async function migrate(
  address: DatabaseAddress,
  environment: Environment,
  migrations = dataSourceOptions(address, environment).migrations ?? [],
): Promise<void> {
  await withExecutor(address, environment, migrations, async (executor, dataSource) => {
    const executed = await executor.getExecutedMigrations();
    warnOfUnknown(executed, dataSource);
    for (const migration of await executor.getPendingMigrations()) {
      // A new database has nobody who waits.
      if (executed.length > 0) logger.log(`Migrating: ${migration.name} …`);
      await migrateOnce(dataSource, migration);
    }
  });
}

/** For `MIGRATE=off`. Throws `ConfigurationError` if `migrate` has not run since the last update. */
export async function requireMigrated(address: DatabaseAddress, environment: Environment): Promise<void> {
  const migrations = dataSourceOptions(address, environment).migrations ?? [];
  await withExecutor(address, environment, migrations, async (executor, dataSource) => {
    warnOfUnknown(await executor.getExecutedMigrations(), dataSource);
    const pending = await executor.getPendingMigrations();
    if (pending.length === 0) return;
    throw new ConfigurationError(
      `MIGRATE is off and the database lacks ${pending.map(({ name }) => name).join(', ')}; ` +
        'run the command migrate first, for example: node backend/dist/main.js migrate',
    );
  });
}

async function withExecutor(
  address: DatabaseAddress,
  environment: Environment,
  migrations: NonNullable<ReturnType<typeof dataSourceOptions>['migrations']>,
  work: (executor: MigrationExecutor, dataSource: DataSource) => Promise<void>,
): Promise<void> {
  const dataSource = new DataSource({
    ...dataSourceOptions(address, environment),
    migrations,
    connectTimeoutMS: startWaitMs,
    extra: { lock_timeout: migrationLockMs, application_name: 'orange-portal migrations' },
    poolSize: 2,
  });
  await dataSource.initialize();
  try {
    await work(new MigrationExecutor(dataSource), dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** A release's migrations keep the release before it working, so that the two can serve side by side. */
function warnOfUnknown(executed: Migration[], { migrations }: DataSource): void {
  const names = new Set(migrations.map(({ name }) => name));
  const unknown = executed.filter(({ name }) => !names.has(name));
  if (unknown.length === 0) return;
  logger.warn(
    `The database was migrated by a newer version (${unknown.map(({ name }) => name).join(', ')}); serving it`,
  );
}

async function migrateOnce(dataSource: DataSource, migration: Migration): Promise<void> {
  const since = performance.now();
  let loggedAt = -Infinity;
  for (;;) {
    try {
      await dataSource.transaction(({ queryRunner }) =>
        new MigrationExecutor(dataSource, queryRunner).executeMigration(migration),
      );
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      const waited = `${migration.name} has waited ${secondsSince(since)} s for a table that another transaction uses`;
      const oldest = await oldestTransaction(dataSource);
      if (performance.now() - since > longestWaitMs) {
        throw new ConfigurationError(`${waited}${oldest}; end that transaction and start again`);
      }
      if (performance.now() - loggedAt > logEveryMs) {
        loggedAt = performance.now();
        logger.warn(`${waited}, trying again${oldest}`);
      }
      await delay(betweenAttemptsMs);
    }
  }
}

/** The transaction that most likely blocks a migration. */
async function oldestTransaction(dataSource: DataSource): Promise<string> {
  // Of another role's sessions, a role that is no superuser sees the locks, but not since when.
  const rows: { pid: number; name: string | null; seconds: number | null }[] = await dataSource.query(
    `select pid, application_name as name, extract(epoch from now() - xact_start)::int as seconds
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and (
       xact_start < now() - make_interval(secs => $1) or xact_start is null and pid in (
         select pid from pg_locks where locktype = 'relation' and granted and database = (
           select oid from pg_database where datname = current_database())))
     order by xact_start limit 1`,
    [migrationLockMs / 1000],
  );
  const [found] = rows;
  if (found === undefined) return '';
  const { pid, seconds } = found;
  const process = `the server process ${pid} (${found.name || 'without a name'})`;
  if (seconds !== null) return `; the oldest is open for ${seconds} s, of ${process}`;
  return `; ${process} of another role has locks`;
}

const secondsSince = (start: number): number => Math.round((performance.now() - start) / 1000);

/** Whether a statement or a transaction gave up waiting for a lock. */
const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03';
