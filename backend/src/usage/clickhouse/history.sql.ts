import { errorOutcomes, outcomesOf, statusRange, usageTime } from '@orange-id/contract/usage.filter.rule';
import { noOrigin, type UsageFilters } from '@orange-id/contract/usage.filter.schema';
import type { Outcome, UsageRow } from '@orange-id/contract/usage.schema';
import type { SeqRange } from '../usage.history.port.js';
import type { TimeRange } from '../usage.range.js';
import { outcomeCodes } from '../usage.sql.js';
import { literal } from './clickhouse.client.js';
import { bucketOfDuration, outcomeIds } from './clickhouse.schema.js';

const hourMs = 3_600_000;

export const uuidLiteral = (id: string): string => `toUUID(${literal(id)})`;

const oneOf = (outcomes: readonly Outcome[]): string =>
  `outcome in (${outcomes.map((outcome) => outcomeIds[outcome]).join(', ')})`;
const isError = oneOf(errorOutcomes);
const isBlocked = oneOf(['blocked']);

/** The code of the response, also where the outcome implies it. */
const errorCode = `multiIf(error_code != '', error_code, ${Object.entries(outcomeCodes)
  .map(([outcome, code]) => `outcome = ${outcomeIds[outcome as Outcome]}, ${literal(code)}`)
  .join(', ')}, '')`;

/** The conditions of the filters except for the time range; the first is always the owner. */
function conditionsOf(userId: string, filters: UsageFilters): string[] {
  const { keyId, projectId, endpoint, method, status, errorCode: code, origin } = filters;
  const conditions = [`owner = ${uuidLiteral(userId)}`];
  if (keyId !== undefined) conditions.push(`key = ${uuidLiteral(keyId)}`);
  if (projectId !== undefined) conditions.push(`project = ${literal(projectId)}`);
  if (endpoint !== undefined) conditions.push(`endpoint = ${literal(endpoint)}`);
  if (method !== undefined) conditions.push(`method = ${literal(method)}`);
  if (code !== undefined) conditions.push(`${errorCode} = ${literal(code)}`);
  if (origin !== undefined) {
    conditions.push(
      origin === noOrigin ? `origin in ('', ${literal(noOrigin)})` : `origin = ${literal(origin)}`,
    );
  }
  if (status !== undefined) {
    const range = statusRange(status);
    conditions.push(range ? `status between ${range[0]} and ${range[1]}` : oneOf(outcomesOf(status)));
  }
  return conditions;
}

/** The rows of a question in `calls`, up to a sequence number. */
function rowsOf(userId: string, filters: UsageFilters, { from, to }: TimeRange, upTo: number): string {
  const conditions = conditionsOf(userId, filters);
  if (Number.isFinite(from)) conditions.push(`ts >= ${from}`);
  if (Number.isFinite(to)) conditions.push(`ts < ${to}`);
  conditions.push(`seq <= ${upTo}`);
  return conditions.join(' and ');
}

const timesOf = ({ from, to }: UsageFilters): TimeRange => ({
  from: from === undefined ? -Infinity : usageTime(from),
  to: to === undefined ? Infinity : usageTime(to),
});

/** Hours of which the sums are read; all others of the range are read as rows. */
export interface SummedHours {
  /** Whole hours, `to` exclusive. */
  from: number;
  to: number;
  /** Hours in between without valid sums. */
  open: readonly number[];
  /** Hours in between whose valid sums are not of the first build. */
  rebuilt: readonly { hour: number; build: number }[];
}

/** What the figures of a question are read from. */
export interface FiguresSource {
  userId: string;
  filters: UsageFilters;
  range: TimeRange;
  /** The last sequence number that ClickHouse is known to have. */
  shipped: number;
  hours: SummedHours | null;
}

/** Runs of hours, as conditions on `ts`. */
function timesOfHours(hours: readonly number[]): string[] {
  const conditions: string[] = [];
  for (let i = 0; i < hours.length;) {
    let end = i + 1;
    while (end < hours.length && hours[end] === (hours[end - 1] as number) + 1) end++;
    const last = hours[end - 1] as number;
    conditions.push(`(ts >= ${(hours[i] as number) * hourMs} and ts < ${(last + 1) * hourMs})`);
    i = end;
  }
  return conditions;
}

/** Selects columns from the rows and from the sums of hours. Both have `rows` and `calls`; `at` is in ms. */
function unionOf({ userId, filters, range, shipped, hours }: FiguresSource, columns: Columns): string {
  const names = Object.keys(columns);
  const list = (place: 0 | 1) => names.map((name) => `${columns[name]?.[place]} as ${name}`).join(', ');
  const where = rowsOf(userId, filters, range, shipped);
  const table = filters.origin === undefined && columns['origin'] === undefined ? 'hours' : 'hour_origins';
  if (hours === null) return `select ${list(0)} from calls where ${where}`;
  const parts = [`ts < ${hours.from * hourMs}`, `ts >= ${hours.to * hourMs}`, ...timesOfHours(hours.open)];
  const rebuilt = hours.rebuilt.map(({ hour, build }) => `(hour = ${hour} and build = ${build})`);
  const others = [...hours.open, ...hours.rebuilt.map(({ hour }) => hour)];
  const first = others.length === 0 ? 'build = 1' : `(build = 1 and hour not in (${others.join(', ')}))`;
  const whereHours = [
    ...conditionsOf(userId, filters),
    `hour >= ${hours.from}`,
    `hour < ${hours.to}`,
    `(${[first, ...rebuilt].join(' or ')})`,
  ].join(' and ');
  return `select ${list(0)} from calls where ${where} and (${parts.join(' or ')})
    union all select ${list(1)} from ${table} where ${whereHours}`;
}

