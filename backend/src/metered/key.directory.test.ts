import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { apiKeyBytes, apiKeyFrom, apiKeyPrefix } from '@orange-id/contract/api-key.rule';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { EntityManager } from 'typeorm';
import { newId } from '../database/new.id.js';
import { KeyChanges } from '../keys/key.changes.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { seedKey, SeededKey } from '../testing/seed.key.js';
import { startAnother, startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { KeyDirectory, KnownKey } from './key.directory.js';

/** The documented limit of 1 s, plus the allowance for a busy machine. */
const inForceWithinMs = 1_000 + 500;

describe('the keys that two instances accept', () => {
  let portal: TestApp;
  let second: Awaited<ReturnType<typeof startAnother>>;
  beforeAll(async () => {
    portal = await startTestApp({ RATE_LIMIT_PER_KEY: '100000', RATE_LIMIT_PER_ADDRESS: '100000' });
    second = await startAnother(portal);
  });
  afterAll(async () => {
    await second.close();
    await portal.close();
  });

  /** The statuses that both instances return. */
  const statuses = (key: string, origin?: string) =>
    Promise.all(
      [portal.url, second.url].map(
        async (url) =>
          (await fetch(`${url}/api/v1/key`, { headers: { 'x-api-key': key, ...(origin ? { origin } : {}) } }))
            .status,
      ),
    );
  const change = (seeded: SeededKey, work: (manager: EntityManager) => Promise<unknown>) =>
    portal.db.transaction(async (manager) => {
      await work(manager);
      await portal.app.get(KeyChanges).record(manager, [seeded.keyId]);
    });
  const become = (expected: number, key: string, origin?: string) =>
    until(
      `both instances answer ${expected}`,
      async () => (await statuses(key, origin)).every((status) => status === expected),
      inForceWithinMs,
    );

  test('a revoked key is refused by both within 1 s', async () => {
    const seeded = await seedKey(portal);
    expect(await statuses(seeded.key)).toEqual([200, 200]);
    await change(seeded, (manager) =>
      manager.query('update api_keys set is_active = false where id = $1', [seeded.keyId]),
    );
    await become(401, seeded.key);
  });

  test('an added domain and a removed domain take effect on both within 1 s', async () => {
    const seeded = await seedKey(portal, { urls: ['https://a.example.com'] });
    const origin = 'https://b.example.com';
    expect(await statuses(seeded.key, origin)).toEqual([403, 403]);
    await change(seeded, (manager) =>
      manager.query('insert into project_urls (id, project_id, url) values ($1, $2, $3)', [
        newId(),
        seeded.project?.id,
        origin,
      ]),
    );
    await become(200, seeded.key, origin);
    await change(seeded, (manager) => manager.query('delete from project_urls where url = $1', [origin]));
    await become(403, seeded.key, origin);
  });

  test('a key that was unknown a moment ago is accepted by both within 1 s', async () => {
    const seeded = await seedKey(portal, { isSaved: true });
    const secrets = portal.app.get(SecretsService);
    const key = apiKeyFrom(randomBytes(apiKeyBytes));
    expect(await statuses(key)).toEqual([401, 401]);
    await change(seeded, (manager) =>
      manager.query('update api_keys set key_hash = $2, prefix = $3 where id = $1', [
        seeded.keyId,
        secrets.lookupHash('api-key.lookup', key),
        apiKeyPrefix(key),
      ]),
    );
    await become(200, key);
  });

  test('while the changes cannot be read, a revoked key is not served from memory', async () => {
    const seeded = await seedKey(portal);
    expect(await statuses(seeded.key)).toEqual([200, 200]);
    const client = new pg.Client(portal.address);
    await client.connect();
    try {
      await client.query('begin');
      await client.query('lock table key_changes in access exclusive mode');
      await portal.db.query('update api_keys set is_active = false where id = $1', [seeded.keyId]);
      await until(
        'neither instance answers 200',
        async () => (await statuses(seeded.key)).every((status) => status !== 200),
        inForceWithinMs + 2_000,
      );
    } finally {
      await client.query('rollback');
      await client.end();
    }
    await change(seeded, async () => undefined);
    await until(
      'both know that it is revoked',
      async () => (await statuses(seeded.key)).join() === '401,401',
    );
  }, 15_000);

  test('a broken connection to the database is replaced, and the keys are still known', async () => {
    const seeded = await seedKey(portal);
    await portal.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'orange-portal %'`,
    );
    await until('both instances answer', async () => (await statuses(seeded.key)).join() === '200,200');
  }, 15_000);

  test('many callers with one key cause one look-up', async () => {
    const seeded = await seedKey(portal);
    const directory = portal.app.get(KeyDirectory);
    await until('changes are being read', () => performance.now() - directory['confirmedAt'] < 400);
    const lookUps = jest.spyOn(directory['connection'], 'query');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        fetch(`${portal.url}/api/v1/key`, { headers: { 'x-api-key': seeded.key } }),
      ),
    );
    const found = lookUps.mock.calls.filter(([statement]) => statement.name === 'keys.find');
    lookUps.mockRestore();
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(found).toHaveLength(1);
  });

  test('a row that was read before a change but arrives after it is not cached', async () => {
    const seeded = await seedKey(portal);
    const directory = portal.app.get(KeyDirectory);
    const ask = directory['connection'].query.bind(directory['connection']);
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = jest.spyOn(directory['connection'], 'query').mockImplementation(async (statement, wait) => {
      const result = await ask(statement, wait);
      if (statement.name === 'keys.find') await held;
      return result;
    });
    const early = portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': seeded.key } });
    await until('the key is being looked up', () =>
      slow.mock.calls.some(([statement]) => statement.name === 'keys.find'),
    );
    const { generation } = directory as unknown as { generation: number };
    await change(seeded, (manager) =>
      manager.query('update api_keys set is_active = false where id = $1', [seeded.keyId]),
    );
    await until(
      'the change is known',
      () => (directory as unknown as { generation: number }).generation > generation,
    );
    release();
    slow.mockRestore();
    await early;
    expect(await statuses(seeded.key)).toEqual([401, 401]);
  });
});

describe('keys that are not in memory', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  test('are looked up together, and further look-ups are refused at once when too many wait', async () => {
    const directory = portal.app.get(KeyDirectory);
    const seeded = await seedKey(portal, { urls: ['https://a.example.com'] });
    const holder = portal.db.createQueryRunner();
    await holder.startTransaction();
    await holder.query('lock table api_keys in access exclusive mode');
    const asked = Array.from({ length: 1_500 }, (_, i) =>
      Promise.resolve(directory.find(i === 700 ? seeded.key : apiKeyFrom(randomBytes(apiKeyBytes)))),
    );
    // The first one is running, a thousand wait for it, the others are refused.
    const answers = Promise.allSettled(asked);
    const refused = await Promise.allSettled(asked.slice(1_001));
    expect(refused).toHaveLength(499);
    for (const one of refused) {
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'server.busy', statusCode: 503 } });
    }
    await holder.rollbackTransaction();
    await holder.release();
    const rest = (await answers).slice(0, 1_001);
    expect(rest.filter(({ status }) => status !== 'fulfilled')).toEqual([]);
    const found = rest.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value.id] : []));
    expect(found).toEqual([seeded.keyId]);
  });

  test('a revoked key is recognised from memory, separate from live ones, and changes still arrive', async () => {
    const directory = portal.app.get(KeyDirectory);
    const [live, revoked] = [await seedKey(portal), await seedKey(portal, { isSaved: true })];
    await portal.db.query('update api_keys set is_active = false where id = $1', [revoked.keyId]);
    expect(await directory.find(revoked.key)).toMatchObject({ id: revoked.keyId, revoked: 'key.deleted' });
    expect(await directory.find(live.key)).toMatchObject({ id: live.keyId, revoked: null });
    await until(
      'it is answered without the database',
      () => !(directory.find(revoked.key) instanceof Promise),
    );
    expect([...directory['revoked'].values()].map(({ id }) => id)).toEqual([revoked.keyId]);
    expect([...directory['known'].values()].map(({ id }) => id)).not.toContain(revoked.keyId);

    await portal.db.transaction(async (manager) => {
      await manager.query('update api_keys set is_active = true where id = $1', [revoked.keyId]);
      await portal.app.get(KeyChanges).record(manager, [revoked.keyId]);
    });
    await until(
      'it is live again',
      async () => (await directory.find(revoked.key))?.revoked === null,
      inForceWithinMs,
    );
    expect(directory['revoked'].size).toBe(0);
  });

  test('of more than 20,000 live keys the one unused for longest is forgotten, and found again by a look-up', async () => {
    const directory = portal.app.get(KeyDirectory);
    const idle = await seedKey(portal);
    const found = (await directory.find(idle.key)) as KnownKey;
    const isRemembered = () => directory['hashes'].has(idle.keyId);
    expect(isRemembered()).toBe(true);
    // As if as many other keys had been used since.
    for (let i = 0; i < 20_000; i++) directory['keep'](`hash-${i}`, { ...found, id: `id-${i}` });
    expect(directory['known'].size).toBe(20_000);
    expect(isRemembered()).toBe(false);
    const again = directory.find(idle.key);
    expect(again).toBeInstanceOf(Promise);
    expect(await again).toEqual(found);
    expect([directory['known'].size, isRemembered()]).toEqual([20_000, true]);
  });

  test('a key that expires between two reads is kept only as a revoked one', async () => {
    const directory = portal.app.get(KeyDirectory);
    const seeded = await seedKey(portal, { isSaved: true });
    const hashOf = (side: 'known' | 'revoked') =>
      [...directory[side]].flatMap(([hash, { id }]) => (id === seeded.keyId ? [hash] : []));
    await directory.find(seeded.key);
    expect([hashOf('known').length, hashOf('revoked').length]).toEqual([1, 0]);
    await portal.db.query("update api_keys set expires_at = now() - interval '1 s' where id = $1", [
      seeded.keyId,
    ]);
    // A poll that is late makes the next look-up read the row again.
    await until('it is read again', async () => {
      directory['confirmedAt'] = -Infinity;
      return (await directory.find(seeded.key))?.expiry !== null;
    });
    expect([hashOf('known').length, hashOf('revoked').length]).toEqual([0, 1]);
  });
});
