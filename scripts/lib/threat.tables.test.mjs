import { describe, expect, test } from '@jest/globals';
import { emptySectionsOf, faultsIn, titlesIn } from './threat.tables.mjs';

const source = `
describe('a described thing', () => {
  test('a plain one', () => {});
  test('another user\\'s key', () => {});
  it("one in double quotes", () => {});
  test.each([1, 2])('status %s', () => {});
  test.each<[string, number]>([])('typed %s', () => {});
  test(\`a \${role} reads\`, () => {});
  walletTest('one with a wallet', async () => {});
  test.skip('a skipped one', () => {});
  test.todo('one to come');
  test.step('a step', () => {});
  helper('no test at all');
});
test.describe('a group', () => {});
`;

const table = (...rows) =>
  [
    '# Security',
    '',
    '## Wallets',
    '',
    '| threat | defence | test | what remains |',
    '| --- | --- | --- | --- |',
  ]
    .concat(rows)
    .join('\n');
const faultsOf = (...rows) =>
  faultsIn(
    table(...rows),
    ['backend/src/a.test.ts', 'backend/src/c/b.test.ts', 'e2e/c/b.spec.ts'],
    () => source,
  );

describe('the titles of a test file', () => {
  test('are those of its tests as written in the source, without skipped tests and steps', () => {
    expect([...titlesIn(source, 'a.test.ts')]).toEqual([
      'a plain one',
      "another user's key",
      'one in double quotes',
      'status %s',
      'typed %s',
      'a ${role} reads',
      'one with a wallet',
    ]);
  });
});

describe('a row of the threat table', () => {
  test('is valid if every test that it names exists', () => {
    expect(
      faultsOf(
        '| a | b | `backend/src/a.test.ts › a plain one` | - |',
        "| a | b | `backend/src/a.test.ts › another user's key`<br>`backend/src/a.test.ts › status %s` | c \\| d |",
      ),
    ).toEqual([]);
  });

  test('may name a file by the end of its path and a test by its start', () => {
    expect(
      faultsOf(
        '| a | b | `a › a plain…`<br>`src/a › another…`<br>`a.test.ts › status %s` | - |',
        '| a | b | `src/c/b › a plain one`<br>`b.spec.ts › a plain one` | - |',
      ),
    ).toEqual([]);
  });

  test('fails with its line, the file and the name unless exactly one test has that name', () => {
    expect(
      faultsOf(
        '| theft | b | `a › a plain one`<br>`a › a plain` | - |',
        '| rain | b | `a › a…`<br>`a › z…` | - |',
        '| fire | b | `ba › a plain one` | - |',
        '| hail | b | `c/b › a plain one` | - |',
      ),
    ).toEqual([
      'line 7, \'theft\': backend/src/a.test.ts has no test "a plain"',
      'line 8, \'rain\': backend/src/a.test.ts has 3 tests "a…"',
      'line 8, \'rain\': backend/src/a.test.ts has no test "z…"',
      "line 9, 'fire': ba names 0 files, not one: no test file ends with it",
      "line 10, 'hail': c/b names 2 files, not one: backend/src/c/b.test.ts, e2e/c/b.spec.ts",
    ]);
  });

  test('fails if it names a skipped test, a group or no test, or lacks a cell', () => {
    expect(
      faultsOf(
        '| a | b | `backend/src/a.test.ts › a skipped one` | - |',
        '| a | b | `backend/src/a.test.ts › a group` | - |',
        '| a | b | none yet | - |',
        '| a | b | | - |',
        '| a | b | `backend/src/a.test.ts › a plain one` |',
      ),
    ).toEqual([
      'line 7, \'a\': backend/src/a.test.ts has no test "a skipped one"',
      'line 8, \'a\': backend/src/a.test.ts has no test "a group"',
      'line 9, \'a\': names no test as `file › test name`: "none yet"',
      'line 10, \'a\': names no test as `file › test name`: ""',
      "line 11, 'a': has 3 cells, not 4",
    ]);
  });

  test('is required in every section', () => {
    expect(emptySectionsOf(table())).toEqual(['Wallets']);
    expect(emptySectionsOf(table('| a | b | c | d |'))).toEqual([]);
  });
});
