import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode } from './lib/steps.mjs';

requireNode();
try {
  // The image installs in a step of its own, before the sources are there, so that it is done again only when it must.
  if (!process.argv.includes('--installed')) await install();
  const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  await build(...(named.length > 0 ? named : ['contract', 'backend', 'app', 'widget']));
} catch (error) {
  fail(error.message);
}
