/** Checks that every row of the tables in docs/SECURITY.md names tests that exist and run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptySectionsOf, faultsIn } from './lib/threat.tables.mjs';
import { root } from './lib/steps.mjs';

const document = 'docs/SECURITY.md';

function readSource(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return null;
  }
}

const markdown = readSource(document);
const faults = [
  ...faultsIn(markdown, readSource),
  ...emptySectionsOf(markdown).map((title) => `section '${title}' has no row`),
];
for (const fault of faults) process.stderr.write(`${document}, ${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
