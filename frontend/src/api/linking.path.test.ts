import { expect, test } from '@jest/globals';
import { keepLinkingStart, linkingStart, linkingWish, takeLinkingStart } from './linking.path';

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
