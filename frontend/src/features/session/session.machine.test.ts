import { describe, expect, jest, test } from '@jest/globals';
import { createActor, fromPromise, SimulatedClock } from 'xstate';
import type { SessionTokens } from '../../api/token.storage';
import { stateName } from '../../inspect/machine.inspect';
import { unsignedToken } from '../../testing/unsigned.token';
import { sessionMachine } from './session.machine';

const second = 1000;
const day = 86_400 * second;

/** An unsigned token that expires `expiresMs` after the simulated time zero. */
const token = (expiresMs: number, sub = 'user-1', mark = '') => unsignedToken(expiresMs, sub, { mark });

interface Options {
  tokens: SessionTokens;
  loadUser?: () => Promise<'loaded' | 'refused'>;
  extendSession?: (input: SessionTokens) => Promise<string>;
  signOutPassport?: () => Promise<void>;
}

function start(options: Options) {
  const clock = new SimulatedClock();
  const did: string[] = [];
  /** The stored tokens, whether or not this tab has been notified of them. */
  const storage = { tokens: options.tokens };
  const note = (name: string) => () => void did.push(name);
  const actor = createActor(
    sessionMachine.provide({
      actors: {
        loadUser: fromPromise(options.loadUser ?? (() => Promise.resolve('loaded' as const))),
        extendSession: fromPromise(({ input }) =>
          (options.extendSession ?? (() => Promise.reject(new Error('no answer'))))(input),
        ),
        signOutPassport: fromPromise(() => {
          did.push('signOutPassport');
          return (options.signOutPassport ?? (() => Promise.resolve()))();
        }),
      },
      actions: {
        clearStorage: note('clearStorage'),
        dropTokens: note('dropTokens'),
        clearCache: note('clearCache'),
        goToLogin: note('goToLogin'),
        reportExpired: note('reportExpired'),
        reportSignedOut: (_, by) => void did.push(`reportSignedOut ${by}`),
        storeTokens: (_, { accessToken, refreshToken }) =>
          void did.push(`store ${accessToken} ${refreshToken}`),
        warnSignOut: (_, { error }) => void did.push(`warn ${(error as Error).message}`),
      },
    }),
    { clock, input: { readTokens: () => storage.tokens, now: () => clock.now() } },
  );
  actor.start();
  const state = () => stateName(actor.getSnapshot().value);
  /** Lets settled promises reach the machine. */
  const settle = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return state();
  };
  return { actor, clock, did, storage, state, settle };
}

const hour = 3600 * second;
const never = () => new Promise<never>(() => {});
const stored = (accessToken: string | null, refreshToken: string | null = 'refresh') => ({
  accessToken,
  refreshToken,
});

describe('starting', () => {
  test('without stored tokens is signed out and removes nothing', () => {
    const { state, did } = start({ tokens: stored(null, null) });
    expect(state()).toBe('signedOut');
    expect(did).toEqual([]);
  });

  test.each([
    ['expired', token(0)],
    ['unreadable', 'Bearer undefined'],
    ['the remains of a passport-token', '{'],
    ['empty', ''],
    ['without exp', `a.${Buffer.from('{"sub":"x"}').toString('base64url')}.c`],
  ])('with a stored token that is %s removes it', (_, accessToken) => {
    const { state, did } = start({ tokens: stored(accessToken) });
    expect(state()).toBe('signedOut');
    expect(did).toEqual(['clearStorage']);
  });

  test('with a valid token loads the user and is signed in', async () => {
    const { state, settle, did } = start({ tokens: stored(token(hour)) });
    expect(state()).toBe('loadingUser');
    expect(await settle()).toBe('signedIn.current');
    expect(did).toEqual([]);
  });
});

describe('loading the user', () => {
  test('drops the tokens and signs out after a refusal', async () => {
    const { settle, did, actor } = start({
      tokens: stored(token(hour)),
      loadUser: () => Promise.resolve('refused'),
    });
    expect(await settle()).toBe('signedOut');
    expect(did).toEqual(['dropTokens', 'clearCache']);
    expect(actor.getSnapshot().context.accessToken).toBeNull();
  });

  test('signs nobody out while the identity service is unreachable', async () => {
    const { settle, did } = start({
      tokens: stored(token(hour)),
      loadUser: () => Promise.reject(new Error('Request timeout')),
    });
    expect(await settle()).toBe('signedIn.current');
    expect(did).toEqual([]);
  });

  test('ends after 15 seconds at most', () => {
    const { clock, state } = start({ tokens: stored(token(hour)), loadUser: never });
    clock.increment(14_999);
    expect(state()).toBe('loadingUser');
    clock.increment(1);
    expect(state()).toBe('signedIn.current');
  });

  test('does not delay a sign-out', () => {
    const { actor, state } = start({ tokens: stored(token(hour)), loadUser: never });
    actor.send({ type: 'session.end' });
    expect(state()).toBe('endingSession.leaving');
  });
});

