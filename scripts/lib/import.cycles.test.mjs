import { expect, test } from '@jest/globals';
import { fileCycles, folderCycles } from './import.cycles.mjs';

const keys = ['src/keys/key.ts', "import { load } from '../mail/inner/load.js';"];
const mail = ['src/mail/inner/load.ts', "export { key } from '../../keys/key.js';"];

test('folders that import each other are listed with the files that do', () => {
  expect(folderCycles('src', [keys, mail])).toEqual([
    'keys → mail: src/keys/key.ts imports src/mail/inner/load.js',
    'mail → keys: src/mail/inner/load.ts imports src/keys/key.js',
  ]);
});

test('a cycle through a third folder is listed, and a folder that only imports from it is not', () => {
  const faults = folderCycles('src', [
    ['src/a/a.ts', "import type { B } from '../b/b';"],
    ['src/b/b.ts', "export const c = () => import('../c/c.tsx');"],
    ['src/c/c.tsx', "import '../a/a.js';"],
    ['src/d/d.ts', "import '../a/a.js';"],
  ]);
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(['a → b', 'b → c', 'c → a']);
});

test('a file beside the folders counts as a separate folder', () => {
  const faults = folderCycles('src', [
    ['src/main.ts', "import './a/a.js';"],
    ['src/a/a.ts', "import '../main.js';"],
  ]);
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(['. → a', 'a → .']);
});

test.each([
  ['a test', 'src/keys/key.test.ts'],
  ['a module', 'src/keys/keys.module.ts'],
  ['the factory of the application', 'src/app.factory.ts'],
  ['a helper of tests', 'src/testing/portal.ts'],
])('%s may import every folder', (_, path) => {
  const from = path.split('/').length === 2 ? './' : '../';
  const back = ['src/mail/load.ts', `import '../${path.slice(4).replace('.ts', '.js')}';`];
  expect(folderCycles('src', [[path, `import '${from}mail/load.js';`], back])).toEqual([]);
});

test('imports within a folder, of packages, in comments and outside the base folder are not reported', () => {
  expect(
    folderCycles('src/a', [
      ['src/a/b/b.ts', "import './c.js';\nimport 'zod';\n// import '../d/d.js';\nimport '../../e/e.js';"],
      ['src/a/b/c.ts', "import './b.js';"],
      ['src/a/d/d.ts', "import '../b/b.js';"],
      ['src/e/e.ts', "import '../a/b/b.js';"],
    ]),
  ).toEqual([]);
});

test('files that import each other are listed, also through others and for a type only', () => {
  expect(
    fileCycles([
      ['src/a.ts', "import type { B } from './b/b.js';"],
      ['src/b/b.ts', "export const c = () => import('./c.js');"],
      ['src/b/c.tsx', "export { a } from '../a';"],
      ['src/d.ts', "import './a.js';\nimport './b/b.css';\nimport 'zod';\n// import './e.js';"],
      ['src/e.ts', "import './d.js';"],
    ]),
  ).toEqual(['src/a.ts imports src/b/b.js', 'src/b/b.ts imports src/b/c.js', 'src/b/c.tsx imports src/a']);
});

test('a file that imports itself is listed', () => {
  expect(fileCycles([['src/a.ts', "import { a } from './a.js';"]])).toEqual(['src/a.ts imports src/a.js']);
});
