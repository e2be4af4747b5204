import { expect, test } from '@jest/globals';
import { coveringTests } from './covering.tests.mjs';

const tests = [
  { path: 'backend/src/far/slow.test.ts', ms: 90 },
  { path: 'backend/src/far/fast.test.ts', ms: 9 },
  { path: 'backend/src/near/other.test.ts', ms: 900 },
  { path: 'backend/src/near/part.test.ts', ms: 9_000 },
];
const files = { 'backend/src/near/part.ts': { '1:0': [0, 1, 2, 3], '2:2': [0, 1], '3:2': [] } };
const of = (path, ...starts) => coveringTests({ tests, files }, path, starts);

test('the tests that run the innermost known place are chosen', () => {
  expect(of('backend/src/near/part.ts', '2:9', '2:2', '1:0')).toEqual([
    'backend/src/far/fast.test.ts',
    'backend/src/far/slow.test.ts',
  ]);
  expect(of('backend/src/near/part.ts', '3:2', '1:0')).toEqual([]);
});

test('outside of every known place, all tests of the file are chosen, nearest and then fastest first', () => {
  expect(of('backend/src/near/part.ts', '9:9')).toEqual([
    'backend/src/near/part.test.ts',
    'backend/src/near/other.test.ts',
    'backend/src/far/fast.test.ts',
    'backend/src/far/slow.test.ts',
  ]);
});

test('for a file that no test loads, no choice is made', () => {
  expect(of('backend/src/main.ts', '1:0')).toBeNull();
});
