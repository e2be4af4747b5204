import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { createApp } from '../app.factory.js';
import { parseEnvironment } from '../config/environment.js';
import { FreezingProxy, startFreezingProxy } from '../testing/freezing.proxy.js';
import { signUp } from '../testing/sign.up.js';
import { Answer, createTestDatabase, freePort } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import type { DatabaseAddress } from './embedded.postgres.js';

const pool = 3;
/** The promise: every answer within 5.5 s. A request that takes longer is cut off and fails its test. */
const withinMs = 5_500;

describe('a database that is slow or silent', () => {
  jest.setTimeout(60_000);
  let address: DatabaseAddress;
  let drop: () => Promise<void>;
  let proxy: FreezingProxy;
  let app: NestFastifyApplication;
  let url: string;
  let client: pg.Client;
  /** One account for each connection and one more: what an account saves is done one after the other. */
  let tokens: string[] = [];
  let made = 0;

  beforeEach(async () => {
    ({ address, drop } = await createTestDatabase());
    proxy = await startFreezingProxy(address);
    const port = await freePort();
    const variables = { NODE_ENV: 'test', LOG_LEVEL: 'error', PORTAL_SECRET: 's'.repeat(32) };
    const environment = parseEnvironment({ ...variables, PORT: String(port), DATABASE_POOL: String(pool) });
    app = await createApp({ environment, address: proxy.address, webRoot: '/nonexistent' });
    await app.listen(port, '127.0.0.1');
    url = `http://localhost:${port}`;
    client = new pg.Client(address);
    await client.connect();
    tokens = [];
    for (let n = 0; n <= pool; n++) tokens.push((await signUp({ call })).token);
  });
  afterEach(async () => {
    proxy.thaw();
    await app.close();
    proxy.close();
    await client.end();
    await drop();
  });

  const call = async (method: string, path: string, options: { body?: unknown } = {}): Promise<Answer> => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(tokens.length === 0 ? {} : { authorization: `Bearer ${tokens[made % tokens.length]}` }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      signal: AbortSignal.timeout(withinMs),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text || 'null') };
  };
  /** Makes a saved key in the name given; answers the name with the status. */
  const save = async (): Promise<{ name: string; status: number }> => {
    const name = `Key ${++made}`;
    return { name, status: (await call('POST', '/api/keys', { body: { name } })).status };
  };
  const many = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, work));
  const isReady = async () => (await call('GET', '/health/ready')).status === 200;
  /** How many of the pool's connections are in that condition, as the server sees it. */
  const connections = async (condition: string): Promise<number> => {
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity
       where application_name = 'orange-portal' and datname = current_database() and ${condition}`,
    );
    return rowCount ?? 0;
  };
  const waitingForLocks = () => connections("wait_event_type = 'Lock'");
  const openTransactions = () => connections("state like 'idle in transaction%'");
  /** What the answers to writes said is what the database holds, once everything is well again. */
  const expectWritesStored = async () => {
    const answers = [...(await many(4 * pool, save)), ...(await many(4 * pool, save))];
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const { rows } = await client.query<{ name: string }>('select name from api_keys');
    const names = new Set(rows.map((row) => row.name));
    expect(answers.filter(({ name }) => !names.has(name))).toEqual([]);
    // A dropped connection's transaction ends when the server learns of it.
    await until('no transaction is left open', async () => (await openTransactions()) === 0, 5_000);
  };

  test('black-holed: 503 in time, alive but not ready, and afterwards every write is stored', async () => {
    proxy.freeze();
    const [answers, metrics, ready, live] = await Promise.all([
      many(2 * pool, save),
      call('GET', '/api/analytics/metrics'),
      call('GET', '/health/ready'),
      call('GET', '/health/live'),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect([metrics.status, metrics.body.code]).toEqual([503, 'database.unavailable']);
    expect(metrics.headers.get('retry-after')).not.toBeNull();
    expect([ready.status, live.status]).toEqual([503, 200]);
    proxy.thaw();
    await until('the portal is ready', isReady);
    await expectWritesStored();
  });

  test('slow: a statement that takes too long is given up by the server, and its connection stays sound', async () => {
    await client.query('begin');
    await client.query('lock table api_keys in exclusive mode');
    const before = await many(pool, save);
    expect(new Set(before.map(({ status }) => status))).toEqual(new Set([503]));
    expect(await waitingForLocks()).toBe(0);
    await client.query('rollback');
    await expectWritesStored();
    const { rows } = await client.query('select name from api_keys where name = any($1)', [
      before.map(({ name }) => name),
    ]);
    expect(rows).toEqual([]);
  });
});
