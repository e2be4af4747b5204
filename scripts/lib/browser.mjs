import { execFileSync } from 'node:child_process';
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
  const own = () =>
    createRequire(join(root, 'e2e', 'package.json'))('@playwright/test').chromium.executablePath();
  const there = () => [process.env.CHROMIUM_PATH, own(), ...known].find((path) => path && existsSync(path));
  if (there()) return there();

  await step('Downloading a browser for the tests', 'playwright', ['install', 'chromium']).catch(
    () => undefined,
  );
  if (there()) return there();
  if (process.getuid?.() === 0 && has('apt-get')) {
    await step('Installing Chromium for the tests', 'sh', [
      '-c',
      'apt-get update -q; for name in chromium-headless-shell chromium; do DEBIAN_FRONTEND=noninteractive apt-get install -qy $name && break; done',
    ]).catch(() => undefined);
  }
  if (there()) return there();
  throw new StepError(
    'The browser tests need Chromium. Install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH to a Chromium or Chrome.',
  );
}

function has(program) {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
