import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { HttpError } from '../http';
import { signOutPassport } from './sign.out.passport';

const here = 'https://portal.example.com';
const there = 'https://identity.example.com';
let answers: Record<string, number>;
let asked: string[];

beforeEach(() => {
  asked = [];
  (globalThis as { window?: unknown }).window = { location: { origin: here } };
  jest.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const address = input as string;
    asked.push(`${init?.method} ${address} ${new Headers(init?.headers).get('authorization')}`);
    return Promise.resolve(new Response(null, { status: answers[address] ?? 204 }));
  });
});
afterEach(() => {
  delete (globalThis as { window?: unknown }).window;
  jest.restoreAllMocks();
});

const signOut = (baseUrl: string) => signOutPassport(baseUrl, 't0ken', new AbortController().signal);
const logout = `${here}/api/v1/auth/logout`;

test('sign-out calls the identity service with the bearer token', async () => {
  answers = {};
  await signOut(here);
  expect(asked).toEqual([`POST ${logout} Bearer t0ken`]);
});

test('sign-out succeeds with a 401, because the session has already ended', async () => {
  answers = { [logout]: 401 };
  await expect(signOut(here)).resolves.toBeUndefined();
  answers = { [`${there}/api/v1/auth/logout`]: 401, '/api/auth/bedrock': 401 };
  asked = [];
  await expect(signOut(there)).resolves.toBeUndefined();
  expect(asked).toEqual([
    `POST ${there}/api/v1/auth/logout Bearer t0ken`,
    'DELETE /api/auth/bedrock Bearer t0ken',
  ]);
});

test.each([400, 403, 500, 503])('sign-out fails with any other error status, such as %d', async (status) => {
  answers = { [logout]: status };
  await expect(signOut(here)).rejects.toBeInstanceOf(HttpError);
});

test('sign-out reaches the portal even if the hosted identity service fails', async () => {
  answers = { [`${there}/api/v1/auth/logout`]: 503 };
  await expect(signOut(there)).rejects.toMatchObject({ status: 503 });
  expect(asked.at(-1)).toBe('DELETE /api/auth/bedrock Bearer t0ken');
});
