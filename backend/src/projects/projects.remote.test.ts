import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ConsoleLogger, Logger } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { foreignToken, HostedIdentity, json, startHostedIdentity } from '../testing/hosted.identity.js';
import { dumpOf, keepLog } from '../testing/leaks.js';
import { PortalError } from '../http/portal.error.js';
import { Answer, startAnother, startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { ProjectLimits } from './project.limits.js';
import { ProjectMirror } from './project.mirror.js';
import { ProjectChanges } from '../realtime/project.changes.js';
import { RemoteProjects } from './projects.remote.js';

const serviceKey = 'canary-service-key-41d8';
/** Keys in a foreign format (32 lowercase hex digits). */
const keyOf = (n: number) => n.toString(16).padStart(32, '0');
const inForceWithinMs = 1_000 + 500;

interface Asked {
  line: string;
  headers: Record<string, string>;
  body: string;
}

/** A foreign project service that reads each body completely. */
interface HostedProjects {
  hosted: HostedIdentity;
  asked: Asked[];
  /** Responses by method and path; anything else returns 404. */
  answers: Record<string, HostedIdentity['answer']>;
}

async function startHostedProjects(): Promise<HostedProjects> {
  const hosted = await startHostedIdentity();
  const service: HostedProjects = { hosted, asked: [], answers: {} };
  hosted.answer = (request: IncomingMessage, response) => {
    let body = '';
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const line = `${request.method} ${request.url}`;
      service.asked.push({ line, headers: hosted.asked.at(-1)?.headers ?? {}, body });
      (service.answers[line] ?? json({ message: 'no such route' }, 404))(request, response);
    });
  };
  return service;
}

const routes = {
  list: 'GET /devportal/v1/user/projects',
  create: 'POST /devportal/v1/project',
  add: 'POST /devportal/v1/project/whitelist-urls',
  remove: 'DELETE /devportal/v1/project/whitelist',
  generate: 'POST /devportal/v1/project/generateKey',
};
const text =
  (body: string, status = 200): HostedIdentity['answer'] =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
const wire = (n: number, changes: object = {}) => ({
  id: n,
  code: `orange-hosted${String(n).padStart(4, '0')}`,
  projectName: `Hosted ${n}`,
  apiKey: keyOf(n),
  urls: ['https://example.com'],
  createdAt: '2026-01-02T03:04:05.000Z',
  lastUpdatedAt: '2026-01-02T03:04:05.000Z',
  ...changes,
});

