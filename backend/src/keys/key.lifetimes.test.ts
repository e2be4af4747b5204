import type { SavedKey } from '@orange-id/contract/keys.schema';
import { waitInWords } from '@orange-id/contract/wait.text';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { AttemptLimiter } from '../http/attempt.limiter.js';
import { openLive } from '../testing/open.live.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { taken } from '../testing/taken.js';
import { Answer, startAnother, TestApp } from '../testing/test.app.js';
import { startWithTwoUsers } from '../testing/two.users.js';
import { until } from '../testing/until.js';
import { UsageRollups } from '../usage/usage.rollups.js';
import { KeyReader } from './key.reader.js';
import { KeyRevocations } from './key.revocations.js';
import { KeysService } from './keys.service.js';

/** The documented limit of 1 s, plus the allowance for a busy machine. */
const inForceWithinMs = 1_000 + 500;
const dayMs = 24 * 3_600_000;

describe('the life of a key', () => {
  let portal: TestApp;
  let second: Awaited<ReturnType<typeof startAnother>>;
  let owner: SignedUp;
  let other: SignedUp;
  beforeAll(async () => {
    ({ portal, owner, other } = await startWithTwoUsers());
    second = await startAnother(portal);
  }, 30_000);
  afterAll(async () => {
    await second.close();
    await portal.close();
  });

  const send = (user: SignedUp, method: string, path: string, body?: unknown): Promise<Answer> =>
    portal.call(method, path, { token: user.token, ...(body === undefined ? {} : { body }) });
  const create = async (user: SignedUp, name = 'Server'): Promise<SavedKey> =>
    (await send(user, 'POST', '/api/keys', { name })).body;
  const list = async (user: SignedUp): Promise<SavedKey[]> => (await send(user, 'GET', '/api/keys')).body;
  const listed = async (user: SignedUp, id: string) => (await list(user)).find((key) => key.id === id);
  const change = (user: SignedUp, id: string, body: unknown) => send(user, 'PATCH', `/api/keys/${id}`, body);
  const rotate = (user: SignedUp, id: string, overlapDays = 7) =>
    send(user, 'POST', `/api/keys/${id}/rotate`, { overlapDays });
  const remove = (user: SignedUp, id: string) => send(user, 'DELETE', `/api/keys/${id}`);
  const callAt = (at: Pick<TestApp, 'call'>, key: string) =>
    at.call('GET', '/api/v1/key', { headers: { 'x-api-key': key } });
  /** What both instances answer: 200, or the code of the error. */
  const verdicts = (key: string) =>
    Promise.all(
      [portal, second].map(async (at) => {
        const { status, body } = await callAt(at, key);
        return status === 200 ? '200' : String(body.code);
      }),
    );
  const become = (key: string, verdict: string, withinMs = inForceWithinMs) =>
    until(
      `both instances answer ${verdict}`,
      async () => (await verdicts(key)).every((one) => one === verdict),
      withinMs,
    );
  const in1h = () => new Date(Date.now() + 3_600_000).toISOString();
  const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort();

  describe('changing it', () => {
    test('a change returns the key as the list shows it, leaves missing fields unchanged, and null removes a limit and an expiry', async () => {
      const made = await create(owner);
      const expiresAt = in1h();
      const answer = await change(owner, made.id, { name: '  Renamed ', expiresAt, rateLimit: 5 });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.body).toEqual({ ...made, name: 'Renamed', expiresAt, rateLimit: 5 });
      expect(await listed(owner, made.id)).toEqual(answer.body);
      expect((await change(owner, made.id, { rateLimit: null })).body).toEqual({
        ...made,
        name: 'Renamed',
        expiresAt,
        rateLimit: null,
      });
      expect((await change(owner, made.id, { expiresAt: null })).body).toEqual({ ...made, name: 'Renamed' });
    });

    test.each([
      [{}, 'The body must contain name, expiresAt or rateLimit'],
      [{ name: ' ' }, 'name: Name is required (given " ")'],
      [{ userId: 'x' }, 'userId: isn’t a known field; known fields are name, expiresAt, rateLimit'],
      [
        { expiresAt: '2020-01-01T00:00:00Z' },
        'expiresAt: must be in the future. Choose a later time, or delete or rotate the key to stop it now (given "2020-01-01T00:00:00Z")',
      ],
      [
        { expiresAt: 'tomorrow' },
        'expiresAt: must be an ISO 8601 time in the years 0001 to 9999, such as 2027-01-31T12:00:00Z, or null for no expiry (given "tomorrow")',
      ],
      [
        { rateLimit: 1001 },
        'rateLimit: must be at most 1000 calls per second, the limit of this portal (given 1001)',
      ],
      [
        { rateLimit: 0 },
        'rateLimit: must be a whole number of calls per second, at least 1, or null for no limit (given 0)',
      ],
    ])('%j returns 400 %s and changes nothing', async (body, message) => {
      const made = await create(owner);
      const answer = await change(owner, made.id, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'request.invalid', message });
      expect(await listed(owner, made.id)).toEqual(made);
    });

    test("another user's key, a deleted key and a malformed id return 404", async () => {
      const made = await create(owner);
      for (const act of [change(other, made.id, { name: 'Mine' }), rotate(other, made.id)]) {
        const { status, body } = await act;
        expect([status, body.code]).toEqual([404, 'keys.notFound']);
      }
      expect(await listed(owner, made.id)).toEqual(made);
      await remove(owner, made.id);
      for (const id of [made.id, '00000000-0000-7000-8000-000000000000', 'null', '%00', "'or'1'='1"]) {
        expect((await change(owner, id, { name: 'Mine' })).body.code).toBe('keys.notFound');
        expect((await rotate(owner, id)).body.code).toBe('keys.notFound');
      }
    });

    test('concurrent changes of different fields all apply, and a change concurrent with a deletion never brings the key back', async () => {
      const made = await create(owner);
      const expiresAt = in1h();
      const bodies = [{ name: 'Both' }, { expiresAt }, { rateLimit: 7 }];
      const answers = await Promise.all(bodies.map((body) => change(owner, made.id, body)));
      expect(statusesOf(answers)).toEqual([200, 200, 200]);
      expect(await listed(owner, made.id)).toEqual({ ...made, name: 'Both', expiresAt, rateLimit: 7 });

      const [changed, removed] = await Promise.all([
        change(owner, made.id, { expiresAt: null }),
        remove(owner, made.id),
      ]);
      expect([200, 404]).toContain(changed.status);
      expect(removed.status).toBe(204);
      expect(await listed(owner, made.id)).toBeUndefined();
      await become(made.key, 'key.deleted');
    });

    test('a limit, an expiry and its removal are in force on both instances within 1 s', async () => {
      const { id, key } = await create(owner);
      await become(key, '200');
      await change(owner, id, { rateLimit: 1 });
      await until(
        'both instances state the limit',
        async () => {
          const answers = await Promise.all([portal, second].map((at) => callAt(at, key)));
          return answers.every(({ headers }) => headers.get('ratelimit-policy') === '"key";q=1;w=1');
        },
        inForceWithinMs,
      );
      await change(owner, id, { rateLimit: null });
      await become(key, '200');
      const expiresAt = new Date(Date.now() + 200).toISOString();
      expect((await change(owner, id, { expiresAt })).status).toBe(200);
      await become(key, 'key.expired', inForceWithinMs + 200);
      expect((await listed(owner, id))?.expiresAt).toBe(expiresAt);
      await change(owner, id, { expiresAt: null });
      await become(key, '200');
    });

    test('returns 429 above three hundred changes an hour, to that user only', async () => {
      const user = await signUp(portal);
      const { id } = await create(user);
      const { changing } = portal.app.get(KeysService) as unknown as { changing: AttemptLimiter };
      for (let i = 0; i < 300; i++) changing.take(user.userId);
      // One more becomes available every 12 s.
      let answer = await change(user, id, { rateLimit: 1 });
      for (let i = 0; i < 20 && answer.status === 200; i++) answer = await change(user, id, { rateLimit: 1 });
      expect(answer.status).toBe(429);
      const seconds = Number(answer.headers.get('retry-after'));
      expect(answer.body.message).toBe(
        `You can make at most 300 changes to your API keys an hour. Try again in ${waitInWords(seconds)}`,
      );
      expect((await change(owner, (await create(owner)).id, { rateLimit: 1 })).status).toBe(200);
    });
  });

  describe('rotating it', () => {
    test('during the overlap both keys work on both instances, the list shows both, and ending the old one stops it within 1 s', async () => {
      const user = await signUp(portal);
      const old = await create(user);
      await change(user, old.id, { rateLimit: 9 });
      await become(old.key, '200');
      const from = Date.now();
      const answer = await rotate(user, old.id, 7);
      expect(answer.status).toBe(201);
      const made: SavedKey = answer.body;
      expect(made).toEqual({
        ...old,
        id: expect.any(String),
        key: expect.stringMatching(/^oid_/),
        rateLimit: 9,
        createdAt: expect.any(String),
        replacesId: old.id,
      });
      expect(made.key).not.toBe(old.key);
      const replaced = await listed(user, old.id);
      expect(Date.parse(String(replaced?.replacedAt))).toBeGreaterThanOrEqual(from);
      const end = Date.parse(String(replaced?.expiresAt));
      expect(end - Date.parse(String(replaced?.replacedAt))).toBe(7 * dayMs);
      expect((await list(user)).map(({ id }) => id)).toEqual([made.id, old.id]);
      for (const { key } of [old, made]) await become(key, '200');

      for (const body of [{ name: 'x' }, { expiresAt: null }]) {
        expect((await change(user, old.id, body)).body.code).toBe('keys.replaced');
      }
      expect((await rotate(user, old.id)).body).toMatchObject({ statusCode: 409, code: 'keys.replaced' });
      expect((await rotate(user, made.id)).body).toMatchObject({
        statusCode: 409,
        code: 'keys.overlapping',
        message: 'The key that this one replaced still works. End it before you rotate this one',
      });

      expect((await remove(user, old.id)).status).toBe(204);
      await become(old.key, 'key.replaced');
      await become(made.key, '200');
      expect((await list(user)).map(({ id }) => id)).toEqual([made.id]);
      expect((await rotate(user, made.id)).status).toBe(201);
    });

    test('without an overlap the old key stops within 1 s; with an overlap, it stops when the overlap ends', async () => {
      const user = await signUp(portal);
      const old = await create(user);
      await become(old.key, '200');
      const made: SavedKey = (await rotate(user, old.id, 0)).body;
      await become(old.key, 'key.replaced');
      expect((await list(user)).map(({ id }) => id)).toEqual([made.id]);

      await rotate(user, made.id, 1);
      await become(made.key, '200');
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + dayMs + 1000);
      try {
        expect(await verdicts(made.key)).toEqual(['key.replaced', 'key.replaced']);
      } finally {
        clock.mockRestore();
      }
    });

    test('the old key keeps an earlier expiry of its own, and the new one has none', async () => {
      const user = await signUp(portal);
      const old = await create(user);
      const expiresAt = in1h();
      await change(user, old.id, { expiresAt });
      const made: SavedKey = (await rotate(user, old.id, 30)).body;
      expect(made.expiresAt).toBeNull();
      expect((await listed(user, old.id))?.expiresAt).toBe(expiresAt);
    });

    test('the new key gets the expiry and the limit that are given, `null` for none', async () => {
      const user = await signUp(portal);
      const old = await create(user);
      await change(user, old.id, { rateLimit: 9 });
      const rotateTo = (id: string, terms: object) =>
        send(user, 'POST', `/api/keys/${id}/rotate`, { overlapDays: 0, ...terms });
      const expiresAt = in1h();
      const made: SavedKey = (await rotateTo(old.id, { expiresAt })).body;
      expect(made).toMatchObject({ expiresAt, rateLimit: 9 });
      const next: SavedKey = (await rotateTo(made.id, { expiresAt: null, rateLimit: 3 })).body;
      expect(next).toMatchObject({ expiresAt: null, rateLimit: 3 });
      for (const [terms, message] of [
        [{ expiresAt: '2020-01-01T00:00:00Z' }, /^expiresAt: must be in the future/],
        [{ rateLimit: 1_000_000 }, /^rateLimit: must be at most \d+ calls per second/],
        [{ rateLimit: 0 }, /^rateLimit: must be a whole number/],
      ] as const) {
        const refused = await rotateTo(next.id, terms);
        expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(message)]);
      }
      expect((await listed(user, next.id))?.replacedAt).toBeNull();
    });

    test('of twenty concurrent rotations one succeeds, the others return 409, and two keys work', async () => {
      const user = await signUp(portal);
      const old = await create(user);
      const answers = taken(await Promise.all(Array.from({ length: 20 }, () => rotate(user, old.id))));
      expect(statusesOf(answers)).toEqual([201, ...answers.slice(1).map(() => 409)]);
      const codes = answers.filter(({ status }) => status === 409).map(({ body }) => body.code);
      expect(new Set(codes)).toEqual(new Set(['keys.replaced']));
      const made = answers.find(({ status }) => status === 201)?.body as SavedKey;
      expect((await list(user)).map(({ id }) => id)).toEqual([made.id, old.id]);
      const rows = await portal.db.query('select id from api_keys where user_id = $1', [user.userId]);
      expect(rows).toHaveLength(2);
    });

    test('a rotation concurrent with a deletion and a change leaves either no key or only the new one', async () => {
      const user = await signUp(portal);
      const old = await create(user);
      const [rotated, removed, changed] = await Promise.all([
        rotate(user, old.id),
        remove(user, old.id),
        change(user, old.id, { name: 'x' }),
      ]);
      expect(removed.status).toBe(204);
      expect([200, 404, 409]).toContain(changed.status);
      const left = (await list(user)).map(({ id }) => id);
      if (rotated.status === 201) expect(left).toEqual([rotated.body.id]);
      else expect([rotated.status, left]).toEqual([404, []]);
    });

    test('a user with a hundred keys can rotate one; the new key counts in place of the old one', async () => {
      const user = await signUp(portal);
      const { id } = await create(user);
      await portal.db.query(
        `insert into api_keys (id, user_id, name, prefix, key_hash, key_sealed, secret_version)
         select gen_random_uuid(), $1::uuid, 'x', 'oid_', sha256(($1::uuid::text || n)::bytea), '', 0
         from generate_series(1, 99) n`,
        [user.userId],
      );
      expect((await send(user, 'POST', '/api/keys', { name: 'x' })).body.code).toBe('keys.limitReached');
      expect((await rotate(user, id)).status).toBe(201);
      expect((await send(user, 'POST', '/api/keys', { name: 'x' })).body.code).toBe('keys.limitReached');
      await portal.db.query('delete from api_keys where user_id = $1 and secret_version = 0 and name = $2', [
        user.userId,
        'x',
      ]);
      expect((await list(user)).length).toBe(2);
    });

    test('a replaced key counts against the limit once the new key is deleted, so rotations do not get round the limit', async () => {
      const user = await signUp(portal);
      const { id } = await create(user);
      await portal.db.query(
        `insert into api_keys (id, user_id, name, prefix, key_hash, key_sealed, secret_version)
         select gen_random_uuid(), $1::uuid, 'x', 'oid_', sha256(($1::uuid::text || n)::bytea), '', 0
         from generate_series(1, 99) n`,
        [user.userId],
      );
      const { body: current } = await rotate(user, id);
      expect((await remove(user, current.id)).status).toBe(204);
      expect((await send(user, 'POST', '/api/keys', { name: 'x' })).body.code).toBe('keys.limitReached');
      expect((await remove(user, id)).status).toBe(204);
      expect((await send(user, 'POST', '/api/keys', { name: 'Free' })).status).toBe(201);
      await portal.db.query("delete from api_keys where user_id = $1 and name = 'x'", [user.userId]);
    });
  });

  describe("a project's key", () => {
    interface Made {
      code: string;
      projectName: string;
      apiKey: string;
    }
    let count = 0;
    const make = async (user: SignedUp): Promise<Made> => {
      const projectName = `Project ${count++}`;
      const { body } = await send(user, 'POST', '/devportal/v1/project', {
        projectName,
        whitelistURL: ['https://example.com'],
      });
      return { code: body.projectId, projectName, apiKey: body.apiKey };
    };
    const keysOf = async (user: SignedUp, { code }: Made): Promise<SavedKey[]> =>
      (await send(user, 'GET', `/api/projects/${code}/keys`)).body;
    const currentOf = async (user: SignedUp, made: Made) => (await keysOf(user, made))[0] as SavedKey;
    const rotateOf = (user: SignedUp, { code }: Made, id: string, overlapDays = 7) =>
      send(user, 'POST', `/api/projects/${code}/keys/${id}/rotate`, { overlapDays });
    const end = (user: SignedUp, { code }: Made, id: string) =>
      send(user, 'DELETE', `/api/projects/${code}/keys/${id}`);
    const wireKey = async (user: SignedUp, { code }: Made) =>
      (await send(user, 'GET', '/devportal/v1/user/projects')).body.find(
        (project: { code: string }) => project.code === code,
      ).apiKey;

    test('with an expiry in the past names what stops a project’s key: it can’t be deleted', async () => {
      const user = await signUp(portal);
      const key = await currentOf(user, await make(user));
      const { status, body } = await change(user, key.id, { expiresAt: '2020-01-01T00:00:00Z' });
      expect([status, body.message]).toEqual([
        400,
        'expiresAt: must be in the future. Choose a later time, or replace or rotate the key to stop it now (given "2020-01-01T00:00:00Z")',
      ]);
    });

    test('is listed, renamed and limited like a saved one, and is not among the saved ones', async () => {
      const user = await signUp(portal);
      const project = await make(user);
      const key = await currentOf(user, project);
      expect(key).toMatchObject({ name: project.projectName, key: project.apiKey, replacesId: null });
      const { body } = await change(user, key.id, { name: 'Shop', rateLimit: 4 });
      expect(body).toEqual({ ...key, name: 'Shop', rateLimit: 4 });
      expect(await keysOf(user, project)).toEqual([body]);
      expect(await list(user)).toEqual([]);
      expect((await rotate(user, key.id)).body.code).toBe('keys.notFound');
    });

    test('is rotated: the project shows the new key, both work, the whitelist applies to both, and the old one can be ended early', async () => {
      const user = await signUp(portal);
      const project = await make(user);
      const { id } = await currentOf(user, project);
      expect((await end(user, project, id)).body).toMatchObject({
        statusCode: 409,
        code: 'keys.projectNeedsKey',
      });
      const answer = await rotateOf(user, project, id);
      expect(answer.status).toBe(201);
      const made: SavedKey = answer.body;
      expect(await wireKey(user, project)).toBe(made.key);
      expect((await keysOf(user, project)).map((key) => key.id)).toEqual([made.id, id]);
      for (const key of [project.apiKey, made.key]) {
        await become(key, '200');
        const headers = { 'x-api-key': key, origin: 'https://stranger.example.org' };
        expect((await portal.call('GET', '/api/v1/key', { headers })).status).toBe(403);
      }
      expect((await end(user, project, made.id)).body.code).toBe('keys.projectNeedsKey');
      expect((await end(user, project, id)).status).toBe(204);
      await become(project.apiKey, 'key.replaced');
      await become(made.key, '200');
      expect((await end(user, project, id)).body.code).toBe('keys.notFound');
    });

    test('an added URL applies to both keys of an overlap', async () => {
      const user = await signUp(portal);
      const project = await make(user);
      const made: SavedKey = (await rotateOf(user, project, (await currentOf(user, project)).id)).body;
      const origin = 'https://late.example.org';
      const from = async (key: string) =>
        (await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': key, origin } })).status;
      expect([await from(project.apiKey), await from(made.key)]).toEqual([403, 403]);
      const { code, projectName } = project;
      await send(user, 'POST', '/devportal/v1/project/whitelist-urls', { code, projectName, urls: [origin] });
      await until(
        'both keys work from the added URL',
        async () => (await from(project.apiKey)) === 200 && (await from(made.key)) === 200,
        inForceWithinMs,
      );
    });

    test('is read before the lock that all key changes wait for is taken, however long the read takes', async () => {
      const user = await signUp(portal);
      const project = await make(user);
      const current = await currentOf(user, project);
      const saved = await create(user);
      const reader = portal.app.get(KeyReader);
      const read = reader.read.bind(reader);
      const blocked: string[] = [];
      const spy = jest.spyOn(reader, 'read').mockImplementation(async (wanted, manager) => {
        const key = await read(wanted, manager);
        // Another user's change of a key while this transaction is still reading.
        await portal.db
          .transaction(async (db) => {
            await db.query("set local lock_timeout = '1s'");
            await db.query('update key_change_head set version = version');
          })
          .catch((error: unknown) => blocked.push(String(error)));
        return key;
      });
      try {
        const answers = [
          await send(user, 'POST', '/api/keys', { name: 'New' }),
          await change(user, saved.id, { name: 'Renamed' }),
          await rotate(user, saved.id),
          await rotateOf(user, project, current.id),
        ];
        expect(statusesOf(answers)).toEqual([200, 201, 201, 201]);
        expect(spy).toHaveBeenCalledTimes(answers.length);
        expect(blocked).toEqual([]);
      } finally {
        spy.mockRestore();
      }
    });

    test('of twenty concurrent rotations one succeeds, and the project has one current key', async () => {
      const user = await signUp(portal);
      const project = await make(user);
      const { id } = await currentOf(user, project);
      const answers = taken(await Promise.all(Array.from({ length: 20 }, () => rotateOf(user, project, id))));
      expect(statusesOf(answers)).toEqual([201, ...answers.slice(1).map(() => 409)]);
      const made = answers.find(({ status }) => status === 201)?.body as SavedKey;
      expect((await keysOf(user, project)).map((key) => key.id)).toEqual([made.id, id]);
      expect(await wireKey(user, project)).toBe(made.key);
    });

    test('replacing the key at once, and revoking all keys, each end both keys of an overlap and leave one new key', async () => {
      const user = await signUp(portal);
      const project = await make(user);
      const first = await currentOf(user, project);
      await change(user, first.id, { name: 'Shop', rateLimit: 4 });
      const made: SavedKey = (await rotateOf(user, project, first.id)).body;
      const { projectName } = project;
      const { text: replaced } = await send(user, 'POST', '/devportal/v1/project/generateKey', {
        projectName,
      });
      for (const key of [project.apiKey, made.key]) await become(key, 'key.replaced');
      const current = await currentOf(user, project);
      expect(current).toMatchObject({ key: replaced, name: 'Shop', rateLimit: 4 });

      await rotateOf(user, project, current.id);
      const saved = await create(user);
      await rotate(user, saved.id);
      await portal.db.transaction((manager) => portal.app.get(KeyRevocations).endAll(manager, user.userId));
      const [only, ...others] = await keysOf(user, project);
      expect(others).toEqual([]);
      expect(only).toMatchObject({ name: 'Shop', rateLimit: 4 });
      expect(await list(user)).toEqual([]);
      await become(String(only?.key), '200');
    });

    test("another user's project, and a key of another project, return 404", async () => {
      const user = await signUp(portal);
      const [project, second] = [await make(user), await make(user)];
      const { id } = await currentOf(user, project);
      expect((await rotateOf(other, project, id)).body.code).toBe('project.notFound');
      expect((await rotateOf(user, second, id)).body.code).toBe('keys.notFound');
      expect((await end(user, second, id)).body.code).toBe('keys.notFound');
      expect((await change(other, id, { rateLimit: 1 })).body.code).toBe('keys.notFound');
      for (const code of ['orange-0000000000', 'null', '%00']) {
        expect((await send(user, 'GET', `/api/projects/${code}/keys`)).body.code).toBe('project.notFound');
      }
    });
  });

  describe('its use', () => {
    /** Today's stored calls of the user and the time of the last one, by key. */
    const stored = async (user: SignedUp): Promise<Map<string, { at: Date; calls: number }>> => {
      const rows = await portal.db.query(
        `select api_key_id as id, max(timestamp) as at, sum(calls)::int as calls from api_usage
         where user_id = $1 and timestamp >= date_trunc('day', now(), 'UTC') group by 1`,
        [user.userId],
      );
      return new Map(rows.map(({ id, ...row }: { id: string; at: Date; calls: number }) => [id, row]));
    };

    test('last use and calls today equal the stored calls, before and after they are folded', async () => {
      const user = await signUp(portal);
      const [one, two, unused] = [await create(user), await create(user), await create(user)];
      const check = async () => {
        const expected = await stored(user);
        const shown = (await list(user)).map(({ id, lastUsed, callsToday }) => ({
          id,
          lastUsed,
          callsToday,
        }));
        expect(shown).toEqual(
          [unused, two, one].map(({ id }) => ({
            id,
            lastUsed: expected.get(id)?.at.toISOString() ?? null,
            callsToday: expected.get(id)?.calls ?? 0,
          })),
        );
      };
      for (const { key } of [one, two, one]) expect((await callAt(portal, key)).status).toBe(200);
      await check();
      await until('one instance folds', async () => {
        const folded = await Promise.all([portal, second].map(({ app }) => app.get(UsageRollups).fold()));
        return folded.some(Boolean);
      });
      await check();
      expect((await callAt(second, one.key)).status).toBe(200);
      await check();
      const days = `with known as (
          insert into usage_keys (user_id, api_key_id) values ($1, $2) returning id
        )
        insert into usage_key_days (user_id, key, day, calls, last_at, places, counts)
        select $1, id, (now() at time zone 'UTC')::date - date '1970-01-01' - 2, 5, $3, '{}', '{}' from known`;
      const at = new Date(Math.floor((Date.now() - 2 * dayMs) / 1000) * 1000);
      await portal.db.query(days, [user.userId, unused.id, at]);
      expect(await listed(user, unused.id)).toMatchObject({ lastUsed: at.toISOString(), callsToday: 0 });
    });

    test('the list takes one query, whatever the number of keys', async () => {
      const user = await signUp(portal);
      for (let i = 0; i < 5; i++) await create(user);
      const queries = jest.spyOn(portal.db.manager, 'query');
      try {
        const keys = await portal.app.get(KeyReader).read({ userId: user.userId, projectId: null });
        expect(keys).toHaveLength(5);
        expect(queries).toHaveBeenCalledTimes(1);
      } finally {
        queries.mockRestore();
      }
    });
  });

  test('each change of a key is announced to its user’s pages on every instance, and to nobody else’s', async () => {
    const user = await signUp(portal);
    const project = await portal.call('POST', '/devportal/v1/project', {
      token: user.token,
      body: { projectName: 'Announced', whitelistURL: ['https://example.com'] },
    });
    const [current]: SavedKey[] = (await send(user, 'GET', `/api/projects/${project.body.projectId}/keys`))
      .body;
    const [here, there, theirs] = await Promise.all([
      openLive(portal.url, { token: user.token }),
      openLive(second.url, { token: user.token }),
      openLive(second.url, { token: other.token }),
    ]);
    try {
      const announced = async (what: string, act: () => Promise<unknown>) => {
        const [before, beforeThere] = [here.keyChanges, there.keyChanges];
        await act();
        await until(what, () => here.keyChanges > before && there.keyChanges > beforeThere, inForceWithinMs);
      };
      let key!: SavedKey;
      await announced('a creation is announced', async () => (key = await create(user)));
      await announced('a change is announced', () => change(user, key.id, { rateLimit: 5 }));
      await announced('a rotation is announced', async () => (key = (await rotate(user, key.id)).body));
      await announced('a deletion is announced', () => remove(user, key.id));
      await announced('a change of a project’s key is announced', () =>
        change(user, String(current?.id), { name: 'Announced key' }),
      );
      expect(theirs.keyChanges).toBe(0);
    } finally {
      for (const live of [here, there, theirs]) live.close();
    }
  });
});