/** A column of the result, by its expression in `calls` and in `hours`. */
type Columns = Record<string, [calls: string, hours: string]>;
const same = (name: string): [string, string] => [name, name];
const amounts: Columns = { rows: ['toUInt64(1)', 'toUInt64(rows)'], calls: ['toUInt64(calls)', 'calls'] };

/** The questions whose answers make the figures, each with one scan of the columns that it needs. */
export const figureQueries = {
  /** Start of a step, bucket of the duration, rows, calls, errors, server errors, blocked calls. */
  times: (source: FiguresSource, stepMs: number): string => `
    select at, bucket, sum(rows), sum(calls), sumIf(calls, ${isError}),
      sumIf(calls, ${isError} and status >= 500), sumIf(calls, ${isBlocked})
    from (${unionOf(source, {
      at: [`intDiv(ts, ${stepMs}) * ${stepMs}`, `intDiv(toInt64(hour) * ${hourMs}, ${stepMs}) * ${stepMs}`],
      bucket: [bucketOfDuration, 'bucket'],
      outcome: same('outcome'),
      status: same('status'),
      ...amounts,
    })}) group by at, bucket`,
  /** Grouped by a hash, because grouping by several texts is slow. No caller can choose texts for which hashes collide. */
  kinds: (source: FiguresSource): string => `
    select any(endpoint), any(method), any(status), sum(calls) from (${unionOf(source, {
      endpoint: same('endpoint'),
      method: same('method'),
      status: same('status'),
      calls: amounts['calls'] as [string, string],
    })}) group by cityHash64(endpoint, method, status)`,
  keys: (source: FiguresSource): string => `
    select toString(key), sum(calls) from (${unionOf(source, {
      key: same('key'),
      calls: amounts['calls'] as [string, string],
    })}) group by key`,
  /** The most frequent origins; '' for none. */
  origins: (source: FiguresSource): string => `
    select origin, sum(calls) as total from (${unionOf(source, {
      origin: same('origin'),
      calls: amounts['calls'] as [string, string],
    })}) group by origin order by total desc limit ${originsRead}`,
};

/** Many more than an answer shows, so that those of the newest rows can be added. */
const originsRead = 10_000;

/** The different durations of rows, and the calls of each. */
export const durationsQuery = ({ userId, filters, range, shipped }: FiguresSource): string =>
  `select duration, sum(calls) from calls where ${rowsOf(userId, filters, range, shipped)} group by duration`;

export interface RowsQuestion {
  userId: string;
  filters: UsageFilters;
  range: SeqRange;
  order: 'asc' | 'desc';
  limit: number;
}

const inSeqs = ({ first, last }: SeqRange): string => `seq >= ${first} and seq <= ${last}`;

/** Finds rows: their sequence numbers, times and keys. Reads no column that no filter needs. */
export const placesQuery = ({ userId, filters, range, order, limit }: RowsQuestion): string =>
  `select seq, ts, toString(key) from calls
   where ${rowsOf(userId, filters, timesOf(filters), range.last)} and ${inSeqs(range)}
   order by seq ${order} limit ${limit}`;

export type Place = [seq: number, ts: number, key: string];

/** Reads the rows at these places. */
export function rowsQuery(userId: string, places: readonly Place[]): string {
  const times = places.map(([, ts]) => ts);
  const keys = [...new Set(places.map(([, , key]) => key))];
  return `select seq, ts, toString(key), project, endpoint, method, status, duration, origin, outcome,
      ${errorCode}, path, calls
    from calls
    where owner = ${uuidLiteral(userId)} and key in (${keys.map(uuidLiteral).join(', ')})
      and ts >= ${Math.min(...times)} and ts <= ${Math.max(...times)}
      and seq in (${places.map(([seq]) => seq).join(', ')})`;
}

export type StoredCall = [
  seq: number,
  ts: number,
  key: string,
  project: string,
  endpoint: string,
  method: string,
  status: number,
  duration: number,
  origin: string,
  outcome: number,
  errorCode: string,
  path: string,
  calls: number,
];

const outcomesById = new Map(Object.entries(outcomeIds).map(([name, id]) => [id, name as Outcome]));

export function usageRowOf(row: StoredCall): UsageRow {
  const [
    seq,
    ts,
    keyId,
    project,
    endpoint,
    method,
    statusCode,
    responseTime,
    origin,
    outcome,
    code,
    path,
    calls,
  ] = row;
  return {
    seq,
    keyId,
    projectId: project === '' ? null : project,
    endpoint,
    method,
    statusCode,
    responseTime,
    timestamp: new Date(ts).toISOString(),
    origin: origin === '' ? null : origin,
    outcome: outcomesById.get(outcome) as Outcome,
    ...(code === '' ? {} : { errorCode: code }),
    ...(path === '' ? {} : { path }),
    ...(calls === 1 ? {} : { calls }),
  };
}

export const seqRangeQuery = (userId: string, filters: UsageFilters, upTo: number): string =>
  `select count(), min(seq), max(seq) from calls where ${rowsOf(userId, filters, timesOf(filters), upTo)}`;

export const hasKeyQuery = (userId: string, keyId: string): string =>
  `select 1 from calls where owner = ${uuidLiteral(userId)} and key = ${uuidLiteral(keyId)} limit 1`;