describe('expiry', () => {
  test('without a refresh token ends the session 60 s early: storage, passport, cache, login', async () => {
    const { clock, settle, state, did } = start({ tokens: stored(token(hour), null) });
    await settle();
    clock.increment(hour - 60 * second - 1);
    expect(state()).toBe('signedIn.current');
    clock.increment(1);
    expect(state()).toBe('endingSession.expired');
    expect(await settle()).toBe('signedOut');
    expect(did).toEqual([
      'clearStorage',
      'reportExpired',
      'signOutPassport',
      'clearStorage',
      'clearCache',
      'goToLogin',
    ]);
  });

  test('with a refresh token warns, doesn’t refresh automatically, and ends the session on time', async () => {
    const extendSession = jest.fn(() => Promise.resolve(token(2 * hour)));
    const { clock, settle, state } = start({ tokens: stored(token(hour)), extendSession });
    await settle();
    clock.increment(hour - 60 * second);
    expect(state()).toBe('signedIn.expiring');
    clock.increment(59 * second);
    expect(state()).toBe('signedIn.expiring');
    clock.increment(second);
    expect(state()).toBe('endingSession.expired');
    expect(extendSession).not.toHaveBeenCalled();
  });

  test("is postponed by 'Stay signed in', which stores the new access token", async () => {
    const renewed = token(2 * hour);
    const extendSession = jest.fn((_: SessionTokens) => Promise.resolve(renewed));
    const { actor, clock, settle, did, state } = start({ tokens: stored(token(hour)), extendSession });
    await settle();
    clock.increment(hour - 30 * second);
    actor.send({ type: 'session.extend' });
    expect(state()).toBe('signedIn.extending');
    expect(await settle()).toBe('signedIn.current');
    expect(extendSession).toHaveBeenCalledWith({ accessToken: token(hour), refreshToken: 'refresh' });
    expect(did).toEqual([`store ${renewed} refresh`]);
    clock.increment(hour - 31 * second);
    expect(state()).toBe('signedIn.current');
    clock.increment(second);
    expect(state()).toBe('signedIn.expiring');
  });

  test('remains announced after an extension is refused, and the refusal is reported', async () => {
    const { actor, clock, settle, state } = start({ tokens: stored(token(hour)) });
    await settle();
    clock.increment(hour - 30 * second);
    actor.send({ type: 'session.extend' });
    expect(await settle()).toBe('signedIn.expiring');
    expect(actor.getSnapshot().context.hasExtendFailed).toBe(true);
    clock.increment(30 * second);
    expect(state()).toBe('endingSession.expired');
  });

  test('does not end a session whose extension was requested in time and answered late', async () => {
    let answer: (accessToken: string) => void = () => {};
    const { actor, clock, settle, state } = start({
      tokens: stored(token(hour)),
      extendSession: () => new Promise((resolve) => (answer = resolve)),
    });
    await settle();
    clock.increment(hour - second);
    actor.send({ type: 'session.extend' });
    clock.increment(2 * second);
    expect(state()).toBe('signedIn.extending');
    answer(token(2 * hour));
    expect(await settle()).toBe('signedIn.current');
  });

  test('neither ends nor clears a session that another tab has renewed, even before the event arrives', async () => {
    for (const wakeAt of [hour - 60 * second, hour]) {
      const { clock, settle, state, did, storage } = start({ tokens: stored(token(hour)) });
      await settle();
      clock.increment(wakeAt - 1);
      storage.tokens = stored(token(2 * hour));
      clock.increment(1);
      expect(state()).toBe('signedIn.current');
      expect(did).toEqual([]);
      clock.increment(2 * hour - 60 * second - wakeAt);
      expect(state()).toBe('signedIn.expiring');
    }
  });

  test('loads another user found in the storage instead of clearing it', async () => {
    const { clock, settle, state, did, storage } = start({ tokens: stored(token(hour), null) });
    await settle();
    clock.increment(hour - 61 * second);
    storage.tokens = stored(token(2 * hour, 'user-2'), 'refresh-2');
    clock.increment(second);
    expect(state()).toBe('loadingUser');
    expect(did).toEqual(['clearCache']);
  });

  test('does not stop an extension in progress when other tabs clear the storage', async () => {
    let answer: (accessToken: string) => void = () => {};
    const { actor, clock, settle, state, did } = start({
      tokens: stored(token(hour)),
      extendSession: () => new Promise((resolve) => (answer = resolve)),
    });
    await settle();
    clock.increment(hour - second);
    actor.send({ type: 'session.extend' });
    clock.increment(2 * second);
    for (const left of [stored(token(hour)), stored(token(hour), null), stored(null), stored(null, null)]) {
      actor.send({ type: 'storage.changed', tokens: left });
      expect(state()).toBe('signedIn.extending');
    }
    answer(token(2 * hour));
    expect(await settle()).toBe('signedIn.current');
    expect(did).toEqual([`store ${token(2 * hour)} refresh`]);
  });

  test('stops an extension in progress when another tab signs out', async () => {
    const { actor, clock, settle, state } = start({ tokens: stored(token(hour)), extendSession: never });
    await settle();
    clock.increment(hour - second);
    actor.send({ type: 'session.extend' });
    actor.send({ type: 'storage.changed', tokens: stored(null, null) });
    expect(state()).toBe('signedOut');
  });

  test('warns at once about a token that expires in less than a minute', async () => {
    const { clock, settle } = start({ tokens: stored(token(30 * second)) });
    await settle();
    clock.increment(0);
    expect(await settle()).toBe('signedIn.expiring');
  });

  test('waits in slices for a time that exceeds the longest timer', async () => {
    const { clock, settle, state } = start({ tokens: stored(token(60 * day)) });
    await settle();
    clock.increment(2 ** 31 - 1);
    expect(state()).toBe('signedIn.current');
    clock.increment(60 * day - 60 * second - (2 ** 31 - 1) - 1);
    expect(state()).toBe('signedIn.current');
    clock.increment(2 ** 31);
    expect(state()).not.toBe('signedIn.current');
  });

  test('never sets a timer longer than browsers support', async () => {
    const delays: number[] = [];
    const clock = new SimulatedClock();
    const setTimer = clock.setTimeout.bind(clock);
    clock.setTimeout = (fn, delay) => {
      delays.push(delay);
      return setTimer(fn, delay);
    };
    createActor(
      sessionMachine.provide({
        actors: {
          loadUser: fromPromise<'loaded' | 'refused', { accessToken: string | null }>(() =>
            Promise.resolve('loaded'),
          ),
        },
      }),
      { clock, input: { readTokens: () => stored(token(400 * day)), now: () => clock.now() } },
    ).start();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect(delays.length).toBeGreaterThan(1);
    expect(Math.max(...delays)).toBe(2 ** 31 - 1);
  });
});

