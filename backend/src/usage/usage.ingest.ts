import type { MeteredCall } from './metered.call.js';

/**
 * Stores one batch of calls in one statement:
 * 1. It stores the id of the batch. If the id is there already, the batch is a retry, and nothing else happens.
 * 2. It raises the highest `seq` of each owner by the number of their calls. It locks owners in the order of their ids,
 *    so that two instances cannot deadlock.
 * 3. It counts answered calls for today, by the UTC date of the database, which all instances share.
 * 4. It stores the rows, numbered up to the owner's new `seq`.
 *
 * Returns one row, a `SpentQuota`, if it stored the batch, and none for a retry.
 */
const text = `
with claimed as (
  insert into ingest_batches (id) values ($1) on conflict (id) do nothing returning id
), heads as (
  insert into usage_heads as h (user_id, seq, day, day_calls)
  select o.user_id, o.calls, (now() at time zone 'UTC')::date, o.answered
  from claimed, unnest($2::uuid[], $3::bigint[], $16::bigint[]) as o (user_id, calls, answered)
  on conflict (user_id) do update set seq = h.seq + excluded.seq, day = greatest(h.day, excluded.day),
    day_calls = case when h.day >= excluded.day then h.day_calls else 0 end + excluded.day_calls
  returning h.user_id, h.seq, h.day_calls, nullif(coalesce(h.quota, $17::bigint), 0) as quota
), stored as (
  insert into api_usage (
    seq, user_id, api_key_id, project_id, endpoint, method, status_code, response_time, timestamp,
    origin, outcome, calls, error_code, path
  )
  select h.seq - a.behind, a.user_id, a.api_key_id, a.project_id, a.endpoint, a.method, a.status_code,
    a.response_time, to_timestamp(a.at / 1000), a.origin, a.outcome, a.calls, a.error_code, a.path
  from unnest(
    $4::bigint[], $5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::text[], $10::smallint[], $11::real[],
    $12::float8[], $13::text[], $14::text[], $15::integer[],
    $18::text[], $19::text[]
  ) as a (
    behind, user_id, api_key_id, project_id, endpoint, method, status_code, response_time, at,
    origin, outcome, calls, error_code, path
  ) join heads h on h.user_id = a.user_id
)
select (now() at time zone 'UTC')::date - date '1970-01-01' as day,
  (select json_object_agg(user_id, quota) from heads where day_calls >= quota) as owners
from claimed`;

/** Refused calls do not count against a quota, because anyone can cause them with the key of a page. */
const isAnswered = ({ outcome }: MeteredCall): boolean => outcome === 'ok' || outcome === 'error';

/**
 * The prepared statement that stores `calls` under a batch id, only once however often it is sent. `quota` is the
 * number of answered calls per day for owners without a quota of their own; `null` for none.
 */
export function ingestStatement(batchId: string, calls: readonly MeteredCall[], quota: number | null = null) {
  const counts = new Map<string, number>();
  const answered = new Map<string, number>();
  for (const call of calls) {
    if (isAnswered(call)) answered.set(call.userId, (answered.get(call.userId) ?? 0) + call.calls);
  }
  const places = calls.map(({ userId }) => {
    const place = (counts.get(userId) ?? 0) + 1;
    counts.set(userId, place);
    return place;
  });
  const owners = [...counts.keys()].sort();
  return {
    name: 'usage.ingest',
    text,
    values: [
      batchId,
      plain(owners, (userId) => userId),
      plain(owners, (userId) => counts.get(userId) as number),
      plain(calls, ({ userId }, i) => (counts.get(userId) as number) - (places[i] as number)),
      plain(calls, (call) => call.userId),
      plain(calls, (call) => call.keyId),
      quoted(calls, (call) => call.projectId),
      quoted(calls, (call) => call.endpoint),
      quoted(calls, (call) => call.method),
      plain(calls, (call) => call.statusCode),
      plain(calls, (call) => call.responseTime),
      plain(calls, (call) => call.at),
      quoted(calls, (call) => call.origin),
      quoted(calls, (call) => call.outcome),
      plain(calls, (call) => call.calls),
      plain(owners, (userId) => answered.get(userId) ?? 0),
      quota,
      quoted(calls, (call) => call.errorCode),
      quoted(calls, (call) => call.path),
    ],
  };
}

// Builds array literals here, because the driver's own serialisation costs more than all other work per call.
function plain<T>(items: readonly T[], valueOf: (item: T, place: number) => string | number): string {
  let text = '{';
  for (let i = 0; i < items.length; i++) text += (i === 0 ? '' : ',') + valueOf(items[i] as T, i);
  return text + '}';
}

function quoted<T>(items: readonly T[], valueOf: (item: T) => string | null): string {
  return plain(items, (item) => {
    const value = valueOf(item);
    return value === null ? 'NULL' : `"${escaped(value)}"`;
  });
}

const escaped = (value: string): string =>
  /["\\\0]/.test(value) ? value.replaceAll('\0', '').replace(/["\\]/g, '\\$&') : value;
