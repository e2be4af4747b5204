import { expect, test } from '@jest/globals';
import { findIn, needsFinder, type ListOrder } from './list.finder';

const items = [
  {
    name: 'Shop 10',
    createdAt: '2026-03-01T00:00:00Z',
    lastUsed: '2026-04-01T00:00:00Z',
    urls: ['https://shop.example.org'],
  },
  { name: 'arcade', createdAt: '2026-02-01T00:00:00Z', lastUsed: '2026-05-01T00:00:00Z', urls: [] },
  { name: 'Shop 9', createdAt: '2026-01-01T00:00:00Z', lastUsed: null, urls: [] },
];
const find = (text: string, order: ListOrder = 'newest') =>
  findIn(items, { text, order }, ({ urls, ...item }) => ({ ...item, texts: urls })).map(({ name }) => name);

test('a list of ten has no search, a list of eleven has one', () => {
  expect([0, 10, 11].map(needsFinder)).toEqual([false, false, true]);
});

test.each([
  ['newest', ['Shop 10', 'arcade', 'Shop 9']],
  ['oldest', ['Shop 9', 'arcade', 'Shop 10']],
  ['name', ['arcade', 'Shop 9', 'Shop 10']],
  ['used', ['arcade', 'Shop 10', 'Shop 9']],
] as const)('a list sorted by %s has the right order', (order, names) => {
  expect(find('', order)).toEqual(names);
});

test.each([
  ['  SHOP  ', ['Shop 10', 'Shop 9']],
  ['shop.example', ['Shop 10']],
  ['arcade', ['arcade']],
  ['nothing like it', []],
])('a search for %j finds %j', (text, names) => {
  expect(find(text)).toEqual(names);
});
