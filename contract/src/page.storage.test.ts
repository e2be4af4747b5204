import { expect, test } from '@jest/globals';
import { browserStorage, pageStorage } from './page.storage.js';

const blocked = {
  get localStorage(): Storage {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  },
  sessionStorage: null,
} as unknown as Window;

test('a page whose storage the browser allows uses it', () => {
  const storage = {} as Storage;
  expect(pageStorage({ localStorage: storage } as Window, 'localStorage')).toBe(storage);
});

test.each(['localStorage', 'sessionStorage'] as const)(
  'a page with a blocked %s keeps values in memory',
  (name) => {
    expect(browserStorage(blocked, name) ?? null).toBeNull();
    const storage = pageStorage(blocked, name);
    storage.setItem('a', '1');
    storage.setItem('b', '2');
    expect(pageStorage(blocked, name).getItem('a')).toBe('1');
    expect([storage.length, storage.key(1), storage.key(2)]).toEqual([2, 'b', null]);
    storage.removeItem('a');
    expect(storage.getItem('a')).toBeNull();
    storage.clear();
    expect(storage).toHaveLength(0);
  },
);

test('two pages with blocked storage share nothing', () => {
  const other = Object.create(blocked) as Window;
  pageStorage(blocked, 'localStorage').setItem('a', '1');
  expect(pageStorage(other, 'localStorage').getItem('a')).toBeNull();
});
