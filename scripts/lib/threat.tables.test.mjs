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
  faultsIn(table(...rows), (path) => (path === 'backend/src/a.test.ts' ? source : null));

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

  test('fails with its line, the path and the name if the test or the file does not exist', () => {
    expect(
      faultsOf(
        '| theft | b | `backend/src/a.test.ts › a plain one`<br>`backend/src/a.test.ts › a plain` | - |',
        '| fire | b | `backend/src/b.test.ts › a plain one` | - |',
      ),
    ).toEqual([
      'line 7, \'theft\': backend/src/a.test.ts has no test "a plain"',
      "line 8, 'fire': backend/src/b.test.ts doesn't exist, so it has no test \"a plain one\"",
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
      'line 9, \'a\': names no test as `path › test name`: "none yet"',
      'line 10, \'a\': names no test as `path › test name`: ""',
      "line 11, 'a': has 3 cells, not 4",
    ]);
  });

  test('is required in every section', () => {
    expect(emptySectionsOf(table())).toEqual(['Wallets']);
    expect(emptySectionsOf(table('| a | b | c | d |'))).toEqual([]);
  });
});
