import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { findBrowser } from '../../scripts/lib/browser.mjs';
import { freePort } from './processes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const metrics = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
  'speed-index',
];

/** Starts the portal as built for production, on a data folder that `stop` removes. */
export async function startPortal() {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-page-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const portal = spawn(process.execPath, [join(root, 'backend/dist/main.js')], {
    cwd: root,
    env: { ...process.env, PORT: String(port), PUBLIC_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  });
  const stop = async () => {
    portal.kill('SIGTERM');
    if (portal.exitCode === null) await once(portal, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  };
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (portal.exitCode !== null) {
      await stop();
      throw new Error(`The portal ended with exit code ${portal.exitCode}`);
    }
    await delay(100);
  }
  return { url, stop };
}

/** One first visit in a browser of its own: Lighthouse's scores and metrics. */
export async function visit(address) {
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
    const { lhr } = await lighthouse(address, { port: browser.port, logLevel: 'error' });
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
