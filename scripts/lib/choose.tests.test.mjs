import { expect, test } from '@jest/globals';
import { chooseTests, slowestLines, testsOf } from './choose.tests.mjs';

const files = [
  'contract/src/limits.ts',
  'contract/src/origin.rule.test.ts',
  'backend/src/keys/keys.service.ts',
  'backend/src/keys/keys.controller.test.ts',
  'frontend/src/features/keys/KeysPage.test.tsx',
  'e2e/journeys/keys.spec.ts',
  'e2e/pictures/pictures.spec.ts',
];

test('without arguments every test runs', () => {
  expect(chooseTests([], files)).toEqual({ projects: [], jest: true, related: [], browser: true });
});

test('a named part runs alone', () => {
  expect(chooseTests(['backend'], files)).toEqual({
    projects: ['backend'],
    jest: [],
    related: [],
    browser: [],
  });
  expect(chooseTests(['browser'], files).browser).toBe(true);
});

test('a piece of a path runs every test file whose path contains it, in each layer', () => {
  expect(chooseTests(['keys'], files)).toEqual({
    projects: [],
    jest: ['backend/src/keys/keys.controller.test.ts', 'frontend/src/features/keys/KeysPage.test.tsx'],
    related: [],
    browser: ['e2e/journeys/keys.spec.ts'],
  });
  expect(chooseTests(['./contract/src/origin.rule.test.ts'], files).jest).toEqual([
    'contract/src/origin.rule.test.ts',
  ]);
});

test('a word that matches nothing is named in the error, with the list of parts', () => {
  expect(() => chooseTests(['kesy'], files)).toThrow(
    "No test file's path contains 'kesy'. Name a file, a piece of its path, or a part: contract,",
  );
  expect(() => chooseTests(['pictures'], files)).toThrow("'pictures'");
});

test.each(['package-lock.json', 'contract/tsconfig.json', 'jest.config.mjs', 'e2e/package.json'])(
  'a change to %s can affect every test',
  (path) => {
    expect(testsOf([path, 'README.md'])).toMatchObject({ jest: true, browser: true });
  },
);

test.each(['backend/src/keys/keys.service.ts', 'contract/src/limits.ts'])(
  'a change to %s runs the tests that import it, and every browser test',
  (path) => {
    expect(testsOf([path, 'docs/PRODUCT.md'])).toEqual({
      projects: [],
      jest: [],
      related: [path],
      browser: true,
    });
  },
);

test('a change to tests runs only those', () => {
  expect(testsOf(['contract/src/origin.rule.test.ts', 'e2e/journeys/keys.spec.ts'])).toEqual({
    projects: [],
    jest: [],
    related: ['contract/src/origin.rule.test.ts'],
    browser: ['e2e/journeys/keys.spec.ts'],
  });
});

test('a change to shared helpers of browser tests runs every browser test, and a change to a document runs no test', () => {
  expect(testsOf(['e2e/fixtures/account.ts'])).toMatchObject({ related: [], browser: true });
  expect(testsOf(['README.md'])).toEqual({ projects: [], jest: [], related: [], browser: [] });
});

test('a change to the template project runs the tests that build and start it', () => {
  expect(testsOf(['templates/vite-react/server/api.mjs'])).toEqual({
    projects: [],
    related: [],
    browser: [],
    jest: [
      'frontend/src/ui/template.archive.test.ts',
      'backend/src/identity/tenants/server.examples.test.ts',
    ],
  });
});

test('the slowest tests come first, with their seconds', () => {
  const tests = [
    { name: 'a', ms: 40 },
    { name: 'b', ms: 12_340 },
    { name: 'c', ms: 900 },
  ];
  expect(slowestLines(tests, 2)).toEqual(['  12.3 s  b', '   0.9 s  c']);
});
