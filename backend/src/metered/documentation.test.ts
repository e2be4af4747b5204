import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { docsMarkdown } from '@orange-id/contract/docs.markdown';
import { docsGroups } from '@orange-id/contract/docs.reference';
import { parseEnvironment } from '../config/environment.js';
import { startTestApp, TestApp } from '../testing/test.app.js';

interface Operation {
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: object;
  responses: Record<string, { content: { 'application/json': { example?: unknown } } }>;
}

/** Documentation, OpenAPI document and server are three views of the same table; these tests fail when they differ. */
describe('the documented endpoints', () => {
  let portal: TestApp;
  beforeAll(async () => (portal = await startTestApp()));
  afterAll(() => portal.close());

  const endpoints = docsGroups.flatMap((group) => group.endpoints);
  const callable = endpoints.flatMap(({ route }) => (route ? [route] : []));

  test('are those of the OpenAPI document that take a key, with the same parameters, bodies and samples', async () => {
    const { paths } = (await portal.call('GET', '/api/openapi.json')).body as {
      paths: Record<string, Record<string, Operation>>;
    };
    const described = Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/v1/'))
      .flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, operation]) => JSON.stringify(operation).includes('"security":[{"apiKey":[]'))
          .map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
      );
    const view = (
      call: string,
      parameters: Operation['parameters'] = [],
      hasBody: boolean,
      samples: unknown,
    ) => ({
      call,
      parameters: parameters.map(({ name, in: place, required = false }) => [name, place, required]),
      hasBody,
      samples,
    });
    const byCall = (a: { call: string }, b: { call: string }) => a.call.localeCompare(b.call);
    expect(
      described
        .map(({ call, operation }) => {
          const examples = ['200', '401'].map(
            (status) => operation.responses[status]?.content['application/json'].example,
          );
          return view(call, operation.parameters, operation.requestBody !== undefined, examples);
        })
        .sort(byCall),
    ).toEqual(
      callable
        .map(({ method, path, parameters, bodyExample, samples }) => {
          const examples = [200, 401].map(
            (wanted) => samples.find(({ statusCode }) => statusCode === wanted)?.body,
          );
          // In OpenAPI a header named Authorization is a security scheme.
          const shown = parameters.filter((parameter) => parameter.in !== 'header');
          return view(`${method} ${path}`, shown, bodyExample !== undefined, examples);
        })
        .sort(byCall),
    );
  });

  test('name the player’s token as a security scheme where a call takes one', async () => {
    const { paths } = (await portal.call('GET', '/api/openapi.json')).body as {
      paths: Record<string, Record<string, Operation>>;
    };
    for (const { method, path, parameters } of callable) {
      const takesPlayer = parameters.some((parameter) => parameter.in === 'header');
      expect(paths[path]?.[method.toLowerCase()]?.security).toEqual([
        takesPlayer ? { apiKey: [], player: [] } : { apiKey: [] },
      ]);
    }
  });

  test('are served if they can be called, and say that they are illustrations if not', async () => {
    const codes = await Promise.all(
      endpoints.map(async ({ method, path }) => {
        const { status, body } = await portal.call(method, path.replace(/\{\w+\}/, 'x'));
        return [`${method} ${path}`, status, body.code];
      }),
    );
    expect(codes).toEqual(
      endpoints.map(({ method, path, route }) => [
        `${method} ${path}`,
        ...(route ? [401, 'key.missing'] : [404, 'route.illustration']),
      ]),
    );
  });

  test('name the default limits of the server', () => {
    const { RATE_LIMIT_PER_KEY, RATE_LIMIT_PER_ADDRESS, USAGE_DAILY_QUOTA } = parseEnvironment({});
    const text = docsMarkdown('https://portal.example.com', 'https://portal.example.com');
    const shown = (count: number) => count.toLocaleString('en-US');
    expect(text).toContain(`| Calls with one key | ${shown(RATE_LIMIT_PER_KEY)} a second, `);
    expect(text).toContain(`| Calls from one IP address | ${shown(RATE_LIMIT_PER_ADDRESS)} a second |`);
    expect(text).toContain(
      `| Calls from one account, across all its keys | ${shown(USAGE_DAILY_QUOTA)} a day (UTC) |`,
    );
  });
});
