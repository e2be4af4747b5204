import { expect, test } from '@jest/globals';
import { danglingReferences } from './references.mjs';

const paths = new Set(['docs', 'docs/PRODUCT.md', 'docs/decisions', 'docs/decisions/0007-sockets.md']);

test.each([
  ['src/a.ts', '// Kept apart (decision 7).', []],
  ['src/a.ts', '// See decisions 7 and 12.', ["'decisions 7 and 12' has no record"]],
  ['docs/A.md', 'See [it](PRODUCT.md#limits), [all](decisions/) and [RFC](https://example.com/x).', []],
  ['README.md', 'See [it](PRODUCT.md).', ["'PRODUCT.md' does not exist"]],
  ['src/a.ts', '// `[key](value)` is no link here.', []],
  ['src/a.ts', '// As spec.md says.', ["'spec.md' is not in this repository"]],
  ['src/a.ts', '// For issue 12.', ["'issue 12' is not in this repository"]],
])('in %s, %j refers to nothing that is missing but %j', (path, text, faults) => {
  expect(danglingReferences(path, text, paths)).toEqual(faults);
});
