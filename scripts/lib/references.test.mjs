import { expect, test } from '@jest/globals';
import { danglingReferences } from './references.mjs';

const paths = new Set(['docs', 'docs/PRODUCT.md', 'docs/decisions', 'docs/decisions/0007-sockets.md']);

test.each([
  ['src/a.ts', '// Kept apart (decision 7).', []],
  ['src/a.ts', '// See decisions 7 and 12.', ["'decisions 7 and 12' has no record"]],
  ['docs/A.md', 'See [it](PRODUCT.md#limits), [all](decisions/) and [RFC](https://example.com/x).', []],
  ['README.md', 'See [it](PRODUCT.md).', ["'PRODUCT.md' does not exist"]],
  ['README.md', 'As NOTES.md says.', ["'NOTES.md' is not in this repository"]],
  ['README.md', 'The text at `/notes.md`.', []],
  ['src/a.ts', '// `[key](value)` is no link here.', []],
  ['src/a.ts', '// As NOTES.md says.', ["'NOTES.md' is not in this repository"]],
  ['src/a.ts', 'let a; // As PRODUCT.md says.', []],
  ['src/a.ts', '/**\n * As docs/NOTES.md says.\n */', ["'NOTES.md' is not in this repository"]],
  ['src/a.ts', "write('NOTES.md');", []],
])('%s with %j has the missing references %j', (path, text, faults) => {
  expect(danglingReferences(path, text, paths)).toEqual(faults);
});
