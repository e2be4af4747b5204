import { describe, expect, test } from '@jest/globals';
import { markTab } from '@orange-id/contract/tab.marker';
import { unsignedToken } from '../../testing/unsigned.token';
import { arrivalOf } from './callback.arrival';

function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  } as unknown as Storage;
}

const minute = 60_000;
const hour = 60 * minute;

/** An unsigned token; `expires` in milliseconds since the epoch. */
const token = (sub: string, expires = 24 * hour) => unsignedToken(expires, sub);

const nobody = { accessToken: null, refreshToken: null };
const signedIn = (sub: string, expires?: number) => ({
  accessToken: token(sub, expires),
  refreshToken: 'stored',
});
/** A planted callback: the attacker's link can't contain this tab's marker. */
const planted = (sub: string) => ({ token: token(sub), refreshToken: 'brought', tab: null });
const begun = (sub: string, storage: Storage, at = hour) => ({
  ...planted(sub),
  tab: markTab(at, storage),
});

describe('tokens that arrive at the callback while nobody is signed in', () => {
  const faces = [
    ['nothing stored', nobody],
    ['an expired token stored', signedIn('ann', minute)],
    ['an unreadable token stored', { accessToken: 'Bearer undefined', refreshToken: 'r' }],
  ] as const;

  test.each(faces)('need confirmation with %s, if this tab started no sign-in', (_, stored) => {
    expect(arrivalOf(planted('ben'), stored, hour, memory())).toBe('unasked');
  });

  test.each(faces)('belong to a sign-in with %s, if they carry the marker of this tab', (_, stored) => {
    const storage = memory();
    expect(arrivalOf(begun('ben', storage), stored, hour, storage)).toBe('signIn');
  });

  test('need confirmation without the marker of this tab, even while a sign-in that it started is pending', () => {
    for (const tab of [null, '', 'A'.repeat(22)]) {
      const storage = memory();
      markTab(hour, storage);
      expect(arrivalOf({ ...planted('mallory'), tab }, nobody, hour, storage)).toBe('unasked');
    }
  });

  test('need confirmation the second time, and 30 minutes after the sign-in started', () => {
    const storage = memory();
    const callback = begun('ben', storage);
    expect(arrivalOf(callback, nobody, hour, storage)).toBe('signIn');
    expect(arrivalOf(callback, nobody, hour, storage)).toBe('unasked');
    const late = begun('ben', storage);
    expect(arrivalOf(late, nobody, hour + 30 * minute, storage)).toBe('unasked');
  });
});

describe('tokens that arrive at the callback while a user is signed in', () => {
  test('need confirmation if this tab started no sign-in, even for the same user', () => {
    expect(arrivalOf(planted('ann'), signedIn('ann'), hour, memory())).toBe('unasked');
    expect(arrivalOf(planted('mallory'), signedIn('ann'), hour, memory())).toBe('unasked');
  });

  test('link a sign-in method if this tab started the sign-in and they belong to the same user', () => {
    const storage = memory();
    expect(arrivalOf(begun('ann', storage), signedIn('ann'), hour, storage)).toBe('link');
  });

  test('need confirmation if they belong to another user, who would replace the signed-in one', () => {
    const storage = memory();
    expect(arrivalOf(begun('ben', storage), signedIn('ann'), hour, storage)).toBe('unasked');
  });

  test('need confirmation if neither token has a subject', () => {
    const storage = memory();
    const stored = { accessToken: token('', 25 * hour), refreshToken: 'stored' };
    expect(arrivalOf(begun('', storage), stored, hour, storage)).toBe('unasked');
  });

  test('count as stored if both are the stored ones, but not if only one is', () => {
    const stored = signedIn('ann');
    const brought = { token: stored.accessToken, refreshToken: stored.refreshToken, tab: null };
    expect(arrivalOf(brought, stored, hour, memory())).toBe('stored');
    expect(arrivalOf({ ...brought, refreshToken: 'another' }, stored, hour, memory())).toBe('unasked');
    expect(arrivalOf({ ...brought, token: token('mallory') }, stored, hour, memory())).toBe('unasked');
  });
});
