import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitInWords } from '@orange-id/contract/wait.text';
import pg from 'pg';
import type { Answer, TestApp } from '../testing/test.app.js';
import { ProjectChanged, ProjectChanges } from '../realtime/project.changes.js';
import { type Caller, Projects } from './projects.port.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { callsOn, startWithTwoUsers } from '../testing/two.users.js';
import { until } from '../testing/until.js';
import { taken } from '../testing/taken.js';

describe('the project service', () => {
  let portal: TestApp;
  let owner: SignedUp;
  let other: SignedUp;
  beforeAll(async () => {
    ({ portal, owner, other } = await startWithTwoUsers());
  });
  afterAll(() => portal.close());

  const { create, list, remove } = callsOn(() => portal, {
    create: '/devportal/v1/project',
    list: '/devportal/v1/user/projects',
    remove: '/api/projects',
  });
  const count = async (table: string, where = 'true'): Promise<number> =>
    Number((await portal.db.query(`select count(*) from ${table} where ${where}`))[0].count);
  const counts = async () => ({
    projects: await count('projects'),
    urls: await count('project_urls'),
    keys: await count('api_keys'),
    changes: await count('key_changes'),
  });
  const changesDuring = async (work: () => Promise<unknown>) => {
    const seen: ({ ownerId: string } & ProjectChanged)[] = [];
    const end = portal.app
      .get(ProjectChanges)
      .subscribe((ownerId, change) => seen.push({ ownerId, ...change }));
    await work().finally(end);
    return seen;
  };

  describe('creating', () => {
    test('returns 409 above two hundred projects, also for concurrent requests; deleting one makes room', async () => {
      const user = await signUp(portal);
      await portal.db.query(
        `insert into projects (id, code, owner_id, project_name, name_key)
         select gen_random_uuid(), left('orange-' || md5($1::uuid::text || n), 17), $1::uuid, 'P' || n, 'p' || n
         from generate_series(1, 197) n`,
        [user.userId],
      );
      const make = (name: string) =>
        create(user, { projectName: name, whitelistURL: ['https://example.com'] });
      const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => make(`New ${i}`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
      const refused = answers.find(({ status }) => status === 409) as Answer;
      expect(refused.body).toMatchObject({
        code: 'project.limitReached',
        message:
          'You have 200 projects, the maximum. Delete one in the browser you created it in, then try again',
      });
      const made = answers.find(({ status }) => status === 201) as Answer;
      expect((await remove(user, made.body.projectId)).status).toBe(204);
      expect((await make('Again')).status).toBe(201);
    });

    test('returns 429 above two hundred attempts an hour, and creates nothing more; other users are not limited', async () => {
      const user = await signUp(portal);
      const body = { projectName: 'Asked for', whitelistURL: ['https://example.com'] };
      const answers: Answer[] = [];
      while (answers.length < 200) {
        const atOnce = Math.min(10, 200 - answers.length);
        answers.push(...taken(await Promise.all(Array.from({ length: atOnce }, () => create(user, body)))));
      }
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(199);
      // One more becomes available every 18 s.
      let refused = await create(user, body);
      for (let i = 0; i < 20 && refused.status === 400; i++) refused = await create(user, body);
      expect(refused.status).toBe(429);
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(refused.body).toEqual({
        statusCode: 429,
        message: `You can create at most 200 projects an hour. Try again in ${waitInWords(seconds)}`,
        error: 'Too Many Requests',
        code: 'request.rateLimited',
      });
      expect(await list(user)).toHaveLength(1);
      expect((await create(await signUp(portal), body)).status).toBe(201);
    }, 30_000);

    test('returns the code and the key, and the list shows the project in full', async () => {
      const whitelistURL = ['https://example.com/path', 'http://EXAMPLE.com:8080', 'https://8.8.8.8'];
      const answer = await create(owner, {
        projectName: '  Acme   Games ',
        whitelistURL,
        source: 'campaign',
      });
      expect(answer.status).toBe(201);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(Object.keys(answer.body).sort()).toEqual(['apiKey', 'projectId']);
      const { projectId, apiKey } = answer.body;
      expect(projectId).toMatch(/^orange-[a-z0-9]{10}$/);
      expect(apiKey).toMatch(/^oid_[0-9A-Za-z]{33}$/);

      const listed = await portal.call('GET', '/devportal/v1/user/projects', { token: owner.token });
      expect(listed.status).toBe(200);
      expect(listed.headers.get('cache-control')).toBe('no-store');
      expect(listed.body).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          code: projectId,
          projectName: 'Acme Games',
          apiKey,
          urls: ['https://example.com', 'http://example.com', 'https://8.8.8.8'],
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          lastUpdatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        },
      ]);
      const [row] = await portal.db.query('select owner_id, source from projects where code = $1', [
        projectId,
      ]);
      expect(row).toEqual({ owner_id: owner.userId, source: 'campaign' });
    });

    test("notifies the owner's pages, and logs the key change with the next version", async () => {
      const [{ version: before }] = await portal.db.query('select version from key_change_head');
      let code = '';
      const seen = await changesDuring(async () => {
        code = (await create(owner, { projectName: 'Notified', whitelistURL: ['https://notified.com'] })).body
          .projectId;
      });
      expect(seen).toEqual([{ ownerId: owner.userId, projectId: code, kind: 'created' }]);
      const [key] = await portal.db.query(
        'select api_keys.id from api_keys join projects on projects.id = project_id where code = $1',
        [code],
      );
      const logged = await portal.db.query('select version, api_key_id from key_changes where version > $1', [
        before,
      ]);
      expect(logged).toEqual([{ version: String(Number(before) + 1), api_key_id: key.id }]);
    });

    test('50 concurrent requests create one project, the others return 400 already exists', async () => {
      const user = await signUp(portal);
      const before = await counts();
      let answers: Answer[] = [];
      const seen = await changesDuring(async () => {
        answers = taken(
          await Promise.all(
            Array.from({ length: 50 }, (_, i) =>
              create(user, {
                projectName: i % 2 === 0 ? 'Racing' : ' RACING ',
                whitelistURL: ['https://racing.com', 'https://www.racing.com'],
              }),
            ),
          ),
        );
      });
      const [made, ...more] = answers.filter(({ status }) => status === 201);
      expect(more).toEqual([]);
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(answers.length - 1);
      for (const { status, body } of refused) {
        expect(status).toBe(400);
        expect(body).toMatchObject({ statusCode: 400, error: 'Bad Request', code: 'project.nameTaken' });
        expect(body.message).toContain('already exists');
      }
      expect(await list(user)).toMatchObject([{ code: made?.body.projectId, apiKey: made?.body.apiKey }]);
      expect(seen).toHaveLength(1);
      expect(await counts()).toEqual({
        projects: before.projects + 1,
        urls: before.urls + 2,
        keys: before.keys + 1,
        changes: before.changes + 1,
      });
    });

    test('concurrent creates of many users all succeed, each with its own change version', async () => {
      const users = await Promise.all(Array.from({ length: 8 }, () => signUp(portal)));
      const bodies = Array.from({ length: 24 }, (_, i) => ({
        projectName: `Project ${i}`,
        whitelistURL: ['https://example.com'],
      }));
      const answers = taken(
        await Promise.all(bodies.map((body, i) => create(users[i % 8] as SignedUp, body))),
      );
      expect(answers).not.toHaveLength(0);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(new Set(answers.map(({ body }) => body.projectId)).size).toBe(answers.length);
      expect(new Set(answers.map(({ body }) => body.apiKey)).size).toBe(answers.length);
      const [{ head, last, distinct }] = await portal.db.query(
        `select (select version from key_change_head) as head, max(version) as last, count(*) as distinct
         from key_changes`,
      );
      expect([last, distinct]).toEqual([head, head]);
    });

    test('another user may have a project of the same name', async () => {
      const body = { projectName: 'Shared name', whitelistURL: ['https://example.com'] };
      expect((await create(owner, body)).status).toBe(201);
      expect((await create(other, body)).status).toBe(201);
      expect((await create(owner, { ...body, projectName: 'ｓhared  NAME' })).status).toBe(400);
    });

    const good = { projectName: 'Refused', whitelistURL: ['https://example.com'] };
    test.each([
      [
        'a blank name',
        { ...good, projectName: ' \t ' },
        'project.nameInvalid',
        'projectName: must not be blank',
      ],
      [
        'a name of 101 characters',
        { ...good, projectName: 'a'.repeat(101) },
        'project.nameInvalid',
        'projectName: must have at most 100 characters',
      ],
      [
        'a zero byte in the name',
        { ...good, projectName: 'a\u0000b' },
        'project.nameInvalid',
        'projectName: must not contain invisible or control characters',
      ],
      [
        'half a character in the name',
        { ...good, projectName: 'a\ud800b' },
        'project.nameInvalid',
        'projectName: must not contain invisible or control characters',
      ],
      [
        'no name',
        { whitelistURL: good.whitelistURL },
        'request.invalid',
        'projectName: is missing; it must be text',
      ],
      [
        'no URLs',
        { ...good, whitelistURL: [] },
        'request.invalid',
        'whitelistURL: must contain at least one URL (given a list of 0)',
      ],
      [
        '101 URLs',
        { ...good, whitelistURL: Array.from({ length: 101 }, (_, i) => `https://site${i}.com`) },
        'request.invalid',
        'whitelistURL: must contain at most 100 URLs (given a list of 101)',
      ],
      [
        'a localhost URL',
        { ...good, whitelistURL: ['https://example.com', 'http://localhost:3000'] },
        'project.urlInvalid',
        'whitelistURL.1: "http://localhost:3000" is a localhost URL, which isn’t allowed for production projects',
      ],
      [
        'a URL without its protocol',
        { ...good, whitelistURL: ['example.com'] },
        'project.urlInvalid',
        'whitelistURL.0: "example.com" isn’t a URL; include the protocol (e.g., https://example.com)',
      ],
      [
        'a URL of more than 100 characters',
        { ...good, whitelistURL: [`ftp://${'a'.repeat(94)}b`] },
        'project.urlInvalid',
        `whitelistURL.0: "ftp://${'a'.repeat(94)}…" must use HTTP or HTTPS protocol (e.g., https://example.com)`,
      ],
      [
        'the same site twice',
        { ...good, whitelistURL: ['https://example.com', 'https://EXAMPLE.com:444/x'] },
        'project.urlInvalid',
        'whitelistURL.1: "https://EXAMPLE.com:444/x" is in the list twice (compared by protocol and host name)',
      ],
      [
        'a name far too long',
        { ...good, projectName: 'a'.repeat(1001) },
        'request.invalid',
        `projectName: must have at most 100 characters (given "${'a'.repeat(60)}…", 1001 characters)`,
      ],
      [
        'a URL that is no text',
        { ...good, whitelistURL: [7] },
        'request.invalid',
        'whitelistURL.0: must be text (given 7)',
      ],
      ['a zero byte in the source', { ...good, source: 'a\u0000' }, 'request.invalid', /^source: /],
      [
        'a userId',
        { ...good, userId: 'x' },
        'request.invalid',
        'userId: isn’t a known field; known fields are projectName, whitelistURL, source',
      ],
      [
        'an ownerId',
        { ...good, ownerId: 'x' },
        'request.invalid',
        'ownerId: isn’t a known field; known fields are projectName, whitelistURL, source',
      ],
      [
        'a code',
        { ...good, code: 'orange-0000000000' },
        'request.invalid',
        'code: isn’t a known field; known fields are projectName, whitelistURL, source',
      ],
      ['a list', [good], 'request.invalid', 'The body must be an object with named fields'],
      [
        'nothing',
        undefined,
        'request.invalid',
        'The body is missing; it must be an object with named fields',
      ],
    ])('%s returns 400 with the reason, and creates nothing', async (_, body, code, message) => {
      const before = await counts();
      const answer = await create(owner, body);
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe(code);
      if (typeof message === 'string') expect(answer.body.message).toBe(message);
      else expect(answer.body.message).toMatch(message);
      expect(await counts()).toEqual(before);
    });

    test('names every offending URL', async () => {
      const answer = await create(owner, {
        projectName: 'Two wrong',
        whitelistURL: ['ftp://a.com', 'https://fine.com', 'https://10.0.0.1'],
      });
      expect(answer.body.details).toEqual([
        {
          path: 'whitelistURL.0',
          message: '"ftp://a.com" must use HTTP or HTTPS protocol (e.g., https://example.com)',
        },
        {
          path: 'whitelistURL.2',
          message: '"https://10.0.0.1" needs a valid public domain name (e.g., https://example.com)',
        },
      ]);
    });

    test('accepts a name of 100 characters and 100 URLs', async () => {
      const whitelistURL = Array.from({ length: 100 }, (_, i) => `https://site${i}.com`);
      const answer = await create(other, { projectName: '🍊'.repeat(100), whitelistURL });
      expect(answer.status).toBe(201);
      expect((await list(other))[0]).toMatchObject({ projectName: '🍊'.repeat(100), urls: whitelistURL });
    });

    test('a failure half-way leaves nothing behind', async () => {
      await portal.db.query('alter table key_changes rename to key_changes_away');
      const failed = await create(owner, { projectName: 'Half', whitelistURL: ['https://half.com'] });
      await portal.db.query('alter table key_changes_away rename to key_changes');
      expect(failed.status).toBe(500);
      expect(failed.body).toEqual({
        statusCode: 500,
        message: 'Something went wrong on the server. Try again later',
        error: 'Internal Server Error',
        code: 'server.failed',
      });
      expect(await count('projects', `project_name = 'Half'`)).toBe(0);
      expect(await count('project_urls', `url = 'https://half.com'`)).toBe(0);
      expect((await create(owner, { projectName: 'Half', whitelistURL: ['https://half.com'] })).status).toBe(
        201,
      );
    });
  });

  describe('listing', () => {
    test("returns the caller's projects only, newest first", async () => {
      const user = await signUp(portal);
      expect(await list(user)).toEqual([]);
      for (const projectName of ['First', 'Second', 'Third']) {
        await create(user, { projectName, whitelistURL: ['https://example.com'] });
      }
      const names = (await list(user)).map((project: { projectName: string }) => project.projectName);
      expect(names).toEqual(['Third', 'Second', 'First']);
    });

    test('reads URLs without the slow parser for database arrays, so that many of them delay no other request', async () => {
      const user = await signUp(portal);
      await create(user, {
        projectName: 'Wide',
        whitelistURL: ['https://a.example.com', 'https://b.example.com'],
      });
      // `text[]`, as `array(select url …)` is.
      const textArray = 1009 as Parameters<typeof pg.types.setTypeParser>[0];
      const parse = pg.types.getTypeParser(textArray);
      let parsed = 0;
      const counted = (text: string) => {
        parsed += 1;
        return parse(text);
      };
      pg.types.setTypeParser(textArray, counted);
      try {
        const [project] = await portal.app.get(Projects).list({ user: { id: user.userId } } as Caller);
        expect(project?.urls).toHaveLength(2);
      } finally {
        pg.types.setTypeParser(textArray, parse);
      }
      expect(parsed).toBe(0);
    });
  });

  describe('deleting', () => {
    const make = async (user: SignedUp, projectName: string): Promise<string> =>
      (await create(user, { projectName, whitelistURL: ['https://gone.com'] })).body.projectId;

    test("removes the project, its URLs and its key, notifies the owner's pages and logs the key change", async () => {
      const code = await make(owner, 'Gone');
      const [key] = await portal.db.query(
        'select api_keys.id, project_id from api_keys join projects on projects.id = project_id where code = $1',
        [code],
      );
      const seen = await changesDuring(async () => {
        const answer = await remove(owner, code);
        expect([answer.status, answer.text]).toEqual([204, '']);
      });
      expect(seen).toEqual([{ ownerId: owner.userId, projectId: code, kind: 'deleted' }]);
      expect(await list(owner)).not.toContainEqual(expect.objectContaining({ code }));
      expect(await count('api_keys', `id = '${key.id}'`)).toBe(0);
      expect(await count('project_urls', `project_id = '${key.project_id}'`)).toBe(0);
      const [last] = await portal.db.query(
        'select api_key_id from key_changes order by version desc limit 1',
      );
      expect(last.api_key_id).toBe(key.id);
    });

    test('the project’s key works on the metered routes until then, and gets 401 afterwards without a restart', async () => {
      const { projectId, apiKey } = (
        await create(owner, { projectName: 'Called', whitelistURL: ['https://called.com'] })
      ).body;
      const call = () => portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': apiKey } });
      expect((await call()).body).toMatchObject({ project: { code: projectId, name: 'Called' } });
      await remove(owner, projectId);
      let answer = await call();
      while (answer.status === 200) answer = await call();
      expect(answer.body).toMatchObject({
        statusCode: 401,
        code: 'key.deleted',
        message: 'Invalid API key: it was deleted. Use another one',
      });
    });

    test('later calls with the project’s key appear in the usage of its owner only', async () => {
      const { projectId, apiKey } = (
        await create(owner, { projectName: 'Still called', whitelistURL: ['https://still.com'] })
      ).body;
      await remove(owner, projectId);
      await until('the key is refused as deleted', async () => {
        const { body } = await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': apiKey } });
        return body.code === 'key.deleted';
      });
      const seenBy = async ({ token }: SignedUp) =>
        (await portal.call('GET', '/api/usage?status=revoked&errorCode=key.deleted', { token })).body.rows;
      expect((await seenBy(owner))[0]).toMatchObject({
        projectId,
        statusCode: 401,
        outcome: 'revoked',
        errorCode: 'key.deleted',
      });
      expect(await seenBy(other)).toEqual([]);
      const [kept] = await portal.db.query('select * from deleted_keys where project_code = $1', [projectId]);
      expect(Object.keys(kept).sort()).toEqual(['deleted_at', 'id', 'key_hash', 'project_code', 'user_id']);
    });

    test('frees the name, and a second delete returns 404', async () => {
      const code = await make(owner, 'Again');
      expect((await remove(owner, code)).status).toBe(204);
      expect((await remove(owner, code)).status).toBe(404);
      expect(await make(owner, 'Again')).toMatch(/^orange-/);
    });

    test("another user's project returns 404 and stays", async () => {
      const code = await make(owner, 'Stays');
      const before = await counts();
      const answer = await remove(other, code);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({
        statusCode: 404,
        message: 'Project not found',
        error: 'Not Found',
        code: 'project.notFound',
      });
      expect(await counts()).toEqual(before);
      expect(await list(owner)).toContainEqual(expect.objectContaining({ code, urls: ['https://gone.com'] }));
    });

    test.each(['orange-0000000000', 'undefined', 'null', '%00', "'or'1'='1", 'orange-%2e%2e%2f', '%ff'])(
      'an unknown or malformed code %s returns 404 or 400, never 500',
      async (code) => {
        const before = await counts();
        const answer = await remove(owner, code);
        expect([400, 404]).toContain(answer.status);
        expect(await counts()).toEqual(before);
      },
    );

    test('20 concurrent requests delete the project once', async () => {
      const code = await make(owner, 'Once');
      const answers = taken(await Promise.all(Array.from({ length: 20 }, () => remove(owner, code))));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, ...answers.slice(1).map(() => 404)]);
    });
  });

  test('no row of the database contains a key in plain text', async () => {
    const { apiKey } = (await create(owner, { projectName: 'Dumped', whitelistURL: ['https://example.com'] }))
      .body;
    const saved = await portal.call('POST', '/api/keys', { token: owner.token, body: { name: 'Dumped' } });
    const tables: { name: string }[] = await portal.db.query(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
    );
    let dump = '';
    for (const { name } of tables) {
      const rows = await portal.db.query(
        `select t::text as row, encode(t::text::bytea, 'escape') from ${name} t`,
      );
      dump += JSON.stringify(rows);
    }
    expect(dump).toContain('Dumped');
    for (const key of [apiKey, saved.body.key]) {
      const secret = key.slice(8);
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(Buffer.from(secret).toString('hex'));
      expect(dump).not.toContain(Buffer.from(key).toString('base64').slice(0, 40));
    }
    expect(dump).not.toMatch(/oid_[0-9A-Za-z]{33}/);
  });
});
