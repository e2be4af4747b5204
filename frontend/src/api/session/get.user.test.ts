import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import { QueryClient } from '@tanstack/react-query';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isUserRefusal, userQuery } from './get.user';
import { HttpError } from '../http';

let server: Server;
let config: PublicConfig;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let client: QueryClient;
let stored: string;

beforeEach(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  config = { identity: { baseUrl, subscriptionKey: 'a-key' } } as PublicConfig;
  client = new QueryClient();
  stored = 't0ken';
  const localStorage = { getItem: (name: string) => (name === 'accessToken' ? stored : null) };
  (globalThis as { window?: unknown }).window = { localStorage };
});
afterEach(async () => {
  delete (globalThis as { window?: unknown }).window;
  client.clear();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** One request, without the retry. */
const ask = () => client.fetchQuery({ ...userQuery(config), retry: false });
const reply = (status: number, statusMessage: string, body: string) => {
  answer = (_, response) => {
    response.statusMessage = statusMessage;
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
};

describe('the user request', () => {
  test('sends the bearer token and the subscription key, and returns the user', async () => {
    const user = { id: 'u-1', email: 'a@example.com', displayName: null };
    answer = ({ url, headers }, response) => {
      const isAsked =
        url === '/api/v1/auth/user' &&
        headers.authorization === 'Bearer t0ken' &&
        headers['ocp-apim-subscription-key'] === 'a-key';
      response
        .writeHead(isAsked ? 200 : 400, { 'content-type': 'application/json' })
        .end(JSON.stringify(user));
    };
    expect(await ask()).toMatchObject(user);
  });

  test("refused with any other status fails with 'status: statusText', whatever the body contains", async () => {
    for (const [status, words] of [
      [503, 'Service Unavailable'],
      [500, 'Internal Server Error'],
      [404, 'Not Found'],
    ] as const) {
      reply(status, words, '{"message":"the body"}');
      const error = await ask().catch((thrown: unknown) => thrown);
      expect((error as Error).message).toBe(`${status}: ${words}`);
      expect(error).toBeInstanceOf(HttpError);
      expect(isUserRefusal(error)).toBe(false);
    }
  });

  test.each([401, 403])('refused with %i counts as a refused token and is not retried', async (status) => {
    let calls = 0;
    answer = (_, response) => {
      calls += 1;
      response.writeHead(status).end('{}');
    };
    const error = await client.fetchQuery(userQuery(config)).catch((thrown: unknown) => thrown);
    expect(isUserRefusal(error)).toBe(true);
    expect(calls).toBe(1);
  });

  test('refused for a token that was replaced in the meantime is repeated with the new token', async () => {
    const bearers: (string | undefined)[] = [];
    answer = ({ headers }, response) => {
      bearers.push(headers.authorization);
      const isNew = headers.authorization === 'Bearer n3w';
      stored = 'n3w';
      response
        .writeHead(isNew ? 200 : 401, { 'content-type': 'application/json' })
        .end(isNew ? '{"id":"u-1"}' : '{}');
    };
    expect(await ask()).toMatchObject({ id: 'u-1' });
    expect(bearers).toEqual(['Bearer t0ken', 'Bearer n3w']);
  });

  test("without a response for 10 seconds fails with 'Request timeout'", async () => {
    const deadline = new AbortController();
    const asked: number[] = [];
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      asked.push(ms);
      return deadline.signal;
    });
    answer = () => deadline.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    await expect(ask()).rejects.toThrow(/^Request timeout$/);
    expect(asked).toEqual([10_000]);
    timeout.mockRestore();
  });

  test('is retried once after 1 second, and its response is fresh for 5 minutes', () => {
    const { retry, retryDelay, staleTime } = userQuery(config);
    expect({ retryDelay, staleTime }).toEqual({ retryDelay: 1_000, staleTime: 300_000 });
    const mayRetry = retry as (failures: number, error: Error) => boolean;
    const failure = new Error('Request timeout');
    expect([mayRetry(0, failure), mayRetry(1, failure)]).toEqual([true, false]);
    expect(mayRetry(0, new HttpError(401, ''))).toBe(false);
  });
});
