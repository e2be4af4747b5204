/** Checks that package-lock.json lists the builds of every platform, so that `npm ci` works on all of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingBuilds } from './lib/lock.platforms.mjs';
import { root } from './lib/steps.mjs';

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const missing = missingBuilds(packages);
for (const line of missing) process.stderr.write(`package-lock.json lacks ${line}\n`);
if (missing.length > 0) {
  process.stderr.write('Pin a version that the registry has for every platform (decision 39).\n');
  process.exitCode = 1;
}
