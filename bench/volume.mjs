import { mkdir } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { URLSearchParams } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { seedUsage } from '../scripts/lib/usage.seed.mjs';
import { startDatabase } from './lib/database.mjs';
import { signUp, startPortal } from './lib/portal.mjs';
import { keep, median } from './lib/report.mjs';

/**
 * Measures usage at volume, once for an owner with one key and once with 1,000: how long the figures of the Usage page
 * take and how long the same takes from the rows alone; bytes a call; and how fast roll-ups are filled. The portal, its
 * PostgreSQL and this program share the machine.
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    days: { type: 'string', default: '30' },
    keys: { type: 'string', default: '1,1000' },
    times: { type: 'string', default: '5' },
    'dry-run': { type: 'boolean', default: false },
  },
});
const [rows, days, times] = ['rows', 'days', 'times'].map((name) => Number(options[name]));
const lateRows = Math.min(100_000, rows / 10);
const dayMs = 86_400_000;

/** The questions: filters as the Usage page sends them, and the same as a condition on the rows. */
const all = `${days} days`;
const questions = {
  [all]: [days, {}],
  [`${all}, one endpoint`]: [days, { endpoint: '/api/v1/wallet/balance' }],
  [`${all}, one method`]: [days, { method: 'POST' }],
  [`${all}, one status`]: [days, { status: '429' }],
  [`${all}, one error code`]: [days, { errorCode: 'request.invalid' }],
  [`${all}, one origin`]: [days, { origin: 'https://site-1.example.com' }],
  [`${all}, one endpoint and origin`]: [
    days,
    { endpoint: '/api/v1/wallet/balance', origin: 'https://site-1.example.com' },
  ],
  '24 hours': [1, {}],
  '24 hours, one endpoint': [1, { endpoint: '/api/v1/wallet/balance' }],
  '24 hours, one origin': [1, { origin: 'https://site-1.example.com' }],
};
const columns = {
  endpoint: 'endpoint',
  method: 'method',
  status: 'status_code',
  errorCode: 'error_code',
  origin: 'origin',
};

const rowsSql = (conditions) => `
  select count(*) from (
    select at, endpoint, method, status_code, api_key_id, origin, bucket, sum(calls),
      sum(calls) filter (where outcome <> 'ok'), sum(calls) filter (where outcome = 'blocked')
    from (
      select *, floor(date_part('epoch', timestamp) / 21600) as at,
        case when response_time > 0.1 then ceil(ln(response_time::float8 / 0.1) / ln(2::float8) * 4) else 0 end as bucket
      from api_usage where user_id = $1 and timestamp >= $2 and timestamp < $3 ${conditions}
    ) named
    group by grouping sets ((at), (endpoint, method, status_code), (api_key_id), (origin), (bucket))
  ) groups`;

async function measure(database, keys) {
  const address = await database.create(`volume_${keys}`);
  const client = new pg.Client(address);
  const portal = await startPortal(address);
  try {
    const { token, email } = await signUp(portal.url);
    await client.connect();
    const [{ id: userId }] = (await client.query('select id from users where email = $1', [email])).rows;
    const owners = { rows, keys, owners: 1, days, userIds: [userId] };
    await seedUsage(client, owners, (line) => process.stdout.write(`${keys} keys, ${line}\n`));
    const fold = { hot: await folded(client, userId, rows) };
    const end = Date.now();
    process.stdout.write(`${keys} keys, folded ${Math.round(fold.hot)} rows a second\n`);
    const answers = {};
    for (const [name, [length, filters]] of Object.entries(questions)) {
      const range = { from: new Date(end - length * dayMs), to: new Date(end) };
      answers[name] = {
        ms: await ours(portal.url, token.accessToken, range, filters),
        rowsMs: await fromRows(client, userId, range, filters),
      };
      process.stdout.write(`${keys} keys, ${name}: ${JSON.stringify(answers[name])}\n`);
    }
    const size = (names) => bytesOf(client, names).then((bytes) => bytes / rows);
    const bytes = { rows: await size('^api_usage_'), rollups: await size(rollups) };
    fold.late = await lateFolded(client, userId);
    await client.query('vacuum full usage_owner_cells, usage_key_days');
    bytes.packed = await size(rollups);
    return { questions: answers, bytes, fold };
  } finally {
    await client.end();
    await portal.stop();
  }
}

