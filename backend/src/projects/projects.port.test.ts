import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createdProject,
  projectList,
  removedWhitelistUrl,
  whitelistAnswer,
} from '@orange-id/contract/projects.schema';
import { z } from 'zod';
import { Live, openLive } from '../testing/open.live.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { Answer, freePort, startTestApp, TestApp } from '../testing/test.app.js';
import { type ServiceStage, stageOf, startEmbedded } from '../testing/two.portals.js';
import { until } from '../testing/until.js';

/**
 * The second instance verifies its own bearer tokens on behalf of the portal: it uses the portal's address, because a
 * project service has no pages.
 */
async function startRemote(): Promise<ServiceStage> {
  const port = await freePort();
  const service = await startTestApp({ PUBLIC_URL: `http://localhost:${port}` });
  const portal = await startTestApp({
    PORT: String(port),
    IDENTITY_URL: service.url,
    PROJECT_SERVICE_URL: service.url,
    PROJECT_SERVICE_KEY: 'a-service-key',
  });
  return stageOf(portal, service);
}

describe.each([
  ['the embedded project service', startEmbedded],
  ['a portal whose project service is another instance', startRemote],
])('%s', (_, start) => {
  let stage: ServiceStage;
  let portal: TestApp;
  let owner: SignedUp;
  let other: SignedUp;
  beforeAll(async () => {
    stage = await start();
    ({ portal } = stage);
    owner = await signUp(stage.service);
    other = await signUp(stage.service);
  }, 30_000);
  afterAll(() => stage.close());

  const send = (user: SignedUp, method: string, path: string, body?: unknown) =>
    portal.call(method, `/devportal/v1/${path}`, {
      token: user.token,
      ...(body === undefined ? {} : { body }),
    });
  /** The response to a call that must succeed, with exactly the documented fields. */
  const parsed = <T>(schema: z.ZodObject | z.ZodArray<z.ZodObject>, status: number, answer: Answer): T => {
    expect([answer.status, answer.body.code ?? null]).toEqual([status, null]);
    const strict = schema instanceof z.ZodObject ? schema.strict() : z.array(schema.element.strict());
    return strict.parse(answer.body) as T;
  };
  let count = 0;
  const make = async (user = owner, whitelistURL = ['https://example.com', 'https://second.com']) => {
    const projectName = `Project ${count++}`;
    const answer = await send(user, 'POST', 'project', { projectName, whitelistURL });
    const made = parsed<z.infer<typeof createdProject>>(createdProject, 201, answer);
    return { projectName, code: made.projectId, apiKey: made.apiKey };
  };
  type Made = Awaited<ReturnType<typeof make>>;
  const list = async (user = owner) =>
    parsed<z.infer<typeof projectList>>(projectList, 200, await send(user, 'GET', 'user/projects'));
  const listed = async ({ code }: Made) => (await list()).find((project) => project.code === code);
  const named = ({ code, projectName }: Made) => ({ code, projectName });
  const add = (user: SignedUp, made: Made, ...urls: string[]) =>
    send(user, 'POST', 'project/whitelist-urls', { ...named(made), urls, userId: 'somebody' });
  const remove = (user: SignedUp, made: Made, url: string) =>
    send(user, 'DELETE', 'project/whitelist', { ...named(made), url });
  const generate = (user: SignedUp, { projectName }: Made) =>
    send(user, 'POST', 'project/generateKey', { projectName });
  const callWith = (key: string, headers: Record<string, string> = {}) =>
    portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': key, ...headers } });
  const become = (status: number, key: string, headers: Record<string, string> = {}) =>
    until(`the key is answered ${status}`, async () => (await callWith(key, headers)).status === status);
  const refused = (answer: Answer, status: number, code: string) =>
    expect([answer.status, answer.body.code]).toEqual([status, code]);

  test('a created project is listed in full, and its key works here', async () => {
    const made = await make(owner, ['https://Example.com/path', 'http://second.com:81']);
    expect(await listed(made)).toEqual({
      id: expect.any(String),
      code: made.code,
      projectName: made.projectName,
      apiKey: made.apiKey,
      urls: ['https://example.com', 'http://second.com'],
      createdAt: expect.stringMatching(/Z$/),
      lastUpdatedAt: expect.stringMatching(/Z$/),
    });
    const { status, body } = await callWith(made.apiKey);
    expect(status).toBe(200);
    expect(body).toMatchObject({ project: { code: made.code, name: made.projectName } });
  });

  test('responses have Cache-Control: no-store', async () => {
    expect((await send(owner, 'GET', 'user/projects')).headers.get('cache-control')).toBe('no-store');
    expect((await generate(owner, await make())).headers.get('cache-control')).toBe('no-store');
  });

  test("its calls appear in its owner's usage, under its code, and in no other user's", async () => {
    const made = await make();
    await callWith(made.apiKey, { origin: 'https://example.com' });
    await callWith(made.apiKey, { origin: 'https://elsewhere.com' });
    const usage = (user: SignedUp) =>
      portal.call('GET', `/api/usage?projectId=${made.code}`, { token: user.token });
    const { body } = await usage(owner);
    expect(body.rows.map(({ outcome, projectId }: Record<string, string>) => [outcome, projectId])).toEqual(
      expect.arrayContaining([
        ['ok', made.code],
        ['blocked', made.code],
      ]),
    );
    refused(await usage(other), 404, 'project.notFound');
  });

  test('a taken name returns 400 with a message that says so', async () => {
    const { projectName } = await make();
    const answer = await send(owner, 'POST', 'project', {
      projectName: projectName.toUpperCase(),
      whitelistURL: ['https://example.com'],
    });
    refused(answer, 400, 'project.nameTaken');
    expect(answer.body.message).toBe('A project with this name already exists. Choose a different name');
  });

  test('added and removed URLs are returned, listed and in effect', async () => {
    const made = await make();
    const headers = { origin: 'https://third.com' };
    await become(403, made.apiKey, headers);
    const added = await add(owner, made, 'https://THIRD.com/x');
    const urls = ['https://example.com', 'https://second.com', 'https://third.com'];
    expect(parsed(whitelistAnswer, 200, added)).toEqual({ success: true, urls });
    expect((await listed(made))?.urls).toEqual(urls);
    await become(200, made.apiKey, headers);
    const removed = await remove(owner, made, 'https://third.com');
    expect(parsed(removedWhitelistUrl, 200, removed)).toEqual({ success: true, deleted: 1 });
    expect((await listed(made))?.urls).toEqual(urls.slice(0, 2));
    await become(403, made.apiKey, headers);
  });

  test('a new key is plain text, listed and in effect; the old one is refused; the usage stays', async () => {
    const made = await make();
    await callWith(made.apiKey);
    const answer = await generate(owner, made);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect((await listed(made))?.apiKey).toBe(answer.text);
    await become(401, made.apiKey);
    await become(200, answer.text);
    const { body } = await portal.call('GET', `/api/analytics/metrics?projectId=${made.code}`, {
      token: owner.token,
    });
    expect(body.totals.calls).toBeGreaterThanOrEqual(2);
  });

  test('after twenty concurrent replacements only the listed key works', async () => {
    const made = await make();
    const answers = await Promise.all(Array.from({ length: 20 }, () => generate(owner, made)));
    // On a busy machine a request that waits too long returns 429 or 503, although it may have replaced the key.
    for (const { status } of answers) expect([200, 429, 503]).toContain(status);
    const keys = answers.filter(({ status }) => status === 200).map(({ text }) => text);
    expect(keys).not.toHaveLength(0);
    let live = '';
    await until('the listed key works', async () => {
      live = (await listed(made))?.apiKey as string;
      return (await callWith(live)).status === 200;
    });
    expect(live).not.toBe(made.apiKey);
    for (const key of [made.apiKey, ...keys]) if (key !== live) await become(401, key);
  }, 30_000);

  test.each<[string, number, string, (made: Made) => Promise<Answer>]>([
    [
      'a URL that is already there',
      409,
      'project.urlDuplicate',
      (made) => add(owner, made, 'https://example.com'),
    ],
    ['a URL that no site has', 400, 'project.urlInvalid', (made) => add(owner, made, 'http://localhost')],
    ['removing an unknown URL', 404, 'project.urlNotFound', (made) => remove(owner, made, 'https://x.com')],
    [
      'removing the last one',
      409,
      'project.lastUrl',
      async () => remove(owner, await make(owner, ['https://only.com']), 'https://only.com'),
    ],
    [
      'too many URLs',
      409,
      'project.urlsLimitReached',
      (made) => add(owner, made, ...Array.from({ length: 99 }, (_, i) => `https://site${i}.com`)),
    ],
    [
      'a blank name',
      400,
      'project.nameInvalid',
      () => send(owner, 'POST', 'project', { projectName: ' ', whitelistURL: ['https://example.com'] }),
    ],
    [
      'an unknown code',
      404,
      'project.notFound',
      (made) => add(owner, { ...made, code: 'orange-0000000000' }, 'https://x.com'),
    ],
    [
      'an unknown name',
      404,
      'project.notFound',
      (made) => generate(owner, { ...made, projectName: 'Nobody’s' }),
    ],
    [
      'the name of another project',
      404,
      'project.notFound',
      async (made) => add(owner, { ...(await make()), code: made.code }, 'https://x.com'),
    ],
    ['adding by another user', 404, 'project.notFound', (made) => add(other, made, 'https://x.com')],
    [
      'removing by another user',
      404,
      'project.notFound',
      (made) => remove(other, made, 'https://example.com'),
    ],
    ['a new key by another user', 404, 'project.notFound', (made) => generate(other, made)],
    [
      'an unknown field',
      400,
      'request.invalid',
      (made) => send(owner, 'POST', 'project/generateKey', { ...named(made) }),
    ],
  ])('%s returns %i %s, and nothing changes', async (_what, status, code, attempt) => {
    const made = await make();
    const before = await listed(made);
    const answer = await attempt(made);
    refused(answer, status, code);
    expect(answer.body.message.length).toBeGreaterThan(10);
    expect(await listed(made)).toEqual(before);
    await become(200, made.apiKey);
  });

  test("another user's list is empty, and a request without a token is refused", async () => {
    expect(await list(await signUp(stage.service))).toEqual([]);
    refused(await portal.call('GET', '/devportal/v1/user/projects'), 401, 'auth.required');
  });

  test("the owner's pages receive every change, and other users' pages do not", async () => {
    const pages: Live[] = await Promise.all(
      [owner, other].map(({ token }) => openLive(portal.url, { token })),
    );
    const made = await make();
    await add(owner, made, 'https://third.com');
    await remove(owner, made, 'https://third.com');
    await generate(owner, made);
    const [mine, others] = pages as [Live, Live];
    await until('the last change is heard of', () => mine.changes.at(-1)?.kind === 'keyRotated');
    expect(mine.changes).toEqual(
      ['created', 'updated', 'updated', 'keyRotated'].map((kind) => ({ projectId: made.code, kind })),
    );
    const theirs = await make(other);
    await until('the other hears of the own project', () => others.changes.length > 0);
    expect(others.changes).toEqual([{ projectId: theirs.code, kind: 'created' }]);
    pages.forEach((page) => page.close());
  });
});
