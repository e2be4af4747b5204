import { limits } from '@orange-id/contract/limits';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { FreezingProxy, startFreezingProxy } from '../testing/freezing.proxy.js';
import { signUp } from '../testing/sign.up.js';
import { type Answer, createTestDatabase, startPortalOn } from '../testing/test.app.js';
import { until } from '../testing/until.js';

const pool = 3;
/**
 * The limit that `database.options.ts` sets: every response within 5.5 s. A slower request is aborted and fails its
 * test.
 */
const withinMs = 5_500;

const many = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

/** A separate portal on a separate database that can go silent. */
async function startStage() {
  const { address, drop } = await createTestDatabase();
  const proxy: FreezingProxy = await startFreezingProxy(address);
  const { app, url } = await startPortalOn(proxy.address, { DATABASE_POOL: String(pool) });
  /** Holds locks and makes tables slow. */
  const client = new pg.Client(address);
  await client.connect();
  /**
   * Observes the sessions. A separate connection, because within a transaction PostgreSQL keeps showing the sessions as
   * it first saw them.
   */
  const watcher = new pg.Client(address);
  await watcher.connect();
  /** One account more than there are connections, because the writes of one account run one after the other. */
  const tokens: string[] = [];
  let made = 0;

  const call = async (
    method: string,
    path: string,
    options: { body?: unknown; token?: string | undefined } = {},
  ): Promise<Answer> => {
    const token = options.token ?? tokens[made % tokens.length];
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      signal: AbortSignal.timeout(withinMs),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text || 'null') };
  };
  /** Creates a saved key with the given name; returns the name and the status. */
  const save = async (): Promise<{ name: string; status: number }> => {
    const name = `Key ${++made}`;
    return { name, status: (await call('POST', '/api/keys', { body: { name } })).status };
  };
  const isReady = async () => (await call('GET', '/health/ready')).status === 200;
  /** The process ids of the pool connections in that state, as the server sees them. */
  const connections = async (condition: string): Promise<number[]> => {
    const { rows } = await watcher.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where application_name = 'orange-portal' and datname = current_database() and ${condition}`,
    );
    return rows.map((row) => row.pid);
  };
  const waitingForLocks = () => connections("wait_event_type = 'Lock'");
  const sleeping = () => connections("wait_event = 'PgSleep'");
  const openTransactions = () => connections("state like 'idle in transaction%'");
  /** From now on writing a key takes longer than any time-out. */
  const makeWritesSlow = () =>
    client.query(`
      create function sleep_long() returns trigger language plpgsql as
        'begin perform pg_sleep(60); return new; end';
      create trigger slow before insert on api_keys for each row execute function sleep_long()`);
  const makeWritesFast = () => client.query('drop trigger slow on api_keys');
  const hasStored = async (names: string[]): Promise<boolean> =>
    (await client.query('select from api_keys where name = any($1)', [names])).rowCount !== 0;
  /** The pool's own counts of its connections. */
  const poolOf = () => {
    const { driver } = app.get(DataSource) as unknown as { driver: { master: pg.Pool } };
    const { totalCount, idleCount, waitingCount } = driver.master;
    return { inUse: totalCount - idleCount, waiting: waitingCount, total: totalCount };
  };
  /** After recovery, every write succeeds and is stored, and no transaction is left open. */
  const expectWritesStored = async () => {
    const answers: Awaited<ReturnType<typeof save>>[] = [];
    // As many at once as there are connections: none waits for another, however slow the machine is.
    for (let round = 0; round < 8; round++) answers.push(...(await many(pool, save)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const { rows } = await client.query<{ name: string }>('select name from api_keys');
    const names = new Set(rows.map((row) => row.name));
    expect(answers.filter(({ name }) => !names.has(name))).toEqual([]);
    // The transaction of a dropped connection ends when the server notices.
    await until('no transaction is left open', async () => (await openTransactions()).length === 0, 5_000);
  };
  /** The account for the next write, in turn. */
  const tokenAfter = (place: number) => tokens[(made + place) % tokens.length];
  const close = async () => {
    proxy.thaw();
    await app.close();
    proxy.close();
    await Promise.all([client.end(), watcher.end()]);
    await drop();
  };

  for (let n = 0; n <= pool; n++) tokens.push((await signUp({ call })).token);
  return {
    proxy,
    client,
    call,
    save,
    isReady,
    connections,
    waitingForLocks,
    sleeping,
    openTransactions,
    makeWritesSlow,
    makeWritesFast,
    hasStored,
    poolOf,
    expectWritesStored,
    tokenAfter,
    close,
  };
}
type Stage = Awaited<ReturnType<typeof startStage>>;

describe('a database that is slow or silent', () => {
  jest.setTimeout(60_000);
  const tests: { name: string; run: (stage: Stage) => Promise<void> }[] = [];
  const atOnce = (name: string, run: (stage: Stage) => Promise<void>) => void tests.push({ name, run });

  atOnce(
    'black-holed: 503 in time, alive but not ready, and afterwards every write is stored',
    async ({ proxy, call, save, isReady, expectWritesStored }: Stage) => {
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
    },
  );

  atOnce(
    'black-holed in the middle of a transaction: 503, and its connection is never used again',
    async ({
      proxy,
      client,
      save,
      isReady,
      connections,
      waitingForLocks,
      openTransactions,
      hasStored,
      expectWritesStored,
    }: Stage) => {
      await client.query('begin');
      await client.query('lock table api_keys in exclusive mode');
      const saving = many(pool, save);
      await until('all are inside their transactions', async () => (await waitingForLocks()).length === pool);
      const cutOff = await waitingForLocks();
      proxy.freeze();
      // Releases the lock. The server continues, but its results do not get through.
      await client.query('rollback');
      await until('their transactions are open', async () => (await openTransactions()).length === pool);
      const answers = await saving;
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      proxy.thaw();
      await until('the portal is ready', isReady);
      await expectWritesStored();
      expect((await connections('true')).filter((pid) => cutOff.includes(pid))).toEqual([]);
      expect(await hasStored(answers.map(({ name }) => name))).toBe(false);
    },
  );

  atOnce(
    'slow: the server cancels a statement that takes too long, and its connection stays usable',
    async ({
      save,
      connections,
      sleeping,
      makeWritesSlow,
      makeWritesFast,
      hasStored,
      expectWritesStored,
    }: Stage) => {
      await makeWritesSlow();
      const saving = many(pool, save);
      await until('all are slow', async () => (await sleeping()).length === pool);
      const slow = await sleeping();
      const answers = await saving;
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      expect(await sleeping()).toEqual([]);
      await makeWritesFast();
      await expectWritesStored();
      expect((await connections('true')).sort()).toEqual(slow.sort());
      expect(await hasStored(answers.map(({ name }) => name))).toBe(false);
    },
  );

  atOnce(
    'slow, with every connection in use: further requests get 503 before those end, and nothing leaks',
    async ({ call, save, sleeping, makeWritesSlow, makeWritesFast, poolOf, expectWritesStored }: Stage) => {
      await makeWritesSlow();
      let ended = 0;
      const holding = many(pool, () => save().finally(() => ended++));
      await until('every connection is taken', async () => (await sleeping()).length === pool);
      // As many as run at once beside those; more of one user would wait for them.
      const excess = await many(limits.requestsPerUser - pool, () =>
        call('GET', '/api/keys').then((answer) => ({ answer, endedBefore: ended })),
      );
      expect(new Set(excess.map(({ answer }) => answer.status))).toEqual(new Set([503]));
      expect(excess.filter(({ answer }) => answer.headers.get('retry-after') === null)).toEqual([]);
      expect(new Set(excess.map(({ endedBefore }) => endedBefore))).toEqual(new Set([0]));
      expect(new Set((await holding).map(({ status }) => status))).toEqual(new Set([503]));
      await until('the pool is idle', () => poolOf().inUse === 0 && poolOf().waiting === 0);
      await makeWritesFast();
      const reads = await many(4 * pool, () => call('GET', '/api/keys'));
      expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
      await expectWritesStored();
      await until('the pool is idle', () => poolOf().inUse === 0 && poolOf().waiting === 0);
      expect(poolOf().total).toBeLessThanOrEqual(pool);
    },
  );

  atOnce(
    'slow: a request that waits for a change of the same account gets 503 before that ends; others succeed',
    async ({
      call,
      save,
      waitingForLocks,
      sleeping,
      makeWritesSlow,
      makeWritesFast,
      hasStored,
      expectWritesStored,
      tokenAfter,
    }: Stage) => {
      await makeWritesSlow();
      let hasEnded = false;
      const slow = save().finally(() => (hasEnded = true));
      await until('the change is slow', async () => (await sleeping()).length === 1);
      const token = tokenAfter(0);
      const waiting = call('POST', '/api/keys', { body: { name: 'Waiting' }, token });
      await until('the next one waits for it', async () => (await waitingForLocks()).length === 1);
      const other = await call('GET', '/api/keys', { token: tokenAfter(1) });
      expect(other.status).toBe(200);
      const answer = await waiting;
      expect(hasEnded).toBe(false);
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).not.toBeNull();
      expect(answer.body).toMatchObject({
        code: 'database.busy',
        message: 'Another change to the same data is in progress. Try again in a moment',
      });
      expect((await slow).status).toBe(503);
      await makeWritesFast();
      await expectWritesStored();
      expect(await hasStored(['Waiting'])).toBe(false);
    },
  );

  // The tests mostly wait for time-outs, so all run at once, each with its own stage.
  const outcomes = new Map<string, Promise<unknown>>();
  const stages: Stage[] = [];
  beforeAll(async () => {
    for (let place = 0; place < tests.length; place++) stages.push(await startStage());
    for (const [place, { name, run }] of tests.entries()) {
      outcomes.set(
        name,
        run(stages[place] as Stage).then(
          () => null,
          (error: unknown) => error,
        ),
      );
    }
  });
  afterAll(async () => {
    await Promise.all(outcomes.values());
    for (const stage of stages) await stage.close();
  });

  test.each(tests)('$name', async ({ name }) => {
    const failure = await outcomes.get(name);
    if (failure !== null) throw failure;
  });
});
