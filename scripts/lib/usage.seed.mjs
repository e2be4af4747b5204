import { randomUUID } from 'node:crypto';

const rowsPerStatement = 500_000;

/**
 * Stores realistic calls as if they had come in evenly until now, in the order of their time: most succeed, a few kinds
 * and origins are frequent and many are rare, and response times are spread over several orders of magnitude. The
 * accounts `userIds` or new ones get them, each with the same number of keys.
 */
export async function seedUsage(client, { rows, keys, owners, days, userIds = [] }, log = () => undefined) {
  const end = Date.now();
  await makeMonths(client, end - days * 86_400_000, end);
  const made = [];
  for (let owner = 0; owner < owners; owner++) {
    const userId = userIds[owner] ?? randomUUID();
    await client.query(
      `insert into users (id, issuer, subject, provider) values ($1::uuid, 'seed', $1::text, 'email')
       on conflict (id) do nothing`,
      [userId],
    );
    const keyIds = Array.from({ length: keys }, () => randomUUID());
    const most = Math.ceil(rows / owners);
    for (let from = 0; from < most; from += rowsPerStatement) {
      const to = Math.min(most, from + rowsPerStatement);
      await client.query(rowsSql, [userId, keyIds, from + 1, to, most, end, days * 86_400]);
      log(`owner ${owner + 1} of ${owners}: ${to} of ${most} rows`);
    }
    await client.query('insert into usage_heads (user_id, seq) values ($1, $2)', [userId, most]);
    made.push({ userId, keyIds });
  }
  await client.query('analyze api_usage');
  return made;
}

const rowsSql = `
insert into api_usage (seq, user_id, api_key_id, endpoint, method, status_code, response_time, timestamp, origin, outcome, calls, error_code)
select n, $1, ($2::uuid[])[1 + floor(power(random(), 2) * cardinality($2::uuid[]))::int],
  (array['/api/v1/key', '/api/v1/wallet/balance', '/api/v1/token/balance', '/api/v1/wallet/transactions', '/api/v1/user'])[1 + floor(power(r1, 2) * 5)::int],
  case when r1 > 0.9 then 'POST' else 'GET' end,
  status, exp(random() * 4 + random() * 3) / 2, to_timestamp($6::float8 / 1000 - $7::float8 * ($5::float8 - n) / $5),
  case when r2 < 0.3 then null else 'https://site-' || floor(power(random(), 3) * 40)::int || '.example.com' end,
  case when status < 400 then 'ok' when status = 403 then 'blocked' when status = 429 then 'limited' else 'error' end, 1,
  case status when 400 then 'request.invalid' when 503 then 'chain.unavailable' end
from (
  select n, random() as r1, random() as r2,
    (array[200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 400, 403, 429, 503])[1 + floor(random() * 20)::int]::smallint as status
  from generate_series($3::bigint, $4::bigint) as n offset 0
) drawn`;

async function makeMonths(client, from, to) {
  const month = new Date(from);
  month.setUTCDate(1);
  month.setUTCHours(0, 0, 0, 0);
  for (; month.getTime() <= to; month.setUTCMonth(month.getUTCMonth() + 1)) {
    const next = new Date(month);
    next.setUTCMonth(month.getUTCMonth() + 1);
    const name = `api_usage_${month.toISOString().slice(0, 7).replace('-', '_')}`;
    await client.query(
      `create table if not exists ${name} partition of api_usage for values from ('${month.toISOString()}') to ('${next.toISOString()}')`,
    );
  }
}
