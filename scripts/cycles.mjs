/** Checks that no files import each other, and no folders on the same level: imports go one way. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileCycles, folderCycles } from './lib/import.cycles.mjs';
import { root } from './lib/steps.mjs';

const sources = [
  'contract/src',
  'backend/src',
  'frontend/src',
  'frontend/configurator',
  'frontend/widget',
  'game-sdk/src',
  'frontend/loader',
  'frontend/build',
  'e2e',
  'containers',
];
const levels = [
  'contract/src',
  'backend/src',
  'backend/src/identity',
  'frontend/src',
  'frontend/src/api',
  'frontend/src/features',
];

const files = sources
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  )
  .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
  .map((path) => [path, readFileSync(join(root, path), 'utf8')]);
const faults = [
  ...fileCycles(files),
  ...levels.flatMap((level) => folderCycles(level, files).map((fault) => `${level}: ${fault}`)),
];
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
}
