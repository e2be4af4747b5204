/** Checks that no folders import each other: on each level, imports between folders go one way. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderCycles } from './lib/folder.cycles.mjs';
import { root } from './lib/steps.mjs';

const levels = [
  'contract/src',
  'backend/src',
  'backend/src/identity',
  'frontend/src',
  'frontend/src/api',
  'frontend/src/features',
];

for (const level of levels) {
  const files = readdirSync(join(root, level), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]);
  for (const fault of folderCycles(level, files)) {
    process.stderr.write(`${level}: ${fault}\n`);
    process.exitCode = 1;
  }
}
