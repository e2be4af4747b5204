import { expect, test } from '@jest/globals';
import {
  forgetWantedMethod,
  keepLinkingStart,
  keepWantedMethod,
  linkingStart,
  linkingWish,
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

test('linking that began in Settings ends there', () => {
  const storage = memory();
  expect(linkingStart(fromSettings, 'PUSH', storage)).toBe('/settings');
  keepLinkingStart('/settings', storage);
  expect(takeLinkingStart(storage)).toBe('/settings');
});

test('linking that began on any other page ends on the profile, after one that began in Settings too', () => {
  const storage = memory();
  expect(takeLinkingStart(storage)).toBe('/profile');
  keepLinkingStart('/settings', storage);
  expect(linkingStart(null, 'PUSH', storage)).toBe('/profile');
  expect(linkingStart({ wallet: '0x0' }, 'PUSH', storage)).toBe('/profile');
});

test('the page keeps where linking began when it is reloaded, or opened again by a provider’s page', () => {
  const storage = memory();
  keepLinkingStart('/settings', storage);
  expect(linkingStart(null, 'POP', storage)).toBe('/settings');
  expect(linkingStart(null, 'REPLACE', storage)).toBe('/settings');
});

test('where one linking began says nothing about the next', () => {
  const storage = memory();
  keepLinkingStart('/settings', storage);
  takeLinkingStart(storage);
  expect(takeLinkingStart(storage)).toBe('/profile');
});

test.each(['//evil.example', '/usage', 'settings', 1, null, undefined])(
  'a start that is neither Settings nor the profile, as %j, is left out',
  (from) => {
    const storage = memory();
    expect(linkingWish({ from })).toEqual({});
    storage.setItem('portal-linking-start', String(from));
    expect(takeLinkingStart(storage)).toBe('/profile');
  },
);

test('the method to add is the one the link names, or the one noted before the page was opened anew', () => {
  const storage = memory();
  expect(wantedMethod({ add: 'google' }, 'PUSH', storage)).toBe('google');
  keepWantedMethod('apple', storage);
  expect(wantedMethod(null, 'POP', storage)).toBe('apple');
  expect(wantedMethod({ add: 'email' }, 'POP', storage)).toBe('email');
  forgetWantedMethod(storage);
  expect(wantedMethod(null, 'POP', storage)).toBeNull();
});

test('a link that names no method to add begins with none, whatever was noted before', () => {
  const storage = memory();
  keepWantedMethod('apple', storage);
  expect(wantedMethod(null, 'PUSH', storage)).toBeNull();
});

test.each(['GOOGLE', 'https://evil.example', 1, null])('a method of another name, as %j, is none', (add) => {
  const storage = memory();
  expect(linkingWish({ add })).toEqual({});
  storage.setItem('portal-linking-method', String(add));
  expect(wantedMethod(null, 'POP', storage)).toBeNull();
});
