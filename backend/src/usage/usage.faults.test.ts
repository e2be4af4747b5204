import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseAddress, startEmbeddedPostgres } from '../database/embedded.postgres.js';
import { rootHome } from '../database/postgres.binaries.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { startFreezingProxy } from '../testing/freezing.proxy.js';
import { openLive } from '../testing/open.live.js';
import { SeededKey, seedKeyInto } from '../testing/seed.key.js';
import { ServerProcess, startServer } from '../testing/server.process.js';
import { signUp } from '../testing/sign.up.js';
import { createTestDatabase } from '../testing/test.app.js';
import { until } from '../testing/until.js';

const portalSecret = 'a secret of the tests that is long enough';
const secrets = new SecretsService({ current: portalSecret, previous: null });

/** What callers sent and which answers they got. Each call carries an origin of its own, which its row must show. */
interface Ledger {
  sent: Set<string>;
  answered: Set<string>;
  refusals: { status: number; code: string; retryAfter: string | null }[];
  broken: number;
}

const newLedger = (): Ledger => ({ sent: new Set(), answered: new Set(), refusals: [], broken: 0 });

/** Callers that call one after the other, all at once, until told to stop; the promise ends with the last answer. */
function startCallers(count: number, url: () => string, keys: SeededKey[], ledger: Ledger, names = 'c') {
  let isStopping = false;
  const caller = async (place: number) => {
    const { key } = keys[place % keys.length] as SeededKey;
    for (let turn = 0; !isStopping; turn++) {
      const origin = `https://${names}${place}-${turn}.example.com`;
      ledger.sent.add(origin);
      try {
        const answer = await fetch(`${url()}/api/v1/key`, { headers: { 'x-api-key': key, origin } });
        const body = (await answer.json()) as { code?: string };
        if (answer.status === 200) ledger.answered.add(origin);
        else {
          const retryAfter = answer.headers.get('retry-after');
          ledger.refusals.push({ status: answer.status, code: String(body.code), retryAfter });
        }
      } catch {
        // The process is gone: the caller has no answer, and none is owed.
        ledger.broken++;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const done = Promise.all(Array.from({ length: count }, (_, place) => caller(place)));
  return {
    stop: async () => {
      isStopping = true;
      await done;
    },
    stopSending: () => (isStopping = true),
    done,
  };
}

/** answered ⊆ stored ⊆ sent, nothing twice, and each owner's rows numbered from 1 without gaps, in calling order. */
async function expectWhole(client: pg.Client, ledger: Ledger): Promise<void> {
  const { rows } = await client.query<{ user_id: string; seq: string; origin: string }>(
    'select user_id, seq, origin from api_usage order by user_id, seq',
  );
  const stored = rows.map((row) => row.origin);
  const distinct = new Set(stored);
  expect(distinct.size).toBe(stored.length);
  expect([...ledger.answered].filter((origin) => !distinct.has(origin))).toEqual([]);
  expect(stored.filter((origin) => !ledger.sent.has(origin))).toEqual([]);

  const byOwner = new Map<string, typeof rows>();
  for (const row of rows) {
    const own = byOwner.get(row.user_id);
    if (own) own.push(row);
    else byOwner.set(row.user_id, [row]);
  }
  for (const own of byOwner.values()) {
    expect(own.map((row) => Number(row.seq))).toEqual(own.map((_, place) => place + 1));
    const lastTurn = new Map<string, number>();
    for (const { origin } of own) {
      const [, caller, turn] = /^https:\/\/(.+)-(\d+)\.example\.com$/.exec(origin) as unknown as string[];
      expect(Number(turn)).toBeGreaterThan(lastTurn.get(caller as string) ?? -1);
      lastTurn.set(caller as string, Number(turn));
    }
  }
  const { rows: heads } = await client.query<{ user_id: string; seq: string }>(
    'select user_id, seq from usage_heads',
  );
  expect(new Map(heads.map((head) => [head.user_id, Number(head.seq)]))).toEqual(
    new Map([...byOwner].map(([owner, own]) => [owner, own.length])),
  );
}

describe('no acknowledged call is lost and none is counted twice', () => {
  jest.setTimeout(90_000);
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  const connect = async (address: DatabaseAddress) => {
    const client = new pg.Client(address);
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const start = async (address: DatabaseAddress, variables = {}): Promise<ServerProcess> => {
    const server = await startServer(address, { PORTAL_SECRET: portalSecret, ...variables });
    cleanUps.push(async () => server.isRunning() && server.end('SIGKILL'));
    return server;
  };
  /** Three owners; one of them has two keys. Saved keys take any origin. */
  const seed = async (client: pg.Client): Promise<SeededKey[]> => {
    const db = { query: async (text: string, values: unknown[]) => (await client.query(text, values)).rows };
    const add = (userId?: string) =>
      seedKeyInto(db as Pick<DataSource, 'query'>, secrets, {
        isSaved: true,
        ...(userId === undefined ? {} : { userId }),
      });
    const [a, b, c] = [await add(), await add(), await add()];
    return [a, b, c, await add(a.userId)];
  };

  test('through kill -9 of the portal under 64 concurrent callers, twice', async () => {
    const { address, drop } = await createTestDatabase();
    cleanUps.push(drop);
    const client = await connect(address);
    cleanUps.push(() => client.end());
    let server = await start(address);
    const keys = await seed(client);
    const ledger = newLedger();
    const callers = startCallers(64, () => server.url, keys, ledger);
    for (const goal of [1000, 2000]) {
      await until(`${goal} calls are answered`, () => ledger.answered.size >= goal, 30_000);
      const brokenBefore = ledger.broken;
      expect((await server.end('SIGKILL')).signal).toBe('SIGKILL');
      await until('callers notice', () => ledger.broken > brokenBefore);
      server = await start(address);
    }
    await until('calls are answered again', () => ledger.answered.size >= 2500, 30_000);
    await callers.stop();
    expect(ledger.refusals).toEqual([]);
    await expectWhole(client, ledger);
  });

  test('through an immediate stop of PostgreSQL under load: 503 with Retry-After meanwhile, then as before', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-'));
    const postgres = await startEmbeddedPostgres({ dataDir });
    cleanUps.push(async () => {
      await postgres.stop();
      const id = (await readFile(join(dataDir, 'cluster.id'), 'utf8')).trim();
      await rm(join(rootHome, 'clusters', id), { recursive: true, force: true });
      await rm(postgres.address.host, { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    });
    const { address } = postgres;
    const server = await start(address);
    let client = await connect(address);
    const keys = await seed(client);
    const { rows } = await client.query<{ pid: string; command: string }>(
      `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid, pg_read_file('postmaster.opts') as command`,
    );
    const { pid, command } = rows[0] as { pid: string; command: string };

    const ledger = newLedger();
    const callers = startCallers(64, () => server.url, keys, ledger);
    await until('calls are answered', () => ledger.answered.size >= 1000, 30_000);
    // SIGQUIT: what pg_ctl calls an immediate stop; nothing is written out.
    process.kill(Number(pid), 'SIGQUIT');
    await until('calls are refused', () => ledger.refusals.length >= 200, 20_000);
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(503);
    expect(server.isRunning()).toBe(true);

    await startAgain(command, address);
    const before = ledger.answered.size;
    await until('calls are answered again', () => ledger.answered.size > before, 5_000);
    await until('all is as before', () => ledger.answered.size >= before + 1000, 30_000);
    await callers.stop();

    expect(ledger.broken).toBe(0);
    expect(new Set(ledger.refusals.map(({ status }) => status))).toEqual(new Set([503]));
    expect(ledger.refusals.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
    const outages = server.output().match(/Database usage\] not reachable/g) ?? [];
    expect(outages).toHaveLength(1);
    client = await connect(address);
    cleanUps.push(() => client.end());
    await expectWhole(client, ledger);
  });

  test('a database that goes silent: every call is answered in time, liveness stays, readiness says no', async () => {
    const { address, drop } = await createTestDatabase();
    cleanUps.push(drop);
    const client = await connect(address);
    cleanUps.push(() => client.end());
    const proxy = await startFreezingProxy(address);
    cleanUps.push(async () => proxy.close());
    const server = await start(proxy.address);
    const keys = await seed(client);
    const known = keys[0] as SeededKey;
    const fresh = keys[1] as SeededKey;
    // What the threats promise, and what a busy machine may add to it.
    const patienceMs = 5_500 + 1_500;
    const ask = async (path: string, key?: string) => {
      const answer = await fetch(server.url + path, {
        headers: key === undefined ? {} : { 'x-api-key': key },
        signal: AbortSignal.timeout(patienceMs),
      });
      return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
    };
    expect((await ask('/api/v1/key', known.key)).status).toBe(200);

    proxy.freeze();
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => ask('/api/v1/key', known.key)),
      ask('/api/v1/key', fresh.key),
      ask('/health/ready'),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(answers.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
    expect((await ask('/health/live')).status).toBe(200);
    expect((await ask('/api/v1/key', known.key)).status).toBe(503);

    proxy.thaw();
    await until('it serves again', async () => (await ask('/api/v1/key', fresh.key)).status === 200);
    await until('it is ready', async () => (await ask('/health/ready')).status === 200);
  });

  test('SIGTERM under load with sockets open: what is in flight is answered, exit code 0, all is stored', async () => {
    const { address, drop } = await createTestDatabase();
    cleanUps.push(drop);
    const client = await connect(address);
    cleanUps.push(() => client.end());
    const server = await start(address);
    const keys = await seed(client);
    const user = await signUp({ call: callAt(server.url) });
    const live = await openLive(server.url, { token: user.token });
    await live.resume(0);

    const ledger = newLedger();
    const callers = startCallers(64, () => server.url, keys, ledger);
    await until('calls are answered', () => ledger.answered.size >= 500, 30_000);
    callers.stopSending();
    const inFlight = ledger.sent.size - ledger.answered.size;
    const ended = server.end('SIGTERM');
    await callers.done;
    expect(inFlight).toBeGreaterThan(0);
    expect(ledger).toMatchObject({ broken: 0, refusals: [] });
    expect(ledger.answered).toEqual(ledger.sent);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(live.socket.connected).toBe(false);
    await expectWhole(client, ledger);
  });
});

/** Starts the server by the command line it had before, as the user who owns its socket, and waits until it accepts. */
async function startAgain(command: string, address: DatabaseAddress): Promise<void> {
  const { uid, gid } = await stat(address.host);
  const isOurs = uid === process.getuid?.();
  spawn('sh', ['-c', `exec ${command.trim()}`], {
    detached: true,
    stdio: 'ignore',
    env: { LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    ...(isOurs ? {} : { uid, gid }),
  }).unref();
  await until(
    'the database accepts connections',
    async () => {
      const client = new pg.Client(address);
      client.on('error', () => undefined);
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      );
    },
    30_000,
  );
}

const callAt =
  (url: string) =>
  async (method: string, path: string, options: { body?: unknown } = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(options.body),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
  };
