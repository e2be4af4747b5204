/**
 * Browser tests that need packages of others, so they are no part of `npm test`. `npm run test:panel` signs people in
 * with the identity product's published panel, whose packages (1.2 GB) are installed in `published-panel/`; `npm run
 * test:journey` goes from an empty folder to a signed-in page.
 */
import { join } from 'node:path';
import { findBrowser } from './lib/browser.mjs';
import { install, installPanel } from './lib/install.mjs';
import { buildTestWeb } from './lib/parts.mjs';
import { fail, requireNode, root, step, StepError } from './lib/steps.mjs';

requireNode();
const [name] = process.argv.slice(2);
try {
  await install();
  await buildTestWeb();
  if (name === 'panel') {
    await installPanel();
    await step('Building the published panel', 'node_modules/.bin/vite', ['build', '--logLevel', 'error'], {
      cwd: join(root, 'published-panel'),
    });
  }
  const file = `outside/${name}.spec.ts`;
  await step('Testing in the browser', 'playwright', ['test', '--config', 'outside.config.ts', file], {
    loud: true,
    cwd: join(root, 'e2e'),
    env: { CHROMIUM_PATH: await findBrowser() },
  });
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  fail(error.message);
}
