import { errorBody } from '@orange-id/contract/error.codes';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { askUsage } from './ask.usage';
import { HttpError } from '../http';

let answers: Response[] = [];
const fetchSpy = jest.spyOn(globalThis, 'fetch');

const full = (retryAfter?: string) =>
  new Response(JSON.stringify(errorBody('usage.tooManyQueries')), {
    status: 429,
    headers: { 'content-type': 'application/json', ...(retryAfter ? { 'retry-after': retryAfter } : {}) },
  });
const good = () =>
  new Response('{"rows":[]}', { status: 200, headers: { 'content-type': 'application/json' } });

beforeEach(() => {
  jest.useFakeTimers();
  fetchSpy.mockReset();
  fetchSpy.mockImplementation(() => Promise.resolve(answers.shift() as Response));
});
afterEach(() => void jest.useRealTimers());

const ask = (signal?: AbortSignal) =>
  askUsage({ path: '/api/usage', token: null, ...(signal ? { signal } : {}) }).catch(
    (error: unknown) => error,
  );

test('a usage query that the server had no room for is retried after Retry-After', async () => {
  answers = [full('3'), good()];
  const answer = ask();
  await jest.advanceTimersByTimeAsync(2_999);
  expect(fetchSpy).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(await answer).toEqual({ rows: [] });
  expect(fetchSpy).toHaveBeenCalledTimes(2);
});

test('a usage query is sent four times at most, and then fails with the last response', async () => {
  answers = [full('1'), full(), full('1'), full('1'), good()];
  const answer = ask();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await answer).toBeInstanceOf(HttpError);
  expect(await answer).toMatchObject({ status: 429, code: 'usage.tooManyQueries', retryAfterSeconds: 1 });
  expect(fetchSpy).toHaveBeenCalledTimes(4);
});

test('a usage query refused by a rate limit is not retried', async () => {
  answers = [new Response(JSON.stringify(errorBody('request.rateLimited')), { status: 429 }), good()];
  expect(await ask()).toMatchObject({ status: 429, code: 'request.rateLimited' });
  expect(fetchSpy).toHaveBeenCalledTimes(1);
});

test('an aborted usage query is not retried', async () => {
  answers = [full('1'), good()];
  const wanted = new AbortController();
  const answer = ask(wanted.signal);
  await jest.advanceTimersByTimeAsync(500);
  wanted.abort();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await answer).toMatchObject({ name: 'AbortError' });
  expect(fetchSpy).toHaveBeenCalledTimes(1);
});
