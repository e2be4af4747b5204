import pg from 'pg';
import type { DatabaseAddress } from '../config/database.address.js';

const monthsAhead = 3;
const monthsBack = 1;
/** Timeout of one statement, in ms: well above what any of them needs. */
const timeoutMs = 10_000;

/**
 * Creates the missing monthly partitions of `api_usage`: this month, three ahead, and the previous one, because clocks
 * differ. Each is created as a separate table and then attached, because `PARTITION OF` waits behind every open read
 * while all inserts wait behind it. Rejects if a statement takes longer than `waitMs`. Call under `withStartLock`.
 * `now` in ms since the epoch.
 */
export function ensureUsagePartitions(
  address: DatabaseAddress,
  now = Date.now(),
  waitMs = timeoutMs,
): Promise<void> {
  return connected(address, waitMs, async (client) => {
    const attached = (await partitions(client)).filter(({ state }) => state === 'attached');
    const existing = new Set(attached.map(({ name }) => name));
    for (let offset = -monthsBack; offset <= monthsAhead; offset++) {
      const month = monthOf(now, offset);
      if (!existing.has(month.name)) await attach(client, month);
    }
  });
}

/** Whether `ensureUsagePartitions` creates the partition for a call at this time. Both in ms since the epoch. */
export const isCovered = (at: number, now: number): boolean =>
  at >= Date.parse(monthOf(now, -monthsBack).from) && at < Date.parse(monthOf(now, monthsAhead).to);

/**
 * Drops the partitions of months that lie more than `months` before this one; returns their names. The roll-ups keep
 * their figures, so a partition with rows that are not folded yet stays for now. Nothing blocks: a partition is
 * detached concurrently, and if an open read delays that for `waitMs`, this call rejects and the next call continues.
 * Call under `withStartLock`.
 */
export function dropOldUsage(
  address: DatabaseAddress,
  months: number,
  now = Date.now(),
  waitMs = timeoutMs,
): Promise<string[]> {
  return connected(address, waitMs, async (client) => {
    const { name: oldestKept } = monthOf(now, -months);
    const dropped: string[] = [];
    for (const { name, state } of await partitions(client)) {
      if (name >= oldestKept) break;
      const table = pg.escapeIdentifier(name);
      if (state === 'attached') {
        if (await hasUnfolded(client, table)) continue;
        await client.query(`alter table api_usage detach partition ${table} concurrently`);
      } else if (state === 'leaving') {
        await client.query(`alter table api_usage detach partition ${table} finalize`);
      }
      await client.query(`drop table ${table}`);
      dropped.push(name);
    }
    return dropped;
  });
}

async function connected<T>(
  address: DatabaseAddress,
  waitMs: number,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...address,
    application_name: 'orange-portal partitions',
    connectionTimeoutMillis: waitMs,
    statement_timeout: waitMs,
    query_timeout: waitMs + 2_000,
  });
  // A connection that breaks between two statements makes the next one fail.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

interface Partition {
  name: string;
  /** `leaving`: detaching was interrupted; `apart`: detached but not dropped yet. */
  state: 'attached' | 'leaving' | 'apart';
}

/** The tables of all months, oldest first. */
async function partitions(client: pg.Client): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select c.relname as name,
       case when i.inhdetachpending then 'leaving' when i.inhrelid is not null then 'attached' else 'apart' end as state
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid and i.inhparent = 'api_usage'::regclass
     where c.relkind = 'r' and c.relname ~ '^api_usage_\\d{4}_\\d\\d$'
       and c.relnamespace = (select relnamespace from pg_class where oid = 'api_usage'::regclass)
     order by 1`,
  );
  return rows;
}

async function hasUnfolded(client: pg.Client, table: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from usage_heads h left join usage_watermarks w using (user_id)
     where h.seq > coalesce(w.owner_cells_seq, 0)
       and exists (select from ${table} r where r.user_id = h.user_id and r.seq > coalesce(w.owner_cells_seq, 0))
     limit 1`,
  );
  return rowCount !== 0;
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
