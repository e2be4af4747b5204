/**
 * Copies the packages that the built backend loads from outside, with what these need, into a folder: the image's
 * `node_modules`. Everything else is in the bundle.
 */
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outside } from '../backend/rolldown.config.mjs';
import { fail, root } from './lib/steps.mjs';

const [target] = process.argv.slice(2);
if (target === undefined)
  fail('Name the folder to copy to; for example: node scripts/image.modules.mjs modules');

const copied = new Set();
for (const name of outside) copyPackage(name);
process.stdout.write(`Copied ${[...copied].sort().join(', ')}\n`);

/** npm leaves out the optional packages of other platforms. */
function copyPackage(name, { isOptional = false } = {}) {
  if (copied.has(name)) return;
  const from = join(root, 'node_modules', name);
  if (!existsSync(from)) {
    if (isOptional) return;
    fail(`${name} isn't installed in node_modules; run npm ci first`);
  }
  copied.add(name);
  cpSync(from, join(target, name), { recursive: true });
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(from, 'package.json'), 'utf8'),
  );
  for (const each of Object.keys(dependencies)) {
    copyPackage(each, { isOptional: each in optionalDependencies });
  }
  for (const each of Object.keys(optionalDependencies)) copyPackage(each, { isOptional: true });
}
