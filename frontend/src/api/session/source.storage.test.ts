import { expect, test } from '@jest/globals';
import { clearSource, readSource, rememberArrival, rememberSource } from './source.storage';

function memory() {
  const map = new Map<string, string>();
  return {
    map,
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  };
}

test('the source of the query is stored under source until it is cleared', () => {
  const storage = memory();
  rememberSource('?x=1&source=game%20jam', storage);
  expect([...storage.map]).toEqual([['source', 'game jam']]);
  expect(readSource(storage)).toBe('game jam');
  clearSource(storage);
  expect(readSource(storage)).toBeNull();
});

test.each(['', '?source=', '?source=%20', '?other=1', '?source=a%E2%80%AEb', `?source=${'a'.repeat(201)}`])(
  'the query %j leaves the stored source unchanged',
  (search) => {
    const storage = memory();
    rememberSource('?source=docs', storage);
    rememberSource(search, storage);
    expect(readSource(storage)).toBe('docs');
  },
);

test('a visit to the wizard is stored as the source orange-id, unless a link named another source', () => {
  const storage = memory();
  rememberArrival(storage);
  expect(readSource(storage)).toBe('orange-id');
  rememberSource('?source=docs', storage);
  rememberArrival(storage);
  expect(readSource(storage)).toBe('docs');
});
