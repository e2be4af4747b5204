import pg from 'pg';
import { DataSource } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { dataSourceOptions } from './database.options.js';
import type { DatabaseAddress } from '../config/database.address.js';

/** The advisory lock for everything that must run once, however many instances start. */
const startLock = 7_276_001;

/** How long a connection may take at start-up, when no request waits for it. */
const startWaitMs = 10_000;

/**
 * Runs `work` while holding the start-up lock on a separate connection, so that two instances that start at once take
 * turns. With `waitMs` it rejects if the lock was not free within that time; without it, it waits.
 */
export async function withStartLock<T>(
  address: DatabaseAddress,
  work: () => Promise<T>,
  waitMs?: number,
): Promise<T> {
  const timeouts = waitMs === undefined ? {} : { lock_timeout: waitMs, query_timeout: 2 * waitMs };
  const client = new pg.Client({ ...address, connectionTimeoutMillis: waitMs ?? startWaitMs, ...timeouts });
  // The server may end the connection while the work runs on other connections.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [startLock]);
    return await work();
  } finally {
    await client.end();
  }
}

/** Brings the schema up to date. Call under `withStartLock`. */
export async function migrate(address: DatabaseAddress, environment: Environment): Promise<void> {
  const dataSource = new DataSource({
    ...dataSourceOptions(address, environment),
    connectTimeoutMS: startWaitMs,
    extra: {},
    poolSize: 2,
  });
  await dataSource.initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}
