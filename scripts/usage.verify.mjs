/**
 * Compares the roll-ups of usage with the rows that they count, in the database of `DATABASE_URL`, and prints each
 * difference: `npm run usage:verify -- --owner <user id>`. Only reads; a portal may serve meanwhile.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { importBackend } from './lib/generated.mjs';
import { fail, requireNode } from './lib/steps.mjs';

requireNode();
const { values } = parseArgs({ options: { owner: { type: 'string' } } });
if (!process.env.DATABASE_URL) fail('Set DATABASE_URL to the database of a portal.');
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
try {
  const { verifyUsage } = await importBackend('usage.verification.js');
  await client.connect();
  let [days, calls, different] = [0, 0, 0];
  for await (const day of verifyUsage(client, values.owner ?? null)) {
    days++;
    calls += day.calls;
    if (day.differences.length > 0) different++;
    for (const { table, row, what, inRows, inRollups } of day.differences) {
      console.log(
        `${day.day}, owner ${day.userId}, ${table}, ${row}, ${what}: ${inRows ?? 'none'} in the rows, ${inRollups ?? 'none'} in the roll-ups`,
      );
    }
  }
  console.log(`${calls} calls of ${days} days compared; ${different} days differ`);
  if (different > 0) process.exitCode = 1;
} catch (error) {
  fail(error.message);
} finally {
  await client.end();
}