describe('a portal with a hosted project service', () => {
  let identity: HostedIdentity;
  let service: HostedProjects;
  let portal: TestApp;
  beforeAll(async () => {
    identity = await startHostedIdentity();
    identity.answer = (request, response) => {
      const payload = (request.headers.authorization ?? '').split('.')[1] ?? '';
      const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string };
      json({ id: sub, provider: 'google' })(request, response);
    };
    service = await startHostedProjects();
    portal = await startTestApp({
      IDENTITY_URL: identity.url,
      PROJECT_SERVICE_URL: service.hosted.url,
      PROJECT_SERVICE_KEY: serviceKey,
    });
  }, 30_000);
  afterAll(async () => {
    await portal.close();
    await service.hosted.stop();
    await identity.stop();
  });
  beforeEach(() => {
    service.asked.length = 0;
    service.answers = {};
  });
  afterEach(() => void jest.restoreAllMocks());

  let count = 1;
  const newNumber = () => count++;
  const newUser = () => foreignToken({ sub: `user-${newNumber()}` });
  const call = (token: string, route: keyof typeof routes, body?: unknown): Promise<Answer> => {
    const [method, path] = routes[route].split(' ') as [string, string];
    return portal.call(method, path, { token, ...(body === undefined ? {} : { body }) });
  };
  const list = (token: string) => call(token, 'list');
  const creation = { projectName: 'Made', whitelistURL: ['https://example.com'] };
  const callWith = (key: string, headers: Record<string, string> = {}) =>
    portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': key, ...headers } });
  const become = (status: number, key: string, headers: Record<string, string> = {}) =>
    until(
      `the key is answered ${status}`,
      async () => (await callWith(key, headers)).status === status,
      inForceWithinMs,
    );
  /** A user with these projects who has listed them. */
  const withListed = async (...projects: object[]) => {
    const token = newUser();
    service.answers[routes.list] = json(projects);
    expect((await list(token)).status).toBe(200);
    return token;
  };

  describe('sends', () => {
    test("its service key, the caller's bearer token, and the documented bodies", async () => {
      const n = newNumber();
      const token = await withListed(wire(n));
      const { code, projectName } = wire(n);
      service.answers = {
        ...service.answers,
        [routes.create]: json({ projectId: wire(newNumber()).code, apiKey: keyOf(newNumber()) }, 201),
        [routes.add]: json({ success: true, urls: ['https://example.com', 'https://b.com'] }),
        [routes.remove]: json({ success: true, deleted: 1 }),
        [routes.generate]: text(keyOf(newNumber())),
      };
      service.asked.length = 0;
      await call(token, 'create', {
        projectName: ' Made  up ',
        whitelistURL: ['https://A.com/x'],
        source: 's',
      });
      await call(token, 'add', { code, projectName, urls: ['https://B.com/x'], userId: 'somebody else' });
      await call(token, 'remove', { code, projectName, url: 'https://example.com' });
      await call(token, 'generate', { projectName });
      const { sub } = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
      expect(service.asked.map(({ line, body }) => [line, JSON.parse(body)])).toEqual([
        [routes.create, { projectName: 'Made up', whitelistURL: ['https://a.com'], source: 's' }],
        [routes.add, { code, projectName, urls: ['https://b.com'], userId: sub }],
        [routes.remove, { code, projectName, url: 'https://example.com' }],
        [routes.generate, { projectName }],
      ]);
      for (const { headers } of service.asked) {
        expect(headers).toMatchObject({
          Authorization: `Bearer ${token}`,
          'Ocp-Apim-Subscription-Key': serviceKey,
          'Content-Type': 'application/json',
        });
        expect(Object.keys(headers).map((name) => name.toLowerCase())).not.toContain('cookie');
      }
    });

    test('no request that the rules refuse', async () => {
      const token = newUser();
      const refused = await Promise.all([
        call(token, 'create', { ...creation, projectName: ' ' }),
        call(token, 'create', { ...creation, whitelistURL: ['http://localhost'] }),
        call(token, 'create', { ...creation, userId: 'x' }),
        call(token, 'add', { code: 'c', projectName: 'n', urls: ['ftp://a.com'] }),
        call(token, 'generate', { projectName: 'n', code: 'c' }),
        portal.call('GET', '/devportal/v1/user/projects'),
      ]);
      expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 401]);
      expect(service.asked).toEqual([]);
    });

    test('at most six concurrent requests per user, so that other users’ requests get through', async () => {
      const [busy, free] = [newUser(), newUser()];
      await withListed();
      const open: (() => void)[] = [];
      service.answers[routes.list] = (request, response) => void open.push(() => json([])(request, response));
      const asked = Array.from({ length: 12 }, () => list(busy));
      await until('six are under way', () => open.length === 6);
      const others = list(free);
      await until('the other is asked for too', () => open.length === 7);
      // The remaining six waited for their turn.
      service.answers[routes.list] = json([]);
      open.forEach((answer) => answer());
      expect((await others).status).toBe(200);
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(12).fill(200));
    });
  });

  describe('passes on', () => {
    test('the list with exactly the documented fields', async () => {
      const n = newNumber();
      const token = newUser();
      service.answers[routes.list] = json([wire(n, { owner: 'ada@example.com', secret: 's' })]);
      const answer = await list(token);
      expect(answer.body).toEqual([{ ...wire(n), id: String(n) }]);
    });

    test('a key sent as JSON, as plain text', async () => {
      const [n, next] = [newNumber(), newNumber()];
      const token = await withListed(wire(n));
      service.answers[routes.generate] = json(keyOf(next));
      const answer = await call(token, 'generate', { projectName: wire(n).projectName });
      expect([answer.status, answer.text]).toEqual([200, keyOf(next)]);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    });

    test('an addition whose response lacks the list, with the known URLs', async () => {
      const n = newNumber();
      const token = await withListed(wire(n));
      const { code, projectName } = wire(n);
      service.answers[routes.add] = json({ message: 'ok' });
      const answer = await call(token, 'add', { code, projectName, urls: ['https://b.com'] });
      expect(answer.body).toEqual({ success: true, urls: ['https://example.com', 'https://b.com'] });
      await become(200, keyOf(n), { origin: 'https://b.com' });
    });

    test.each<[string, HostedIdentity['answer']]>([
      ['400 as JSON', json({ message: 'Project already exists' }, 400)],
      ['500 as JSON', json({ message: 'duplicate: already exists', statusCode: 500 }, 500)],
      ['500 as text', text('Error: project already exists', 500)],
    ])('a taken name, reported as %s, as 400 already exists', async (_, answer) => {
      service.answers[routes.create] = answer;
      const { status, body } = await call(newUser(), 'create', creation);
      expect([status, body]).toEqual([
        400,
        {
          statusCode: 400,
          message: 'A project with this name already exists. Choose a different name',
          error: 'Bad Request',
          code: 'project.nameTaken',
        },
      ]);
    });

    test.each<[string, HostedIdentity['answer'], number, string, string]>([
      ['400', json({ message: 'not in your plan' }, 400), 400, 'request.invalid', 'not in your plan'],
      ['several messages', json({ message: ['one', 'two'] }, 422), 400, 'request.invalid', 'one; two'],
      ['404', json({}, 404), 404, 'project.notFound', 'Project not found'],
      ['409', json({ message: 'full' }, 409), 409, 'project.refused', 'full'],
      [
        '409 without a message',
        text('', 409),
        409,
        'project.refused',
        'The project service rejected the request. Reload and try again, or contact the portal’s operator',
      ],
      [
        'its code',
        json({ code: 'project.limitReached', message: 'five' }, 409),
        409,
        'project.limitReached',
        'five',
      ],
      [
        'a code of another service',
        json({ code: 'auth.required' }, 409),
        409,
        'project.refused',
        'The project service rejected the request. Reload and try again, or contact the portal’s operator',
      ],
      [
        'a code of another status',
        json({ code: 'project.lastUrl' }, 400),
        400,
        'request.invalid',
        'The request isn’t valid',
      ],
      ['a page', text('<html>no</html>', 400), 400, 'request.invalid', 'The request isn’t valid'],
      ['413', json({}, 413), 413, 'request.tooLarge', 'The request body is too large. Send a smaller one'],
      ['429', json({ message: 'slow down' }, 429), 429, 'request.rateLimited', 'slow down'],
      ['success: false', json({ success: false, message: 'no' }), 409, 'project.refused', 'no'],
    ])('a refusal, %s, with the matching code and message', async (_, answer, status, code, message) => {
      const n = newNumber();
      const token = await withListed(wire(n));
      service.answers[routes.remove] = answer;
      const { code: project, projectName } = wire(n);
      const refused = await call(token, 'remove', { code: project, projectName, url: 'https://example.com' });
      expect([refused.status, refused.body.code, refused.body.message]).toEqual([status, code, message]);
      await become(200, keyOf(n));
    });
  });

  test('no regular expression processes more than 4,000 characters of a service response', async () => {
    const n = newNumber();
    const token = await withListed(wire(n));
    service.answers[routes.remove] = json({ message: 'eyJ'.repeat(40_000) }, 400);
    const read = jest.spyOn(RegExp.prototype, Symbol.replace);
    const { code: project, projectName } = wire(n);
    const refused = await call(token, 'remove', { code: project, projectName, url: 'https://example.com' });
    const lengths = read.mock.calls
      .map(([text]) => text)
      .filter((text) => text.includes('eyJeyJ'))
      .map((text) => text.length);
    expect(lengths).not.toEqual([]);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4000);
    expect([refused.status, refused.body.message.length < 500]).toEqual([400, true]);
  });

  describe('responds with 503, and never with a sign-out:', () => {
    const outages: [string, HostedIdentity['answer']][] = [
      ['500', json({ message: 'oops' }, 500)],
      ['503', text('', 503)],
      ['a redirect', (_, response) => void response.writeHead(307, { location: service.hosted.url }).end()],
      ['401', json({ message: 'bad key' }, 401)],
      ['403', json({ message: 'bad key' }, 403)],
      ['HTML', (_, response) => void response.writeHead(200).end('<!doctype html><p>Hello')],
      ['nothing', (_, response) => void response.writeHead(200).end()],
      ['other JSON', json({ projects: [], projectId: 7 })],
      ['a closed connection', (request) => request.socket.destroy()],
      [
        'half a response',
        (_, response) => void response.writeHead(200).write('[{', () => response.destroy()),
      ],
    ];
    /** Too few to open the circuit breaker. */
    const bodies: [keyof typeof routes, unknown][] = [
      ['list', undefined],
      ['generate', { projectName: 'Made' }],
    ];
    /** A separate portal each time, because five failures in a row open its circuit breaker. */
    const without = async (work: (projects: RemoteProjects) => Promise<unknown>) =>
      work(
        new RemoteProjects(
          { url: service.hosted.url, key: serviceKey },
          portal.app.get(ProjectMirror),
          new ProjectLimits(),
          new ProjectChanges(),
          { timeout: 500 },
        ),
      );
    beforeAll(() => Logger.overrideLogger(false));
    afterAll(() => Logger.overrideLogger(new ConsoleLogger({ logLevels: ['error'] })));
    const callerOf = async () => {
      const token = newUser();
      await list(token);
      const [user] = await portal.db.query('select id, subject from users order by created_at desc limit 1');
      return { user, sessionId: 'known to the service alone', token };
    };

    test.each(outages)('%s', async (_, answer) => {
      const caller = await callerOf();
      for (const line of Object.values(routes)) service.answers[line] = answer;
      service.asked.length = 0;
      const attempts: ((projects: RemoteProjects) => Promise<unknown>)[] = [
        (projects) => projects.list(caller),
        (projects) => projects.create(caller, creation),
        (projects) =>
          projects.addUrls(caller, {
            code: 'orange-0000000000',
            projectName: 'Made',
            urls: ['https://b.com'],
          }),
        (projects) =>
          projects.removeUrl(caller, {
            code: 'orange-0000000000',
            projectName: 'Made',
            url: 'https://b.com',
          }),
        (projects) => projects.generateKey(caller, 'Made'),
      ];
      for (const [place, attempt] of attempts.entries()) {
        // Additions accept any JSON.
        if (place === 2 && _ === 'other JSON') continue;
        await expect(without(attempt)).rejects.toMatchObject({
          code: 'project.unavailable',
          statusCode: 503,
        });
      }
      // Once each: no request is retried automatically.
      expect(service.asked).toHaveLength(_ === 'other JSON' ? 4 : 5);
    });

    test('a time-out; the request is aborted and never sent again', async () => {
      const caller = await callerOf();
      let givenUp = 0;
      const silence: HostedIdentity['answer'] = (_request, response) =>
        void response.on('close', () => givenUp++);
      for (const line of Object.values(routes)) service.answers[line] = silence;
      service.asked.length = 0;
      const unavailable = { code: 'project.unavailable' };
      await expect(without((projects) => projects.generateKey(caller, 'Made'))).rejects.toMatchObject(
        unavailable,
      );
      await expect(without((projects) => projects.list(caller))).rejects.toMatchObject(unavailable);
      await until('both are given up', () => givenUp === 2);
      expect(service.asked).toHaveLength(2);
    });

    test('a refused connection: with Retry-After, while public content still works, and it recovers', async () => {
      const token = newUser();
      await withListed();
      await service.hosted.stop();
      for (const [route, body] of bodies) {
        const { status, body: refusal, headers } = await call(token, route, body);
        expect([status, refusal.code]).toEqual([503, 'project.unavailable']);
        expect(refusal.message).toBe('The project service can’t be reached. Try again later');
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect((await portal.call('GET', '/api/config')).status).toBe(200);
      expect((await portal.call('GET', '/health/ready')).status).toBe(200);
      expect((await portal.call('GET', '/api/keys', { token })).status).toBe(200);
      await service.hosted.start();
      await until('it is heard again', async () => (await list(token)).status === 200);
    });
  });

  describe('mirrors the responses:', () => {
    test("keys of a list work on the metered routes, with their domains and in their owner's usage", async () => {
      const n = newNumber();
      const token = await withListed(
        wire(n, { urls: ['https://example.com/path', 'nonsense', 'http://b.com:81'] }),
      );
      const { status, body } = await callWith(keyOf(n));
      expect([status, body.project]).toEqual([200, { code: wire(n).code, name: wire(n).projectName }]);
      expect((await callWith(keyOf(n), { origin: 'https://example.com' })).status).toBe(200);
      expect((await callWith(keyOf(n), { origin: 'http://b.com' })).status).toBe(200);
      expect((await callWith(keyOf(n), { origin: 'https://b.com' })).status).toBe(403);
      const usage = await portal.call('GET', `/api/usage?projectId=${wire(n).code}`, { token });
      expect(usage.body.rows).toHaveLength(4);
    });

    test('a project missing from the list loses its key; when it is back, so are its key and its usage', async () => {
      const [n, kept] = [newNumber(), newNumber()];
      const token = await withListed(wire(n), wire(kept));
      await become(200, keyOf(n));
      service.answers[routes.list] = json([wire(kept)]);
      await list(token);
      await become(401, keyOf(n));
      await become(200, keyOf(kept));
      service.answers[routes.list] = json([wire(kept), wire(n)]);
      await list(token);
      await become(200, keyOf(n));
      const usage = await portal.call('GET', `/api/usage?projectId=${wire(n).code}`, { token });
      expect(new Set(usage.body.rows.map(({ keyId }: { keyId: string }) => keyId)).size).toBe(1);
    });

    test('a key, a domain and a name that were changed elsewhere, with the next list', async () => {
      const [n, next] = [newNumber(), newNumber()];
      const token = await withListed(wire(n));
      await become(200, keyOf(n));
      service.answers[routes.list] = json([
        wire(n, { apiKey: keyOf(next), urls: ['https://new.com'], projectName: 'Renamed' }),
      ]);
      await list(token);
      await become(401, keyOf(n));
      await become(200, keyOf(next), { origin: 'https://new.com' });
      expect((await callWith(keyOf(next))).body.project.name).toBe('Renamed');
      expect((await callWith(keyOf(next), { origin: 'https://example.com' })).status).toBe(403);
    });

    test('a list requested before a new key, but received after it, does not restore the old key', async () => {
      const [n, next] = [newNumber(), newNumber()];
      const token = await withListed(wire(n));
      const late: (() => void)[] = [];
      service.answers[routes.list] = (request, response) =>
        void late.push(() => json([wire(n)])(request, response));
      const asked = list(token);
      await until('the list is asked for', () => late.length === 1);
      service.answers[routes.generate] = text(keyOf(next));
      expect((await call(token, 'generate', { projectName: wire(n).projectName })).text).toBe(keyOf(next));
      late.forEach((answer) => answer());
      expect((await asked).status).toBe(200);
      await become(401, keyOf(n));
      await become(200, keyOf(next));
    });

    test('of two new keys whose responses crossed, the one that the service lists', async () => {
      const [n, first, last] = [newNumber(), newNumber(), newNumber()];
      const token = await withListed(wire(n));
      const open: HostedIdentity['answer'][] = [];
      const answers: (() => void)[] = [];
      service.answers[routes.generate] = (request, response) => {
        const key = keyOf(open.push(text('')) === 1 ? first : last);
        answers.push(() => text(key)(request, response));
      };
      const asked = [1, 2].map(() => call(token, 'generate', { projectName: wire(n).projectName }));
      await until('both are asked for', () => answers.length === 2);
      service.answers[routes.list] = json([wire(n, { apiKey: keyOf(last) })]);
      answers[1]?.();
      await Promise.race(asked);
      answers[0]?.();
      await Promise.all(asked);
      await become(200, keyOf(last));
      await become(401, keyOf(first));
      await become(401, keyOf(n));
    });

    test('a change that the service has made is returned although it could not be saved here, and the log says so', async () => {
      const [n, next] = [newNumber(), newNumber()];
      const token = await withListed(wire(n));
      const { projectName } = wire(n);
      service.answers[routes.generate] = text(keyOf(next));
      const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
      jest.spyOn(portal.app.get(ProjectMirror), 'keepOne').mockRejectedValueOnce(new Error('no disk'));
      const answer = await call(token, 'generate', { projectName });
      expect([answer.status, answer.text]).toEqual([200, keyOf(next)]);
      expect(log.mock.calls.flat()).toContain(
        'Saving the service’s response here failed; the user’s next project list repairs it: Error: no disk',
      );
      expect((await callWith(keyOf(next))).status).toBe(401);
      service.answers[routes.list] = json([wire(n, { apiKey: keyOf(next) })]);
      expect((await list(token)).status).toBe(200);
      await become(200, keyOf(next));
    });

    test('a new key of a project that was never listed', async () => {
      const [n, next] = [newNumber(), newNumber()];
      const token = newUser();
      service.answers[routes.generate] = text(keyOf(next));
      service.answers[routes.list] = json([wire(n, { apiKey: keyOf(next) })]);
      expect((await call(token, 'generate', { projectName: wire(n).projectName })).status).toBe(200);
      await become(200, keyOf(next));
    });

    test('keys of a list on another instance, and the loss of a key there', async () => {
      const second = await startAnother(portal);
      const n = newNumber();
      const token = await withListed(wire(n));
      const there = await second.call('GET', '/api/v1/key', { headers: { 'x-api-key': keyOf(n) } });
      expect(there.status).toBe(200);
      service.answers[routes.list] = json([]);
      await list(token);
      await until(
        'it is refused there too',
        async () =>
          (await second.call('GET', '/api/v1/key', { headers: { 'x-api-key': keyOf(n) } })).status === 401,
        inForceWithinMs,
      );
      await second.close();
    });

    test('a project of twenty concurrent lists, once', async () => {
      const n = newNumber();
      const token = newUser();
      service.answers[routes.list] = json([wire(n), wire(newNumber())]);
      await Promise.all(Array.from({ length: 20 }, () => list(token)));
      const rows = await portal.db.query(
        `select k.is_active from projects p join api_keys k on k.project_id = p.id where p.code = $1`,
        [wire(n).code],
      );
      expect(rows).toEqual([{ is_active: true }]);
    });
  });

  describe('a malicious service', () => {
    beforeAll(() => Logger.overrideLogger(false));
    afterAll(() => Logger.overrideLogger(new ConsoleLogger({ logLevels: ['error'] })));

    test("can't take over another user's code or key", async () => {
      const n = newNumber();
      const victim = await withListed(wire(n));
      const thief = await withListed(
        wire(n, { apiKey: keyOf(newNumber()), urls: ['https://thief.com'] }),
        wire(newNumber(), { apiKey: keyOf(n), urls: ['https://thief.com'] }),
      );
      await become(200, keyOf(n), { origin: 'https://example.com' });
      expect((await callWith(keyOf(n), { origin: 'https://thief.com' })).status).toBe(403);
      const usage = (token: string) => portal.call('GET', `/api/usage?projectId=${wire(n).code}`, { token });
      expect((await usage(victim)).body.rows.length).toBeGreaterThan(0);
      expect((await usage(thief)).status).toBe(404);
      // A project missing from the attacker's list stays the victim's.
      service.answers[routes.list] = json([]);
      await list(thief);
      await become(200, keyOf(n));
    });

    test("can't turn a saved key into a project's key", async () => {
      const token = newUser();
      const saved = await portal.call('POST', '/api/keys', { token, body: { name: 'Saved' } });
      expect(saved.status).toBe(201);
      service.answers[routes.list] = json([wire(newNumber(), { apiKey: saved.body.key })]);
      expect((await list(token)).status).toBe(200);
      expect((await callWith(saved.body.key)).body.project).toBeNull();
      service.answers[routes.list] = json([]);
      await list(token);
      expect((await callWith(saved.body.key)).status).toBe(200);
    });

    test.each<[string, object]>([
      ['an empty key', { apiKey: '' }],
      ['a key of blanks', { apiKey: 'a key with blanks' }],
      ['a key of a megabyte', { apiKey: 'k'.repeat(1_000_000) }],
      ['an invalid code', { code: 'a b' }],
      ['a code of a megabyte', { code: 'c'.repeat(1_000_000) }],
      ['null bytes', { projectName: 'a\u0000b', urls: ['https://a\u0000.com'] }],
      ['a name of a megabyte', { projectName: 'n'.repeat(1_000_000) }],
    ])('cannot change other projects with a response about one project, by %s', async (_, lie) => {
      const n = newNumber();
      const token = newUser();
      service.answers[routes.list] = json([wire(newNumber(), lie), wire(n)]);
      expect((await list(token)).status).toBe(200);
      await become(200, keyOf(n));
    });

    test('can send only 8 MB of a response', async () => {
      service.answers[routes.list] = (_, response) => void response.end('['.repeat(9_000_000));
      const { status, body } = await list(newUser());
      expect([status, body.code]).toEqual([503, 'project.unavailable']);
    });

    test('makes the portal reveal nothing: keys and bearer tokens are in no response, no log and no table', async () => {
      Logger.overrideLogger(new ConsoleLogger());
      const log = keepLog();
      const n = newNumber();
      const token = await withListed(wire(n));
      const echo: HostedIdentity['answer'] = (request, response) =>
        json({ message: `not with ${JSON.stringify(request.headers)}`, code: 'project.nameInvalid' }, 400)(
          request,
          response,
        );
      const answers: Answer[] = [];
      for (const answer of [
        echo,
        text(serviceKey, 400),
        json({ message: serviceKey }, 401),
        text(serviceKey, 200),
      ]) {
        for (const line of Object.values(routes)) service.answers[line] = answer;
        answers.push(await list(token), await call(token, 'create', creation));
        const { code, projectName } = wire(n);
        answers.push(await call(token, 'remove', { code, projectName, url: 'https://example.com' }));
      }
      answers.push(await portal.call('GET', '/api/config'), await portal.call('GET', '/api/openapi.json'));
      jest.restoreAllMocks();
      Logger.overrideLogger(false);
      expect(log.text).toContain('PROJECT_SERVICE_KEY');
      const dump = await dumpOf(portal);
      for (const place of [log.text, dump, ...answers.map(({ text: body }) => body)]) {
        expect(place).not.toContain(serviceKey);
        expect(place).not.toContain(token);
      }
      expect(dump).not.toContain(keyOf(n));
    });
  });

  describe('without the features that the hosted API lacks:', () => {
    test('deleting a project returns 404, and the browser configuration says so', async () => {
      const token = newUser();
      const answer = await portal.call('DELETE', '/api/projects/orange-0000000000', { token });
      expect([answer.status, answer.body.code]).toEqual([404, 'route.notFound']);
      expect((await portal.call('GET', '/api/config')).body.features.embeddedProjects).toBe(false);
    });

    test('keys of earlier embedded projects are refused, and saved keys work', async () => {
      const token = newUser();
      const saved = await portal.call('POST', '/api/keys', { token, body: { name: 'Saved' } });
      const n = newNumber();
      await withListed(wire(n));
      await become(200, keyOf(n));
      await portal.db.query('update projects set service = null where code = $1', [wire(n).code]);
      const fresh = await startAnother(portal);
      const there = (key: string) => fresh.call('GET', '/api/v1/key', { headers: { 'x-api-key': key } });
      expect((await there(keyOf(n))).status).toBe(401);
      expect((await there(saved.body.key)).status).toBe(200);
      await fresh.close();
    });

    test('mirrors of a previous service pass to the user who lists them now', async () => {
      const n = newNumber();
      await withListed(wire(n));
      await portal.db.query(`update projects set service = 'https://before.example.com' where code = $1`, [
        wire(n).code,
      ]);
      const token = await withListed(wire(n));
      await become(200, keyOf(n));
      const usage = await portal.call('GET', `/api/usage?projectId=${wire(n).code}`, { token });
      expect(usage.status).toBe(200);
    });

    test.each([
      ['add', { code: 'c', projectName: 'Made', urls: ['https://b.com'] }],
      ['remove', { code: 'c', projectName: 'Made', url: 'https://b.com' }],
      ['generate', { projectName: 'Made' }],
    ] as const)('the change “%s” counts, and is not sent above the limit', async (route, body) => {
      const { changing } = portal.app.get(ProjectLimits);
      const take = jest.spyOn(changing, 'take').mockImplementation(() => {
        throw new PortalError('request.rateLimited');
      });
      const answer = await call(newUser(), route, body);
      take.mockRestore();
      expect(answer.status).toBe(429);
      expect(service.asked.map(({ line }) => line)).not.toContain(routes[route]);
    });

    test('changes are limited here as well and return 429', async () => {
      const token = newUser();
      service.answers[routes.generate] = json({ message: 'no' }, 404);
      let answer = await call(token, 'generate', { projectName: 'Made' });
      for (let asked = 1; asked < 330 && answer.status === 404; asked++) {
        answer = await call(token, 'generate', { projectName: 'Made' });
      }
      expect(answer.status).toBe(429);
      expect(answer.body.message).toMatch(/^You can make at most 300 changes to your projects an hour/);
    }, 30_000);
  });
});
