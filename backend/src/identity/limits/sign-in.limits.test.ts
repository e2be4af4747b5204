import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { parseEnvironment } from '../../config/environment.js';
import { mailboxOf, SignInLimits } from './sign-in.limits.js';

describe('SignInLimits', () => {
  let limits: SignInLimits;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    limits = new SignInLimits(
      parseEnvironment({ SIGN_IN_LIMIT_PER_ADDRESS: '20', SIGN_IN_LIMIT_PER_ACCOUNT: '3' }),
    );
  });
  afterEach(() => void jest.useRealTimers());

  const waitOf = (act: () => void): number | undefined => {
    try {
      act();
      return undefined;
    } catch (error) {
      expect(error).toMatchObject({ code: 'request.rateLimited' });
      return (error as { retryAfterSeconds: number }).retryAfterSeconds;
    }
  };
  const attempt = (address: string, account?: string) => waitOf(() => limits.attempt(address, account));
  const times = (count: number, act: (i: number) => unknown) =>
    Array.from({ length: count }, (_, i) => act(i));
  const passed = (count: number) => Array(count).fill(undefined);

  test('attempts on an account are limited per address, and to ten times as many from all addresses together', () => {
    expect(times(4, () => attempt('192.0.2.1', 'email:a'))).toEqual([...passed(3), 20]);
    expect(times(27, (i) => attempt(`198.51.100.${i}`, 'email:a'))).toEqual(passed(27));
    expect(attempt('203.0.113.1', 'email:a')).toBe(2);
    expect(attempt('203.0.113.1', 'email:b')).toBeUndefined();
  });

  test('an attempt refused at one address does not count towards the shared limit', () => {
    times(20, () => attempt('192.0.2.1', 'email:a'));
    expect(times(27, (i) => attempt(`198.51.100.${i}`, 'email:a'))).toEqual(passed(27));
  });

  const attemptFrom = (count: number, account: string) =>
    times(count, (i) => attempt(`198.51.${i >> 8}.${i & 255}`, account));

  test('attempts elsewhere do not limit a user at an address they signed in from, but their attempts there are limited', () => {
    expect(attempt('192.0.2.1', 'email:a')).toBeUndefined();
    limits.succeeded('192.0.2.1', 'email:a');
    attemptFrom(40, 'email:a');
    expect(attempt('203.0.113.1', 'email:a')).toBe(2);
    expect(times(4, () => attempt('192.0.2.1', 'email:a'))).toEqual([...passed(3), 20]);
    // Attempts from the known address do not count towards the shared limit, and it is known for no other account.
    jest.advanceTimersByTime(2_000);
    expect(attempt('203.0.113.1', 'email:a')).toBeUndefined();
    attemptFrom(40, 'email:b');
    expect(attempt('192.0.2.1', 'email:b')).toBe(2);
  });

  test('a successful sign-in does not reset the limit for all addresses together', () => {
    attemptFrom(30, 'email:a');
    limits.succeeded('192.0.2.1', 'email:a');
    expect(attempt('203.0.113.1', 'email:a')).toBe(2);
  });

  test('a user who creates an account or resets its password is known from then on, and earlier users are not', () => {
    limits.succeeded('192.0.2.7', 'email:a');
    times(3, () => attempt('192.0.2.1', 'email:a'));
    limits.passwordSet('192.0.2.1', 'email:a');
    attemptFrom(40, 'email:a');
    expect(attempt('192.0.2.7', 'email:a')).toBe(2);
    expect(times(4, () => attempt('192.0.2.1', 'email:a'))).toEqual([...passed(3), 20]);
  });

  test('the ten most recent addresses of an account are known, each for thirty days after its last use', () => {
    const day = 86_400_000;
    const isKnown = (address: string): boolean => {
      attemptFrom(40, 'email:a');
      const wait = attempt(address, 'email:a');
      jest.advanceTimersByTime(60_000);
      return wait === undefined;
    };
    limits.succeeded('192.0.2.1', 'email:a');
    jest.advanceTimersByTime(29 * day);
    expect(isKnown('192.0.2.1')).toBe(true);
    limits.succeeded('192.0.2.1', 'email:a');
    jest.advanceTimersByTime(29 * day);
    expect(isKnown('192.0.2.1')).toBe(true);
    jest.advanceTimersByTime(day);
    expect(isKnown('192.0.2.1')).toBe(false);

    times(11, (i) => limits.succeeded(`192.0.2.${i}`, 'email:a'));
    expect(isKnown('192.0.2.0')).toBe(false);
    expect(isKnown('192.0.2.1')).toBe(true);
  });

  test('known addresses are kept for the 10,000 most recent accounts', () => {
    times(10_001, (i) => limits.succeeded('192.0.2.1', `email:${i}`));
    for (const [account, wait] of [
      ['email:0', 2],
      ['email:1', undefined],
    ] as const) {
      attemptFrom(40, account);
      expect(attempt('192.0.2.1', account)).toBe(wait);
    }
  });

  describe('with IPv6', () => {
    const at = (network: number, host: number) => `2001:db8:${network.toString(16)}:${host.toString(16)}::1`;

    test('attempts are limited per /64, and to five times as many per /48', () => {
      expect(times(21, (i) => attempt(`2001:db8:0:0::${i}`))).toEqual([...passed(20), 3]);
      expect(times(81, (i) => attempt(at(0, 1 + (i % 40))))).toEqual([...passed(80), 1]);
      expect(attempt(at(1, 0))).toBeUndefined();
      expect(attempt('192.0.2.1')).toBeUndefined();
    });

    test('look-ups by a secret are limited too: 100 a minute per /64, and five times as many per /48', () => {
      const lookup = (address: string) => waitOf(() => limits.lookup(address));
      expect(times(101, (i) => lookup(`2001:db8:0:0::${i}`))).toEqual([...passed(100), 1]);
      expect(times(401, (i) => lookup(at(0, 1 + (i % 40))))).toEqual([...passed(400), 1]);
      expect(lookup(at(1, 0))).toBeUndefined();
      expect(lookup('192.0.2.1')).toBeUndefined();
    });

    test('an attacker with one /48 does not use up the attempts of an account for other addresses', () => {
      expect(times(40, (i) => attempt(at(0, i), 'email:a'))).toEqual([...passed(15), ...Array(25).fill(4)]);
      expect(attempt(at(1, 0), 'email:a')).toBeUndefined();
      expect(attempt('192.0.2.1', 'email:a')).toBeUndefined();
    });

    test('a user who signed in from a /64 is not affected by others of its /48', () => {
      limits.succeeded(at(0, 7), 'email:a');
      times(40, (i) => attempt(at(0, 100 + i), 'email:a'));
      expect(attempt(at(0, 7), 'email:a')).toBeUndefined();
    });
  });

  test('a successful sign-in restores the attempts', () => {
    times(3, () => attempt('192.0.2.1', 'email:a'));
    limits.succeeded('192.0.2.1', 'email:a');
    expect(attempt('192.0.2.1', 'email:a')).toBeUndefined();
  });

  test('a successful sign-in restores no attempts of another address', () => {
    times(3, () => attempt('192.0.2.1', 'email:a'));
    limits.succeeded('192.0.2.2', 'email:a');
    expect(attempt('192.0.2.1', 'email:a')).toBe(20);
  });

  test('attempts from an address are limited over all accounts together', () => {
    expect(times(21, (i) => attempt('192.0.2.1', `email:${i}`))).toEqual([...passed(20), 3]);
    expect(attempt('192.0.2.1')).toBe(3);
    expect(attempt('192.0.2.2')).toBeUndefined();
  });

  test('a confirmation counts under all of its names or under none, and can be undone for all', () => {
    const confirm = (email: string, ...names: string[]) =>
      waitOf(() => limits.confirmation('192.0.2.1', email, names));
    expect(times(6, () => confirm('A@example.com'))).toEqual([...passed(5), 720]);
    expect(times(6, () => confirm('a@example.com', 'account:1'))).toEqual(Array(6).fill(720));
    expect(times(4, (i) => confirm(`${i}@example.com`, 'account:1'))).toEqual(passed(4));
    const giveBack = limits.confirmation('192.0.2.1', 'b@example.com', ['account:1']);
    expect(confirm('c@example.com', 'account:1')).toBe(720);
    giveBack();
    expect(confirm('c@example.com', 'account:1')).toBeUndefined();
    expect(times(6, () => confirm('b@example.com'))).toEqual([...passed(5), 720]);
  });

  test('emails are counted by mailbox: letter case and a +tag do not matter, dots and the domain do', () => {
    expect(
      ['Ada+News@Example.com', 'ada@example.com', 'a.da@example.com', '+ada@example.com'].map(mailboxOf),
    ).toEqual(['ada@example.com', 'ada@example.com', 'a.da@example.com', '+ada@example.com']);
    const confirm = (email: string) => waitOf(() => limits.confirmation('192.0.2.1', email));
    expect(times(6, (i) => confirm(`ada+${i}@example.com`))).toEqual([...passed(5), 720]);
    expect(confirm('ada@elsewhere.example')).toBeUndefined();
    const notice = (kind: string, email: string) => waitOf(() => limits.notice(kind, email));
    expect(times(6, (i) => notice('password', `ada+${i}@example.com`))).toEqual([...passed(5), 720]);
    expect(notice('methods', 'ada@example.com')).toBeUndefined();
  });

  test('a client can cause 30 emails an hour; with IPv6 that is its /64, and its /48 five times as many', () => {
    let count = 0;
    const confirm = (client: string) => waitOf(() => limits.confirmation(client, `${count++}@example.com`));
    expect(times(31, () => confirm('192.0.2.1'))).toEqual([...passed(30), 120]);
    expect(times(31, (i) => confirm(`2001:db8:1:1::${i}`))).toEqual([...passed(30), 120]);
    expect(times(121, (i) => confirm(`2001:db8:1:${2 + (i >> 4)}::1`))).toEqual([...passed(120), 24]);
    expect(confirm('2001:db8:2::1')).toBeUndefined();
  });

  test('a reset request refused because of the client does not count for the address', () => {
    const reset = (client: string, email: string) => waitOf(() => limits.reset(client, email));
    expect(times(31, (i) => reset('192.0.2.1', `${i}@example.com`))).toEqual([...passed(30), 120]);
    times(20, () => reset('192.0.2.1', 'owner@example.com'));
    expect(times(6, (i) => reset(`192.0.2.${2 + i}`, 'owner@example.com'))).toEqual([...passed(5), 720]);
    expect(reset('192.0.2.9', 'owner+tag@example.com')).toBeUndefined();
  });

  test('an account can change its email address ten times an hour, from anywhere', () => {
    const change = (address: string, userId: string) => waitOf(() => limits.emailChange(address, userId));
    expect(times(11, (i) => change(`192.0.2.${i}`, 'a'))).toEqual([...passed(10), 360]);
    expect(change('192.0.2.1', 'b')).toBeUndefined();
    jest.advanceTimersByTime(360_000);
    expect(change('192.0.2.1', 'a')).toBeUndefined();
  });

  test('changes of email addresses count as attempts of the client address', () => {
    const change = (userId: string) => waitOf(() => limits.emailChange('192.0.2.1', userId));
    expect(times(21, (i) => change(String(i)))).toEqual([...passed(20), 3]);
  });
});
