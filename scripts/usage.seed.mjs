/**
 * Stores realistic calls of new owners in the database of `DATABASE_URL`, for measurements:
 * `npm run usage:seed -- --rows 10000000 --keys 1 --owners 1 --days 30`. Not for a database in use.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { seedUsage } from './lib/usage.seed.mjs';
import { fail, requireNode } from './lib/steps.mjs';

requireNode();
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    keys: { type: 'string', default: '1' },
    owners: { type: 'string', default: '1' },
    days: { type: 'string', default: '30' },
  },
});
const wanted = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]));
for (const [name, number] of Object.entries(wanted)) {
  if (!Number.isInteger(number) || number < 1) fail(`--${name} must be a whole number from 1 on`);
}
if (!process.env.DATABASE_URL) fail('Set DATABASE_URL to the database of a portal, after npm run migrate.');
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
try {
  await client.connect();
  const owners = await seedUsage(client, wanted, (line) => console.log(line));
  for (const { userId, keyIds } of owners) console.log(`owner ${userId}, first key ${keyIds[0]}`);
} catch (error) {
  fail(error.message);
} finally {
  await client.end();
}
