import pg from 'pg';
import type { DatabaseAddress } from '../database/embedded.postgres.js';

const monthsAhead = 3;
const monthsBack = 1;

/**
 * Makes the monthly partitions of `api_usage` that are not there yet: this month, three ahead, and the one before,
 * for clocks that differ. A partition is made apart and attached, because `PARTITION OF` waits behind every open
 * read while all inserts wait behind it. Call under `withStartLock`. `now` in ms since the epoch.
 */
export async function ensureUsagePartitions(address: DatabaseAddress, now = Date.now()): Promise<void> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'api_usage'::regclass`,
    );
    const existing = new Set(rows.map((row) => row.name));
    for (let offset = -monthsBack; offset <= monthsAhead; offset++) {
      const month = monthOf(now, offset);
      if (!existing.has(month.name)) await attach(client, month);
    }
  } finally {
    await client.end();
  }
}

interface Month {
  name: string;
  from: string;
  to: string;
}

function monthOf(now: number, offset: number): Month {
  const date = new Date(now);
  const start = (months: number) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)).toISOString();
  const from = start(offset);
  return { name: `api_usage_${from.slice(0, 7).replace('-', '_')}`, from, to: start(offset + 1) };
}

const attempts = 20;

async function attach(client: pg.Client, { name, from, to }: Month): Promise<void> {
  const table = pg.escapeIdentifier(name);
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin');
      await client.query("set local lock_timeout = '500ms'");
      await client.query(`create table if not exists ${table} (like api_usage including defaults)`);
      await client.query(
        `alter table api_usage attach partition ${table} for values from ('${from}') to ('${to}')`,
      );
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const isLocked = (error as { code?: string }).code === '55P03';
      if (!isLocked || attempt === attempts) throw error;
    }
  }
}