const rollups = '^usage_(owner_cells|key_days|kinds|keys|origins|other_origins)$';
const bytesOf = async (client, names) =>
  Number(
    (
      await client.query(
        `select sum(pg_total_relation_size(oid)) as bytes from pg_class where relkind = 'r' and relname ~ $1`,
        [names],
      )
    ).rows[0].bytes,
  );

/** Rows a second from the first step that was seen to the last one. */
async function folded(client, userId, upTo) {
  const seq = async () => {
    const { rows: found } = await client.query(
      'select owner_cells_seq::int as seq from usage_watermarks where user_id = $1',
      [userId],
    );
    return found[0]?.seq ?? 0;
  };
  const before = await seq();
  let first = null;
  for (;;) {
    const now = await seq();
    if (now > before && first === null) first = { seq: now, at: performance.now() };
    // A single step has no rate of its own.
    if (now >= upTo) return ((now - first.seq) * 1000) / Math.max(1, performance.now() - first.at);
    await delay(20);
  }
}

/** Stores calls of all hours again, as if an instance had sent them late. */
async function lateFolded(client, userId) {
  await client.query(
    `insert into api_usage (seq, user_id, api_key_id, endpoint, method, status_code, response_time, timestamp, origin, outcome, calls, error_code)
     select $2::bigint + row_number() over (order by random()), user_id, api_key_id, endpoint, method, status_code,
       response_time, timestamp, origin, outcome, calls, error_code
     from api_usage where user_id = $1 and seq % ($2::bigint / $3::bigint) = 0`,
    [userId, rows, lateRows],
  );
  const started = performance.now();
  await client.query(
    'update usage_heads set seq = (select max(seq) from api_usage where user_id = $1) where user_id = $1',
    [userId],
  );
  const [{ seq }] = (await client.query('select seq::int from usage_heads where user_id = $1', [userId]))
    .rows;
  await folded(client, userId, seq);
  return ((seq - rows) * 1000) / (performance.now() - started);
}

async function ours(url, token, { from, to }, filters) {
  const query = new URLSearchParams({ from: from.toISOString(), to: to.toISOString(), ...filters });
  const took = [];
  for (let time = 0; time <= times; time++) {
    const started = performance.now();
    const answer = await fetch(`${url}/api/analytics/metrics?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${query} answered ${answer.status}: ${text}`);
    if (time > 0) took.push(performance.now() - started);
  }
  return median(took);
}

async function fromRows(client, userId, { from, to }, filters) {
  const given = Object.entries(filters);
  const conditions = given.map(([name], place) => `and ${columns[name]} = $${place + 4}`).join(' ');
  const took = [];
  for (let time = 0; time < 3; time++) {
    const started = performance.now();
    await client.query(rowsSql(conditions), [userId, from, to, ...given.map(([, value]) => value)]);
    took.push(performance.now() - started);
  }
  return median(took);
}

const load = [loadavg()[0]];
const cases = {};
const database = await startDatabase();
try {
  for (const keys of options.keys.split(',').map(Number)) {
    cases[keys === 1 ? 'one key' : `${keys.toLocaleString('en')} keys`] = await measure(database, keys);
    load.push(loadavg()[0]);
  }
} finally {
  await database.stop();
}
process.stdout.write(`${JSON.stringify(cases, null, 1)}\n`);
if (!options['dry-run']) {
  await mkdir(new URL('results/', import.meta.url), { recursive: true });
  await keep('volume', { rows, days, times, load: [Math.min(...load), Math.max(...load)], cases });
}