describe('a storage change', () => {
  test('without new tokens changes nothing', async () => {
    const { actor, settle, state, did } = start({ tokens: stored(token(hour)) });
    await settle();
    actor.send({ type: 'storage.changed', tokens: stored(token(hour)) });
    expect(state()).toBe('signedIn.current');
    expect(did).toEqual([]);
  });

  test('with a renewal by another tab removes the warning without loading the user again', async () => {
    const { actor, clock, settle, state, did } = start({ tokens: stored(token(hour)) });
    await settle();
    clock.increment(hour - 30 * second);
    expect(state()).toBe('signedIn.expiring');
    actor.send({ type: 'storage.changed', tokens: stored(token(2 * hour)) });
    expect(state()).toBe('signedIn.current');
    expect(actor.getSnapshot().context.accessToken).toBe(token(2 * hour));
    expect(did).toEqual([]);
  });

  test('to another user loads that user and clears the cache', async () => {
    const { actor, settle, state, did } = start({ tokens: stored(token(hour)) });
    await settle();
    actor.send({ type: 'storage.changed', tokens: stored(token(hour, 'user-2')) });
    expect(state()).toBe('loadingUser');
    expect(did).toEqual(['clearCache']);
    expect(await settle()).toBe('signedIn.current');
  });

  test('by a sign-out in another tab signs out here', async () => {
    const { actor, settle, state, did } = start({ tokens: stored(token(hour)) });
    await settle();
    actor.send({ type: 'storage.changed', tokens: stored(null, null) });
    expect(state()).toBe('signedOut');
    expect(did).toEqual(['clearStorage', 'clearCache', 'reportSignedOut anotherTab']);
  });

  test('to an unreadable token signs out fully', async () => {
    const { actor, settle, state } = start({ tokens: stored(token(hour)) });
    await settle();
    actor.send({ type: 'storage.changed', tokens: stored('garbage') });
    expect(state()).toBe('endingSession.expired');
    expect(await settle()).toBe('signedOut');
  });

  test('with unchanged tokens that have expired, as after sleep, signs out fully', async () => {
    let time = 0;
    const actor = createActor(
      sessionMachine.provide({
        actors: {
          loadUser: fromPromise<'loaded' | 'refused', { accessToken: string | null }>(() =>
            Promise.resolve('loaded'),
          ),
          signOutPassport: fromPromise<void, { accessToken: string | null }>(never),
        },
      }),
      { clock: new SimulatedClock(), input: { readTokens: () => stored(token(hour)), now: () => time } },
    ).start();
    time = hour;
    actor.send({ type: 'storage.changed', tokens: stored(token(hour)) });
    expect(stateName(actor.getSnapshot().value)).toBe('endingSession.expired');
  });

  test('to a valid token signs a signed-out tab in', async () => {
    const { actor, settle, state } = start({ tokens: stored(null, null) });
    actor.send({ type: 'storage.changed', tokens: stored(token(hour)) });
    expect(state()).toBe('loadingUser');
    expect(await settle()).toBe('signedIn.current');
  });

  test('to an expired token removes it while signed out, and the removal has no further effect', () => {
    const { actor, state, did } = start({ tokens: stored(null, null) });
    actor.send({ type: 'storage.changed', tokens: stored(token(0)) });
    actor.send({ type: 'storage.changed', tokens: stored(null, null) });
    expect(state()).toBe('signedOut');
    expect(did).toEqual(['clearStorage']);
  });
});

