import { expect, jest, test } from '@jest/globals';
import { createActor, toPromise } from 'xstate';
import { createLoginActors, type LoginWorld } from './login.actors';
import { LoginError } from './login.failure';
import type { LoginPurpose } from './login.types';

const tokens = { accessToken: 'new', refreshToken: 'newer' };
const answer = { user: { id: 'u1' }, token: tokens };
const credentials = { email: 'ann@example.com', password: 'secret', passwordConfirm: 'secret' };
const signed = { message: { address: '0x1' } as never, signature: '0xabc' };

function start(purpose: LoginPurpose, storedToken: string | null = 'token-1') {
  const calls: unknown[][] = [];
  const call =
    (name: string) =>
    (...given: unknown[]) => {
      calls.push([name, ...given.filter((value) => !(value instanceof AbortSignal))]);
      return Promise.resolve(answer);
    };
  const assign = jest.fn();
  const world = {
    purpose,
    readToken: () => storedToken,
    markTab: () => 'value-1',
    settings: { baseUrl: 'https://id.example.com', authCallbackUrl: 'https://app.example.com/auth/callback' },
    page: { assign },
    client: Object.fromEntries(
      ['register', 'verify', 'linkEmail', 'linkWallet'].map((name) => [name, call(name)]),
    ),
  } as unknown as LoginWorld;
  return { actors: createLoginActors(world), calls, assign };
}

test('to sign in, an e-mail registers and a signature is verified', async () => {
  const { actors, calls } = start('signIn');
  expect(await toPromise(createActor(actors.register, { input: credentials }).start())).toEqual(tokens);
  expect(await toPromise(createActor(actors.verifySignature, { input: signed }).start())).toEqual(tokens);
  expect(calls).toEqual([
    ['register', 'ann@example.com', 'secret', 'secret'],
    ['verify', signed],
  ]);
});

test('to link, the same proofs go to the account of the stored token', async () => {
  const { actors, calls, assign } = start('link');
  expect(await toPromise(createActor(actors.register, { input: credentials }).start())).toEqual(tokens);
  expect(await toPromise(createActor(actors.verifySignature, { input: signed }).start())).toEqual(tokens);
  await toPromise(createActor(actors.leavePage, { input: { kind: 'provider', provider: 'GOOGLE' } }).start());
  expect(calls).toEqual([
    ['linkEmail', 'token-1', credentials],
    ['linkWallet', 'token-1', signed],
  ]);
  expect(assign.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^https:\/\/id\.example\.com\/api\/v1\/auth\/identifier\/GOOGLE\?.*&token=token-1&.*&tab=value-1$/,
      ),
    ],
  ]);
});

test('without a stored token nothing is sent to link', async () => {
  const { actors, calls, assign } = start('link', null);
  const ended = new LoginError({ code: 'sessionEnded' });
  await expect(toPromise(createActor(actors.register, { input: credentials }).start())).rejects.toEqual(
    ended,
  );
  await expect(
    toPromise(createActor(actors.leavePage, { input: { kind: 'provider', provider: 'APPLE' } }).start()),
  ).rejects.toEqual(ended);
  expect([calls, assign.mock.calls]).toEqual([[], []]);
});

test.each(['signIn', 'link'] as const)(
  'leaving to %s marks the tab, and the callback carries its value',
  async (purpose) => {
    const { actors, assign } = start(purpose);
    await toPromise(createActor(actors.leavePage, { input: { kind: 'callback', tokens } }).start());
    await toPromise(
      createActor(actors.leavePage, { input: { kind: 'provider', provider: 'GOOGLE' } }).start(),
    );
    expect(assign.mock.calls).toEqual([
      ['https://app.example.com/auth/callback?token=new&refreshToken=newer&tab=value-1'],
      [expect.stringMatching(/\/GOOGLE\?.*&tab=value-1$/)],
    ]);
  },
);
