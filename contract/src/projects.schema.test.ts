import { expect, test } from '@jest/globals';
import { createProject, projectCodePattern } from './projects.schema.js';

const whitelistURL = ['https://example.com'];
const accepts = (body: unknown) => createProject.safeParse(body).success;

test('name and URLs are required, and source is optional', () => {
  expect(accepts({ projectName: 'Acme', whitelistURL })).toBe(true);
  expect(accepts({ projectName: 'Acme', whitelistURL, source: 'campaign' })).toBe(true);
  expect(accepts({ whitelistURL })).toBe(false);
  expect(accepts({ projectName: 'Acme' })).toBe(false);
  expect(accepts({ projectName: 'Acme', whitelistURL: [] })).toBe(false);
  expect(accepts({ projectName: 'Acme', whitelistURL: 'https://example.com' })).toBe(false);
});

test('100 URLs are accepted, and 101 are refused', () => {
  const urls = (n: number) => Array.from({ length: n }, (_, i) => `https://site${i}.example.com`);
  expect(accepts({ projectName: 'Acme', whitelistURL: urls(100) })).toBe(true);
  expect(accepts({ projectName: 'Acme', whitelistURL: urls(101) })).toBe(false);
});

test.each(['userId', 'ownerId', 'code', 'apiKey', 'id'])('%s in the body is refused', (field) => {
  expect(accepts({ projectName: 'Acme', whitelistURL, [field]: 'x' })).toBe(false);
});

test('a source with control characters or more than 200 characters is refused', () => {
  const refusal = (source: string) =>
    createProject.safeParse({ projectName: 'Acme', whitelistURL, source }).error?.issues[0]?.message;
  expect(refusal('a\u0000b')).toBe('must not contain invisible or control characters');
  expect(accepts({ projectName: 'Acme', whitelistURL, source: 'a'.repeat(200) })).toBe(true);
  expect(refusal('a'.repeat(201))).toBe('must have at most 200 characters');
});

test.each([
  ['orange-k3x9p2m7qa', true],
  ['orange-K3X9P2M7QA', false],
  ['orange-k3x9p2m7q', false],
  ['orange-k3x9p2m7qaa', false],
  ['orange-k3x9p2m7qa\n', false],
  ['', false],
])('whether %j is a project code: %s', (code, isCode) => {
  expect(projectCodePattern.test(code)).toBe(isCode);
});
