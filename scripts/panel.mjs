/**
 * `npm run test:panel` builds a page with the identity product's published panel, from the sources in its package, and
 * signs people in with it in Chromium. Its packages (1.2 GB) are installed in `published-panel/` only.
 */
import { join } from 'node:path';
import { findBrowser } from './lib/browser.mjs';
import { install, installPanel } from './lib/install.mjs';
import { buildTestWeb } from './lib/parts.mjs';
import { fail, requireNode, root, step, StepError } from './lib/steps.mjs';

requireNode();
try {
  await install();
  await installPanel();
  await buildTestWeb();
  await step(
    'Building the page with the published panel',
    'node_modules/.bin/vite',
    ['build', '--logLevel', 'error'],
    {
      cwd: join(root, 'published-panel'),
    },
  );
  await step('Signing in with the published panel', 'playwright', ['test', '--config', 'panel.config.ts'], {
    loud: true,
    cwd: join(root, 'e2e'),
    env: { CHROMIUM_PATH: await findBrowser() },
  });
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  fail(error.message);
}
