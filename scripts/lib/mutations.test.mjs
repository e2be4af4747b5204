import { expect, test } from '@jest/globals';
import { mutationsOf, randomBy } from './mutations.mjs';

const mutantsOf = (source) => mutationsOf(source, 'a.tsx').map(({ apply }) => apply());

test('a condition is inverted, and a negation removed', () => {
  expect(mutantsOf('const a = b === c;')).toEqual(['const a = b !== c;']);
  expect(mutantsOf('if (!done) go;')).toEqual(['if (done) go;']);
});

test('a statement is removed from its block, and an await from its statement', () => {
  expect(mutantsOf('async () => { await save(); }')).toEqual([
    'async () => { ; }',
    'async () => { save(); }',
  ]);
});

test('numbers, booleans and texts are replaced', () => {
  expect(mutantsOf("f(3, true, 'x');")).toEqual([
    "f(31, true, 'x');",
    "f(3, false, 'x');",
    "f(3, true, 'mutant');",
  ]);
});

test('types and imports are not mutated', () => {
  expect(mutantsOf("import a from 'b'; type T = 'x' | 3; interface I { a: 'y' }")).toEqual([]);
});

test('each mutation names its line', () => {
  expect(mutationsOf('const a = 1;\nconst b = 2;', 'a.ts').map(({ line }) => line)).toEqual([1, 2]);
});

test('each mutation names where the code around it starts, innermost first', () => {
  expect(mutationsOf('go();\nif (a) {\n  go(3);\n}', 'a.ts').at(-1)?.starts).toEqual([
    '3:5',
    '3:2',
    '3:2',
    '2:7',
    '2:0',
  ]);
});

test('the same seed chooses the same mutations, and another seed chooses others', () => {
  const choose = (seed) =>
    Array.from(
      { length: 8 },
      (
        (random) => () =>
          random(1000)
      )(randomBy(seed)),
    );
  expect(choose(1)).toEqual(choose(1));
  expect(choose(1)).not.toEqual(choose(2));
});
