import { describe, expect, test } from '@jest/globals';
import { readTokenClaims } from '@orange-id/contract/token.rule';
import {
  clearSession,
  dropTokens,
  readAccessToken,
  readRefreshToken,
  readTokens,
  storeTokens,
} from './token.storage';

function memory(entries: Record<string, string> = {}): Storage {
  const kept = new Map(Object.entries(entries));
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
    key: (index: number) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  } as unknown as Storage;
}

const names = (storage: Storage) =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index)).sort();

describe('reading tokens', () => {
  test('prefers accessToken to the one inside passport-token', () => {
    const storage = memory({
      accessToken: 'plain',
      'passport-token': '{"state":{"accessToken":"inner","refreshToken":"inner-refresh"},"version":0}',
    });
    expect(readAccessToken(storage)).toBe('plain');
    expect(readRefreshToken(storage)).toBe('inner-refresh');
  });

  test.each(['', 'null', '[]', '{', '"text"', '{"state":null}', '{"state":{"accessToken":7}}'])(
    'treats a passport-token of %j as nothing stored',
    (value) => {
      const storage = memory({ 'passport-token': value });
      expect(readAccessToken(storage)).toBeNull();
      expect(readRefreshToken(storage)).toBeNull();
    },
  );
});

describe('reading tokens for the session', () => {
  test.each(['{', '', 'eyJhbGciOiJub25lIn0', '{"state":{"accessToken":"a"'])(
    'returns a passport-token of %j as an unreadable token',
    (value) => {
      const { accessToken, refreshToken } = readTokens(memory({ 'passport-token': value }));
      expect(accessToken).toBe(value);
      expect(readTokenClaims(accessToken)).toBeNull();
      expect(refreshToken).toBeNull();
    },
  );

  test('returns no access token for a passport-token of valid JSON without one', () => {
    for (const value of ['null', '{}', '{"state":{"accessToken":null},"version":0}']) {
      expect(readTokens(memory({ 'passport-token': value })).accessToken).toBeNull();
    }
    expect(readTokens(memory()).accessToken).toBeNull();
  });

  test('returns accessToken if it is stored, whatever passport-token contains', () => {
    expect(readTokens(memory({ accessToken: 'plain', 'passport-token': '{' })).accessToken).toBe('plain');
  });
});

describe('writing tokens', () => {
  test('stores a sign-in under all three names, in the shape the identity client persists', () => {
    const storage = memory();
    storeTokens({ accessToken: 'a', refreshToken: 'r' }, storage);
    expect(storage.getItem('accessToken')).toBe('a');
    expect(storage.getItem('refreshToken')).toBe('r');
    expect(JSON.parse(storage.getItem('passport-token') ?? '')).toEqual({
      state: { accessToken: 'a', refreshToken: 'r' },
      version: 0,
    });
  });

  test('removes only accessToken and passport-token when the user request is refused', () => {
    const storage = memory({ accessToken: 'a', refreshToken: 'r', 'passport-token': '{}', source: 's' });
    dropTokens(storage);
    expect(names(storage)).toEqual(['refreshToken', 'source']);
  });

  test('removes every key of the session on sign-out and keeps all others', () => {
    const storage = memory({
      accessToken: 'a',
      refreshToken: 'r',
      'passport-token': '{}',
      'passport-user': '{}',
      'passport-last-recommended-version': '1',
      'passport-state': '{}',
      'passport-config': '{}',
      'passport-session': '{}',
      'bedrock-anything': '1',
      'wagmi.store': '{}',
      '@appkit/wallet': '1',
      'cbwsdk.store': '{}',
      'cbwsdk.store.more': '{}',
      source: 'docs',
      submittedProjects: '[]',
      'portal-theme': 'dark',
      passportless: '1',
      wagmify: '1',
    });
    clearSession(storage);
    expect(names(storage)).toEqual([
      'passportless',
      'portal-theme',
      'source',
      'submittedProjects',
      'wagmify',
    ]);
  });
});
