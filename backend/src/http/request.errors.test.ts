import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ErrorBody } from '@orange-id/contract/error.codes';
import { walletVerify } from '@orange-id/contract/identity.schema';
import { usageQuery } from '@orange-id/contract/usage.schema';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { seedKey } from '../testing/seed.key.js';
import { signUp } from '../testing/sign.up.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { PortalError } from './portal.error.js';
import { readRequest } from './request.issues.js';

/** The error of parsing `value` with `schema`. */
function refusalOf(schema: z.ZodType, value: unknown, part = 'body'): PortalError {
  try {
    readRequest(schema, value, part);
  } catch (error) {
    if (error instanceof PortalError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(value)} was read`);
}

describe('a request that does not fit its schema', () => {
  const schema = z.strictObject({
    name: z.string().min(2).max(5).optional(),
    age: z.number().int().min(1).max(150).optional(),
    isOn: z.boolean().optional(),
    kind: z.enum(['game', 'site']).optional(),
    version: z.literal('1').optional(),
    id: z.uuid().optional(),
    at: z.iso.datetime().optional(),
    code: z.string().regex(/^a+$/).optional(),
    list: z
      .array(z.strictObject({ url: z.string() }))
      .max(2)
      .optional(),
    either: z.union([z.string(), z.number()]).optional(),
    own: z
      .string()
      .refine((text) => text === 'x', 'Own words stay')
      .optional(),
    odd: z.number().multipleOf(3).optional(),
    even: z
      .string()
      .refine((text) => text === 'x')
      .optional(),
    password: z.string().min(8).optional(),
  });

  test.each<[unknown, string]>([
    [{ name: 7 }, 'name: must be text (given 7)'],
    [{ name: null }, 'name: must be text (given null)'],
    [{ name: ['a'] }, 'name: must be text (given a list of 1)'],
    [{ name: 'a' }, 'name: must have at least 2 characters (given "a")'],
    [{ name: 'abcdef' }, 'name: must have at most 5 characters (given "abcdef")'],
    [
      { name: '🍊'.repeat(1000) },
      `name: must have at most 5 characters (given "${'🍊'.repeat(60)}…", 1000 characters)`,
    ],
    [
      { name: '\u202egnol\u0000\n' },
      'name: must have at most 5 characters (given "\\u{202e}gnol\\u{0}\\u{a}")',
    ],
    [{ age: '7' }, 'age: must be a number (given "7")'],
    [{ age: 1.5 }, 'age: must be a whole number (given 1.5)'],
    [{ age: 0 }, 'age: must be at least 1 (given 0)'],
    [{ age: 151 }, 'age: must be at most 150 (given 151)'],
    [{ isOn: 'yes' }, 'isOn: must be true or false (given "yes")'],
    [{ kind: 'toy' }, 'kind: must be one of "game", "site" (given "toy")'],
    [{ version: 1 }, 'version: must be "1" (given 1)'],
    [{ id: 'x' }, 'id: must be a UUID such as 01890000-0000-7000-8000-000000000000 (given "x")'],
    [{ at: 'now' }, 'at: must be an ISO 8601 time such as 2026-01-31T12:00:00Z (given "now")'],
    [{ code: 'b' }, 'code: has the wrong format (given "b")'],
    [{ list: [{ url: 'a' }, {}] }, 'list.1.url: is missing; it must be text'],
    [{ list: [{ url: 'a', more: 1 }] }, 'list.0.more: isn’t a known field; known fields are url'],
    [{ list: [{}, {}, {}] }, 'list: must contain at most 2 entries (given a list of 3)'],
    [{ list: {} }, 'list: must be a list (given an object)'],
    [{ either: true }, 'either: matches none of the allowed forms (given true)'],
    [{ own: 'y' }, 'own: Own words stay (given "y")'],
    [{ odd: 4 }, 'odd: must be a multiple of 3 (given 4)'],
    [{ even: 'y' }, 'even: isn’t allowed (given "y")'],
    [{ password: 'hunter2' }, 'password: must have at least 8 characters'],
    [null, 'The body must be an object with named fields'],
    ['text', 'The body must be an object with named fields'],
    [undefined, 'The body is missing; it must be an object with named fields'],
  ])('is refused with the allowed and the given value: %j', (value, message) => {
    expect(refusalOf(schema, value).message).toBe(message);
  });

  test('a limit that excludes itself, and an exact length, are described as such', () => {
    const limited = z.object({ few: z.number().gt(1).lt(5), pair: z.array(z.string()).length(2) });
    const messages = [
      { few: 1, pair: [] },
      { few: 5, pair: ['a', 'b', 'c'] },
    ].map((value) => refusalOf(limited, value).details?.map(({ message }) => message));
    expect(messages).toEqual([
      ['must be more than 1', 'must contain exactly 2 entries'],
      ['must be less than 5', 'must contain exactly 2 entries'],
    ]);
  });

  test('names every offending field with its value, up to 20 of them', () => {
    expect(refusalOf(schema, { name: 7, age: 0, x: 1, y: 2 }).details).toEqual([
      { path: 'name', message: 'must be text', given: '7' },
      { path: 'age', message: 'must be at least 1', given: '0' },
      { path: 'x', message: expect.stringMatching(/^isn’t a known field; known fields are name, age, /) },
      { path: 'y', message: expect.stringMatching(/^isn’t a known field; known fields are name, age, /) },
    ]);
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`unknown${i}`, i]));
    expect(refusalOf(schema, many).details).toHaveLength(20);
  });

  test('a name of many characters is shortened', () => {
    const { message, details } = refusalOf(z.strictObject({}), { ['k'.repeat(100_000)]: 1 });
    expect(message).toBe(`${'k'.repeat(60)}…: isn’t a known field`);
    expect(details).toEqual([{ path: `${'k'.repeat(60)}…`, message: 'isn’t a known field' }]);
  });

  test('names of built-in object properties are reported like any other', () => {
    const value: unknown = JSON.parse('{"__proto__":1,"constructor":2,"toString":3}');
    expect(refusalOf(schema, value).details?.map(({ path }) => path)).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ]);
  });

  test('no secret is repeated, not even one nested in a field', () => {
    const secrets = z.strictObject({
      token: z.string().max(3),
      refreshToken: z.string().max(3),
      signature: z.string().max(3),
      inner: z.strictObject({ clientSecret: z.number(), apiKey: z.number() }),
    });
    const inner = { clientSecret: 'canary', apiKey: 'canary' };
    const refusal = refusalOf(secrets, {
      token: 'canary',
      refreshToken: 'canary',
      signature: 'canary',
      inner,
    });
    expect(refusal.details).toHaveLength(5);
    expect(JSON.stringify(refusal.body)).not.toContain('canary');
  });

  test.each<[Record<string, unknown>, string]>([
    [{ limit: 'abc' }, 'limit: must be a whole number from 1 to 500 (given "abc")'],
    [{ limit: '' }, 'limit: must be a whole number from 1 to 500 (given "")'],
    [{ limit: '1.5' }, 'limit: must be a whole number from 1 to 500 (given "1.5")'],
    [{ limit: ['1', '2'] }, 'limit: must be a whole number from 1 to 500 (given a list of 2)'],
    [{ after: '-1' }, 'after: must be a whole number from 0 to 9007199254740991 (given "-1")'],
    [{ after: '1e400' }, 'after: must be a whole number from 0 to 9007199254740991 (given "1e400")'],
    [{ keyId: ['a', 'b'] }, 'keyId: must be a key ID (given a list of 2)'],
  ])('the query %j of a usage page is refused with the allowed and the given value', (query, message) => {
    expect(refusalOf(usageQuery, query, 'query').message).toBe(message);
  });

  test('the error of a wallet message says which of its fields is wrong', () => {
    const refusal = refusalOf(walletVerify, { message: { version: 2, chainId: '1' }, signature: 'x' });
    expect(refusal.details).toEqual([
      { path: 'message.domain', message: 'is missing; it must be text' },
      { path: 'message.address', message: 'is missing; it must be text' },
      { path: 'message.uri', message: 'is missing; it must be text' },
      { path: 'message.version', message: 'must be text', given: '2' },
      { path: 'message.chainId', message: 'must be a number', given: '"1"' },
      { path: 'message.nonce', message: 'is missing; it must be text' },
      { path: 'message.issuedAt', message: 'is missing; it must be text' },
      { path: 'signature', message: 'must be 0x followed by two hex digits for each byte' },
    ]);
  });
});

describe('a body on the wire', () => {
  let portal: TestApp;
  let token: string;
  let key: string;
  beforeAll(async () => {
    portal = await startTestApp();
    token = (await signUp(portal)).token;
    ({ key } = await seedKey(portal, { isSaved: true }));
  });
  afterAll(() => portal.close());

  const send = async (
    body: string | Uint8Array<ArrayBuffer> | ReadableStream,
    type: string | null = 'application/json',
    path = '/api/keys',
  ) => {
    const answer = await fetch(portal.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(type === null ? {} : { 'content-type': type }) },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' as const } : {}),
    });
    const { requestId: _id, ...sent } = (await answer.json()) as ErrorBody;
    return { status: answer.status, body: sent };
  };

  test.each([
    ['application/xml', '<name>Server</name>'],
    ['text/xml; charset=utf-8', '<name>Server</name>'],
    ['application/x-www-form-urlencoded', 'name=Server'],
    ['text/plain;charset=UTF-8', '{"name":"Server"}'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/octet-stream', 'x'],
    ['application/jsonp', '{"name":"Server"}'],
  ])('of type %s returns 415 with the name of the type', async (type, body) => {
    expect(await send(body, type)).toEqual({
      status: 415,
      body: {
        statusCode: 415,
        message: `A body of type ${type} isn’t accepted here. Send JSON with Content-Type: application/json`,
        error: 'Unsupported Media Type',
        code: 'request.typeUnsupported',
      },
    });
  });

  test.each(['nonsense', '/', 'application/'])('of the invalid type %s returns 415', async (type) => {
    const answer = await send('{}', type);
    expect([answer.status, answer.body.code]).toEqual([415, 'request.typeUnsupported']);
  });

  test('without a type returns 415', async () => {
    const answer = await send(new TextEncoder().encode('{"name":"Server"}'), null);
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      415,
      'request.typeUnsupported',
      'The request has no Content-Type header. Send JSON with Content-Type: application/json',
    ]);
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'of type %s is accepted',
    async (type) => {
      expect((await send('{"name":"Server"}', type)).status).toBe(201);
      expect((await send('\ufeff{"name":"Server"}', type)).status).toBe(201);
    },
  );

  test('to an unknown path returns 404, whatever its type', async () => {
    for (const type of ['application/xml', 'application/json', null]) {
      expect([type, (await send('<x/>', type, '/api/nothing')).status]).toEqual([type, 404]);
    }
  });

  test.each([
    '{"__proto__":{"isAdmin":true}}',
    '{"name":"Server","__proto__":null}',
    '{"name":{"\\u005f_proto__":1}}',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
    '\ufeff[{"__proto__":1}]',
  ])('%s returns 400 with the forbidden name', async (body) => {
    expect(await send(body)).toEqual({
      status: 400,
      body: {
        statusCode: 400,
        message: 'The body has a forbidden field name: __proto__ or constructor.prototype. Remove that field',
        error: 'Bad Request',
        code: 'request.invalid',
      },
    });
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test('of more than 25,000 lists and objects returns 400; brackets in texts are neither', async () => {
    const tooMany = 'The body has more than 25,000 lists and objects. Send fewer';
    const beside = (lists: number) => `{"name":[${Array.from({ length: lists }, () => '[]').join()}]}`;
    const nested = (lists: number) => `{"name":${'['.repeat(lists)}${']'.repeat(lists)}}`;
    for (const body of [beside(24_999), nested(25_000), nested(60_000)])
      expect((await send(body)).body).toMatchObject({ statusCode: 400, message: tooMany });
    for (const body of [beside(24_998), nested(24_999)])
      expect((await send(body)).body.message).toMatch(/^name: /);
    const text = `\\"${'[{'.repeat(20_000)}\\`;
    expect((await send(JSON.stringify({ name: text }))).body.message).toMatch(/^name: /);
  });

  test.each([
    ['{', ' at character 2'],
    ['{"name":}', ''],
    ["{'name':'x'}", ' at character 2'],
    ['name', ''],
    ['{"name":"x"}}', ' at character 13'],
    ['{"password":"my secret" "a"}', ' at character 25'],
    ['\u0000', ''],
  ])('%j, which is not JSON, returns 400 and says where, without repeating it', async (body, where) => {
    const answer = await send(body);
    expect([answer.status, answer.body.message]).toEqual([
      400,
      `The body isn’t valid JSON${where}. Send one JSON value, with names and texts in double quotes`,
    ]);
  });

  test('that is empty counts as missing', async () => {
    expect((await send('')).body.message).toBe('The body is missing; it must be an object with named fields');
    expect((await send('', 'application/xml')).body.message).toBe(
      'The body is missing; it must be an object with named fields',
    );
    expect((await send('null')).body.message).toBe('The body must be an object with named fields');
  });

  test.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, br', 'GZIP', 'aes128gcm'])(
    'that is encoded with %s returns 415 with the header’s name on every route, and what is accepted',
    async (encoding) => {
      const form = new FormData();
      form.set('file', new File(['x'], 'x.png', { type: 'image/png' }));
      const requests: [string, RequestInit['body'], Record<string, string>][] = [
        ['/api/keys', gzipSync('{"name":"Server"}'), { 'content-type': 'application/json' }],
        ['/api/keys', new Blob([gzipSync('{}')]).stream(), { 'content-type': 'application/json' }],
        ['/api/keys', '{"name":"Server"}', {}],
        ['/api/v1/tokens', gzipSync('{}'), { 'content-type': 'application/json', 'x-api-key': key }],
        ['/api/v1/auth/email/login', gzipSync('{}'), { 'content-type': 'application/json' }],
        ['/api/v1/user/profile/upload', form, {}],
        ['/api/v1/auth/consent', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
      ];
      for (const [path, body, headers] of requests) {
        const answer = await fetch(portal.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-encoding': encoding, ...headers },
          body,
          ...(body instanceof ReadableStream ? { duplex: 'half' as const } : {}),
        });
        const { code, message } = (await answer.json()) as ErrorBody;
        expect([path, answer.status, code, message]).toEqual([
          path,
          415,
          'request.typeUnsupported',
          `A body with Content-Encoding: ${encoding} isn’t accepted here. Send it uncompressed, without Content-Encoding`,
        ]);
        expect(answer.headers.get('accept-encoding')).toBe('identity');
      }
    },
  );

  test.each(['identity', ''])('with Content-Encoding %j is read', async (encoding) => {
    const answer = await fetch(`${portal.url}/api/keys`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-encoding': encoding,
        'content-type': 'application/json',
      },
      body: '{"name":"Server"}',
    });
    expect(answer.status).toBe(201);
  });

  test('that is too large returns 413, with or without a length', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(300_000) });
    const answer = await send(large);
    expect([answer.status, answer.body.code]).toEqual([413, 'request.tooLarge']);
    const streamed = await send(new Blob([large]).stream());
    expect([streamed.status, streamed.body.code]).toEqual([413, 'request.tooLarge']);
  });
});
