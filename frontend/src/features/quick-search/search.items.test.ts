import { expect, test } from '@jest/globals';
import { docsItems, findItems, keyItems, pageItems, projectItems } from './search.items';

const project = (projectName: string, code: string) => ({
  id: code,
  code,
  projectName,
  apiKey: '',
  urls: [],
  createdAt: '2026-01-02T03:04:05.000Z',
  lastUpdatedAt: '2026-01-02T03:04:05.000Z',
});
const items = [
  ...pageItems(true),
  ...projectItems([
    project('Usage tracker', 'orange-aaaaaaaaaa'),
    project('R&D = fun?', 'orange-bbbbbbbbbb'),
  ]),
  ...keyItems([{ id: '0193d6a0-0000-7000-8000-000000000000', name: 'Nightly' }]),
  ...docsItems('https://portal.example.com', 'https://portal.example.com'),
];
const titles = (text: string) => findItems(items, text).map(({ group, title }) => `${group}: ${title}`);
const target = (text: string) => findItems(items, text)[0]?.to;

test('the search lists pages and projects before anything is typed', () => {
  expect(new Set(findItems(items, ' ').map(({ group }) => group))).toEqual(new Set(['Pages', 'Projects']));
});

test('the search finds the items that contain every word in any order, first those that start with the text', () => {
  expect(titles('usage').slice(0, 2)).toEqual(['Pages: Usage', 'Projects: Usage tracker']);
  expect(titles('TRACKER usage')).toEqual(['Projects: Usage tracker']);
  expect(titles('key api')[0]).toBe('Pages: API Keys');
  expect(titles('usage nothing')).toEqual([]);
});

test.each([
  ['orange-bbbbbbbbbb', '/projects?project=orange-bbbbbbbbbb'],
  ['nightly', '/usage?keyId=0193d6a0-0000-7000-8000-000000000000'],
  ['/tokens/{id}', '/docs#reference-token'],
  ['security tips', '/docs#authentication-tips'],
  ['settings', '/settings'],
])('a search for %s leads to %s', (text, to) => expect(target(text)).toBe(to));

test.each([
  ['rate limit', '/docs#overview-limits'],
  ['rotate', '/docs#authentication-tips'],
  ['callback', '/docs#authentication-sign-in'],
  ['403', '/docs#overview-errors'],
  ['compressed nothing', undefined],
])('a search for the words %s finds what the documentation says about them', (text, to) => {
  const found = findItems(items, text).map((item) => item.to);
  expect([text, found.includes(String(to)) || found.length]).toEqual([text, to === undefined ? 0 : true]);
});

test('a visitor finds public pages and the sign-in page, a user the pages of the account', () => {
  const visitor = pageItems(false).map(({ to }) => to);
  const user = pageItems(true).map(({ to }) => to);
  expect(visitor).toEqual([
    '/',
    '/orange-id',
    '/community',
    '/community/new',
    '/login',
    '/docs',
    '/faq',
    '/games-sdk-integration-guide',
    '/games-sdk-integration-guide/playground',
  ]);
  expect(user).toEqual(expect.arrayContaining(['/', '/projects', '/keys', '/usage', '/settings', '/docs']));
  expect(user).not.toContain('/login');
});

test('the search shows at most six results of a group', () => {
  const many = projectItems(
    Array.from({ length: 50 }, (_, place) => project(`Shop ${place}`, `orange-${place}`)),
  );
  expect(findItems(many, 'shop')).toHaveLength(6);
});
