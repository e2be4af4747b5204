import { describe, expect, jest, test } from '@jest/globals';
import { createActor, fromPromise, SimulatedClock } from 'xstate';
import {
  callbackMachine,
  type CallbackPreview,
  type CallbackQuestion,
  type CallbackTokens,
  type CallbackVerdict,
} from './callback.machine';

const question: CallbackQuestion = {
  account: { identifiers: [{ provider: 'wallet', label: '0x12' }], createdAt: null },
  replaced: null,
};

function start(
  input: { token: string | null; refreshToken: string | null; isWelcome: boolean },
  {
    verify = () => Promise.resolve({ outcome: 'accepted', refreshToken: 'refresh' }),
    preview = () => Promise.resolve(question),
    keep = () => Promise.resolve(),
  }: {
    verify?: () => Promise<CallbackVerdict>;
    preview?: () => Promise<CallbackPreview>;
    keep?: () => Promise<void>;
  } = {},
) {
  const clock = new SimulatedClock();
  const did: string[] = [];
  const verifyTokens = jest.fn<(tokens: CallbackTokens) => Promise<CallbackVerdict>>(verify);
  const previewAccount = jest.fn<(tokens: CallbackTokens) => Promise<CallbackPreview>>(preview);
  const actor = createActor(
    callbackMachine.provide({
      actors: {
        previewAccount: fromPromise<CallbackPreview, CallbackTokens>(({ input: tokens }) =>
          previewAccount(tokens),
        ),
        keepAccount: fromPromise<void, CallbackTokens>(({ input: { refreshToken } }) => {
          did.push(`keep ${refreshToken}`);
          return keep();
        }),
        verifyTokens: fromPromise<CallbackVerdict, CallbackTokens>(({ input: tokens }) =>
          verifyTokens(tokens),
        ),
      },
      actions: {
        storeTokens: (_, tokens) => void did.push(`store ${tokens.token} ${tokens.refreshToken}`),
        endSignIn: (_, tokens) => void did.push(`end ${tokens.token}`),
        leaveDeleted: (_, tokens) => void did.push(`leave ${tokens.refreshToken}`),
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
  return { actor, clock, did, settle, verifyTokens, previewAccount };
}

const complete = { token: 'access', refreshToken: 'refresh', isWelcome: true };
const unasked = { ...complete, isWelcome: false };

describe('a callback', () => {
  test('is verified before anything is stored, then redirects after 1 second', async () => {
    const { actor, clock, did, settle, verifyTokens, previewAccount } = start(complete);
    expect(actor.getSnapshot().value).toBe('verifying');
    expect(did).toEqual([]);
    expect(await settle()).toBe('succeeded');
    expect(previewAccount).not.toHaveBeenCalled();
    expect(verifyTokens).toHaveBeenCalledWith({ token: 'access', refreshToken: 'refresh' });
    expect(did).toEqual(['store access refresh']);
    clock.increment(999);
    expect(did).not.toContain('goOn');
    clock.increment(1);
    expect(did.at(-1)).toBe('goOn');
    expect(actor.getSnapshot().value).toBe('left');
  });

  test('stores the refresh token from the response, not the one from the URL', async () => {
    const { did, settle } = start(complete, {
      verify: () => Promise.resolve({ outcome: 'accepted', refreshToken: 'another' }),
    });
    expect(await settle()).toBe('succeeded');
    expect(did).toEqual(['store access another']);
  });

  test.each([
    ['the token', { ...complete, token: null }],
    ['the refresh token', { ...complete, refreshToken: null }],
    ['both', { ...complete, token: null, refreshToken: null }],
    ['an empty token', { ...complete, token: '' }],
    ['both, in a tab that started no sign-in', { ...unasked, token: null, refreshToken: null }],
  ])(
    'without %s fails at once, sends no request and redirects to the login page after 3 seconds',
    async (_, input) => {
      const { actor, clock, did, settle, verifyTokens, previewAccount } = start(input);
      expect(await settle()).toBe('failed');
      expect(actor.getSnapshot().context.failure).toBe('incomplete');
      expect(verifyTokens).not.toHaveBeenCalled();
      expect(previewAccount).not.toHaveBeenCalled();
      clock.increment(2999);
      expect(did).not.toContain('goToLogin');
      clock.increment(1);
      expect(did).toEqual(['goToLogin']);
    },
  );

  test('stores nothing if the backend rejects the tokens', async () => {
    const { actor, did, settle } = start(complete, {
      verify: () => Promise.resolve({ outcome: 'refused' }),
    });
    expect(await settle()).toBe('failed');
    expect(actor.getSnapshot().context.failure).toBe('refused');
    expect(did).toEqual([]);
  });

  test('stores nothing if the token has expired by this device’s clock, because it would be cleared at once', async () => {
    const { actor, did, settle } = start(complete, {
      verify: () => Promise.resolve({ outcome: 'expiredHere' }),
    });
    expect(await settle()).toBe('failed');
    expect(actor.getSnapshot().context.failure).toBe('clockAhead');
    expect(did).toEqual([]);
  });

  test('stores nothing without a response, and can be retried until the redirect to the login page', async () => {
    const error = new TypeError('Failed to fetch');
    let isReachable = false;
    const { actor, clock, did, settle, verifyTokens } = start(complete, {
      verify: () =>
        isReachable
          ? Promise.resolve({ outcome: 'accepted', refreshToken: 'refresh' })
          : Promise.reject(error),
    });
    expect(await settle()).toBe('failed');
    expect(actor.getSnapshot().context).toMatchObject({ failure: 'unanswered', error });
    expect(did).toEqual([]);
    isReachable = true;
    clock.increment(2999);
    actor.send({ type: 'verification.retry' });
    expect(actor.getSnapshot().context.failure).toBeNull();
    expect(await settle()).toBe('succeeded');
    expect(verifyTokens).toHaveBeenCalledTimes(2);
    clock.increment(1000);
    expect(did).toEqual(['store access refresh', 'goOn']);
  });

  test('cannot be retried once the tokens are rejected', async () => {
    const { actor, settle } = start(complete, { verify: () => Promise.resolve({ outcome: 'refused' }) });
    expect(await settle()).toBe('failed');
    actor.send({ type: 'verification.retry' });
    expect(actor.getSnapshot().value).toBe('failed');
  });
});

describe('a callback of a sign-in that this tab did not start', () => {
  test('asks the user to confirm the account, and neither verifies nor stores anything before that', async () => {
    const { actor, clock, did, settle, verifyTokens, previewAccount } = start(unasked);
    expect(actor.getSnapshot().value).toBe('previewing');
    expect(await settle()).toBe('asking');
    expect(actor.getSnapshot().context.question).toEqual(question);
    clock.increment(3_600_000);
    expect(await settle()).toBe('asking');
    expect(previewAccount).toHaveBeenCalledTimes(1);
    expect(verifyTokens).not.toHaveBeenCalled();
    expect(did).toEqual([]);
  });

  test('can be retried after a missing response, and never skips the confirmation', async () => {
    let isReachable = false;
    const { actor, settle, verifyTokens } = start(unasked, {
      preview: () =>
        isReachable ? Promise.resolve(question) : Promise.reject(new TypeError('Failed to fetch')),
      verify: () => Promise.reject(new TypeError('Failed to fetch')),
    });
    expect(await settle()).toBe('failed');
    isReachable = true;
    actor.send({ type: 'verification.retry' });
    expect(await settle()).toBe('asking');
    expect(verifyTokens).not.toHaveBeenCalled();
    actor.send({ type: 'account.accept' });
    expect(await settle()).toBe('failed');
    actor.send({ type: 'verification.retry' });
    expect(actor.getSnapshot().value).toBe('verifying');
  });

  test('continues like any other once the user confirms it', async () => {
    const { actor, did, settle } = start(unasked);
    await settle();
    actor.send({ type: 'account.accept' });
    expect(await settle()).toBe('succeeded');
    expect(did).toEqual(['store access refresh']);
  });

  test('ends its sign-in if the user rejects it, stores nothing and redirects to the login page', async () => {
    const { actor, did, settle, verifyTokens } = start(unasked);
    await settle();
    actor.send({ type: 'account.refuse' });
    expect(await settle()).toBe('left');
    expect(verifyTokens).not.toHaveBeenCalled();
    expect(did).toEqual(['end access', 'goToLogin']);
  });

  test('cannot be confirmed before the page asks', async () => {
    const { actor, did, settle } = start(unasked, { preview: () => new Promise(() => {}) });
    actor.send({ type: 'account.accept' });
    expect(await settle()).toBe('previewing');
    expect(did).toEqual([]);
  });

  test.each([
    ['refused', () => Promise.resolve('refused' as const)],
    ['unanswered', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('fails as %s, without asking the user, if its account can’t be fetched', async (failure, preview) => {
    const { actor, did, settle, verifyTokens } = start(unasked, { preview });
    expect(await settle()).toBe('failed');
    expect(actor.getSnapshot().context.failure).toBe(failure);
    expect(verifyTokens).not.toHaveBeenCalled();
    expect(did).toEqual([]);
  });
});

describe('a callback of a deleted account', () => {
  const deletesAt = '2026-01-09T00:00:00.000Z';
  const untilKept = () => {
    let isKept = false;
    return {
      keep: () => Promise.resolve(void (isKept = true)),
      verify: (): Promise<CallbackVerdict> =>
        Promise.resolve(
          isKept ? { outcome: 'accepted', refreshToken: 'another' } : { outcome: 'deleted', deletesAt },
        ),
    };
  };

  test('stores nothing before the user keeps the account, then signs in', async () => {
    const { actor, did, settle } = start(complete, untilKept());
    expect(await settle()).toBe('offering');
    expect(actor.getSnapshot().context.deletesAt).toBe(deletesAt);
    expect(did).toEqual([]);
    actor.send({ type: 'account.keep' });
    expect(await settle()).toBe('succeeded');
    expect(did).toEqual(['keep refresh', 'store access another']);
  });

  test('stores nothing and ends the session if the user leaves it deleted', async () => {
    const { actor, did, settle } = start(complete, untilKept());
    await settle();
    actor.send({ type: 'account.refuse' });
    expect(await settle()).toBe('left');
    expect(did).toEqual(['leave refresh', 'goToLogin']);
  });

  test('offers to try again if keeping it fails', async () => {
    const error = new Error('unreachable');
    const { actor, did, settle } = start(complete, { ...untilKept(), keep: () => Promise.reject(error) });
    await settle();
    actor.send({ type: 'account.keep' });
    expect(await settle()).toBe('offering');
    expect(actor.getSnapshot().context).toMatchObject({ error, failure: null });
    actor.send({ type: 'account.keep' });
    expect(await settle()).toBe('offering');
    expect(did).toEqual(['keep refresh', 'keep refresh']);
  });

  test('offers nothing in a tab that did not start the sign-in: another user may have planted it', async () => {
    const { actor, did, settle, verifyTokens } = start(unasked, {
      preview: () => Promise.resolve('deleted'),
    });
    expect(await settle()).toBe('failed');
    expect(actor.getSnapshot().context.failure).toBe('deleted');
    actor.send({ type: 'account.keep' });
    expect(await settle()).toBe('failed');
    expect(verifyTokens).not.toHaveBeenCalled();
    expect(did).toEqual([]);
  });
});
