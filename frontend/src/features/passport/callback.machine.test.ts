import { describe, expect, jest, test } from '@jest/globals';
import { createActor, fromPromise, SimulatedClock } from 'xstate';
import { callbackMachine, type CallbackOutcome, type CallbackTokens } from './callback.machine';

function start(
  input: { token: string | null; refreshToken: string | null; isWelcome: boolean },
  verify: (tokens: CallbackTokens) => Promise<CallbackOutcome> = () => Promise.resolve('accepted'),
) {
  const clock = new SimulatedClock();
  const did: string[] = [];
  const verifyTokens = jest.fn(verify);
  const actor = createActor(
    callbackMachine.provide({
      actors: {
        verifyTokens: fromPromise<CallbackOutcome, CallbackTokens>(({ input: tokens }) =>
          verifyTokens(tokens),
        ),
      },
      actions: {
        storeTokens: (_, tokens) => void did.push(`store ${tokens.token} ${tokens.refreshToken}`),
        endFlow: () => void did.push('endFlow'),
        goOn: () => void did.push('goOn'),
        goToLogin: () => void did.push('goToLogin'),
      },
    }),
    { clock, input },
  ).start();
  const settle = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return actor.getSnapshot().value;
  };
  return { actor, clock, did, settle, verifyTokens };
}

const complete = { token: 'access', refreshToken: 'refresh', isWelcome: true };

describe('a callback', () => {
  test('is verified before anything is stored, then goes on after 1 second', async () => {
    const { actor, clock, did, settle, verifyTokens } = start(complete);
    expect(actor.getSnapshot().value).toBe('verifying');
    expect(did).toEqual([]);
    expect(await settle()).toBe('succeeded');
    expect(verifyTokens).toHaveBeenCalledWith({ token: 'access', refreshToken: 'refresh' });
    expect(did).toEqual(['store access refresh', 'endFlow']);
    clock.increment(999);
    expect(did).not.toContain('goOn');
    clock.increment(1);
    expect(did.at(-1)).toBe('goOn');
    expect(actor.getSnapshot().value).toBe('left');
  });

  test.each([
    ['the token', { ...complete, token: null }],
    ['the refresh token', { ...complete, refreshToken: null }],
    ['both', { ...complete, token: null, refreshToken: null }],
    ['an empty token', { ...complete, token: '' }],
  ])('without %s fails at once, asks nobody and returns to the login after 3 seconds', async (_, input) => {
    const { actor, clock, did, settle, verifyTokens } = start(input);
    expect(await settle()).toBe('failed');
    expect(actor.getSnapshot().context.failure).toBe('incomplete');
    expect(verifyTokens).not.toHaveBeenCalled();
    clock.increment(2999);
    expect(did).not.toContain('goToLogin');
    clock.increment(1);
    expect(did).toEqual(['endFlow', 'goToLogin']);
  });

  test('that this browser did not begin, while somebody is signed in, touches nothing', async () => {
    const { actor, did, settle, verifyTokens } = start({ ...complete, isWelcome: false });
    expect(await settle()).toBe('failed');
    expect(actor.getSnapshot().context.failure).toBe('unsolicited');
    expect(verifyTokens).not.toHaveBeenCalled();
    expect(did.filter((act) => act.startsWith('store'))).toEqual([]);
  });

  test('refused by the backend stores nothing', async () => {
    const { actor, did, settle } = start(complete, () => Promise.resolve('refused'));
    expect(await settle()).toBe('failed');
    expect(actor.getSnapshot().context.failure).toBe('refused');
    expect(did).toEqual(['endFlow']);
  });

  test('that has expired by this clock stores nothing, for it would be cleared at once', async () => {
    const { actor, did, settle } = start(complete, () => Promise.resolve('expiredHere'));
    expect(await settle()).toBe('failed');
    expect(actor.getSnapshot().context.failure).toBe('clockAhead');
    expect(did).toEqual(['endFlow']);
  });

  test('that cannot be verified for want of an answer stores nothing', async () => {
    const { actor, did, settle } = start(complete, () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await settle()).toBe('failed');
    expect(actor.getSnapshot().context.failure).toBe('broken');
    expect(did).toEqual(['endFlow']);
  });
});
