import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode } from './lib/steps.mjs';

requireNode();
try {
  // The image installs in a separate step before it copies the sources, so that Docker can cache that step.
  if (!process.argv.includes('--installed')) await install();
  const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  await build(...(named.length > 0 ? named : ['contract', 'backend', 'app', 'widget', 'gameSdk']));
} catch (error) {
  fail(error.message);
}
