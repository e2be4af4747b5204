import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { QueryObserver, type QueryClient } from '@tanstack/react-query';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpError } from '../http';
import { RewardError, rewardQuery } from './get.reward';
import { createQueryClient } from '../cache/query.client';

const realFetch = globalThis.fetch;
let server: Server;
let client: QueryClient;
let asked: IncomingMessage[];
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request);
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The code requests a path of its own origin, which only a browser can resolve.
  globalThis.fetch = (path, init) => realFetch(new URL(path as string, origin), init);
  client = createQueryClient();
  reply(200, { rank: 'Builder', rankImage: '/ranks/builder.svg', experiencePoints: 12_345 });
});
afterEach(async () => {
  globalThis.fetch = realFetch;
  client.clear();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const reply = (status: number, body: unknown) => {
  answer = (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const signedIn = { isAuthenticated: true, accessToken: 't0ken' };
const ask = (auth: Parameters<typeof rewardQuery>[0] = signedIn) => client.fetchQuery(rewardQuery(auth));
const failure = async (auth?: Parameters<typeof rewardQuery>[0]) =>
  ask(auth).then(
    () => null,
    (error: unknown) => error as Error,
  );

describe('the reward request', () => {
  test('is one GET with the bearer token', async () => {
    expect(await ask()).toEqual({
      rank: 'Builder',
      rankImage: '/ranks/builder.svg',
      experiencePoints: 12_345,
    });
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /api/reward/profile']);
    expect(asked[0]?.headers.authorization).toBe('Bearer t0ken');
    expect(asked[0]?.headers['content-type']).toBeUndefined();
  });

  test.each([
    ['while signed out', { isAuthenticated: false, accessToken: null }],
    ['while signed out, with a token still stored,', { isAuthenticated: false, accessToken: 't0ken' }],
    ['without a token', { isAuthenticated: true, accessToken: null }],
  ])("%s fails with 'Not authenticated' and sends nothing", async (_, auth) => {
    expect((await failure(auth))?.message).toBe('Not authenticated');
    expect(asked).toHaveLength(0);
    // A page that shows the reward doesn't fetch it either.
    const observer = new QueryObserver(client, rewardQuery(auth));
    const stop = observer.subscribe(() => undefined);
    expect(observer.getCurrentResult().fetchStatus).toBe('idle');
    stop();
  });

  test.each([401, 403, 404, 429, 500, 503])(
    "with a %i fails with 'Failed to fetch reward data: %i' and the status, without a retry",
    async (status) => {
      reply(status, { message: 'The server’s own words', code: 'server.internal' });
      const error = await failure();
      expect(error).toBeInstanceOf(RewardError);
      expect(error).toMatchObject({ message: `Failed to fetch reward data: ${status}`, status });
      expect(error?.cause).toBeInstanceOf(HttpError);
      expect(asked).toHaveLength(1);
    },
  );

  test('keeps the error of a network failure and of an unexpected response', async () => {
    const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
    reply(200, { experiencePoints: 'many' });
    expect((await failure())?.message).toMatch(/^The server sent an unexpected response/);
    expect(logged).toHaveBeenCalledWith(expect.stringMatching(/^GET \/api\/reward\/profile returned/));
    logged.mockRestore();
    answer = (response) => response.destroy();
    expect((await failure())?.name).toBe('TypeError');
  });

  test.each([[{}], [{ rank: null, rankImage: null, experiencePoints: null }], [{ rank: '', more: 1 }]])(
    'accepts %j, for which the dashboard has fallbacks',
    async (body) => {
      reply(200, body);
      expect(await failure()).toBeNull();
    },
  );

  test('is fresh for five minutes and is not retried', () => {
    const { staleTime, retry } = rewardQuery(signedIn);
    expect([staleTime, retry]).toEqual([300_000, false]);
  });
});
