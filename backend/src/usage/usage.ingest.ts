import type { MeteredCall } from './metered.call.js';

/**
 * Stores one batch of calls in one statement: claims the batch id, so that a retry after a lost acknowledgement
 * counts nothing twice; takes each owner's head in owner order, so that two processes never wait for each other in a
 * circle; numbers the rows from the head.
 */
const text = `
with claimed as (
  insert into ingest_batches (id) values ($1) on conflict (id) do nothing returning id
), arrived as materialized (
  select a.* from claimed, unnest(
    $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::smallint[], $8::real[], $9::timestamptz[],
    $10::text[], $11::text[], $12::integer[]
  ) with ordinality as a (
    user_id, api_key_id, project_id, endpoint, method, status_code, response_time, timestamp,
    origin, outcome, calls, place
  )
), owners as materialized (
  select user_id, count(*) as n from arrived group by user_id order by user_id
), heads as (
  insert into usage_heads as h (user_id, seq) select user_id, n from owners order by user_id
  on conflict (user_id) do update set seq = h.seq + excluded.seq
  returning h.user_id, h.seq
), stored as (
  insert into api_usage (
    seq, user_id, api_key_id, project_id, endpoint, method, status_code, response_time, timestamp,
    origin, outcome, calls
  )
  select h.seq - o.n + row_number() over (partition by a.user_id order by a.place),
    a.user_id, a.api_key_id, a.project_id, a.endpoint, a.method, a.status_code, a.response_time, a.timestamp,
    a.origin, a.outcome, a.calls
  from arrived a join owners o on o.user_id = a.user_id join heads h on h.user_id = a.user_id
)
select from claimed`;

/** The prepared statement that stores `calls` under a batch id, once however often it is sent. */
export function ingestStatement(batchId: string, calls: readonly MeteredCall[]) {
  return {
    name: 'usage.ingest',
    text,
    values: [
      batchId,
      plain(calls.map((call) => call.userId)),
      plain(calls.map((call) => call.keyId)),
      quoted(calls.map((call) => call.projectId)),
      quoted(calls.map((call) => call.endpoint)),
      quoted(calls.map((call) => call.method)),
      plain(calls.map((call) => call.statusCode)),
      plain(calls.map((call) => call.responseTime)),
      plain(calls.map((call) => new Date(call.at).toISOString())),
      quoted(calls.map((call) => call.origin)),
      quoted(calls.map((call) => call.outcome)),
      plain(calls.map((call) => call.calls)),
    ],
  };
}

// Array literals are written here because the driver's own writer costs more than all other work per call.
const plain = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;

const quoted = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : `"${escaped(value)}"`)).join(',')}}`;

const escaped = (value: string): string =>
  /["\\\0]/.test(value) ? value.replaceAll('\0', '').replace(/["\\]/g, '\\$&') : value;
