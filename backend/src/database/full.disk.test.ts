import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { WAITS } from '../config/waits.js';
import { foreignToken, HostedIdentity, json, startHostedIdentity } from '../testing/hosted.identity.js';
import { SeededKey, seedKey } from '../testing/seed.key.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { withWait } from '../testing/with.wait.js';

const answerOfWrites = (statement: string): string => `
  create or replace function refuse_when_full() returns trigger language plpgsql as
    $$begin ${statement}; end$$`;

/**
 * Adds a trigger to every table, which `refuseWrites` and `allowWrites` control. They only replace the trigger
 * function, which waits for no table: a lock on several tables would deadlock with the roll-ups.
 */
async function watchWrites({ db }: TestApp): Promise<void> {
  await db.query(answerOfWrites('return null'));
  for (const table of await tablesOf({ db })) {
    await db.query(
      `create trigger full_disk before insert or update or delete on ${pg.escapeIdentifier(table)}
       for each statement execute function refuse_when_full()`,
    );
  }
}

/** Makes every write to a table fail as if the disk were full; `sqlState` is PostgreSQL's error code. */
const refuseWrites = ({ db }: TestApp, sqlState: string): Promise<unknown> =>
  db.query(
    answerOfWrites(
      `raise exception 'could not extend file: No space left on device' using errcode = '${sqlState}'`,
    ),
  );

const allowWrites = ({ db }: TestApp): Promise<unknown> => db.query(answerOfWrites('return null'));

async function tablesOf({ db }: Pick<TestApp, 'db'>): Promise<string[]> {
  const rows = await db.query<{ name: string }[]>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  return rows.map(({ name }) => name);
}

describe('a database that cannot store anything', () => {
  jest.setTimeout(60_000);
  let portal: TestApp;
  let user: SignedUp;
  let seeded: SeededKey;
  beforeAll(async () => {
    portal = await startTestApp();
    await watchWrites(portal);
    user = await signUp(portal);
    seeded = await seedKey(portal, { userId: user.userId, isSaved: true });
    const stored = await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': seeded.key } });
    expect(stored.status).toBe(200);
  });
  afterEach(() => allowWrites(portal));
  afterAll(() => portal.close());

  test.each([
    'GET /api/v1/auth/user',
    'GET /api/v1/auth/identifiers',
    'GET /api/v1/auth/sessions',
    'GET /api/v1/settings/version',
    'GET /devportal/v1/user/projects',
    'GET /api/keys',
    'GET /api/analytics/metrics',
    'GET /api/usage',
    'GET /api/usage/keys',
    'GET /api/reward/profile',
    'GET /.well-known/jwks.json',
    'GET /api/config',
    'GET /health/ready',
    'GET /health/live',
  ])('%s still returns 200', async (route) => {
    await refuseWrites(portal, '53100');
    const [method, path] = route.split(' ') as [string, string];
    expect((await portal.call(method, path, { token: user.token })).status).toBe(200);
  });

  test('a refresh token still returns access tokens, so that users can keep reading; a revoked or unknown one returns 401', async () => {
    const ended = await signUp(portal);
    await portal.call('POST', '/api/v1/auth/logout', { token: ended.token });
    // A session that was last used long ago would have its use noted.
    await portal.db.query(`update refresh_tokens set last_used_at = now() - interval '1 day'`);
    await refuseWrites(portal, '53100');
    const refresh = (refreshToken: string) =>
      portal.call('POST', '/api/v1/auth/refresh', { body: { refreshToken } });
    const { status, body } = await refresh(user.refreshToken);
    expect(status).toBe(200);
    expect((await portal.call('GET', '/api/v1/auth/user', { token: body.accessToken })).status).toBe(200);
    expect((await refresh(ended.refreshToken)).status).toBe(401);
    expect((await refresh('not-a-token-of-anybody')).status).toBe(401);
  });

  const register = {
    email: 'new@example.com',
    password: 'a long enough password',
    passwordConfirm: 'a long enough password',
  };
  const writes: [string, unknown][] = [
    ['POST /api/keys', { name: 'A key' }],
    ['POST /devportal/v1/project', { projectName: 'A project', whitelistURL: ['https://example.com'] }],
    ['POST /api/v1/user/profile', { displayName: 'A name' }],
    ['POST /api/v1/auth/email/register', register],
    ['POST /api/usage/exports', { format: 'csv', filters: {} }],
    ['POST /api/v1/auth/logout', undefined],
    ['GET /api/v1/message/nonce', undefined],
  ];
  test.each(writes.flatMap(([route, body]) => ['53100', '58030'].map((code) => ({ route, code, body }))))(
    '$route returns 503 with Retry-After if the server reports $code',
    async ({ route, code, body }) => {
      await refuseWrites(portal, code);
      const [method, path] = route.split(' ') as [string, string];
      const answer = await portal.call(method, path, {
        token: user.token,
        ...(body === undefined ? {} : { body }),
      });
      expect(answer.body).toMatchObject({ statusCode: 503, code: 'database.unavailable' });
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(answer.text).not.toContain('No space left');
    },
  );

  test.each(['53100', '58030'])(
    'a call with a key waits for space, and gets 503 with Retry-After if none becomes free (%s)',
    async (code) => {
      await refuseWrites(portal, code);
      const call = () => portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': seeded.key } });
      const answer = await withWait(portal.app.get(WAITS), 'commitMs', 1_000, call);
      expect(answer.body).toMatchObject({ statusCode: 503, code: 'usage.notRecorded' });
      expect(answer.headers.get('retry-after')).not.toBeNull();

      const waiting = call();
      await allowWrites(portal);
      expect((await waiting).status).toBe(200);
    },
  );
});

describe('a portal with a hosted identity service whose database cannot store anything', () => {
  let hosted: HostedIdentity;
  let portal: TestApp;
  beforeAll(async () => {
    hosted = await startHostedIdentity();
    portal = await startTestApp({ IDENTITY_URL: hosted.url });
    await watchWrites(portal);
  });
  afterAll(async () => {
    await portal.close();
    await hosted.stop();
  });

  test('a user whose name changed there can still sign in, and gets the new name once there is space', async () => {
    const tell = (displayName: string) =>
      (hosted.answer = json({ id: 'u-1', email: null, provider: 'GOOGLE', displayName }));
    let count = 0;
    const read = () =>
      portal.call('GET', '/devportal/v1/user/projects', { token: foreignToken({ jti: String(count++) }) });
    const nameKept = async (): Promise<string> =>
      (await portal.db.query("select display_name from users where subject = 'u-1'"))[0].display_name;
    tell('Before');
    expect((await read()).status).toBe(200);
    await refuseWrites(portal, '53100');
    tell('After');
    expect((await read()).status).toBe(200);
    expect(await nameKept()).toBe('Before');
    await allowWrites(portal);
    await until(
      'the name is kept',
      async () => (await read()).status === 200 && (await nameKept()) === 'After',
    );
  });
});
