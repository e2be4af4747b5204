import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedKey } from '../testing/seed.key.js';
import { signUp } from '../testing/sign.up.js';
import { Answer, startTestApp, TestApp } from '../testing/test.app.js';

interface Schema {
  $ref?: string;
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface Operation {
  parameters?: { name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
const document = JSON.parse(readFileSync(join(__dirname, '../../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** The paths of the times in a schema. */
function timesIn(schema: Schema, path: string): string[] {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return timesIn(document.components.schemas[name] as Schema, path);
  if (schema.format === 'date-time') return [path];
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  return [
    ...Object.entries(properties).flatMap(([key, each]) => timesIn(each, path ? `${path}.${key}` : key)),
    ...(items ? timesIn(items, `${path}[]`) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((each) => timesIn(each, path)),
  ];
}

const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
    const bodies = Object.values(requestBody?.content ?? {});
    const names = [
      ...parameters.flatMap(({ name, schema }) => timesIn(schema, name)),
      ...bodies.flatMap(({ schema }) => timesIn(schema, '')),
    ];
    return names.map((name) => `${method.toUpperCase()} ${path} ${name}`);
  }),
);

describe('times that clients send', () => {
  let portal: TestApp;
  let token: string;
  let keyId: string;
  let ofProject: { keyId: string; code: string };
  let thread: { postId: string; replyId: string };
  beforeAll(async () => {
    portal = await startTestApp();
    const user = await signUp(portal);
    token = user.token;
    keyId = (await seedKey(portal, { userId: user.userId, isSaved: true })).keyId;
    const seeded = await seedKey(portal, { userId: user.userId });
    ofProject = { keyId: seeded.keyId, code: seeded.project!.code };
    await portal.db.query("update users set display_name = 'Ada' where id = $1", [user.userId]);
    const write = async (path: string, body: object): Promise<string> =>
      (await portal.call('POST', `/api/forum/posts${path}`, { token, body })).body.id;
    const postId = await write('', { title: 'A title', content: 'Text', category: 'Bugs' });
    thread = { postId, replyId: await write(`/${postId}/replies`, { content: 'Text' }) };
  });
  afterAll(() => portal.close());

  const get = (path: string, field: string) => (time: string) =>
    portal.call('GET', `${path}?${field}=${encodeURIComponent(time)}`, { token });
  const ask = (field: string) => (time: string) =>
    portal.call('POST', '/api/usage/exports', {
      token,
      body: { format: 'csv', filters: { [field]: time } },
    });
  const rotate = (below: string, id: string, expiresAt: string) =>
    portal.call('POST', `${below}/keys/${id}/rotate`, { token, body: { overlapDays: 1, expiresAt } });
  const change = (below: string, readEditedAt: string) =>
    portal.call('PATCH', `/api/forum/posts/${thread.postId}${below}`, {
      token,
      body: { content: 'Text', readEditedAt },
    });
  const sent: Record<string, (time: string) => Promise<Answer>> = {
    'GET /api/usage from': get('/api/usage', 'from'),
    'GET /api/usage to': get('/api/usage', 'to'),
    'GET /api/analytics/metrics from': get('/api/analytics/metrics', 'from'),
    'GET /api/analytics/metrics to': get('/api/analytics/metrics', 'to'),
    'POST /api/usage/exports filters.from': ask('from'),
    'POST /api/usage/exports filters.to': ask('to'),
    'PATCH /api/keys/{id} expiresAt': (expiresAt) =>
      portal.call('PATCH', `/api/keys/${keyId}`, { token, body: { expiresAt } }),
    'POST /api/keys/{id}/rotate expiresAt': (expiresAt) => rotate('/api', keyId, expiresAt),
    'POST /api/projects/{code}/keys/{id}/rotate expiresAt': (expiresAt) =>
      rotate(`/api/projects/${ofProject.code}`, ofProject.keyId, expiresAt),
    'PATCH /api/forum/posts/{id} readEditedAt': (readEditedAt) => change('', readEditedAt),
    'PATCH /api/forum/posts/{id}/replies/{replyId} readEditedAt': (readEditedAt) =>
      change(`/replies/${thread.replyId}`, readEditedAt),
  };

  test('are all tried below', () => {
    expect([...new Set(documented)].sort()).toEqual(Object.keys(sent).sort());
  });

  const outside = [
    '0000-01-01T00:00:00Z',
    '0000-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '10000-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
  ];
  test.each(Object.keys(sent))(
    '%s: a time outside the years 0001 to 9999 gets a 400 that says so',
    async (name) => {
      for (const time of outside) {
        const { status, body } = await (sent[name] as (typeof sent)[string])(time);
        expect([time, status, body.code]).toEqual([time, 400, 'request.invalid']);
        expect(body.message).toContain('must be an ISO 8601 time in the years 0001 to 9999');
      }
    },
  );

  const edges = ['0001-01-01T00:00:00Z', '0001-01-01T12:00:00Z', '9999-12-31T23:59:59.9999Z'];
  test.each(Object.keys(sent))(
    '%s: the first and the last time of those years get no error of the portal',
    async (name) => {
      for (const time of edges) {
        const { status } = await (sent[name] as (typeof sent)[string])(time);
        expect([time, [200, 201, 400, 409].includes(status)]).toEqual([time, true]);
      }
    },
  );

  test('a range at either end of those years is answered', async () => {
    const ranges = [
      ['0001-01-01T00:00:00Z', '0001-12-31T00:00:00Z'],
      ['9999-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z'],
    ];
    for (const [from, to] of ranges) {
      const { status, body } = await portal.call('GET', `/api/analytics/metrics?from=${from}&to=${to}`, {
        token,
      });
      expect([from, status]).toEqual([from, 200]);
      expect(body.from).toBe(new Date(from as string).toISOString());
    }
  });
});
