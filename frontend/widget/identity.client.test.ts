import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { errorBody } from '@orange-id/contract/error.codes';
import { loginResult, nonceResult, widgetInfo } from '@orange-id/contract/identity.schema';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIdentityClient, isLoginResult, isNonceResult, isWidgetInfo } from './identity.client';
import { LoginError } from './login.failure';

interface Seen {
  method?: string;
  url?: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const signedIn = { user: { id: 'u1' }, token: { accessToken: 'a', refreshToken: 'r' } };
let seen: Seen[] = [];
let answer: (response: ServerResponse) => void;
let baseUrl = '';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    answer(response);
  });
});
const json = (status: number, body: unknown, headers = {}) =>
  void (answer = (response) => response.writeHead(status, headers).end(JSON.stringify(body)));

beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen = [];
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const client = (more = {}) => createIdentityClient({ baseUrl, authCallbackUrl: '', ...more });
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => Promise.reject(new Error('The call was expected to fail')),
    (error: unknown) => (error instanceof LoginError ? error.failure : Promise.reject(error)),
  );

test('login and register send the documented bodies, with the subscription key', async () => {
  json(200, signedIn);
  expect(await client({ subscriptionKey: 'KEY' }).logIn('ann@example.com', 'secret')).toEqual(signedIn);
  await client().register('ann@example.com', 'secret', 'secret');
  expect(seen.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
    ['POST', '/api/v1/auth/email/login', { email: 'ann@example.com', password: 'secret' }],
    [
      'POST',
      '/api/v1/auth/email/register',
      { email: 'ann@example.com', password: 'secret', passwordConfirm: 'secret' },
    ],
  ]);
  expect(seen[0]?.headers['content-type']).toBe('application/json');
  expect(seen.map(({ headers }) => headers['ocp-apim-subscription-key'])).toEqual([
    'KEY',
    'DEMO_BEDROCK_PASSPORT_KEY',
  ]);
});

test('verify sends the message as an object, and the tenant only if there is one', async () => {
  json(200, signedIn);
  const message = {
    domain: 'd',
    address: '0x',
    uri: 'u',
    version: '1' as const,
    chainId: 1,
    nonce: 'n',
    issuedAt: 'i',
  };
  await client({ tenantId: 'orange-abcdefghij' }).verify({ message, signature: '0x1' });
  await client().verify({ message, signature: '0x1' });
  expect(seen.map(({ body }) => JSON.parse(body))).toEqual([
    { message, signature: '0x1', tenantId: 'orange-abcdefghij' },
    { message, signature: '0x1' },
  ]);
});

test('calls without a body send no content type, and only calls of a session send its bearer token', async () => {
  json(200, { id: 'u1', nonce: 'n', text: 't', url: 'u' });
  await client().getNonce();
  await client().getWidget();
  await client().getUser('token-1');
  await client().logout('token-1');
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/v1/message/nonce',
    'GET /api/v1/auth/widget',
    'GET /api/v1/auth/user',
    'POST /api/v1/auth/logout',
  ]);
  expect(seen.map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    undefined,
    'Bearer token-1',
    'Bearer token-1',
  ]);
  expect(seen.some(({ headers }) => headers['content-type'] !== undefined)).toBe(false);
});

test('a refusal keeps its code, its message and its waiting time', async () => {
  json(409, errorBody('auth.emailTaken'));
  expect(await failureOf(client().register('a', 'b', 'b'))).toMatchObject({
    code: 'emailTaken',
    message: 'Another account already uses this email. Use a different one, or sign in to that account',
  });
  json(429, errorBody('request.rateLimited'), { 'retry-after': '17' });
  expect(await failureOf(client().logIn('a', 'b'))).toMatchObject({
    code: 'rateLimited',
    retryAfterSeconds: 17,
  });
});

