import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { DataSource } from 'typeorm';
import { parseEnvironment } from '../../config/environment.js';
import { Waits, WAITS, waits } from '../../config/waits.js';
import { withStartLock } from '../../database/migrate.js';
import { SecretsService } from '../../secrets/secrets.service.js';
import { signUp } from '../../testing/sign.up.js';
import { createTestDatabase, startAnother, startTestApp } from '../../testing/test.app.js';
import { SigningKey } from '../entities/signing-key.entity.js';
import { SigningKeysService } from './signing-keys.service.js';

type Portal = Awaited<ReturnType<typeof startAnother>>;

describe('signing keys', () => {
  const secret = 'a-master-secret-of-more-than-32-characters';
  const next = 'the-master-secret-after-the-rotation-0001';
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const start = (variables: Record<string, string>, address = database.address): Promise<Portal> => {
    const environment = parseEnvironment({
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      PUBLIC_URL: 'https://portal.example.com',
      SMTP_URL: 'smtp://127.0.0.1:9',
      DATA_DIR: '/nonexistent',
      ...variables,
    });
    return startAnother({ environment, address });
  };

  test('two instances that start at once share one key, and each accepts the other’s tokens', async () => {
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

  test('ten instances that find no key at once create one', async () => {
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
            waits,
          ),
      );
      await Promise.all(services.map((service) => service.onModuleInit()));
      expect(new Set(services.map(({ signer }) => signer.kid)).size).toBe(1);
      expect(await portal.db.query('select kid from signing_keys')).toHaveLength(1);
    } finally {
      await portal.close();
    }
  });

  test('after a rotation of the master secret a new key signs, and earlier sessions continue', async () => {
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

  describe('during a rotation of the master secret, with two instances on one database', () => {
    let own: Awaited<ReturnType<typeof createTestDatabase>>;
    let old: Portal;
    let fresh: Portal;
    let oldToken: string;
    beforeAll(async () => {
      own = await createTestDatabase();
      // As docs/CONFIGURATION.md says: first all instances know both secrets, then they swap them.
      old = await start({ PORTAL_SECRET: secret, PORTAL_SECRET_PREVIOUS: next }, own.address);
      oldToken = (await signUp(old)).token;
      fresh = await start({ PORTAL_SECRET: next, PORTAL_SECRET_PREVIOUS: secret }, own.address);
    });
    afterAll(async () => {
      await Promise.all([old.app.close(), fresh.app.close()]);
      await own.drop();
    });
    const db = () => fresh.app.get(DataSource);
    const look = (portal: Portal) => portal.app.get(SigningKeysService)['look']();
    const statusOf = async (portal: Portal, token: string) =>
      (await portal.call('GET', '/api/v1/auth/user', { token })).status;
    const kidOf = (token: string) => decodeProtectedHeader(token).kid as string;
    const retiredAgo = (interval: string) =>
      db().query('update signing_keys set retired_at = now() - $1::interval where retired_at is not null', [
        interval,
      ]);

    test('the old key is retired and its private key deleted; the rest needs only the new secret', async () => {
      const rows = await db().query(
        'select kid, secret_version, retired_at, private_key from signing_keys order by created_at',
      );
      expect(rows).toHaveLength(2);
      expect(rows[0]).toMatchObject({ kid: kidOf(oldToken), retired_at: expect.any(Date) });
      expect(rows[0].private_key).toHaveLength(0);
      expect(rows[1]).toMatchObject({
        secret_version: fresh.app.get(SecretsService).version,
        retired_at: null,
      });
      expect(rows[1].private_key.length).toBeGreaterThan(0);
    });

    test('a token signed with the new key is accepted at once by an instance that has not loaded that key', async () => {
      await look(fresh);
      const outdated = old.app.get(SigningKeysService);
      const { token } = await signUp(fresh);
      expect(outdated.keySet.keys.map(({ kid }) => kid)).not.toContain(kidOf(token));
      // Look-ups of made-up key ids by another client are already waiting for the next load.
      const madeUp = Array.from({ length: 20 }, (_, i) => outdated.find(`made up ${i}`));
      expect(await statusOf(old, token)).toBe(200);
      expect(new Set(await Promise.all(madeUp))).toEqual(new Set([null]));
    });

    test('a running instance signs with the new key from then on', async () => {
      await look(old);
      expect(old.app.get(SigningKeysService).signer.kid).toBe(fresh.app.get(SigningKeysService).signer.kid);
      const { token } = await signUp(old);
      expect(await statusOf(fresh, token)).toBe(200);
    });

    test('the new secret alone is enough, and creates no other key', async () => {
      // Emails that the old instance queued since are encrypted with the old secret.
      await db().query('delete from outgoing_mails');
      const alone = await start({ PORTAL_SECRET: next }, own.address);
      try {
        expect(alone.app.get(SigningKeysService).signer.kid).toBe(
          fresh.app.get(SigningKeysService).signer.kid,
        );
        expect(await statusOf(alone, oldToken)).toBe(200);
      } finally {
        await alone.app.close();
      }
    });

    test('a retired key verifies while its last token may be valid; then it is removed', async () => {
      await retiredAgo('65 minutes');
      await look(fresh);
      expect(await statusOf(fresh, oldToken)).toBe(200);
      expect((await fresh.call('GET', '/.well-known/jwks.json')).body.keys).toHaveLength(2);
      await retiredAgo('71 minutes');
      await look(fresh);
      expect(await statusOf(fresh, oldToken)).toBe(401);
      expect((await fresh.call('GET', '/.well-known/jwks.json')).body.keys).toHaveLength(1);
      expect(await db().query('select kid from signing_keys')).toHaveLength(1);
      // A running instance notices it by its own timer.
      await look(old);
      expect(await statusOf(old, oldToken)).toBe(401);
    });

    test('made-up key ids at the same moment cause one query, not one each', async () => {
      const keys = fresh.app.get(SigningKeysService);
      const loads = jest.spyOn(keys as unknown as { load(): Promise<void> }, 'load');
      const found = await Promise.all(Array.from({ length: 500 }, (_, i) => keys.find(`made up ${i}`)));
      expect(new Set(found)).toEqual(new Set([null]));
      expect(loads).toHaveBeenCalledTimes(1);
      loads.mockRestore();
    });
  });

  describe('when a key is 90 days old', () => {
    let own: Awaited<ReturnType<typeof createTestDatabase>>;
    let both: [Portal, Portal];
    beforeAll(async () => {
      own = await createTestDatabase();
      const variables = { PORTAL_SECRET: secret };
      both = [await start(variables, own.address), await start(variables, own.address)];
    });
    afterAll(async () => {
      await Promise.all(both.map(({ app }) => app.close()));
      await own.drop();
    });
    const keysOf = ({ app }: Portal) => app.get(SigningKeysService);
    const look = (portal: Portal) => keysOf(portal)['look']();
    const rows = () =>
      both[0].app.get(DataSource).query('select kid, retired_at from signing_keys order by created_at');
    const age = (interval: string) =>
      both[0].app
        .get(DataSource)
        .query('update signing_keys set created_at = now() - $1::interval where retired_at is null', [
          interval,
        ]);
    const expectSignedIn = async (tokens: string[]) => {
      for (const { call } of both) {
        for (const token of tokens) {
          expect((await call('GET', '/api/v1/auth/user', { token })).status).toBe(200);
        }
      }
    };

    test('a key younger than that stays', async () => {
      await age('89 days 23 hours');
      await Promise.all(both.map(look));
      expect(await rows()).toHaveLength(1);
    });

    test('instances that notice at once create one new key, and nobody is signed out', async () => {
      const users = [await signUp(both[0]), await signUp(both[1])];
      const before = keysOf(both[0]).signer.kid;
      await age('90 days');
      await Promise.all([...both, ...both].map(look));
      const [old, fresh, ...more] = await rows();
      expect(more).toEqual([]);
      expect(old).toMatchObject({ kid: before, retired_at: expect.any(Date) });
      expect(fresh).toMatchObject({ kid: expect.not.stringContaining(before), retired_at: null });
      expect(both.map((each) => keysOf(each).signer.kid)).toEqual([fresh.kid, fresh.kid]);
      await expectSignedIn(users.map(({ token }) => token));
      // Their refresh token returns an access token of the new key.
      for (const { refreshToken } of users) {
        const answer = await both[1].call('POST', '/api/v1/auth/refresh', { body: { refreshToken } });
        expect(decodeProtectedHeader(answer.body.accessToken).kid).toBe(fresh.kid);
        await expectSignedIn([answer.body.accessToken]);
      }
      expect((await both[0].call('GET', '/.well-known/jwks.json')).body.keys).toHaveLength(2);
    });

    test('an instance that has not noticed accepts the new key’s tokens, and its own are accepted', async () => {
      const [first, second] = both;
      await age('90 days');
      await look(first);
      expect(keysOf(second).signer.kid).not.toBe(keysOf(first).signer.kid);
      const [fresh, late] = [await signUp(first), await signUp(second)];
      expect(decodeProtectedHeader(late.token).kid).not.toBe(decodeProtectedHeader(fresh.token).kid);
      await expectSignedIn([fresh.token, late.token]);
    });

    test('the change waits while another process holds the start lock', async () => {
      const [first] = both;
      await look(first);
      const { kid } = keysOf(first).signer;
      await age('90 days');
      let free = () => {};
      const held = new Promise<void>((resolve) => (free = resolve));
      let isHeld = () => {};
      const holding = new Promise<void>((resolve) => (isHeld = resolve));
      const holder = withStartLock(own.address, () => (isHeld(), held));
      await holding;
      const shortened = first.app.get<Waits>(WAITS);
      shortened.startLockMs = 100;
      const warned = jest.spyOn(keysOf(first)['logger'], 'warn').mockReturnValue();
      await look(first);
      expect(warned).toHaveBeenCalledTimes(1);
      expect(keysOf(first).signer.kid).toBe(kid);
      shortened.startLockMs = waits.startLockMs;
      free();
      await holder;
      await look(first);
      expect(keysOf(first).signer.kid).not.toBe(kid);
      warned.mockRestore();
    }, 20_000);
  });

  test('the private key is nowhere in the database in plain text', async () => {
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
