import { defineConfig } from '@playwright/test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Workers read this file too, so the port is chosen once and handed down. */
process.env['PORTAL_E2E_PORT'] ??= String(20_000 + (process.pid % 20_000));
/** All the portal says while it is tested, for a test that looks for what it must not say. */
process.env['PORTAL_E2E_LOG'] ??= join(import.meta.dirname, '..', '.cache', 'portal-e2e.log');
const port = process.env['PORTAL_E2E_PORT'];
const baseURL = `http://localhost:${port}`;
const chromium =
  process.env['CHROMIUM_PATH'] ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));
const root = join(import.meta.dirname, '..');

export default defineConfig({
  testMatch: '{journeys,audits,machines}/**/*.spec.ts',
  outputDir: '../test-results',
  workers: 1,
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
    // Recording costs a quarter of the processor time: `npx playwright test --trace retain-on-failure` for one that fails.
    trace: 'off',
    // A click that meets a dialog or a list on its way in is lost on a busy machine. What motion could break asks for
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
        '--host-resolver-rules=MAP *.example.com 127.0.0.1',
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
      PORTAL_E2E_LOG: process.env['PORTAL_E2E_LOG'],
      NODE_OPTIONS: '',
    },
  },
});