test('an unexpected response is never treated as a sign-in', async () => {
  for (const body of [
    {},
    [],
    null,
    { user: { id: 1 }, token: signedIn.token },
    { user: { id: 'u1' }, token: {} },
  ]) {
    json(200, body);
    expect(await failureOf(client().logIn('a', 'b'))).toEqual({ code: 'answerUnreadable' });
  }
  answer = (response) => response.end('<!doctype html>');
  expect(await failureOf(client().logIn('a', 'b'))).toEqual({ code: 'answerUnreadable' });
});

test('a service that closes the connection is reported as unreachable', async () => {
  answer = (response) => response.destroy();
  expect(await failureOf(client().getNonce())).toEqual({ code: 'unreachable' });
});

test('a call aborted by the panel rejects with an AbortError instead of a failure of the service', async () => {
  const given = new AbortController();
  answer = () => given.abort();
  await expect(client().getNonce(given.signal)).rejects.toHaveProperty('name', 'AbortError');
});

test('the response checks of the client agree with the schemas of the contract', () => {
  const answers = [
    signedIn,
    { nonce: 'n' },
    { nonce: 'n', now: '2026-01-01T00:00:00.000Z' },
    { nonce: 'n', now: 'noon' },
    { nonce: 'n', now: 1 },
    { text: 't', url: 'u' },
    { nonce: 1 },
    { text: 't' },
    {},
    null,
    'text',
    { user: {}, token: signedIn.token },
    { user: signedIn.user, token: { accessToken: 'a' } },
  ];
  for (const body of answers) {
    expect(isLoginResult(body)).toBe(loginResult.safeParse(body).success);
    expect(isNonceResult(body)).toBe(nonceResult.safeParse(body).success);
    expect(isWidgetInfo(body)).toBe(widgetInfo.safeParse(body).success);
  }
});

test('a proof counts only if the response says until when, and a provider’s page opens only at a web address', async () => {
  json(200, { provenUntil: '2026-01-01T00:00:00.000Z' });
  await client().prove('token-1', { password: 'secret' });
  json(200, { href: 'https://accounts.example.com/authorize' });
  expect(await client().beginProof('token-1', 'GOOGLE')).toEqual({
    href: 'https://accounts.example.com/authorize',
  });
  expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['POST', '/api/v1/auth/proof', JSON.stringify({ password: 'secret' })],
    ['POST', '/api/v1/auth/proof/GOOGLE', ''],
  ]);
  for (const body of [null, 'text', {}]) {
    json(200, body);
    expect(await failureOf(client().prove('token-1', { password: 'secret' }))).toEqual({
      code: 'answerUnreadable',
    });
  }
  for (const body of [null, {}, { href: ['https://example.com'] }, { href: 'javascript:alert(1)' }]) {
    json(200, body);
    expect(await failureOf(client().beginProof('token-1', 'GOOGLE'))).toEqual({ code: 'answerUnreadable' });
  }
});

test('the request for a reset link sends only the email', async () => {
  json(200, { code: 200, status: 'success' });
  await client().requestReset('ann@example.com');
  expect(seen.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
    ['POST', '/api/v1/auth/email/reset', { email: 'ann@example.com' }],
  ]);
  json(200, 'sent');
  expect((await failureOf(client().requestReset('ann@example.com'))).code).toBe('answerUnreadable');
});

test('linking identifies the user by the bearer token and sends no tenant', async () => {
  json(200, signedIn);
  const credentials = { email: 'ann@example.com', password: 'secret', passwordConfirm: 'secret' };
  const signed = { message: { address: '0x1' } as never, signature: '0xabc' };
  expect(await client({ tenantId: 'orange-1' }).linkEmail('token-1', credentials)).toEqual(signedIn);
  expect(await client({ tenantId: 'orange-1' }).linkWallet('token-1', signed)).toEqual(signedIn);
  expect(seen.map(({ url, headers, body }) => [url, headers.authorization, JSON.parse(body)])).toEqual([
    ['/api/v1/auth/identifier/email', 'Bearer token-1', credentials],
    ['/api/v1/auth/identifier/wallet', 'Bearer token-1', signed],
  ]);
});
