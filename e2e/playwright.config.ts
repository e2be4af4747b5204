import { defineConfig } from '@playwright/test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { administrator } from './fixtures/administrator';
import { testAuthority } from './fixtures/test.certificate';

/** Workers also evaluate this file, so the port is chosen once and passed on through the environment. */
process.env['PORTAL_E2E_PORT'] ??= String(20_000 + (process.pid % 20_000));
/** The portal's whole output during the run, for a test that searches it for secrets. */
process.env['PORTAL_E2E_LOG'] ??= join(import.meta.dirname, '..', '.cache', 'portal-e2e.log');
const port = process.env['PORTAL_E2E_PORT'];
/** Nothing listens there, except while a spec runs a node: no test depends on a node elsewhere. */
process.env['PORTAL_E2E_NODE_URL'] ??= `http://127.0.0.1:${Number(port) + 1}`;
const baseURL = `http://localhost:${port}`;
const chromium =
  process.env['CHROMIUM_PATH'] ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));
const root = join(import.meta.dirname, '..');

export default defineConfig({
  testMatch: '{journeys,audits,machines}/**/*.spec.ts',
  outputDir: '../test-results',
  // One worker leaves a third of two cores idle.
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [
    ['list'],
    ['./machine.reporter.ts'],
    ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? '../.cache/playwright.json' }],
  ],
  use: {
    baseURL,
    // Tracing takes a quarter of the processor time. For a failing test: `npx playwright test --trace
    // retain-on-failure`.
    trace: 'off',
    // On a busy machine, a click on a dialog or list that is still moving in is lost. Tests that depend on motion allow
    // it: journeys/first.call.spec.ts, and steps of others.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A test's pages end before optimised code pays for its compilation (decision 41).
        '--js-flags=--no-opt,--no-maglev',
        '--host-resolver-rules=MAP *.example.com 127.0.0.1',
        `--ignore-certificate-errors-spki-list=${testAuthority}`,
      ],
    },
  },
  webServer: {
    command: 'node serve.mjs',
    cwd: import.meta.dirname,
    url: `${baseURL}/health/ready`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: {
      PORT: port,
      PUBLIC_URL: baseURL,
      WEB_ROOT: join(root, '.cache', 'web-test'),
      LOG_LEVEL: 'debug',
      ADMINISTRATORS: administrator.address,
      ETH_RPC_URL: process.env['PORTAL_E2E_NODE_URL'],
      PORTAL_E2E_LOG: process.env['PORTAL_E2E_LOG'],
      NODE_OPTIONS: '',
    },
  },
});
