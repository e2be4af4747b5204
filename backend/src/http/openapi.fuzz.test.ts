import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Anvil, startAnvil } from '../testing/anvil.js';
import { seedKey } from '../testing/seed.key.js';
import { signUp } from '../testing/sign.up.js';
import { startTestApp, TestApp } from '../testing/test.app.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Operation {
  security?: Record<string, unknown>[];
  parameters?: {
    name: string;
    in: 'path' | 'query' | 'header' | 'cookie';
    required?: boolean;
    schema: Schema;
  }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const document = JSON.parse(readFileSync(join(__dirname, '../../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
  Object.entries(byMethod).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

/** Values that a schema rarely allows, and that code often mishandles. */
const hostile = fc.constantFrom<unknown>(
  ...[
    null,
    true,
    -1,
    0,
    1.5,
    2 ** 53,
    1e308,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '🦊'.repeat(40),
    'x'.repeat(5_000),
  ],
  ...[
    'null',
    'undefined',
    'NaN',
    '-0',
    '0x',
    '../..',
    '%',
    "' or 1=1 --",
    '<script>',
    '__proto__',
    'constructor',
  ],
  ...[
    '2026-13-45T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.9999Z',
    '+275760-09-13T00:00:00.001Z',
  ],
  ...['00000000-0000-0000-0000-000000000000', `0x${'f'.repeat(40)}`, 'https://[::1', [], {}, [[[]]]],
);

/** Values that work, by the name of the parameter or field. */
type Working = Readonly<Record<string, unknown>>;

/** A value that mostly follows the schema, with hostile parts. */
function valueOf(schema: Schema, working: Working, field = ''): fc.Arbitrary<unknown> {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return valueOf(document.components.schemas[name] as Schema, working, field);
  return fc.oneof(
    {
      weight: 8,
      arbitrary: Object.hasOwn(working, field) ? fc.constant(working[field]) : allowedBy(schema, working),
    },
    { weight: 1, arbitrary: allowedBy(schema, working) },
    { weight: 1, arbitrary: hostile },
  );
}

function allowedBy(schema: Schema, working: Working): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valueOf(choice, working)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const [type] = [schema.type].flat();
  switch (type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([key, each]) => [key, valueOf(each, working, key)]),
        ),
        { requiredKeys: schema.required ?? [] },
      );
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, working), { maxLength: 4 });
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 200 }), fc.double());
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return textOf(schema);
  }
}

// Once for all fields: making them takes longer than the requests.
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.webUrl(),
  fc.stringMatching(/^0x[0-9a-fA-F]{40}$/),
);
const texts: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  email: fc.emailAddress(),
};

const textOf = ({ format = '' }: Schema): fc.Arbitrary<string> => texts[format] ?? anyText;

/** As a URL can carry it: a lone surrogate becomes a replacement character. */
const textIn = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')).toString();

/** A request to an operation: its address, and a body if it takes one as JSON. */
function requestTo(name: string, { parameters = [], requestBody }: Operation, working: Working) {
  const [, path = ''] = name.split(' ');
  const json = requestBody?.content['application/json']?.schema;
  const filled = fc.tuple(
    ...parameters.map(({ name: field, required = false, schema }) =>
      required
        ? valueOf(schema, working, field)
        : fc.option(valueOf(schema, working, field), { nil: undefined }),
    ),
  );
  return fc.record({
    address: filled.map((values) => {
      const query = new URLSearchParams();
      const address = parameters.reduce((rest, { name: parameter, in: place }, index) => {
        const value = values[index];
        if (value === undefined) return rest;
        if (place === 'query') query.append(parameter, textIn(value));
        // An empty segment would be another path.
        return place === 'path'
          ? rest.replace(`{${parameter}}`, encodeURIComponent(textIn(value) || '-'))
          : rest;
      }, path);
      return query.size > 0 ? `${address}?${query}` : address;
    }),
    body: json ? valueOf(json, working) : fc.constant(undefined),
  });
}

describe('requests made from the OpenAPI document get a documented response, and never a 5xx', () => {
  const wallet = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
  const succeeded = new Set<string>();
  let node: Anvil;
  let portal: TestApp;
  beforeAll(async () => {
    node = await startAnvil();
    portal = await startTestApp({ ETH_RPC_URL: node.url });
  });
  afterAll(async () => {
    await portal.close();
    await node.stop();
  });

  /** A post with a reply, and what may be sent about them. */
  async function writePost(userId: string, token: string) {
    await portal.db.query(`update users set display_name = 'Ada' where id = $1`, [userId]);
    const texts = { title: 'A title', content: 'Some text', category: 'Bugs' };
    const { id } = (await portal.call('POST', '/api/forum/posts', { token, body: texts })).body;
    const reply = { token, body: { content: 'An answer' } };
    const { id: replyId } = (await portal.call('POST', `/api/forum/posts/${id}/replies`, reply)).body;
    return {
      ...texts,
      id,
      replyId,
      around: replyId,
      acceptedReplyId: replyId,
      reason: 'Spam',
      after: id,
      before: id,
      author: userId,
      sort: 'newest',
      resolved: 'false',
    };
  }

  test.each(operations)('$name', async ({ name, operation }) => {
    const [method = '', path = ''] = name.split(' ');
    const { token, refreshToken, userId, email } = await signUp(portal);
    const { key, keyId, project } = await seedKey(portal, { userId, urls: ['https://a.example.com'] });
    const password = 'another long password';
    const now = Date.now();
    const isForum = path.startsWith('/api/forum/');
    const forum = isForum ? await writePost(userId, token) : {};
    const working = {
      address: wallet,
      id: path.includes('tokens') ? wallet : keyId,
      keyId,
      projectId: project?.code,
      code: project?.code,
      projectName: project?.name,
      url: 'https://a.example.com',
      userId,
      urls: ['https://b.example.com'],
      whitelistURL: ['https://b.example.com'],
      name: 'Nightly',
      email,
      password,
      passwordConfirm: password,
      token,
      refreshToken,
      from: new Date(now - 3_600_000).toISOString(),
      to: new Date(now).toISOString(),
      endpoint: '/api/v1/key',
      method: 'GET',
      status: '4xx',
      origin: 'none',
      errorCode: 'key.invalid',
      limit: 10,
      after: 0,
      before: 1_000,
      blocks: 2,
      cursor: 0,
      format: 'csv',
      provider: 'google',
      ...forum,
    };
    const faults: unknown[] = [];
    for (const { address, body } of fc.sample(requestTo(name, operation, working), {
      numRuns: 25,
      seed: 17,
    })) {
      const credentials = operation.security?.some((scheme) => 'apiKey' in scheme)
        ? { headers: { 'x-api-key': key } }
        : operation.security
          ? { token }
          : {};
      const answer = await portal
        .call(method, address, { ...credentials, body })
        .catch((error: Error) => error);
      if (answer instanceof Error) faults.push([address, body, answer.message]);
      else if (answer.status < 400) succeeded.add(name);
      else if (answer.status >= 500) faults.push([answer.status, address, body, answer.text.slice(0, 200)]);
    }
    expect(faults).toEqual([]);
  });

  // Otherwise most requests would be refused before they reach the code that they test.
  test('most operations have also been successful', () => {
    expect(succeeded.size).toBeGreaterThan(operations.length / 2);
  });
});
