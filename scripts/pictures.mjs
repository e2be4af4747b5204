import { join } from 'node:path';
import { findBrowser } from './lib/browser.mjs';
import { install } from './lib/install.mjs';
import { buildTestWeb } from './lib/parts.mjs';
import { fail, requireNode, root, step, StepError } from './lib/steps.mjs';

requireNode();
try {
  await install();
  await buildTestWeb();
  const env = { CHROMIUM_PATH: await findBrowser() };
  await step('Taking pictures', 'playwright', ['test', '--config', 'pictures.config.ts'], {
    loud: true,
    cwd: join(root, 'e2e'),
    env,
  });
  process.stdout.write('The pictures are in .cache/pictures, named by page, state, theme and width.\n');
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  fail(error.message);
}
