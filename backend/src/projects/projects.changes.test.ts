import { waitInWords } from '@orange-id/contract/wait.text';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Live, openLive } from '../testing/open.live.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { taken } from '../testing/taken.js';
import { Answer, startAnother, TestApp } from '../testing/test.app.js';
import { startWithTwoUsers } from '../testing/two.users.js';
import { until } from '../testing/until.js';

/** The documented limit of 1 s, plus the allowance for a busy machine. */
const inForceWithinMs = 1_000 + 500;

interface Made {
  code: string;
  projectName: string;
  apiKey: string;
}

describe('changing a project', () => {
  let portal: TestApp;
  let owner: SignedUp;
  let other: SignedUp;
  let second: Awaited<ReturnType<typeof startAnother>>;
  beforeAll(async () => {
    ({ portal, owner, other } = await startWithTwoUsers());
    second = await startAnother(portal);
  }, 30_000);
  afterAll(async () => {
    await second.close();
    await portal.close();
  });

  let count = 0;
  const make = async (
    user: SignedUp,
    whitelistURL = ['https://example.com', 'https://second.com'],
  ): Promise<Made> => {
    const projectName = `Project ${count++}`;
    const { status, body } = await portal.call('POST', '/devportal/v1/project', {
      token: user.token,
      body: { projectName, whitelistURL },
    });
    expect(status).toBe(201);
    return { code: body.projectId, projectName, apiKey: body.apiKey };
  };
  const send = (method: string, path: string) => (user: SignedUp, body: unknown) =>
    portal.call(method, `/devportal/v1/project/${path}`, { token: user.token, body });
  const sendAdd = send('POST', 'whitelist-urls');
  const sendRemove = send('DELETE', 'whitelist');
  const sendGenerate = send('POST', 'generateKey');
  const add = (user: SignedUp, { code, projectName }: Made, ...urls: string[]) =>
    sendAdd(user, { code, projectName, urls, userId: user.userId });
  const remove = (user: SignedUp, { code, projectName }: Made, url: string) =>
    sendRemove(user, { code, projectName, url });
  const generate = (user: SignedUp, { projectName }: Made) => sendGenerate(user, { projectName });
  const listed = async (user: SignedUp, { code }: Made) =>
    (await portal.call('GET', '/devportal/v1/user/projects', { token: user.token })).body.find(
      (project: { code: string }) => project.code === code,
    );
  const callWith = (key: string, at: Pick<TestApp, 'call'> = portal, headers: Record<string, string> = {}) =>
    at.call('GET', '/api/v1/key', { headers: { 'x-api-key': key, ...headers } });
  /** Every stored row that belongs to projects. */
  const rows = () =>
    Promise.all(
      ['projects', 'project_urls', 'api_keys', 'key_changes'].map((table) =>
        portal.db.query(`select t::text from ${table} t order by 1`),
      ),
    );
  const keysOf = ({
    code,
  }: Made): Promise<{ id: string; is_active: boolean; replaces_id: string | null }[]> =>
    portal.db.query(
      `select k.id, k.is_active, k.replaces_id from api_keys k join projects p on p.id = k.project_id
       where p.code = $1 order by k.id`,
      [code],
    );
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();
  const expectRefused = (answer: Answer, status: number, code: string) =>
    expect([answer.status, answer.body.code, answer.body.statusCode]).toEqual([status, code, status]);

  describe('adding URLs', () => {
    test('returns the whole whitelist, which the list then shows, and updates lastUpdatedAt', async () => {
      const project = await make(owner, ['https://example.com']);
      const before = await listed(owner, project);
      const answer = await add(owner, project, 'https://www.New.com:8443/path?x#y', 'http://new.com');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const urls = ['https://example.com', 'https://www.new.com', 'http://new.com'];
      expect(answer.body).toEqual({ success: true, urls });
      const after = await listed(owner, project);
      expect(after).toEqual({ ...before, urls, lastUpdatedAt: expect.any(String) });
      expect(after.lastUpdatedAt > before.lastUpdatedAt).toBe(true);
    });

    test('ignores the user named in a body', async () => {
      const project = await make(owner);
      const { code, projectName } = project;
      const body = { code, projectName, urls: ['https://third.com'], userId: other.userId };
      expect((await sendAdd(owner, body)).status).toBe(200);
      expectRefused(await sendAdd(other, { ...body, userId: owner.userId }), 404, 'project.notFound');
      const [{ owner_id }] = await portal.db.query('select owner_id from projects where code = $1', [code]);
      expect(owner_id).toBe(owner.userId);
    });

    test('returns 409 with every URL that already exists, and adds none of the others', async () => {
      const project = await make(owner);
      const before = await rows();
      const answer = await add(
        owner,
        project,
        'https://third.com',
        'https://EXAMPLE.com/x',
        'https://second.com:1',
      );
      expectRefused(answer, 409, 'project.urlDuplicate');
      expect(answer.body).toMatchObject({
        message: 'This URL is already whitelisted for this project',
        details: [
          { path: 'urls.1', message: '"https://example.com" is already whitelisted for this project' },
          { path: 'urls.2', message: '"https://second.com" is already whitelisted for this project' },
        ],
      });
      expect(await rows()).toEqual(before);
    });

    test.each([
      [
        'a localhost URL',
        'http://localhost:3000',
        'is a localhost URL, which isn’t allowed for production projects',
      ],
      ['no protocol', 'example.com', 'isn’t a URL; include the protocol (e.g., https://example.com)'],
      ['another protocol', 'ftp://a.com', 'must use HTTP or HTTPS protocol (e.g., https://example.com)'],
      ['a short host', 'https://a', 'needs a valid domain name (e.g., https://example.com)'],
      [
        'a private address',
        'https://10.0.0.1',
        'needs a valid public domain name (e.g., https://example.com)',
      ],
      [
        'a port that does not exist',
        'https://example.com:99999',
        'has an invalid port; remove it. An allowed URL covers every port of its host',
      ],
      [
        'a username and a password',
        'https://a:b@example.com',
        'has a username or password; remove it (e.g., https://example.com)',
      ],
      ['nothing', '', 'must not be empty'],
      ['a null byte', 'https://a.com\u0000', 'isn’t a URL; include the protocol (e.g., https://example.com)'],
    ])('%s returns 400 with the value, and adds nothing', async (_, url, problem) => {
      const project = await make(owner);
      const before = await rows();
      const answer = await add(owner, project, 'https://fine.com', url);
      expectRefused(answer, 400, 'project.urlInvalid');
      expect(answer.body.details).toEqual([{ path: 'urls.1', message: `${JSON.stringify(url)} ${problem}` }]);
      expect(await rows()).toEqual(before);
    });

    test('allows at most 100, also if they are added concurrently', async () => {
      const project = await make(
        owner,
        Array.from({ length: 95 }, (_, i) => `https://site${i}.com`),
      );
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, i) => add(owner, project, `https://a${i}.com`, `https://b${i}.com`)),
      );
      expect(statuses(answers)).toEqual([200, 200, 409, 409]);
      const refused = answers.find(({ status }) => status === 409) as Answer;
      expectRefused(refused, 409, 'project.urlsLimitReached');
      expect(refused.body.message).toBe(
        'A project can have at most 100 allowed URLs. Remove one to add another',
      );
      expect((await listed(owner, project)).urls).toHaveLength(99);
      expect((await add(owner, project, 'https://last.com')).body.urls).toHaveLength(100);
    });

    test('adds a URL once if it is sent twenty times concurrently', async () => {
      const project = await make(owner);
      const answers = taken(
        await Promise.all(Array.from({ length: 20 }, (_, i) => add(owner, project, `https://once.com/${i}`))),
      );
      expect(statuses(answers)).toEqual([200, ...answers.slice(1).map(() => 409)]);
      expect((await listed(owner, project)).urls).toEqual([
        'https://example.com',
        'https://second.com',
        'https://once.com',
      ]);
    });
  });

  describe('removing a URL', () => {
    test('returns the number of removed URLs; the list shows the rest, and lastUpdatedAt is updated', async () => {
      const project = await make(owner);
      const before = await listed(owner, project);
      const answer = await remove(owner, project, 'https://EXAMPLE.com:8080/path');
      expect([answer.status, answer.body]).toEqual([200, { success: true, deleted: 1 }]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const after = await listed(owner, project);
      expect(after.urls).toEqual(['https://second.com']);
      expect(after.lastUpdatedAt > before.lastUpdatedAt).toBe(true);
    });

    test.each(['https://third.com', 'http://example.com', 'nonsense', '', 'https://a.com\u0000'])(
      'returns 404 for %j, which does not exist, and changes nothing',
      async (url) => {
        const project = await make(owner);
        const before = await rows();
        expectRefused(await remove(owner, project, url), 404, 'project.urlNotFound');
        expect(await rows()).toEqual(before);
      },
    );

    test('keeps the last one and returns 409 with what to do instead', async () => {
      const project = await make(owner, ['https://only.com']);
      const before = await rows();
      const answer = await remove(owner, project, 'https://only.com');
      expectRefused(answer, 409, 'project.lastUrl');
      expect(answer.body.message).toBe(
        'This is the project’s only allowed URL. Add another one before you remove it',
      );
      expect(await rows()).toEqual(before);
    });

    test('keeps one of two URLs that are removed concurrently, in each of ten rounds', async () => {
      for (let turn = 0; turn < 10; turn++) {
        const project = await make(owner);
        const answers = await Promise.all([
          remove(owner, project, 'https://example.com'),
          remove(owner, project, 'https://second.com'),
        ]);
        expect(statuses(answers)).toEqual([200, 409]);
        expect((await listed(owner, project)).urls).toHaveLength(1);
      }
    });

    test('concurrent additions and removals all succeed, in some order', async () => {
      const added = Array.from({ length: 10 }, (_, i) => `https://new${i}.com`);
      const removed = Array.from({ length: 10 }, (_, i) => `https://old${i}.com`);
      const project = await make(owner, removed);
      const [additions, removals] = await Promise.all([
        Promise.all(added.map((url) => add(owner, project, url))),
        Promise.all(removed.map((url) => remove(owner, project, url))),
      ]);
      const answers = taken([...additions, ...removals]);
      expect(statuses(answers)).toEqual(answers.map(() => 200));
      expect((await listed(owner, project)).urls.sort()).toEqual([
        ...added.filter((_, i) => additions[i]?.status === 200),
        ...removed.filter((_, i) => removals[i]?.status !== 200),
      ]);
    });
  });

  describe('replacing a key', () => {
    test('returns plain text, and stores a new row that replaces the old one', async () => {
      const project = await make(owner);
      const before = await listed(owner, project);
      const answer = await generate(owner, project);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.text).toMatch(/^oid_[0-9A-Za-z]{33}$/);
      expect(answer.text).not.toBe(project.apiKey);
      const after = await listed(owner, project);
      expect(after).toEqual({ ...before, apiKey: answer.text, lastUpdatedAt: expect.any(String) });
      expect(after.lastUpdatedAt > before.lastUpdatedAt).toBe(true);
      const [old, current] = await keysOf(project);
      expect(old).toMatchObject({ is_active: false, replaces_id: null });
      expect(current).toMatchObject({ is_active: true, replaces_id: old?.id });
    });

    test('finds the project by its name, ignoring case', async () => {
      const project = await make(owner);
      const answer = await sendGenerate(owner, { projectName: ` ${project.projectName.toUpperCase()}  ` });
      expect(answer.status).toBe(200);
    });

    test('keeps the usage of the old key with the project', async () => {
      const project = await make(owner);
      expect((await callWith(project.apiKey)).status).toBe(200);
      const { text: key } = await generate(owner, project);
      expect((await callWith(key)).status).toBe(200);
      const usage = await portal.call('GET', `/api/usage?projectId=${project.code}`, { token: owner.token });
      const ids = usage.body.rows.map(({ keyId }: { keyId: string }) => keyId);
      expect(ids.sort()).toEqual((await keysOf(project)).map(({ id }) => id));
      const metrics = await portal.call('GET', `/api/analytics/metrics?projectId=${project.code}`, {
        token: owner.token,
      });
      expect(metrics.body.totals).toMatchObject({ calls: 2 });
    });

    test('twenty concurrent replacements leave one live key; every other one is refused within 1 s on every instance', async () => {
      const project = await make(owner);
      const answers = taken(await Promise.all(Array.from({ length: 20 }, () => generate(owner, project))));
      expect(statuses(answers)).toEqual(answers.map(() => 200));
      const keys = await keysOf(project);
      expect(keys).toHaveLength(answers.length + 1);
      expect(keys.filter(({ is_active }) => is_active)).toHaveLength(1);
      // One chain: each key replaced a different one.
      expect(new Set(keys.map(({ replaces_id }) => replaces_id)).size).toBe(keys.length);
      const { apiKey } = await listed(owner, project);
      const dead = [project.apiKey, ...answers.map(({ text }) => text)].filter((key) => key !== apiKey);
      expect(dead).toHaveLength(answers.length);
      for (const at of [portal, second]) {
        await until(
          'only the last one opens anything',
          async () => {
            const refused = await Promise.all(dead.map((key) => callWith(key, at)));
            return (
              refused.every(({ status }) => status === 401) && (await callWith(apiKey, at)).status === 200
            );
          },
          inForceWithinMs,
        );
      }
    });

    test('during the deletion of the project returns a key or 404, and leaves nothing of the project', async () => {
      for (let turn = 0; turn < 10; turn++) {
        const project = await make(owner);
        const [gone, ...rotated] = await Promise.all([
          portal.call('DELETE', `/api/projects/${project.code}`, { token: owner.token }),
          generate(owner, project),
          generate(owner, project),
        ]);
        expect(gone?.status).toBe(204);
        for (const { status } of rotated) expect([200, 404]).toContain(status);
        expect(await keysOf(project)).toEqual([]);
        const keys = [
          project.apiKey,
          ...rotated.filter(({ status }) => status === 200).map(({ text }) => text),
        ];
        await until(
          'no key of it is known',
          async () =>
            (await Promise.all(keys.map((key) => callWith(key)))).every(({ status }) => status === 401),
          inForceWithinMs,
        );
      }
    }, 30_000);
  });

  describe('takes effect on every instance within 1 s:', () => {
    const become = (expected: number, key: string, headers: Record<string, string> = {}) =>
      until(
        `both instances answer ${expected}`,
        async () =>
          (await Promise.all([callWith(key, portal, headers), callWith(key, second, headers)])).every(
            ({ status }) => status === expected,
          ),
        inForceWithinMs,
      );

    test('an added and a removed domain', async () => {
      const project = await make(owner);
      const headers = { origin: 'https://third.com' };
      await become(403, project.apiKey, headers);
      await add(owner, project, 'https://third.com');
      await become(200, project.apiKey, headers);
      await remove(owner, project, 'https://third.com');
      await become(403, project.apiKey, headers);
    });

    test('a replaced key', async () => {
      const project = await make(owner);
      await become(200, project.apiKey);
      const { text: key } = await generate(owner, project);
      await become(401, project.apiKey);
      await become(200, key, { origin: 'https://example.com' });
    });
  });

  describe("the owner's open pages", () => {
    const opened: Live[] = [];
    const open = async (user: SignedUp, url: string): Promise<Live> => {
      const live = await openLive(url, { token: user.token });
      opened.push(live);
      return live;
    };
    afterAll(() => opened.forEach((live) => live.close()));

    test('receive every change once, on both instances, and other users’ pages do not', async () => {
      const [here, there] = [await open(owner, portal.url), await open(owner, second.url)];
      const [otherHere, otherThere] = [await open(other, portal.url), await open(other, second.url)];
      const project = await make(owner);
      await add(owner, project, 'https://third.com');
      await remove(owner, project, 'https://third.com');
      await generate(owner, project);
      // This change is refused, so no page is notified.
      await add(owner, project, 'https://example.com');
      await portal.call('DELETE', `/api/projects/${project.code}`, { token: owner.token });
      const expected = ['created', 'updated', 'updated', 'keyRotated', 'deleted'];
      for (const { changes } of [here, there]) {
        await until('the last change is heard of', () => changes.at(-1)?.kind === 'deleted');
        expect(changes).toEqual(expected.map((kind) => ({ projectId: project.code, kind })));
      }
      // The other user's own change comes after all of these.
      const { code } = await make(other);
      for (const { changes } of [otherHere, otherThere]) {
        await until('the other hears of the own project', () => changes.length > 0);
        expect(changes).toEqual([{ projectId: code, kind: 'created' }]);
      }
    });

    test('are notified only after the change can be read', async () => {
      const project = await make(owner);
      const live = await open(owner, second.url);
      const seen = new Promise((resolve) =>
        live.socket.on('project.changed', ({ kind }: { kind: string }) => {
          // The project's creation may reach this instance only now.
          if (kind === 'updated') void listed(owner, project).then(({ urls }) => resolve(urls));
        }),
      );
      await add(owner, project, 'https://third.com');
      expect(await seen).toEqual(['https://example.com', 'https://second.com', 'https://third.com']);
    });
  });

  describe("another user's project", () => {
    let project: Made;
    beforeAll(async () => {
      project = await make(owner);
    });

    test.each<[string, () => Promise<Answer>]>([
      ['adding', () => add(other, project, 'https://third.com')],
      ['removing', () => remove(other, project, 'https://example.com')],
      ['a new key', () => generate(other, project)],
      ['deleting', () => portal.call('DELETE', `/api/projects/${project.code}`, { token: other.token })],
      [
        'adding by the code of another and a name of one’s own',
        async () => add(other, { ...(await make(other)), code: project.code }, 'https://third.com'),
      ],
      [
        'removing by the code of one’s own and the name of another',
        async () =>
          remove(other, { ...(await make(other)), projectName: project.projectName }, 'https://example.com'),
      ],
    ])('%s returns 404 and leaves the project unchanged', async (_, attempt) => {
      const before = await listed(owner, project);
      const answer = await attempt();
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({
        statusCode: 404,
        message: 'Project not found',
        error: 'Not Found',
        code: 'project.notFound',
      });
      expect(await listed(owner, project)).toEqual(before);
    });

    test('is not in the list', async () => {
      const { body } = await portal.call('GET', '/devportal/v1/user/projects', { token: other.token });
      expect(body.map(({ code }: { code: string }) => code)).not.toContain(project.code);
    });

    test('of the same name gets no new key from a request of mine', async () => {
      const { projectName } = project;
      const made = await portal.call('POST', '/devportal/v1/project', {
        token: other.token,
        body: { projectName, whitelistURL: ['https://example.com'] },
      });
      const before = await listed(owner, project);
      const answer = await generate(other, project);
      expect(answer.status).toBe(200);
      expect(answer.text).not.toBe(made.body.apiKey);
      expect(await listed(owner, project)).toEqual(before);
    });
  });

  describe('requests outside the documented format', () => {
    let project: Made;
    beforeAll(async () => {
      project = await make(owner);
    });

    type Send = (user: SignedUp, body: unknown) => Promise<Answer>;
    const calls: [string, Send, () => Record<string, unknown>][] = [
      ['adding', sendAdd, () => ({ ...named(), urls: ['https://third.com'] })],
      ['removing', sendRemove, () => ({ ...named(), url: 'https://example.com' })],
      ['a new key', sendGenerate, () => ({ projectName: project.projectName })],
    ];
    const named = () => ({ code: project.code, projectName: project.projectName });

    test.each(calls)(
      '%s: each extra field is refused with an error that names it, and nothing changes',
      async (_, sendIt, body) => {
        const before = await rows();
        const extras = [
          ...[
            'id',
            'ownerId',
            'owner_id',
            'owner',
            'apiKey',
            'keyHash',
            'isActive',
            'projectId',
            'createdAt',
          ],
          ...['lastUpdatedAt', 'nameKey', 'source', 'service', 'userid', 'whitelistURL', 'success', 'x'],
        ];
        for (const extra of extras) {
          const answer = await sendIt(owner, { ...body(), [extra]: owner.userId });
          expectRefused(answer, 400, 'request.invalid');
          expect(answer.body.message).toMatch(new RegExp(`^${extra}: isn’t a known field`));
        }
        expect(await rows()).toEqual(before);
      },
    );

    test.each(calls)(
      '%s: a missing or non-text field is refused, and nothing changes',
      async (_, sendIt, body) => {
        const before = await rows();
        for (const field of Object.keys(body())) {
          for (const value of [undefined, null, 7, true, {}, { $ne: null }, [], [null], [7]]) {
            const answer = await sendIt(owner, { ...body(), [field]: value });
            expectRefused(answer, 400, 'request.invalid');
            expect(answer.body.message).toMatch(new RegExp(`^${field}`));
          }
        }
        for (const nothing of [undefined, null, [], 'text', 7]) {
          expectRefused(await sendIt(owner, nothing), 400, 'request.invalid');
        }
        expect(await rows()).toEqual(before);
      },
    );

    test.each(['', ' ', 'undefined', 'null', '%', "'or'1'='1", 'orange-0000000000', 'a\u0000', 'a\ud800'])(
      'an unknown code or name, %j, returns 404, and nothing changes',
      async (value) => {
        const before = await rows();
        const answers = await Promise.all([
          sendAdd(owner, { ...named(), code: value, urls: ['https://third.com'] }),
          sendAdd(owner, { ...named(), projectName: value, urls: ['https://third.com'] }),
          sendRemove(owner, { ...named(), code: value, url: 'https://example.com' }),
          sendRemove(owner, { ...named(), projectName: value, url: 'https://example.com' }),
          sendGenerate(owner, { projectName: value }),
        ]);
        for (const answer of answers) expectRefused(answer, 404, 'project.notFound');
        expect(await rows()).toEqual(before);
      },
    );
  });

  test('returns 429 above three hundred changes an hour; other users are not limited', async () => {
    const user = await signUp(portal);
    const project = await make(user);
    const refused: Answer[] = [];
    // One more becomes available every 12 s.
    for (let asked = 0; asked < 330 && refused.length === 0; asked += 10) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => remove(user, project, 'https://not-there.com')),
      );
      refused.push(...answers.filter(({ status }) => status === 429));
      if (asked < 290) expect(statuses(answers)).toEqual(Array(10).fill(404));
    }
    const seconds = Number(refused[0]?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(refused[0]?.body).toEqual({
      statusCode: 429,
      message: `You can make at most 300 changes to your projects an hour. Try again in ${waitInWords(seconds)}`,
      error: 'Too Many Requests',
      code: 'request.rateLimited',
    });
    expect((await generate(user, project)).status).toBe(429);
    expect((await listed(user, project)).apiKey).toBe(project.apiKey);
    expect((await generate(owner, await make(owner))).status).toBe(200);
  }, 30_000);

  test('a failure half-way leaves everything unchanged', async () => {
    const project = await make(owner);
    const before = await rows();
    await portal.db.query('alter table key_changes rename to key_changes_away');
    const answers = await Promise.all([
      add(owner, project, 'https://third.com'),
      remove(owner, project, 'https://example.com'),
      generate(owner, project),
    ]);
    await portal.db.query('alter table key_changes_away rename to key_changes');
    expect(statuses(answers)).toEqual([500, 500, 500]);
    expect(await rows()).toEqual(before);
    expect((await callWith(project.apiKey)).status).toBe(200);
  });
});
