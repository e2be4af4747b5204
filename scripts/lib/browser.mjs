import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root, step, StepError } from './steps.mjs';

/** The headless shell first, like Playwright: it draws no window and takes a quarter less processor time. */
const known = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** A Chromium: the one named by CHROMIUM_PATH, Playwright's own, the system's, or one that can be installed. */
export async function findBrowser() {
  const { chromium } = createRequire(join(root, 'e2e', 'package.json'))('@playwright/test');
  const find = () =>
    [process.env.CHROMIUM_PATH, chromium.executablePath(), ...known].find((path) => path && existsSync(path));
  const host = process.env.PLAYWRIGHT_DOWNLOAD_HOST ?? 'https://cdn.playwright.dev';
  const installers = [
    async () => {
      // Playwright's installer would try an unreachable host five times.
      await fetch(host, { method: 'HEAD', signal: AbortSignal.timeout(10_000) });
      await step('Downloading a browser for the tests', 'playwright', ['install', 'chromium']);
    },
    async () => {
      if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
      const install = 'DEBIAN_FRONTEND=noninteractive apt-get install -qy';
      await step('Installing Chromium for the tests', 'sh', [
        '-c',
        `apt-get update -q; ${install} chromium-headless-shell || ${install} chromium`,
      ]);
    },
  ];
  for (const install of installers) if (!find()) await install().catch(() => undefined);
  const path = find();
  if (path) return path;
  throw new StepError(
    'The browser tests need Chromium. Install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH to a Chromium or Chrome.',
  );
}
