import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { findBrowser } from '../scripts/lib/browser.mjs';
import { build } from '../scripts/lib/parts.mjs';
import { freePort } from './lib/processes.mjs';
import { keep } from './lib/report.mjs';

/**
 * Measures the first visit to `/`, or with `--path /docs` to the documentation, on the production build of the portal.
 * Lighthouse's mobile preset simulates a slow network and processor. Chromium and the portal share the machine.
 */
const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    path: { type: 'string', default: '/' },
    'dry-run': { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
/** The name of the stored result of each page. */
const names = { '/': 'page', '/docs': 'docs' };
if (!Object.hasOwn(names, options.path)) {
  throw new Error(`No page '${options.path}'. Choose one of: ${Object.keys(names).join(', ')}`);
}
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const metrics = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
  'speed-index',
];

await build('contract', 'backend', 'app', 'widget');
const dataDir = await mkdtemp(join(tmpdir(), 'portal-page-'));
const port = await freePort();
const url = `http://localhost:${port}`;
const portal = spawn(process.execPath, [join(root, 'backend/dist/main.js')], {
  cwd: root,
  env: { ...process.env, PORT: String(port), PUBLIC_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
  stdio: 'ignore',
});
const runs = [];
try {
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (portal.exitCode !== null) throw new Error(`The portal ended with exit code ${portal.exitCode}`);
    await delay(100);
  }
  for (let run = 1; run <= Number(options.runs); run++) {
    const result = await visit();
    runs.push(result);
    process.stdout.write(`run ${run}: ${JSON.stringify(result)}\n`);
  }
} finally {
  portal.kill('SIGTERM');
  if (portal.exitCode === null) await once(portal, 'exit');
  await rm(dataDir, { recursive: true, force: true });
}
if (!options['dry-run']) {
  await mkdir(new URL('results/', import.meta.url), { recursive: true });
  await keep(names[options.path], { runs });
}

async function visit() {
  const browser = await launch({
    chromePath: await findBrowser(),
    chromeFlags: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  try {
    const { lhr } = await lighthouse(`${url}${options.path}`, { port: browser.port, logLevel: 'error' });
    const { items } = lhr.audits['network-requests'].details;
    const scripts = items.filter(({ resourceType }) => resourceType === 'Script');
    return {
      scores: Object.fromEntries(categories.map((id) => [id, Math.round(lhr.categories[id].score * 100)])),
      ...Object.fromEntries(metrics.map((id) => [id, Math.round(lhr.audits[id].numericValue * 1000) / 1000])),
      scriptBytes: scripts.reduce((sum, { transferSize }) => sum + transferSize, 0),
    };
  } finally {
    browser.kill();
  }
}
