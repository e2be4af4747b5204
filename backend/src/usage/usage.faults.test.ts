import { afterEach, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import type { DatabaseAddress } from '../config/database.address.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { expectWhole, newLedger, seedCallers, startCallers } from '../testing/callers.js';
import { startFreezingProxy } from '../testing/freezing.proxy.js';
import { openLive } from '../testing/open.live.js';
import type { SeededKey } from '../testing/seed.key.js';
import { ServerProcess, startServer } from '../testing/server.process.js';
import { signUp } from '../testing/sign.up.js';
import { callAt, createTestDatabase } from '../testing/test.app.js';
import { until } from '../testing/until.js';

const portalSecret = 'a secret of the tests that is long enough';
const secrets = new SecretsService({ current: portalSecret, previous: null });

describe('a silent database and a shutdown under load', () => {
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
  test('with a silent database every call is answered in time, liveness holds and readiness fails', async () => {
    const { address, drop } = await createTestDatabase();
    cleanUps.push(drop);
    const client = await connect(address);
    cleanUps.push(() => client.end());
    const proxy = await startFreezingProxy(address);
    cleanUps.push(async () => proxy.close());
    const server = await start(proxy.address);
    const keys = await seedCallers(client, secrets);
    const known = keys[0] as SeededKey;
    const fresh = keys[1] as SeededKey;
    // The documented limit, plus the allowance for a busy machine.
    const timeoutMs = 5_500 + 1_500;
    const ask = async (path: string, key?: string) => {
      const answer = await fetch(server.url + path, {
        headers: key === undefined ? {} : { 'x-api-key': key },
        signal: AbortSignal.timeout(timeoutMs),
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

  test('SIGTERM under load with open sockets: requests in flight complete, the exit code is 0, every call is stored', async () => {
    const { address, drop } = await createTestDatabase();
    cleanUps.push(drop);
    const client = await connect(address);
    cleanUps.push(() => client.end());
    const server = await start(address);
    const keys = await seedCallers(client, secrets);
    const user = await signUp({ call: callAt(server.url) });
    const live = await openLive(server.url, { token: user.token });
    await live.resume(0);

    const ledger = newLedger();
    const callers = startCallers(64, () => server.url, keys, ledger);
    cleanUps.push(() => callers.stop());
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
