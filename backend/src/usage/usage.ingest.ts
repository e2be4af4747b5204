import type { MeteredCall } from './metered.call.js';

/**
 * Stores one batch of calls in one statement: claims the batch id, so that a retry after a lost acknowledgement
 * counts nothing twice; moves each owner's head on, in owner order, so that two processes never wait for each other
 * in a circle; numbers each row by how far behind its owner's new head it stands.
 */
const text = `
with claimed as (
  insert into ingest_batches (id) values ($1) on conflict (id) do nothing returning id
), heads as (
  insert into usage_heads as h (user_id, seq)
  select o.user_id, o.calls from claimed, unnest($2::uuid[], $3::bigint[]) as o (user_id, calls)
  on conflict (user_id) do update set seq = h.seq + excluded.seq
  returning h.user_id, h.seq
), stored as (
  insert into api_usage (
    seq, user_id, api_key_id, project_id, endpoint, method, status_code, response_time, timestamp,
    origin, outcome, calls
  )
  select h.seq - a.behind, a.user_id, a.api_key_id, a.project_id, a.endpoint, a.method, a.status_code,
    a.response_time, to_timestamp(a.at / 1000), a.origin, a.outcome, a.calls
  from unnest(
    $4::bigint[], $5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::text[], $10::smallint[], $11::real[],
    $12::float8[], $13::text[], $14::text[], $15::integer[]
  ) as a (
    behind, user_id, api_key_id, project_id, endpoint, method, status_code, response_time, at,
    origin, outcome, calls
  ) join heads h on h.user_id = a.user_id
)
select from claimed`;

/** The prepared statement that stores `calls` under a batch id, once however often it is sent. */
export function ingestStatement(batchId: string, calls: readonly MeteredCall[]) {
  const counts = new Map<string, number>();
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
    ],
  };
}

// Array literals are written here because the driver's own writer costs more than all other work per call.
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
