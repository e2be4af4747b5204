/** Checks that every row of the tables in docs/SECURITY.md names tests that exist and run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptySectionsOf, faultsIn, testEnding } from './lib/threat.tables.mjs';
import { pathsOfRepository, root } from './lib/steps.mjs';

const document = 'docs/SECURITY.md';
const readSource = (path) => readFileSync(join(root, path), 'utf8');
const markdown = readSource(document);
const faults = [
  ...faultsIn(
    markdown,
    pathsOfRepository().filter((path) => testEnding.test(path)),
    readSource,
  ),
  ...emptySectionsOf(markdown).map((title) => `section '${title}' has no row`),
];
for (const fault of faults) process.stderr.write(`${document}, ${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
