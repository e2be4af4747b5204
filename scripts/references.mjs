/** Checks that whatever a comment or a document refers to is in the repository. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { danglingReferences } from './lib/references.mjs';
import { pathsOfRepository, root } from './lib/steps.mjs';

const isRead = (path) =>
  /\.(md|[cm]?[jt]sx?|css|html|sql|yml)$/.test(path) && !path.startsWith('scripts/lib/references.');

const paths = new Set(pathsOfRepository());
for (const path of [...paths].filter(isRead)) {
  for (const fault of danglingReferences(path, readFileSync(join(root, path), 'utf8'), paths)) {
    process.stderr.write(`${path}: ${fault}\n`);
    process.exitCode = 1;
  }
}
