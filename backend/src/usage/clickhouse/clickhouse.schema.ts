import type { Outcome } from '@orange-id/contract/usage.schema';
import type { ClickHouseClient } from './clickhouse.client.js';

/** The stored number of each outcome; a number is never given to another outcome. */
export const outcomeIds: Record<Outcome, number> = {
  ok: 1,
  error: 2,
  blocked: 3,
  limited: 4,
  overQuota: 5,
  revoked: 6,
};

/** The columns that a row and a line of the roll-up share, besides the owner and the key. */
const kindColumns = ['project', 'endpoint', 'method', 'status', 'outcome', 'error_code'];

/** In the order in which the shipper writes them. Missing texts are empty. */
export const callColumns = [
  'owner',
  'key',
  'ts',
  'seq',
  ...kindColumns,
  'origin',
  'path',
  'duration',
  'calls',
];

/** The sums of hours. */
export const sumTables = ['hours', 'hour_origins'] as const;

const statementMs = 30_000;

/** What the server can do beyond version 18.16, the oldest supported one. */
export interface ServerFeatures {
  /** Compression per column, and dictionaries of texts. */
  hasCodecs: boolean;
  /** An insert that is repeated with the same token is stored once. */
  hasTokens: boolean;
}

export function featuresOf(version: string): ServerFeatures {
  const [year = 0, month = 0] = version.split('.').map(Number);
  const since = (y: number, m: number) => year > y || (year === y && month >= m);
  return { hasCodecs: since(21, 3), hasTokens: since(22, 8) };
}

/**
 * The statements that create the tables. `calls` has the rows; `hours` and `hour_origins` are their sums per closed
 * hour. There can be many times more lines with the origin than without. Lines of an hour that was summed again have a
 * higher `build`; PostgreSQL knows the valid one.
 */
export function schemaStatements({ hasCodecs, hasTokens }: ServerFeatures): string[] {
  const text = hasCodecs ? 'LowCardinality(String)' : 'String';
  const codec = (name: string) => (hasCodecs ? ` CODEC(${name})` : '');
  const kind = `project ${text}, endpoint ${text}, method ${text}, status UInt16, outcome UInt8, error_code ${text}`;
  // Some versions count the window of recent tokens per table, and only if the table asks for it.
  const settings = hasTokens ? ' SETTINGS non_replicated_deduplication_window = 1000' : '';
  const sums = (name: string, origin: string, order: string) =>
    `create table if not exists ${name} (
      owner UUID, key UUID, hour UInt32${codec('DoubleDelta, ZSTD')}, build UInt32${codec('ZSTD')}, ${kind},
      ${origin}bucket UInt8, rows UInt32${codec('T64, ZSTD')}, calls UInt64${codec('T64, ZSTD')}
    ) engine = MergeTree partition by toYYYYMM(toDateTime(hour * 3600, 'UTC')) order by (${order})`;
  return [
    `create table if not exists calls (
      owner UUID, key UUID, ts Int64${codec('DoubleDelta, ZSTD')}, seq UInt64${codec('Delta, ZSTD')}, ${kind},
      origin ${text}, path String${codec('ZSTD')}, duration Float32${codec('ZSTD')}, calls UInt32${codec('T64, ZSTD')}
    ) engine = MergeTree partition by toYYYYMM(toDateTime(intDiv(ts, 1000), 'UTC'))
    order by (owner, key, ts, seq)${settings}`,
    sums('hours', '', 'owner, key, hour'),
    sums('hour_origins', `origin ${text}, `, 'owner, origin, key, hour'),
  ];
}

/** Creates the tables that are missing. */
export async function ensureSchema(client: ClickHouseClient): Promise<ServerFeatures> {
  if (!/^\w+$/.test(client.database)) {
    throw new Error('the database in CLICKHOUSE_URL must be letters, digits and underscores');
  }
  const options = { timeoutMs: statementMs };
  const [[version]] = (await client.rows<[string]>('select version()', {
    ...options,
    settings: { database: 'system' },
  })) as [[string]];
  await client.run(`create database if not exists ${client.database}`, { ...options, database: 'system' });
  const features = featuresOf(version);
  for (const statement of schemaStatements(features)) await client.run(statement, options);
  return features;
}

/** The number of the hour of a time in ms. */
export const hourOf = (ms: number): number => Math.floor(ms / 3_600_000);

/** `bucketOf` of the contract's histogram, for the column `duration`. */
export const bucketOfDuration = `toUInt8(if(toFloat64(duration) > 0.1,
  least(79, ceil(log2(toFloat64(duration) / 0.1) * 4 - 1e-9)), 0))`;

/** The statements that sum whole hours, from their rows; `to` is exclusive. */
export const buildStatements = (from: number, to: number, build: number): string[] =>
  sumTables.map((table) => {
    const columns = table === 'hours' ? kindColumns : [...kindColumns, 'origin'];
    const names = columns.join(', ');
    return `
      insert into ${table} (owner, key, hour, build, ${names}, bucket, rows, calls)
      select owner, key, toUInt32(intDiv(ts, 3600000)) as h, toUInt32(${build}), ${names}, ${bucketOfDuration} as b,
        toUInt32(count()), sum(calls)
      from calls where ts >= ${from * 3_600_000} and ts < ${to * 3_600_000}
      group by owner, key, h, ${names}, b`;
  });