describe('ending a session', () => {
  test('by a manual sign-out calls the passport first, then clears, then opens the login page', async () => {
    const { actor, settle, did } = start({ tokens: stored(token(hour)) });
    await settle();
    actor.send({ type: 'session.end' });
    expect(did).toEqual(['signOutPassport']);
    expect(await settle()).toBe('signedOut');
    expect(did).toEqual(['signOutPassport', 'clearStorage', 'clearCache', 'goToLogin']);
  });

  test('only warns if the passport fails', async () => {
    const { actor, settle, did } = start({
      tokens: stored(token(hour)),
      signOutPassport: () => Promise.reject(new Error('503')),
    });
    await settle();
    actor.send({ type: 'session.end' });
    expect(await settle()).toBe('signedOut');
    expect(did).toEqual(['signOutPassport', 'warn 503', 'clearStorage', 'clearCache', 'goToLogin']);
  });

  test('does not wait for a passport that never responds', async () => {
    const { actor, clock, settle, state, did } = start({
      tokens: stored(token(hour)),
      signOutPassport: never,
    });
    await settle();
    actor.send({ type: 'session.end' });
    actor.send({ type: 'storage.changed', tokens: stored(null, null) });
    expect(state()).toBe('endingSession.leaving');
    clock.increment(5 * second);
    expect(state()).toBe('signedOut');
    expect(did).toContain('warn no answer in time');
  });

  test.each([
    ['already announced', true],
    ['not announced yet', false],
  ])(
    'keeps a sign-in from another tab, %s, that was stored while waiting for the passport',
    async (_, isHeard) => {
      let answer = () => {};
      const { actor, clock, settle, state, did, storage } = start({
        tokens: stored(token(hour)),
        signOutPassport: () => new Promise((resolve) => (answer = resolve)),
      });
      await settle();
      clock.increment(2 * hour);
      expect(state()).toBe('endingSession.expired');
      storage.tokens = stored(token(4 * hour), 'refresh-2');
      did.length = 0;
      if (isHeard) actor.send({ type: 'storage.changed', tokens: storage.tokens });
      answer();
      await settle();
      expect(state()).toBe('signedIn.current');
      expect(actor.getSnapshot().context).toMatchObject(storage.tokens);
      expect(did).toEqual(['clearCache']);
    },
  );

  test('by a manual sign-out is not undone by a renewal that another tab had requested', async () => {
    const { actor, settle, did, storage } = start({ tokens: stored(token(hour)) });
    await settle();
    actor.send({ type: 'session.end' });
    storage.tokens = stored(token(2 * hour));
    actor.send({ type: 'storage.changed', tokens: storage.tokens });
    expect(await settle()).toBe('signedOut');
    expect(did).toEqual(['signOutPassport', 'clearStorage', 'clearCache', 'goToLogin']);
  });

  test('by a refused user request drops the tokens and signs out', async () => {
    const { actor, settle, state, did } = start({ tokens: stored(token(hour)) });
    await settle();
    actor.send({ type: 'user.refused' });
    expect(state()).toBe('signedOut');
    expect(did).toEqual(['dropTokens', 'clearCache', 'reportSignedOut service']);
  });

  test("by a refusal in the last minute says 'expired', because the service's clock may be ahead", async () => {
    const { actor, clock, settle, state, did } = start({ tokens: stored(token(hour)) });
    await settle();
    clock.increment(hour - 3 * second);
    actor.send({ type: 'user.refused' });
    expect(state()).toBe('signedOut');
    expect(did).toEqual(['dropTokens', 'clearCache', 'reportExpired']);
  });
});
