import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { apiKeyBytes, apiKeyFrom } from '@orange-id/contract/api-key.rule';
import { illustratedPaths } from '@orange-id/contract/metered.paths';
import { meteredRoutes } from '@orange-id/contract/metered.routes';
import { serverTimingOf } from '@orange-id/contract/server.timing';
import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { dumpOf, keepLog } from '../testing/leaks.js';
import { seedKey, SeededKey } from '../testing/seed.key.js';
import { Answer, startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { KeyDirectory } from './key.directory.js';

const site = 'https://shop.example.com';

interface StoredRow {
  seq: string;
  project_id: string | null;
  endpoint: string;
  method: string;
  status_code: number;
  response_time: number;
  origin: string | null;
  outcome: string;
  calls: number;
  error_code: string | null;
  path: string | null;
}

describe('a call with X-API-Key', () => {
  let portal: TestApp;
  let owner: SeededKey;
  beforeAll(async () => {
    portal = await startTestApp();
    owner = await seedKey(portal, { urls: [site] });
  });
  afterAll(() => portal.close());

  const call = (key: string | null, headers: Record<string, string> = {}, path = '/api/v1/key') =>
    portal.call('GET', path, { headers: { ...(key === null ? {} : { 'x-api-key': key }), ...headers } });
  const rowsOf = (userId: string): Promise<StoredRow[]> =>
    portal.db.query('select * from api_usage where user_id = $1 order by seq', [userId]);
  const metric = async (name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await portal.call('GET', '/metrics')).text)?.[1]);

  test('returns 200 with a description of the key, and stores the call before responding', async () => {
    const { key, project, userId } = await seedKey(portal, { urls: [site] });
    const answer = await call(key);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      project: { code: project?.code, name: project?.name },
      name: project?.name,
      prefix: key.slice(0, 8),
    });
    const rows = await rowsOf(userId);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      seq: '1',
      project_id: project?.code,
      endpoint: '/api/v1/key',
      method: 'GET',
      status_code: 200,
      origin: null,
      outcome: 'ok',
      calls: 1,
    });
    expect(rows[0]?.response_time).toBeGreaterThan(0);
  });

  test('returns Server-Timing with the stored response time for each call with its own row, and for no other', async () => {
    const { key, userId } = await seedKey(portal, { urls: [site] });
    const timings: (string | null)[] = [];
    for (const [path, headers] of [
      ['/api/v1/key', {}],
      ['/api/v1/wallet/balance?address=1', {}],
      ['/api/v1/no-such-path', {}],
      // The second is only counted.
      ['/api/v1/key', { origin: 'https://evil.example.com' }],
      ['/api/v1/key', { origin: 'https://evil.example.com' }],
    ] as const) {
      timings.push((await call(key, headers, path)).headers.get('server-timing'));
    }
    const rows = (await rowsOf(userId)).filter(({ calls }) => calls === 1);
    expect(timings).toEqual([...rows.map((row) => serverTimingOf(row.response_time)), null]);
    expect(rows).toHaveLength(4);
    expect((await call(null)).headers.get('server-timing')).toBeNull();
    expect((await call('0'.repeat(32))).headers.get('server-timing')).toBeNull();
  });

  test('returns 200 for a saved key, which has no project and no whitelist: any origin passes and is recorded', async () => {
    const { key, userId } = await seedKey(portal, { isSaved: true });
    const answer = await call(key, { origin: 'https://anywhere.example.org' });
    expect(answer.status).toBe(200);
    expect(answer.body.project).toBeNull();
    expect(await rowsOf(userId)).toMatchObject([
      { project_id: null, origin: 'https://anywhere.example.org', outcome: 'ok' },
    ]);
  });

  test('returns 401 key.missing without a key', async () => {
    const answer = await call(null);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      statusCode: 401,
      message: 'API key is required',
      error: 'Unauthorized',
      code: 'key.missing',
      details: [{ path: 'X-API-Key', message: 'is missing. Send your API key in this header' }],
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test("returns 401 'Invalid API key' for a typo and for an unknown key; neither appears in any usage", async () => {
    const before = await portal.db.query('select count(*) from api_usage');
    const unknownBefore = await metric('metered_unknown_key_total');
    const typo = owner.key.slice(0, -1) + (owner.key.endsWith('a') ? 'b' : 'a');
    for (const key of [typo, apiKeyFrom(randomBytes(apiKeyBytes)), 'x'.repeat(5000), '0'.repeat(32)]) {
      const answer = await call(key);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        statusCode: 401,
        message: 'Invalid API key',
        error: 'Unauthorized',
        code: 'key.invalid',
        details: [
          { path: 'X-API-Key', message: 'matches no key. Copy the whole key from My Projects or API Keys' },
        ],
      });
    }
    expect(await portal.db.query('select count(*) from api_usage')).toEqual(before);
    expect(await metric('metered_unknown_key_total')).toBe(unknownBefore + 4);
  });

  test('a key in the wrong place gets 401 with the place and X-API-Key, and is neither logged nor stored', async () => {
    const { key } = await seedKey(portal);
    const log = keepLog();
    try {
      const places: [string, Record<string, string>, string, string][] = [
        ['/api/v1/key', { authorization: `Bearer ${key}` }, 'key.missing', 'the header authorization'],
        ['/api/v1/key', { 'api-key': key }, 'key.missing', 'the header api-key'],
        [`/api/v1/key?api_key=${key}`, {}, 'key.missing', 'the query parameter api_key'],
        ['/api/v1/key', { 'x-api-key': `"${key}"` }, 'key.invalid', 'X-API-Key with other characters'],
        ['/api/v1/key', { 'x-api-key': 'x', authorization: key }, 'key.invalid', 'the header authorization'],
      ];
      for (const [path, headers, code, place] of places) {
        const answer = await portal.call('GET', path, { headers });
        expect([answer.status, answer.body.code]).toEqual([401, code]);
        const start = code === 'key.missing' ? 'API key is required' : 'Invalid API key';
        expect(answer.body.message).toMatch(`${start}: the key was found in ${place}`);
        expect(answer.body.message).toMatch(/\. Send the key alone in the X-API-Key header$/);
        expect(answer.text).not.toContain(key);
      }
      const twice = await call(key, {}, `/api/v1/key?api_key=${key}`);
      expect([twice.status, twice.body.message]).toEqual([
        400,
        'api_key: isn’t a parameter of /api/v1/key, which takes none. Send the key only in the X-API-Key header',
      ]);
      const unknown = await call(key, {}, `/api/v1/none/${key}?key=${key}`);
      const repeated = await call(key, {}, `/api/v1/wallet/balance?address=${key}&${key}=1`);
      for (const { text } of [twice, unknown, repeated]) expect(text).not.toContain(key);
    } finally {
      jest.restoreAllMocks();
    }
    expect(log.text).not.toContain(key);
    expect(await dumpOf(portal)).not.toContain(key);
  });

  test('returns 403 for an origin outside the whitelist; the owner sees the blocked call with its origin', async () => {
    const { key, userId } = await seedKey(portal, { urls: [site] });
    for (const origin of ['https://evil.example.com', 'http://shop.example.com']) {
      const answer = await call(key, { origin });
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({
        message: `This project doesn’t allow calls from ${origin}. Add the origin to its allowed URLs`,
        code: 'key.originRefused',
      });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('access-control-expose-headers')).toBe(
        'Allow, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
      );
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    }
    expect(await rowsOf(userId)).toMatchObject([
      { seq: '1', status_code: 403, outcome: 'blocked', origin: 'https://evil.example.com' },
      { seq: '2', status_code: 403, outcome: 'blocked', origin: 'http://shop.example.com' },
    ]);
  });

  test.each([
    ['null', 'Add it in My Projects under Other origins'],
    [`chrome-extension://${'a'.repeat(32)}`, 'Add it in My Projects under Other origins'],
    ['app://bundle', 'This origin can’t be allowed: '],
    ['file://', 'This origin can’t be allowed: '],
    ['http://192.168.1.7', 'This origin can’t be allowed: '],
  ])('the refusal of a call from %s names only a way that works', async (origin, wayOut) => {
    const { key } = await seedKey(portal, { urls: [site] });
    const { status, body } = await call(key, { origin });
    expect([status, body.code]).toEqual([403, 'key.originRefused']);
    expect(body.message).toContain(`calls from ${origin === 'file://' ? 'invalid' : origin}. ${wayOut}`);
  });

  test('a wildcard allows calls from one label below its host, on the same scheme only', async () => {
    const { key } = await seedKey(portal, { urls: ['https://*.preview.example.com'] });
    const statusOf = async (origin: string) => (await call(key, { origin })).status;
    expect(await statusOf('https://pr-1.preview.example.com')).toBe(200);
    expect(await statusOf('https://a.pr-1.preview.example.com')).toBe(403);
    expect(await statusOf('https://preview.example.com')).toBe(403);
    expect(await statusOf('http://pr-1.preview.example.com')).toBe(403);
  });

  test("returns 200 for a whitelisted site with any port; the portal's own and loopback origins pass as 'local'", async () => {
    const { key, userId } = await seedKey(portal, { urls: [site] });
    const origins = [`${site}:8443`, portal.environment.PUBLIC_URL, 'http://127.0.0.1:5173'];
    for (const origin of origins) expect((await call(key, { origin })).status).toBe(200);
    const rows = await rowsOf(userId);
    expect(rows.map((row) => row.origin)).toEqual([`${site}:8443`, 'local', 'local']);
  });

  const preflight = (path: string, method: string, requested?: string) =>
    portal.call('OPTIONS', path, {
      headers: {
        origin: 'https://preflight.example.com',
        'access-control-request-method': method,
        ...(requested === undefined ? {} : { 'access-control-request-headers': requested }),
      },
    });
  const corsOf = ({ headers }: Answer) =>
    ['origin', 'headers', 'credentials'].map((name) => headers.get(`access-control-allow-${name}`));

  test('a preflight succeeds for any origin, without credentials and without metering', async () => {
    for (const { method, path } of Object.values(meteredRoutes)) {
      const answer = await preflight(path.replace(/\{\w+\}/g, 'x'), method, 'x-api-key');
      expect(answer.status).toBe(204);
      expect(corsOf(answer)).toEqual(['*', 'x-api-key', null]);
      expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
    }
    // Rows of earlier refusals are still being gathered, so only those of this origin count.
    expect(
      await portal.db.query('select from api_usage where origin = $1', ['https://preflight.example.com']),
    ).toEqual([]);
  });

  test('a preflight allows every requested header, such as those that tracing adds, on every endpoint', async () => {
    const requested =
      'authorization,baggage,content-type,newrelic,sentry-trace,traceparent,tracestate,x-api-key,x-b3-traceid,x-datadog-trace-id,x-requested-with';
    for (const { method, path } of Object.values(meteredRoutes)) {
      const answer = await preflight(path.replace(/\{\w+\}/g, 'x'), method, requested);
      expect([path, answer.status, ...corsOf(answer)]).toEqual([path, 204, '*', requested, null]);
    }
    const none = await preflight('/api/v1/key', 'GET');
    expect(none.headers.get('access-control-allow-headers')).toBe('x-api-key, content-type');
    for (const odd of ['x-api-key, <b>', '"x"', '*(x)']) {
      const answer = await preflight('/api/v1/key', 'GET', odd);
      expect(answer.headers.get('access-control-allow-headers')).toBe('x-api-key, content-type');
    }
  });

  test.each([
    ['GET', '/api/v1/kye', 404, 'route.notFound'],
    ['POST', '/api/v1/wallet/conect', 404, 'route.notFound'],
    ['PUT', '/api/v1/a/b/c?d=e', 404, 'route.notFound'],
    ['GET', '/api/v1/', 404, 'route.notFound'],
    ['GET', '/api/v1/authority', 404, 'route.notFound'],
    ['DELETE', '/api/v1/key', 405, 'route.methodNotAllowed'],
    ['GET', '/api/v1/defi/pools', 404, 'route.illustration'],
    ['GET', '/api/v1/%E0%A4%A', 400, 'request.invalid'],
    ['GET', '/api/v1/tokens/%zz', 400, 'request.invalid'],
  ])(
    'a page can read why %s %s fails, with a key and without one, after a preflight',
    async (method, path, status, code) => {
      const { key } = await seedKey(portal, { urls: [site] });
      const preflighted = await preflight(path, method, 'x-api-key');
      expect([preflighted.status, ...corsOf(preflighted)]).toEqual([204, '*', 'x-api-key', null]);
      expect(preflighted.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
      const callers: Record<string, string>[] = [{}, { 'x-api-key': key }];
      for (const headers of callers) {
        const answer = await portal.call(method, path, { headers: { origin: site, ...headers } });
        expect([answer.status, answer.body.code]).toEqual([status, code]);
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      }
    },
  );

  test('a page can read that a path without /api/v1 is unknown', async () => {
    for (const path of ['/wallet/balance', '/api/wallet/balance', '/v1/key', '/api/v1']) {
      const answer = await preflight(path, 'GET', 'traceparent, X-API-Key');
      expect([path, answer.status, ...corsOf(answer)]).toEqual([
        ...[path, 204, '*', 'traceparent, X-API-Key', null],
      ]);
      expect((await call(owner.key, {}, path)).headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  test('preflights of the portal’s own paths and of identity routes do not succeed because they ask for X-API-Key', async () => {
    for (const path of [
      ...[
        '/api/v1/auth/identifiers',
        '/api/v1/%61uth/identifiers',
        '/api/v1/auth/kye',
        '/api/v1/auth',
        '/api/v1/message/nonces',
      ],
      ...['/api/v1/user/profile', '/api/v1/settings/x', '/api/v1/economy'],
    ]) {
      const answer = await preflight(path, 'GET', 'x-api-key');
      expect([path, answer.headers.get('access-control-allow-headers')]).not.toEqual([path, 'x-api-key']);
      expect((await portal.call('GET', path)).headers.get('access-control-allow-origin')).not.toBe('*');
    }
    for (const path of ['/api/keys', '/api/usage', '/', '/kye']) {
      const answer = await preflight(path, 'GET', 'authorization');
      expect([path, ...corsOf(answer)]).toEqual([path, null, null, null]);
    }
    expect(corsOf(await portal.call('OPTIONS', '/api/v1/kye'))).toEqual([null, null, null]);
  });

  test('returns 400 for an unknown or repeated parameter, metered as an error', async () => {
    const { key, userId } = await seedKey(portal);
    const unknown = await call(key, {}, '/api/v1/key?colour=blue');
    expect(unknown.status).toBe(400);
    expect(unknown.body).toMatchObject({
      code: 'request.invalid',
      message: 'colour: isn’t a parameter of /api/v1/key, which takes none',
      details: [{ path: 'colour', message: 'isn’t a parameter of /api/v1/key, which takes none' }],
    });
    expect((await call(key, {}, '/api/v1/wallet/balance?address=1&address=2')).body.message).toBe(
      'address: must be given once',
    );
    expect(await rowsOf(userId)).toMatchObject([
      { seq: '1', status_code: 400, outcome: 'error', endpoint: '/api/v1/key' },
      { seq: '2', status_code: 400, outcome: 'error', endpoint: '/api/v1/wallet/balance' },
    ]);
  });

  test('returns 400 for a bad address, naming it, and for no address if the owner has no wallet; both metered', async () => {
    const { key, userId } = await seedKey(portal, { isSaved: true });
    const bad = await call(key, {}, '/api/v1/wallet/balance?address=0x123');
    expect(bad.status).toBe(400);
    expect(bad.body).toMatchObject({ message: 'Address is invalid.', code: 'wallet.addressInvalid' });
    expect(bad.body.details[0].message).toContain('"0x123"');
    const none = await call(key, {}, '/api/v1/wallet/balance?address=');
    expect(none.status).toBe(400);
    expect(none.body.message).toBe('The owner of this key has no linked wallet. Add the address parameter');
    expect((await rowsOf(userId)).map((row) => row.status_code)).toEqual([400, 400]);
  });

  test('returns 503 if the chain is unreachable, metered as an error', async () => {
    const far = await startTestApp({ ETH_RPC_URL: 'http://127.0.0.1:9' });
    try {
      const { key, userId } = await seedKey(far);
      const answer = await far.call(
        'GET',
        '/api/v1/wallet/balance?address=0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
        { headers: { 'x-api-key': key } },
      );
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(answer.body).toMatchObject({
        message: 'The Ethereum node can’t be reached. Try again later',
        code: 'chain.unavailable',
      });
      expect(
        await far.db.query('select status_code, outcome from api_usage where user_id = $1', [userId]),
      ).toEqual([{ status_code: 503, outcome: 'error' }]);
    } finally {
      await far.close();
    }
  });

  test('returns 405 with the allowed methods for a wrong method; the owner sees the call', async () => {
    const { key, userId } = await seedKey(portal);
    const answer = await portal.call('POST', '/api/v1/key', {
      headers: { 'x-api-key': key },
      body: { anything: 1 },
    });
    expect([answer.status, answer.body.code]).toEqual([405, 'route.methodNotAllowed']);
    expect(answer.headers.get('allow')).toBe('GET, OPTIONS');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const row = { endpoint: '/api/v1/key', method: 'POST', status_code: 405, outcome: 'error', path: null };
    expect(await rowsOf(userId)).toMatchObject([{ ...row, error_code: 'route.methodNotAllowed' }]);
  });

  test('returns 404 for an unknown path; the owner sees the calls under one endpoint, each with its cleaned path', async () => {
    const { key, userId } = await seedKey(portal, { urls: [site] });
    const asked: [method: string, path: string][] = [
      ['GET', '/api/v1/wallet/balances?address=secret'],
      ['POST', '/api/v1/wallet/send'],
      ['DELETE', '/api/v1/users/oid_0000000000000000000000000003p0gjZ'],
      ['GET', '/wallet/balance'],
      ['GET', '/api/v1/users/ada@example.org'],
    ];
    for (const [method, path] of asked) {
      const answer = await portal.call(method, path, { headers: { 'x-api-key': key } });
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'route.notFound']);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
    const rows = await rowsOf(userId);
    expect(rows.map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/api/v1/wallet/balances'],
      ['POST', '/api/v1/wallet/send'],
      ['DELETE', '/api/v1/users/…'],
      ['GET', '/wallet/balance'],
      ['GET', '/api/v1/users/…'],
    ]);
    for (const row of rows) {
      expect(row).toMatchObject({ endpoint: 'unknown', status_code: 404, error_code: 'route.notFound' });
    }
    const blocked = await call(key, { origin: 'https://evil.example.com' }, '/api/v1/none');
    expect(blocked.status).toBe(403);
  });

  test('an endpoint that is only illustrated returns 404 saying so, with and without a key', async () => {
    const { key, userId } = await seedKey(portal);
    const { paths } = (await portal.call('GET', '/api/openapi.json')).body;
    const calls = Object.values(illustratedPaths);
    for (const { method, path } of calls) {
      const body = method === 'POST' ? { body: { from: 'ETH' } } : {};
      for (const headers of [{}, { 'x-api-key': key }] as Record<string, string>[]) {
        const answer = await portal.call(method, path, { ...body, headers });
        expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'route.illustration']);
        expect(answer.body.message).toMatch(/is an illustration .* can’t be called/);
      }
      expect(paths).not.toHaveProperty([path]);
    }
    expect(await rowsOf(userId)).toMatchObject(
      calls.map(({ method, path }) => ({
        method,
        path,
        endpoint: 'unknown',
        error_code: 'route.illustration',
      })),
    );
    expect((await call('nonsense', {}, calls[0]?.path)).body.code).toBe('key.invalid');
  });

  test('pages, files and paths of the portal respond as usual if an API key is sent along', async () => {
    const { key, userId } = await seedKey(portal);
    const answers: [path: string, status: number][] = [];
    for (const path of ['/health/live', '/api/config', '/api/usage', '/robots.txt']) {
      const [plain, withKey] = [
        await portal.call('GET', path),
        await portal.call('GET', path, { headers: { 'x-api-key': key } }),
      ];
      answers.push([path, withKey.status]);
      expect([path, withKey.status]).toEqual([path, plain.status]);
    }
    expect(answers).toContainEqual(['/api/usage', 401]);
    expect(await rowsOf(userId)).toEqual([]);
  });

  test('an unknown path with an unknown key returns 401 and appears in no usage', async () => {
    const before = await portal.db.query('select count(*) from api_usage');
    const answer = await call(apiKeyFrom(randomBytes(apiKeyBytes)), {}, '/api/v1/none');
    expect([answer.status, answer.body.code]).toEqual([401, 'key.invalid']);
    expect((await portal.call('GET', '/api/v1/none')).body.code).toBe('route.notFound');
    expect(await portal.db.query('select count(*) from api_usage')).toEqual(before);
  });

  test('returns 401 with the reason for a replaced and for a deleted key; the owner sees both with their origins', async () => {
    const replaced = await seedKey(portal, { urls: [site] });
    await portal.db.query('update api_keys set is_active = false where id = $1', [replaced.keyId]);
    await portal.db.query(
      `insert into api_keys (id, user_id, project_id, name, prefix, key_hash, key_sealed, secret_version, replaces_id)
       select gen_random_uuid(), user_id, project_id, name, prefix, sha256(key_hash), '', 1, id from api_keys where id = $1`,
      [replaced.keyId],
    );
    const deleted = await seedKey(portal, { isSaved: true });
    await portal.db.query('update api_keys set is_active = false where id = $1', [deleted.keyId]);
    const answer = await call(replaced.key, { origin: 'https://old.example.com' });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      statusCode: 401,
      message: 'Invalid API key: it was replaced by a newer one. Use the newer one',
      error: 'Unauthorized',
      code: 'key.replaced',
    });
    expect((await call(deleted.key, {}, '/api/v1/none')).body.code).toBe('key.deleted');
    const row = { status_code: 401, outcome: 'revoked' };
    expect(await rowsOf(replaced.userId)).toMatchObject([
      {
        ...row,
        api_key_id: replaced.keyId,
        project_id: replaced.project?.code,
        error_code: 'key.replaced',
        origin: 'https://old.example.com',
      },
    ]);
    expect(await rowsOf(deleted.userId)).toMatchObject([
      { ...row, api_key_id: deleted.keyId, error_code: 'key.deleted', endpoint: 'unknown' },
    ]);
  });

  test('a key that expires while it is cached is refused from that moment, without a query, and its owner sees the call', async () => {
    const { key, keyId, userId } = await seedKey(portal, { isSaved: true });
    const expiresAt = Date.now() + 3_600_000;
    await portal.db.query('update api_keys set expires_at = $2 where id = $1', [keyId, new Date(expiresAt)]);
    expect((await call(key)).status).toBe(200);
    const directory = portal.app.get(KeyDirectory);
    await until('it is answered from memory', () => !(directory.find(key) instanceof Promise));
    const lookUps = jest.spyOn(directory as unknown as { readKeys(): unknown }, 'readKeys');
    const clock = jest.spyOn(Date, 'now');
    try {
      clock.mockReturnValue(expiresAt - 1);
      expect((await call(key)).status).toBe(200);
      clock.mockReturnValue(expiresAt);
      const answer = await call(key, { origin: 'https://old.example.com' });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        statusCode: 401,
        message: 'Invalid API key: it has expired. Use another one, or ask its owner for a later expiry',
        error: 'Unauthorized',
        code: 'key.expired',
      });
      expect(lookUps).not.toHaveBeenCalled();
    } finally {
      clock.mockRestore();
      lookUps.mockRestore();
    }
    expect((await rowsOf(userId)).at(-1)).toMatchObject({
      status_code: 401,
      outcome: 'revoked',
      error_code: 'key.expired',
      origin: 'https://old.example.com',
    });
  });

  test('every answer to a key without a project that has its own limit states the limit, and calls over it get 429; other keys get neither', async () => {
    const { key, keyId, userId } = await seedKey(portal, { isSaved: true });
    await portal.db.query('update api_keys set rate_limit = 2 where id = $1', [keyId]);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    try {
      const answers = [await call(key), await call(key), await call(key)];
      const headersOf = ({ headers, status }: (typeof answers)[number]) =>
        [
          status,
          ...['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name)),
        ] as const;
      expect(answers.map(headersOf)).toEqual([
        [200, '"key";q=2;w=1', '"key";r=1;t=1', null],
        [200, '"key";q=2;w=1', '"key";r=0;t=1', null],
        [429, '"key";q=2;w=1', '"key";r=0;t=1', '1'],
      ]);
      expect(answers[2]?.body).toMatchObject({
        code: 'request.rateLimited',
        message: 'This key’s limit is 2 calls a second. Retry in 1 s.',
      });
      expect(headersOf(await call(owner.key))).toEqual([200, null, null, null]);
    } finally {
      clock.mockRestore();
    }
    await until('the refused call is stored', async () =>
      (await rowsOf(userId)).some(({ outcome }) => outcome === 'limited'),
    );
  });

  test('a stranger with a project’s key learns nothing about the calls of others, until the limit is reached', async () => {
    const { key, keyId } = await seedKey(portal);
    await portal.db.query('update api_keys set rate_limit = 2 where id = $1', [keyId]);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    try {
      const answers = [
        await call(key),
        await call(key, { origin: 'https://stranger.example' }),
        await call(key),
      ];
      const limits = answers.map(({ status, headers }) => [
        status,
        headers.get('ratelimit-policy'),
        headers.get('ratelimit'),
      ]);
      expect(limits).toEqual([
        [200, null, null],
        [403, null, null],
        [429, '"key";q=2;w=1', '"key";r=0;t=1'],
      ]);
    } finally {
      clock.mockRestore();
    }
  });

  test('returns 500 without the reason for a defect, and logs it with the route', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const keys = jest.spyOn(portal.app.get(KeyDirectory), 'find');
    keys.mockReturnValueOnce(Promise.reject(new Error('a defect')));
    const answer = await call(owner.key, {}, '/api/v1/key?colour=canary').finally(() => keys.mockRestore());
    const lines = log.mock.calls.map(([line]) => line);
    log.mockRestore();
    expect([answer.status, answer.body.code]).toEqual([500, 'server.failed']);
    expect(answer.text).not.toContain('a defect');
    expect(lines).toContainEqual(
      expect.objectContaining({
        message: 'GET /api/v1/key: Error: a defect',
        stack: expect.stringContaining('\n    at '),
        requestId: answer.headers.get('x-request-id'),
        status: 500,
      }),
    );
  });

  test('the code of a failed call is stored', async () => {
    const { key, userId } = await seedKey(portal);
    await call(key, {}, '/api/v1/key?colour=blue');
    await call(key, {}, '/api/v1/wallet/balance?address=0x123');
    await call(key);
    const codes = (await rowsOf(userId)).map(({ error_code }) => error_code);
    expect(codes).toEqual(['request.invalid', 'wallet.addressInvalid', null]);
  });
});

