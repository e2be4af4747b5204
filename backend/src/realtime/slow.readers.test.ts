import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { SignJWT } from 'jose';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { WAITS, waits } from '../config/waits.js';
import { newId } from '../database/new.id.js';
import { signingAlgorithm, SigningKeysService } from '../identity/tokens/signing-keys.service.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import type { MeteredCall } from '../usage/metered.call.js';
import { UsageRecorder } from '../usage/usage.recorder.js';

interface Report {
  open: number;
  refused: number;
  slowCut: number;
  fastCut: number;
  rows: number;
  latencies: number[];
}

const isLong = process.env['SOCKETS_FORM'] === 'long';
const perUser = limits.socketsPerUser;
const users = isLong ? 500 : 15;
/** Users whose pages read nothing. */
const slowUsers = isLong ? 2 : 1;
const rounds = isLong ? 10 : 5;

let portal: TestApp;
let crowd: ChildProcess;
beforeAll(async () => {
  portal = await startTestApp();
  if (!isLong) portal.app.get(WAITS).slowSocketMs = waits.slowSocketMs / 3;
  crowd = fork(join(__dirname, '..', 'testing', 'socket.crowd.mjs'));
}, 30_000);
afterAll(async () => {
  crowd.disconnect();
  await once(crowd, 'exit');
  await portal.close();
});

const hear = async (): Promise<Report> => (await once(crowd, 'message'))[0] as Report;
const latencies: number[] = [];
let asked: Promise<unknown> = Promise.resolve();
/** Sends one request at a time, so that responses cannot be mixed up. */
const report = (): Promise<Report> => {
  const next = asked.then(async () => {
    crowd.send('report');
    const heard = await hear();
    latencies.push(...heard.latencies);
    return heard;
  });
  asked = next;
  return next;
};
/** A user with a session, created in the database: this test does not need password hashing. */
async function newUser(): Promise<{ userId: string; token: string }> {
  const [userId, sid] = [newId(), newId()];
  await portal.db.query(
    `insert into users (id, issuer, subject, provider) values ($1::uuid, 'embedded', $1::text, 'email')`,
    [userId],
  );
  await portal.db.query(
    `insert into refresh_tokens (id, user_id, token_hash, provider, chain_id, party, expires_at)
     values ($1::uuid, $2, sha256($1::text::bytea), 'email', $1, $3, now() + interval '1 day')`,
    [sid, userId, portal.environment.PUBLIC_URL],
  );
  const { kid, privateKey } = portal.app.get(SigningKeysService).signer;
  const token = await new SignJWT({ provider: 'email', sid, azp: portal.environment.PUBLIC_URL })
    .setProtectedHeader({ alg: signingAlgorithm, kid, typ: 'JWT' })
    .setSubject(userId)
    .setIssuer(portal.environment.PUBLIC_URL)
    .setAudience(portal.environment.TENANT_ID)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
  return { userId, token };
}
const store = (userId: string, count: number) => {
  const recorder = portal.app.get(UsageRecorder);
  const row: MeteredCall = {
    userId,
    keyId: newId(),
    projectId: null,
    endpoint: '/api/v1/key',
    method: 'GET',
    statusCode: 200,
    responseTime: 1,
    at: Date.now(),
    origin: `https://${'a'.repeat(200)}.example`,
    outcome: 'ok',
    errorCode: null,
    path: null,
    calls: 1,
  };
  return Promise.all(
    Array.from({ length: count }, () => new Promise((settle) => recorder.record({ ...row }, settle))),
  );
};
const percentile = (values: number[], share: number) =>
  [...values].sort((one, other) => one - other)[Math.ceil(values.length * share) - 1] as number;

test('many pages are served while those that read nothing are cut off', async () => {
  const owners = await Promise.all(Array.from({ length: users }, newUser));
  const before = process.memoryUsage().rss;
  crowd.send({
    port: Number(new URL(portal.url).port),
    tokens: owners.map(({ token }) => token),
    perToken: perUser,
    slow: slowUsers,
    addresses: isLong ? 20 : 2,
  });
  expect(await hear()).toMatchObject({ open: users * perUser, refused: 0 });

  const [slow, fast] = [owners.slice(0, slowUsers), owners.slice(slowUsers)];
  const fill = () =>
    until(
      'a page that reads nothing is cut',
      async () => {
        for (const { userId } of slow) await store(userId, 1_000);
        return (await report()).slowCut > 0;
      },
      120_000,
    );
  const serve = async () => {
    for (let round = 1; round <= rounds; round++) {
      await Promise.all(fast.map(({ userId }) => store(userId, 1)));
      await until(
        'every page that reads has the call',
        async () => (await report()).rows >= round * fast.length * perUser,
        60_000,
      );
    }
  };
  await Promise.all([fill(), serve()]);
  await until('every slow page is cut', async () => (await report()).slowCut === slowUsers * perUser, 60_000);
  const { fastCut } = await report();
  expect(fastCut).toBe(0);
  const grown = Math.round((process.memoryUsage().rss - before) / 2 ** 20);
  const p99 = percentile(latencies, 0.99);
  process.stdout.write(
    `${users * perUser} pages, ${slowUsers * perUser} slow and cut; a call reached the others within ${p99} ms (p99); ` +
      `${grown} MiB more memory\n`,
  );
}, 240_000);
