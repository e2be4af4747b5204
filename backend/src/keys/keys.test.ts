import { waitInWords } from '@orange-id/contract/wait.text';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SecretsService } from '../secrets/secrets.service.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { taken, untilTaken } from '../testing/taken.js';
import { Answer, startTestApp, TestApp } from '../testing/test.app.js';
import { callsOn, startWithTwoUsers } from '../testing/two.users.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyFactory } from './api-key.factory.js';
import { KeyChanges } from './key.changes.js';

describe('saved keys', () => {
  let portal: TestApp;
  let owner: SignedUp;
  let other: SignedUp;
  beforeAll(async () => {
    ({ portal, owner, other } = await startWithTwoUsers());
  });
  afterAll(() => portal.close());

  const keys = '/api/keys';
  const { create, list, remove } = callsOn(() => portal, { create: keys, list: keys, remove: keys });
  const changesOf = async (id: string): Promise<number> =>
    (await portal.db.query('select 1 from key_changes where api_key_id = $1', [id])).length;

  test('creating a key returns it in full, and the list shows exactly its fields', async () => {
    const user = await signUp(portal);
    expect(await list(user)).toEqual([]);
    const answer = await create(user, { name: '  Server  ' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/),
      name: 'Server',
      key: expect.stringMatching(/^oid_[0-9A-Za-z]{33}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      lastUsed: null,
      callsToday: 0,
      expiresAt: null,
      rateLimit: null,
      replacesId: null,
      replacedAt: null,
    });
    const second = await create(user, { name: 'Server' });
    expect(await list(user)).toEqual([second.body, answer.body]);
  });

  test("the list omits project keys, and they can't be deleted as saved keys", async () => {
    const user = await signUp(portal);
    await portal.call('POST', '/devportal/v1/project', {
      token: user.token,
      body: { projectName: 'Acme', whitelistURL: ['https://example.com'] },
    });
    expect(await list(user)).toEqual([]);
    const [{ id }] = await portal.db.query('select id from api_keys where user_id = $1', [user.userId]);
    expect((await remove(user, id)).status).toBe(404);
    const [row] = await portal.db.query('select is_active from api_keys where id = $1', [id]);
    expect(row.is_active).toBe(true);
  });

  test('returns 409 above a hundred saved keys, also for concurrent requests; deleting one makes room', async () => {
    const user = await signUp(portal);
    await portal.db.query(
      `insert into api_keys (id, user_id, name, prefix, key_hash, key_sealed, secret_version)
       select gen_random_uuid(), $1::uuid, 'x', 'oid_', sha256(($1::uuid::text || n)::bytea), '', 0
       from generate_series(1, 97) n`,
      [user.userId],
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => create(user, { name: `Key ${i}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409) as Answer;
    expect(refused.body).toMatchObject({
      code: 'keys.limitReached',
      message: 'You have 100 API keys, the maximum. Delete one to create another',
    });
    const made = answers.find(({ status }) => status === 201) as Answer;
    expect((await remove(user, made.body.id)).status).toBe(204);
    expect((await create(user, { name: 'Again' })).status).toBe(201);
  });

  test('returns 429 above two hundred new keys an hour, also if some are deleted; other users are not limited', async () => {
    const user = await signUp(portal);
    for (let count = 0; count < 200;) {
      const atOnce = Math.min(10, 200 - count);
      const made = taken(
        await Promise.all(Array.from({ length: atOnce }, () => create(user, { name: 'Again' }))),
      );
      expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
      await Promise.all(made.map(({ body }) => untilTaken(() => remove(user, body.id))));
      count += made.length;
    }
    // One more becomes available every 18 s.
    let refused = await create(user, { name: 'One more' });
    for (let i = 0; i < 20 && refused.status === 201; i++) refused = await create(user, { name: 'One more' });
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(refused.body).toEqual({
      statusCode: 429,
      message: `You can create at most 200 API keys an hour. Try again in ${waitInWords(seconds)}`,
      error: 'Too Many Requests',
      code: 'request.rateLimited',
    });
    expect((await create(await signUp(portal), { name: 'Mine' })).status).toBe(201);
  }, 30_000);

  test.each([
    [{}, 'name: Name is required'],
    [{ name: ' ' }, 'name: Name is required (given " ")'],
    [
      { name: 'a'.repeat(51) },
      'name: Name must be less than 50 characters (given "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")',
    ],
    [{ name: 'a\u0000b' }, 'name: Name must not contain invisible or control characters (given "a\\u{0}b")'],
    [{ name: 'Server', userId: 'x' }, 'userId: isn’t a known field; known fields are name'],
    [{ name: 'Server', key: 'oid_mine' }, 'key: isn’t a known field; known fields are name'],
    [{ name: 'Server', isActive: false }, 'isActive: isn’t a known field; known fields are name'],
  ])('%j returns 400 %s', async (body, message) => {
    const before = (await list(owner)).length;
    const answer = await create(owner, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'request.invalid', message });
    expect(await list(owner)).toHaveLength(before);
  });

  test('deleting returns 204, deactivates the key and logs the change', async () => {
    const { id } = (await create(owner, { name: 'Gone' })).body;
    const before = await changesOf(id);
    const answer = await remove(owner, id);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await list(owner)).not.toContainEqual(expect.objectContaining({ id }));
    const [row] = await portal.db.query('select is_active from api_keys where id = $1', [id]);
    expect(row.is_active).toBe(false);
    expect(await changesOf(id)).toBe(before + 1);

    expect((await remove(owner, id)).status).toBe(404);
    expect(await changesOf(id)).toBe(before + 1);
  });

  test('a saved key works on the metered routes until it is deleted, then gets 401 without a restart', async () => {
    const { id, key } = (await create(owner, { name: 'Called' })).body;
    const call = () => portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': key } });
    expect((await call()).body).toEqual({ project: null, name: 'Called', prefix: key.slice(0, 8) });
    await remove(owner, id);
    let answer = await call();
    while (answer.status === 200) answer = await call();
    expect(answer.body).toMatchObject({
      statusCode: 401,
      code: 'key.deleted',
      message: 'Invalid API key: it was deleted. Use another one',
    });
  });

  test("another user's key returns 404 and stays active", async () => {
    const { id, key } = (await create(owner, { name: 'Mine' })).body;
    const before = await changesOf(id);
    const answer = await remove(other, id);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      statusCode: 404,
      message: 'API key not found',
      error: 'Not Found',
      code: 'keys.notFound',
    });
    expect(await list(owner)).toContainEqual(expect.objectContaining({ id, name: 'Mine', key }));
    expect(await list(other)).toEqual([]);
    expect(await changesOf(id)).toBe(before);
  });

  test.each([
    '00000000-0000-7000-8000-000000000000',
    'undefined',
    'null',
    '1',
    '%00',
    '%20',
    "'or'1'='1",
    '00000000-0000-7000-8000-00000000000g',
  ])('an unknown or malformed id %s returns 404', async (id) => {
    const answer = await remove(owner, id);
    expect(answer.status).toBe(404);
    expect(answer.body.code).toBe('keys.notFound');
  });

  test.each([undefined, null])(
    'a missing id (%s in a where clause) is an error and never matches a row',
    async (id) => {
      const repository = portal.db.getRepository(ApiKey);
      await expect(repository.findOne({ where: { id: id as unknown as string } })).rejects.toThrow(/where/i);
      await expect(repository.update({ id: id as unknown as string }, { isActive: false })).rejects.toThrow();
      await expect(repository.delete({ id: id as unknown as string })).rejects.toThrow();
    },
  );

  test('20 concurrent deletes succeed once and log once', async () => {
    const { id } = (await create(owner, { name: 'Once' })).body;
    const before = await changesOf(id);
    const answers = taken(await Promise.all(Array.from({ length: 20 }, () => remove(owner, id))));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...answers.slice(1).map(() => 404)]);
    expect(await changesOf(id)).toBe(before + 1);
  });
});

describe('how a key is stored', () => {
  const secrets = new SecretsService({ current: 'a'.repeat(32), previous: null });
  const factory = new ApiKeyFactory(secrets);
  const made = () => factory.make({ userId: 'user', projectId: null, name: 'Server' });

  test('the row finds the key by its keyed hash and reveals it', () => {
    const { key, row } = made();
    expect(row.keyHash).toEqual(secrets.lookupHash('api-key.lookup', key));
    expect(row.keyHash).toHaveLength(32);
    expect(row.prefix).toBe(key.slice(0, 8));
    expect(factory.reveal(row)).toBe(key);
    expect(row.keySealed.toString('latin1')).not.toContain(key.slice(8));
  });

  test('another secret neither finds nor decrypts it', () => {
    const { key, row } = made();
    const stranger = new SecretsService({ current: 'b'.repeat(32), previous: null });
    expect(stranger.lookupHash('api-key.lookup', key)).not.toEqual(row.keyHash);
    expect(() => new ApiKeyFactory(stranger).reveal(row)).toThrow(/PORTAL_SECRET_PREVIOUS/);
  });

  test('after a rotation of the secret the old secret still decrypts it', () => {
    const { key, row } = made();
    const rotated = new SecretsService({ current: 'b'.repeat(32), previous: 'a'.repeat(32) });
    expect(new ApiKeyFactory(rotated).reveal(row)).toBe(key);
  });

  test('an encrypted key moved to another row or changed by a bit does not decrypt', () => {
    const [one, other] = [made().row, made().row];
    expect(() => factory.reveal({ ...one, id: other.id })).toThrow();
    expect(() => factory.reveal({ ...one, keySealed: other.keySealed })).toThrow();
    const changed = Buffer.from(one.keySealed);
    changed[changed.length - 1] = (changed.at(-1) as number) ^ 1;
    expect(() => factory.reveal({ ...one, keySealed: changed })).toThrow();
  });
});

describe('the log of key changes', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
  const versions = () => portal.db.query('select version, api_key_id from key_changes order by version');

  test('several keys get consecutive versions, no keys change nothing, and a rollback undoes all', async () => {
    const changes = portal.app.get(KeyChanges);
    await portal.db.transaction((manager) => changes.record(manager, [id(1), id(2)]));
    await portal.db.transaction((manager) => changes.record(manager, []));
    const failed = portal.db.transaction(async (manager) => {
      await changes.record(manager, [id(3)]);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await portal.db.transaction((manager) => changes.record(manager, [id(4)]));
    expect(await versions()).toEqual([
      { version: '1', api_key_id: id(1) },
      { version: '2', api_key_id: id(2) },
      { version: '3', api_key_id: id(4) },
    ]);
  });

  test('a version is visible only after every lower one', async () => {
    const changes = portal.app.get(KeyChanges);
    const first = portal.db.createQueryRunner();
    await first.startTransaction();
    await changes.record(first.manager, [id(5)]);
    let isSecondDone = false;
    const second = portal.db
      .transaction((manager) => changes.record(manager, [id(6)]))
      .then(() => (isSecondDone = true));
    // The database itself reports that the second one waits.
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%key_change_head%'
                     and datname = current_database()`;
    while ((await portal.db.query(waiting)).length === 0);
    expect(isSecondDone).toBe(false);
    expect(await versions()).toHaveLength(3);
    await first.commitTransaction();
    await first.release();
    await second;
    expect((await versions()).slice(3)).toEqual([
      { version: '4', api_key_id: id(5) },
      { version: '5', api_key_id: id(6) },
    ]);
  });
});
