import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { callsOn, startWithTwoUsers } from '../testing/two.users.js';
import { SignedUp } from '../testing/sign.up.js';
import type { Answer, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';

const extension = `chrome-extension://${'a'.repeat(32)}`;

describe('origins that no exact URL names', () => {
  let portal: TestApp;
  let owner: SignedUp;
  let other: SignedUp;
  beforeAll(async () => {
    ({ portal, owner, other } = await startWithTwoUsers());
  });
  afterAll(() => portal.close());

  const { create, list } = callsOn(() => portal, {
    create: '/devportal/v1/project',
    list: '/devportal/v1/user/projects',
    remove: '/api/projects',
  });
  let count = 0;
  const make = async (...whitelistURL: string[]): Promise<{ projectId: string; apiKey: string }> => {
    count += 1;
    const { status, body } = await create(owner, { projectName: `Origins ${count}`, whitelistURL });
    expect(status).toBe(201);
    return body;
  };
  const put = (code: string, origins: unknown, { token } = owner): Promise<Answer> =>
    portal.call('PUT', `/api/projects/${code}/origins`, { token, body: { origins } });
  const get = (code: string, { token } = owner): Promise<Answer> =>
    portal.call('GET', `/api/projects/${code}/origins`, { token });
  const statusOf = async (key: string, origin: string): Promise<number> =>
    (await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': key, origin } })).status;

  test('an extension and null may call once they are added, within a second, and no longer once they are removed', async () => {
    const { projectId, apiKey } = await make('https://example.com');
    expect((await get(projectId)).body).toEqual({ origins: [] });
    expect([await statusOf(apiKey, 'null'), await statusOf(apiKey, extension)]).toEqual([403, 403]);
    const answer = await put(projectId, [' NULL', `${extension}/popup.html`]);
    expect([answer.status, answer.body]).toEqual([200, { origins: ['null', extension] }]);
    await until('they may call', async () => (await statusOf(apiKey, extension)) === 200);
    expect(await statusOf(apiKey, 'null')).toBe(200);
    expect(await statusOf(apiKey, `chrome-extension://${'b'.repeat(32)}`)).toBe(403);
    expect((await get(projectId)).body).toEqual({ origins: ['null', extension] });
    // They are stored apart from the URLs.
    const [project] = (await list(owner)).filter(({ code }: { code: string }) => code === projectId);
    expect(project.urls).toEqual(['https://example.com']);

    await put(projectId, []);
    await until('they are refused again', async () => (await statusOf(apiKey, 'null')) === 403);
  });

  test.each([
    [['https://app.example.com'], 'origins.0', 'is a page; add it to the allowed URLs'],
    [['null', 'app://bundle'], 'origins.1', 'only browser extensions and null can'],
    [['file://'], 'origins.0', 'only browser extensions and null can'],
    [['chrome-extension://short'], 'origins.0', 'isn’t the origin of an extension'],
    [['null', 'null'], 'origins.1', 'is in the list twice'],
  ])('returns 400 for %j and names the value', async (origins, path, message) => {
    const { projectId } = await make('https://example.com');
    const { status, body } = await put(projectId, origins);
    expect([status, body.code]).toEqual([400, 'project.originInvalid']);
    expect(body.details).toEqual([{ path, message: expect.stringContaining(message) }]);
    expect((await get(projectId)).body).toEqual({ origins: [] });
  });

  test.each([
    ['null'],
    [{}],
    [[7]],
    [['x'.repeat(256)]],
    [Array(limits.otherOriginsPerProject + 1).fill('null')],
  ])('returns 400 for a body that is no list of origins: %j', async (origins) => {
    const { projectId } = await make('https://example.com');
    expect((await put(projectId, origins)).status).toBe(400);
  });

  test('returns 404 for another user’s project, and for none', async () => {
    const { projectId } = await make('https://example.com');
    for (const code of [projectId, 'orange-nobodyhas1', 'x\u0000']) {
      const path = encodeURIComponent(code);
      expect([(await put(path, ['null'], other)).status, (await get(path, other)).status]).toEqual([
        404, 404,
      ]);
    }
    expect((await get(projectId)).body).toEqual({ origins: [] });
  });

  test('a wildcard is added and removed like a URL, and lets one label below it call', async () => {
    const { projectId, apiKey } = await make('https://example.com', 'https://*.Preview.example.com/x');
    const [project] = (await list(owner)).filter(({ code }: { code: string }) => code === projectId);
    expect(project.urls).toEqual(['https://example.com', 'https://*.preview.example.com']);
    expect(await statusOf(apiKey, 'https://pr-1.preview.example.com')).toBe(200);
    const removed = await portal.call('DELETE', '/devportal/v1/project/whitelist', {
      token: owner.token,
      body: { code: projectId, projectName: project.projectName, url: 'https://*.preview.example.com' },
    });
    expect(removed.status).toBe(200);
    await until(
      'it no longer may',
      async () => (await statusOf(apiKey, 'https://pr-1.preview.example.com')) === 403,
    );
  });

  test.each([
    ['https://*.github.io', 'has a wildcard below a domain where anyone can register names'],
    ['https://*.com', 'has a wildcard below a domain where anyone can register names'],
    ['https://a.*.example.com', 'may have a wildcard only as its whole first label'],
  ])('returns 400 for the wildcard %s and says why', async (url, message) => {
    const { status, body } = await create(owner, { projectName: 'Wild', whitelistURL: [url] });
    expect([status, body.code]).toEqual([400, 'project.urlInvalid']);
    expect(body.details).toEqual([
      { path: 'whitelistURL.0', message: expect.stringContaining(`"${url}" ${message}`) },
    ]);
  });
});
