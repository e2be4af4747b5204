import { expect, test } from '@jest/globals';
import {
  forgetWantedMethod,
  keepLinkingStart,
  keepWantedMethod,
  linkingStart,
  linkingRequest,
  takeLinkingStart,
  wantedMethod,
} from './linking.path';

function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  } as unknown as Storage;
}

const fromSettings = { from: '/settings' };

test('linking that starts in Settings returns to Settings', () => {
  const storage = memory();
  expect(linkingStart(fromSettings, 'PUSH', storage)).toBe('/settings');
  keepLinkingStart('/settings', storage);
  expect(takeLinkingStart(storage)).toBe('/settings');
});

test('linking that starts on any other page returns to the profile, even if earlier linking started in Settings', () => {
  const storage = memory();
  expect(takeLinkingStart(storage)).toBe('/profile');
  keepLinkingStart('/settings', storage);
  expect(linkingStart(null, 'PUSH', storage)).toBe('/profile');
  expect(linkingStart({ wallet: '0x0' }, 'PUSH', storage)).toBe('/profile');
});

test('the linking page remembers where linking started across a reload and a visit to a provider’s page', () => {
  const storage = memory();
  keepLinkingStart('/settings', storage);
  expect(linkingStart(null, 'POP', storage)).toBe('/settings');
  expect(linkingStart(null, 'REPLACE', storage)).toBe('/settings');
});

test("the start of one linking doesn't affect the next", () => {
  const storage = memory();
  keepLinkingStart('/settings', storage);
  takeLinkingStart(storage);
  expect(takeLinkingStart(storage)).toBe('/profile');
});

test.each(['//evil.example', '/usage', 'settings', 1, null, undefined])(
  'a start other than Settings or the profile, such as %j, is ignored',
  (from) => {
    const storage = memory();
    expect(linkingRequest({ from })).toEqual({});
    storage.setItem('portal-linking-start', String(from));
    expect(takeLinkingStart(storage)).toBe('/profile');
  },
);

test('the method to add is the one in the link, otherwise the one stored before the page was opened again', () => {
  const storage = memory();
  expect(wantedMethod({ add: 'google' }, 'PUSH', storage)).toBe('google');
  keepWantedMethod('apple', storage);
  expect(wantedMethod(null, 'POP', storage)).toBe('apple');
  expect(wantedMethod({ add: 'email' }, 'POP', storage)).toBe('email');
  forgetWantedMethod(storage);
  expect(wantedMethod(null, 'POP', storage)).toBeNull();
});

test('a link that names no method starts without one, even if one is stored', () => {
  const storage = memory();
  keepWantedMethod('apple', storage);
  expect(wantedMethod(null, 'PUSH', storage)).toBeNull();
});

test.each(['GOOGLE', 'https://evil.example', 1, null])('an unknown method, such as %j, is ignored', (add) => {
  const storage = memory();
  expect(linkingRequest({ add })).toEqual({});
  storage.setItem('portal-linking-method', String(add));
  expect(wantedMethod(null, 'POP', storage)).toBeNull();
});
