/** Checks that whatever a comment or a document refers to is in the repository. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { danglingReferences } from './lib/references.mjs';
import { root } from './lib/steps.mjs';

const made = new Set(['node_modules', 'dist', 'test-results', 'playwright-report', 'coverage']);
const isRead = (path) =>
  /\.(md|[cm]?[jt]sx?|css|html|sql|yml)$/.test(path) && !path.startsWith('scripts/lib/references.');

/** Every file and folder of the repository, without build output and hidden ones, by its path from the root. */
function* pathsIn(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (made.has(entry.name) || entry.name.startsWith('.')) continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    yield path;
    if (entry.isDirectory()) yield* pathsIn(path);
  }
}

const paths = new Set(pathsIn(''));
for (const path of [...paths].filter(isRead)) {
  for (const fault of danglingReferences(path, readFileSync(join(root, path), 'utf8'), paths)) {
    process.stderr.write(`${path}: ${fault}\n`);
    process.exitCode = 1;
  }
}
