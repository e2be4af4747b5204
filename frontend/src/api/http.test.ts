import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { http, HttpError } from './http';
import { NoAnswerError } from './no.answer';
import { createQueryClient, readKey } from './cache/query.client';

let server: Server;
let base: string;
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;

beforeEach(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => answer(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
});

const json = (response: ServerResponse, status: number, value: unknown) =>
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(value));

describe('a request', () => {
  test('sends the bearer token, and a JSON body with its content type', async () => {
    answer = ({ headers, method }, response, body) =>
      json(response, 200, { auth: headers.authorization, type: headers['content-type'], method, body });
    expect(await http({ path: `${base}/x`, method: 'POST', body: { name: 'Acme' }, token: 't0ken' })).toEqual(
      {
        auth: 'Bearer t0ken',
        type: 'application/json',
        method: 'POST',
        body: '{"name":"Acme"}',
      },
    );
  });

  test('without a body and token has neither Content-Type nor Authorization', async () => {
    answer = ({ headers }, response) =>
      json(response, 200, { auth: headers.authorization ?? null, type: headers['content-type'] ?? null });
    expect(await http({ path: `${base}/x`, token: null })).toEqual({ auth: null, type: null });
  });

  test('includes cookies', async () => {
    answer = (_, response) => json(response, 200, {});
    const fetchSpy = jest.spyOn(globalThis, 'fetch');
    await http({ path: `${base}/x`, token: null });
    expect(fetchSpy.mock.calls[0]?.[1]?.credentials).toBe('include');
    fetchSpy.mockRestore();
  });

  test('returns plain text as text and an empty body as undefined', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('oid_abc');
    expect(await http({ path: `${base}/x`, token: null })).toBe('oid_abc');
    answer = (_, response) => response.writeHead(204).end();
    expect(await http({ path: `${base}/x`, token: null })).toBeUndefined();
  });

  test.each([
    [
      'of another shape',
      '{"count":"many"}',
      /^GET .*\/x returned an unexpected response: count Invalid input/,
    ],
    ['that is not JSON', '<html>', /^GET .*\/x returned an unexpected response: .* is not valid JSON/],
  ])(
    'tells the user what to do about a response %s, and logs what is wrong with it',
    async (_, body, detail) => {
      const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
      answer = (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      await expect(
        http({ path: `${base}/x`, token: null, schema: z.object({ count: z.number() }) }),
      ).rejects.toThrow(/^The server sent an unexpected response. Reload the page and try again.$/);
      expect(logged.mock.calls).toEqual([[expect.stringMatching(detail)]]);
      logged.mockRestore();
    },
  );
});

describe('a failed request', () => {
  test.each([
    ['GET', 'that never arrives', () => {}, 'Try again in a minute.'],
    [
      'POST',
      'that stops halfway',
      (_: IncomingMessage, response: ServerResponse) => void response.writeHead(200).write('{'),
      'Reload the page to check before you try again.',
    ],
  ] as const)('%s with a response %s fails when it times out', async (method, _, silent, remedy) => {
    answer = silent;
    const failure = await http({ path: `${base}/x`, method, token: null, timeoutMs: 200 }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(NoAnswerError);
    expect((failure as Error).message).toContain(remedy);
    server.closeAllConnections();
  });

  test("fails with the message 'status: body' and contains status, code and the server's message", async () => {
    const body = {
      statusCode: 400,
      message: 'already exists',
      error: 'Bad Request',
      code: 'project.nameTaken',
    };
    answer = (_, response) => json(response, 400, body);
    const error = await http({ path: `${base}/x`, token: null }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({
      message: `400: ${JSON.stringify(body)}`,
      status: 400,
      code: 'project.nameTaken',
      serverMessage: 'already exists',
    });
  });

  test("with an empty response fails with the message 'status: status text'", async () => {
    answer = (_, response) => {
      response.statusMessage = 'Bad Gateway';
      response.writeHead(502).end();
    };
    await expect(http({ path: `${base}/x`, token: null })).rejects.toThrow('502: Bad Gateway');
  });
});

describe('the default query', () => {
  const read = (path: string) =>
    readKey({ queryKey: [path, { ignored: true }], signal: new AbortController().signal });

  beforeEach(() => {
    const nothing = { getItem: () => null } as unknown as Storage;
    (globalThis as { window?: unknown }).window = { localStorage: nothing };
  });
  afterEach(() => {
    delete (globalThis as { window?: unknown }).window;
  });

  test('requests the first element of its key', async () => {
    answer = ({ url }, response) => json(response, 200, { url });
    expect(await read(`${base}/api/things`)).toEqual({ url: '/api/things' });
  });

  test('returns null for a 401 and fails for a 403', async () => {
    answer = (_, response) => json(response, 401, { message: 'Not authenticated' });
    expect(await read(`${base}/x`)).toBeNull();
    answer = (_, response) => json(response, 403, {});
    await expect(read(`${base}/x`)).rejects.toThrow('403: {}');
  });

  test('is never retried, never goes stale, and is dropped after 5 minutes unused', () => {
    const { queries, mutations } = createQueryClient().getDefaultOptions();
    expect(queries).toMatchObject({
      retry: false,
      staleTime: Infinity,
      gcTime: 300_000,
      refetchOnWindowFocus: false,
      refetchInterval: false,
    });
    expect(mutations).toMatchObject({ retry: false });
  });
});