test('returns 429 with Retry-After over the limit of a key; the refused calls are aggregated, none is lost', async () => {
  const portal = await startTestApp({ RATE_LIMIT_PER_KEY: '5' });
  try {
    const { key, userId } = await seedKey(portal);
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': key } })),
    );
    const limited = answers.filter((answer) => answer.status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(limited[0]?.headers.get('retry-after')).toBe('1');
    expect(limited[0]?.headers.get('ratelimit-policy')).toBe('"key";q=5;w=1');
    expect(limited[0]?.headers.get('ratelimit')).toBe('"key";r=0;t=1');
    expect(limited[0]?.headers.get('access-control-allow-origin')).toBe('*');
    expect(limited[0]?.body).toEqual({
      statusCode: 429,
      message: 'This key’s limit is 5 calls a second. Retry in 1 s.',
      error: 'Too Many Requests',
      code: 'request.rateLimited',
    });
    await portal.app.close();
    const { Client } = (await import('pg')).default;
    const client = new Client(portal.address);
    await client.connect();
    const { rows } = await client.query<{ outcome: string; rows: string; calls: string }>(
      'select outcome, count(*) as rows, sum(calls) as calls from api_usage where user_id = $1 group by outcome',
      [userId],
    );
    await client.end();
    const of = (outcome: string) => rows.find((row) => row.outcome === outcome);
    expect(Number(of('limited')?.calls)).toBe(limited.length);
    expect(Number(of('limited')?.rows)).toBeLessThan(limited.length);
    expect(Number(of('ok')?.calls)).toBe(answers.length - limited.length);
  } finally {
    await portal.close();
  }
});

test('calls without a key return 429 with Retry-After over the limit of their address', async () => {
  const portal = await startTestApp({ RATE_LIMIT_PER_ADDRESS: '3' });
  try {
    const answers = await Promise.all(Array.from({ length: 40 }, () => portal.call('GET', '/api/v1/key')));
    const limited = answers.filter((answer) => answer.status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(limited[0]?.headers.get('retry-after')).toBe('1');
    expect(limited[0]?.body.message).toBe(
      'The limit of a network address is 3 calls a second. Retry in 1 s.',
    );
    expect(answers.filter((answer) => answer.status === 401).length).toBe(answers.length - limited.length);
  } finally {
    await portal.close();
  }
});

test("a key's own limit above the portal's is reduced to the portal's", async () => {
  const portal = await startTestApp({ RATE_LIMIT_PER_KEY: '3' });
  try {
    const { key, keyId } = await seedKey(portal, { isSaved: true });
    await portal.db.query('update api_keys set rate_limit = 50 where id = $1', [keyId]);
    const answer = await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': key } });
    expect(answer.headers.get('ratelimit-policy')).toBe('"key";q=3;w=1');
  } finally {
    await portal.close();
  }
});
