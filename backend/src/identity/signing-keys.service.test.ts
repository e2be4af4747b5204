import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { createApp } from '../app.factory.js';
import { parseEnvironment } from '../config/environment.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { signUp } from '../testing/sign.up.js';
import { createTestDatabase, freePort, startTestApp, TestApp } from '../testing/test.app.js';
import { SigningKey } from './signing-key.entity.js';
import { SigningKeysService } from './signing-keys.service.js';

describe('signing keys', () => {
  const secret = 'a-master-secret-of-more-than-32-characters';
  const next = 'the-master-secret-after-the-rotation-0001';
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const start = async (variables: Record<string, string>): Promise<Pick<TestApp, 'app' | 'call'>> => {
    const port = await freePort();
    const environment = parseEnvironment({
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      PORT: String(port),
      PUBLIC_URL: 'https://portal.example.com',
      DATA_DIR: '/nonexistent',
      ...variables,
    });
    const app = await createApp({
      environment,
      address: database.address,
      webRoot: join('/nonexistent', 'web'),
    });
    await app.listen(port, '127.0.0.1');
    return {
      app,
      call: async (method, path, { body, token } = {}) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          method,
          headers: {
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        return { status: response.status, headers: response.headers, text, body: JSON.parse(text || 'null') };
      },
    };
  };

  test('two instances that start at once share one key, and each takes the other’s tokens', async () => {
    const both = await Promise.all([start({ PORTAL_SECRET: secret }), start({ PORTAL_SECRET: secret })]);
    try {
      const [first, second] = both.map(({ app }) => app.get(SigningKeysService).keySet.keys);
      expect(first).toHaveLength(1);
      expect(second).toEqual(first);
      const { token } = await signUp(both[0]);
      expect((await both[1].call('GET', '/api/v1/auth/user', { token })).status).toBe(200);
    } finally {
      await Promise.all(both.map(({ app }) => app.close()));
    }
  });

  test('ten that find no key at once make one', async () => {
    const portal = await startTestApp();
    try {
      await portal.db.query('delete from signing_keys');
      const services = Array.from(
        { length: 10 },
        () =>
          new SigningKeysService(
            portal.db.getRepository(SigningKey),
            portal.app.get(SecretsService),
            portal.address,
          ),
      );
      await Promise.all(services.map((service) => service.onModuleInit()));
      expect(new Set(services.map(({ signer }) => signer.kid)).size).toBe(1);
      expect(await portal.db.query('select kid from signing_keys')).toHaveLength(1);
    } finally {
      await portal.close();
    }
  });

  test('a rotated master secret signs with a new key; sign-ins from before it live on', async () => {
    const before = await start({ PORTAL_SECRET: secret });
    const old = await signUp(before);
    const after = await start({ PORTAL_SECRET: next, PORTAL_SECRET_PREVIOUS: secret });
    try {
      expect((await after.call('GET', '/api/v1/auth/user', { token: old.token })).status).toBe(200);
      const fresh = await signUp(after);
      expect(fresh.token.split('.')[0]).not.toBe(old.token.split('.')[0]);
      expect((await after.call('GET', '/.well-known/jwks.json')).body.keys).toHaveLength(2);
    } finally {
      await Promise.all([before.app.close(), after.app.close()]);
    }
  });

  test('the private half is nowhere in the database', async () => {
    const app = await startTestApp();
    try {
      const rows = await app.db.query('select private_key, public_key from signing_keys');
      expect(rows).toHaveLength(1);
      expect(rows[0].public_key.d).toBeUndefined();
      const marker = generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString()
        .split('\n')[0] as string;
      expect(rows[0].private_key.toString('latin1')).not.toContain(marker);
    } finally {
      await app.close();
    }
  });
});
