import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode } from './lib/steps.mjs';

requireNode();
try {
  await install();
  await build('contract', 'backend', 'app', 'widget', 'gameSdk');
} catch (error) {
  fail(error.message);
}
await import('../backend/dist/main.js');
