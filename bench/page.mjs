import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { build } from '../scripts/lib/parts.mjs';
import { startPortal, visit } from './lib/lighthouse.mjs';
import { keep } from './lib/report.mjs';

/**
 * Measures the first visit to `/`, or with `--path` to the documentation or the games guide, on the production build of the portal.
 * Lighthouse's mobile preset simulates a slow network and processor. Chromium and the portal share the machine.
 */
const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    path: { type: 'string', default: '/' },
    'dry-run': { type: 'boolean', default: false },
  },
});
/** The name of the stored result of each page. */
const names = { '/': 'page', '/docs': 'docs', '/games-sdk-integration-guide': 'guide' };
if (!Object.hasOwn(names, options.path)) {
  throw new Error(`No page '${options.path}'. Choose one of: ${Object.keys(names).join(', ')}`);
}

await build('contract', 'backend', 'app', 'widget');
const runs = [];
const portal = await startPortal();
try {
  for (let run = 1; run <= Number(options.runs); run++) {
    const result = await visit(`${portal.url}${options.path}`);
    runs.push(result);
    process.stdout.write(`run ${run}: ${JSON.stringify(result)}\n`);
  }
} finally {
  await portal.stop();
}
if (!options['dry-run']) {
  await mkdir(new URL('results/', import.meta.url), { recursive: true });
  await keep(names[options.path], { runs });
}
