import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { createApp } from '../app.factory.js';
import { parseEnvironment } from '../config/environment.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { MailOutbox } from '../mail/mail.outbox.js';
import { sealedApiKeys } from '../keys/api-key.factory.js';
import { seedKey, seedKeyInto } from '../testing/seed.key.js';
import { createTestDatabase } from '../testing/test.app.js';
import { adoptCurrentSecret } from './secret.rotation.js';
import { SecretsService } from './secrets.service.js';

const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];
const password = 'a long enough password';

describe('rotating PORTAL_SECRET', () => {
  let database: { address: DatabaseAddress; drop(): Promise<void> };
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const start = async (secret: string, previous = ''): Promise<NestFastifyApplication> => {
    const environment = parseEnvironment({
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      PORTAL_SECRET: secret,
      PORTAL_SECRET_PREVIOUS: previous,
    });
    const app = await createApp({ environment, address: database.address, webRoot: '/nonexistent' });
    await app.listen(0, '127.0.0.1');
    return app;
  };
  const ask = async (app: NestFastifyApplication, path: string, init: RequestInit): Promise<Response> =>
    fetch((await app.getUrl()) + path, init);
  const statusOf = async (app: NestFastifyApplication, key: string): Promise<number> =>
    (await ask(app, '/api/v1/key', { headers: { 'x-api-key': key } })).status;
  const post = async <T>(app: NestFastifyApplication, path: string, body: object, token = ''): Promise<T> => {
    const headers = {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    return (
      await ask(app, path, { method: 'POST', headers, body: JSON.stringify(body) })
    ).json() as Promise<T>;
  };
  const login = async (app: NestFastifyApplication): Promise<string> =>
    (
      await post<{ token: { accessToken: string } }>(app, '/api/v1/auth/email/login', {
        email: 'a@example.com',
        password,
      })
    ).token.accessToken;
  const mails = (app: NestFastifyApplication) => app.get(MailOutbox).list(10);
  const listed = async (app: NestFastifyApplication): Promise<{ key: string }[]> =>
    (
      await ask(app, '/api/keys', { headers: { authorization: `Bearer ${await login(app)}` } })
    ).json() as Promise<{ key: string }[]>;

  test('keys and waiting emails survive two rotations, with the previous secret dropped after each; a start that skips one is refused with the variable’s name', async () => {
    const a = await start(first);
    await post(a, '/api/v1/auth/email/register', {
      email: 'a@example.com',
      password,
      passwordConfirm: password,
    });
    const { key: savedKey } = await post<{ key: string }>(a, '/api/keys', { name: 'Server' }, await login(a));
    const { key, userId } = await seedKey({ app: a, db: a.get(DataSource) }, {});
    // More rows than one transaction re-encrypts.
    for (let i = 0; i < 520; i++) await seedKey({ app: a, db: a.get(DataSource) }, { userId, isSaved: true });
    expect(await statusOf(a, key)).toBe(200);
    const waiting = await mails(a);
    expect(waiting).toMatchObject([{ to: 'a@example.com' }]);
    await a.close();

    await expect(start(third)).rejects.toThrow(
      "PORTAL_SECRET isn't the secret that encrypted 522 rows of api_keys",
    );

    const ab = await start(second, first);
    expect([await statusOf(ab, key), await statusOf(ab, savedKey)]).toEqual([200, 200]);
    expect(await listed(ab)).toMatchObject([{ key: savedKey }]);
    await ab.close();

    const b = await start(second);
    expect([await statusOf(b, key), await statusOf(b, savedKey)]).toEqual([200, 200]);
    expect(await listed(b)).toMatchObject([{ key: savedKey }]);
    await b.close();

    await expect(start(third, first)).rejects.toThrow(
      "PORTAL_SECRET isn't the secret that encrypted 522 rows",
    );
    await expect(start(first)).rejects.toThrow("PORTAL_SECRET isn't the secret that encrypted 522 rows");

    const c = await start(third, second);
    expect([await statusOf(c, key), await statusOf(c, savedKey)]).toEqual([200, 200]);
    expect(await listed(c)).toMatchObject([{ key: savedKey }]);
    expect(await mails(c)).toEqual(waiting);
    await c.close();
  }, 30_000);
});

describe('a row that cannot move to the new secret', () => {
  let database: { address: DatabaseAddress; drop(): Promise<void> };
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client(database.address);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const rotate = (current: string, previous: string) =>
    adoptCurrentSecret(database.address, new SecretsService({ current, previous }), [sealedApiKeys]);
  const rows = async () => (await client.query('select * from api_keys order by id')).rows;

  test('is counted if its secret is missing, and named if it was changed outside the portal; every row stays as it was', async () => {
    const secrets = new SecretsService({ current: first, previous: null });
    const db = { query: (sql: string, values?: unknown[]) => client.query(sql, values) as never };
    await seedKeyInto(db, secrets, { isSaved: true });
    await expect(rotate(third, second)).rejects.toThrow('that encrypted 1 row of api_keys');
    const { keyId } = await seedKeyInto(db, secrets, { isSaved: true });
    await client.query(`update api_keys set key_sealed = 'changed' where id = $1`, [keyId]);
    const before = await rows();
    expect(before).toHaveLength(2);
    await expect(rotate(second, first)).rejects.toThrow(
      `The row ${keyId} of api_keys was changed outside the portal and can't move to the new PORTAL_SECRET; ` +
        'restore it from a backup or delete it',
    );
    expect(await rows()).toEqual(before);
  });
});
