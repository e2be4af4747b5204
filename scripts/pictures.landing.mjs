/**
 * Takes the pictures of the landing page: screens of the real portal with an example project and a day of calls that
 * were really made, light and dark, as WebP into frontend/src/features/landing/pictures.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findBrowser } from './lib/browser.mjs';
import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { requireNode, root } from './lib/steps.mjs';

const landing = join(root, 'frontend/src/features/landing');
const folder = join(landing, 'pictures');
const maxBytes = 60_000;
/** The address the pictures show: that of a fresh clone. The browser finds the portal there whatever its port is. */
const shownUrl = 'http://localhost:3000';

const screens = {
  usage: { width: 1104, height: 690, take: (page) => openUsage(page) },
  'usage-narrow': { width: 360, height: 600, take: (page) => openUsage(page) },
  wizard: { width: 640, height: 690, take: (page, names) => runWizard(page, names) },
  'wizard-narrow': { width: 360, height: 600, take: (page, names) => runWizard(page, names) },
  panel: { width: 420, height: 480, isSignedOut: true, take: (page) => openPanel(page) },
};

requireNode();
await install();
await build('contract', 'backend', 'app', 'widget');
const portal = await startPortal();
try {
  const account = await makeAccount(portal.url);
  await makeCalls(portal, account.apiKey);
  await takeAll(portal.port, account);
} finally {
  await portal.stop();
}

async function startPortal() {
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-pictures-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const clock = new URL('./lib/late.clock.mjs', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', clock, join(root, 'backend/dist/backend/src/main.js')], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      PUBLIC_URL: shownUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      WEB_ROOT: process.env.WEB_ROOT ?? join(root, 'frontend/dist'),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The portal ended with exit code ${child.exitCode}`);
    await wait(100);
  }
  return {
    port,
    url,
    async setClockBack(lateMs) {
      child.send({ lateMs });
      await once(child, 'message');
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function makeAccount(url) {
  const post = async (path, body, token) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const password = 'correct horse battery';
  const { token } = await post('/api/v1/auth/email/register', {
    email: 'developer@example.org',
    password,
    passwordConfirm: password,
  });
  await post('/api/v1/user/profile', { displayName: 'Acme Developers' }, token.accessToken);
  const { apiKey } = await post(
    '/devportal/v1/project',
    { projectName: 'Acme Shop', whitelistURL: ['https://shop.example.org', 'https://www.example.org'] },
    token.accessToken,
  );
  return { token, apiKey };
}

/** A day of calls, more by day than by night: mostly answered, some refused, some from a site that may not call. */
async function makeCalls(portal, apiKey) {
  const everyMs = 10 * 60_000;
  const spans = (24 * 60 * 60_000) / everyMs;
  for (let span = 1; span <= spans; span++) {
    const lateMs = (spans - span) * everyMs;
    await portal.setClockBack(lateMs);
    const dayTime = (1 - Math.cos((2 * Math.PI * span) / spans)) / 2;
    const count = Math.round(6 + 30 * dayTime + 5 * Math.sin(span * 1.7) + (span % 23 === 0 ? 14 : 0));
    const calls = Array.from({ length: Math.max(2, count) }, (_, index) => (span * 31 + index * 7) % 97);
    await Promise.all(calls.map((chance) => call(portal.url, apiKey, chance)));
  }
}

async function call(url, apiKey, chance) {
  const isWrong = chance < 4;
  const isStrange = chance === 5 || chance === 6;
  const path = isWrong ? '/api/v1/wallet/balance?address=0x12' : '/api/v1/key';
  const origin = isStrange
    ? 'https://stranger.example.net'
    : chance % 3 === 0
      ? 'https://www.example.org'
      : 'https://shop.example.org';
  const answer = await fetch(url + path, { headers: { 'x-api-key': apiKey, origin } });
  await answer.arrayBuffer();
}

async function takeAll(port, { token }) {
  const { chromium } = createRequire(join(root, 'e2e', 'package.json'))('@playwright/test');
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      `--host-resolver-rules=MAP ${new URL(shownUrl).host} 127.0.0.1:${port}`,
    ],
  });
  mkdirSync(folder, { recursive: true });
  const sizes = {};
  try {
    for (const [name, { take, width, height, isSignedOut }] of Object.entries(screens)) {
      for (const colorScheme of ['light', 'dark']) {
        const context = await browser.newContext({
          viewport: { width: Math.max(width, 360), height: 1000 },
          deviceScaleFactor: 2,
          colorScheme,
          reducedMotion: 'reduce',
          timezoneId: 'UTC',
        });
        if (!isSignedOut) await context.addInitScript(store, token);
        const page = await context.newPage();
        await page.setViewportSize({ width: name === 'wizard' ? 760 : Math.max(width, 360), height });
        const clip = (await take(page, { name, colorScheme })) ?? { x: 0, y: 0, width, height };
        sizes[name] = { width: Math.round(clip.width), height: Math.round(clip.height) };
        writeFileSync(join(folder, `${name}-${colorScheme}.webp`), await webpOf(page, clip));
        await context.close();
      }
    }
  } finally {
    await browser.close();
  }
  const lines = Object.entries(sizes).map(
    ([name, { width, height }]) =>
      `  ${name.includes('-') ? `'${name}'` : name}: { width: ${width}, height: ${height} },\n`,
  );
  writeFileSync(
    join(landing, 'picture.sizes.ts'),
    `/** Written by \`npm run pictures:landing\`: what it cut out of the portal's screens, in CSS pixels. */\nexport const pictureSizes = {\n${lines.join('')}} as const;\n`,
  );
}

/** Runs in the page, before any of its scripts. */
function store(tokens) {
  localStorage.setItem('accessToken', tokens.accessToken);
  localStorage.setItem('refreshToken', tokens.refreshToken);
  localStorage.setItem('passport-token', JSON.stringify({ state: tokens, version: 0 }));
}

/** The best quality that is small enough. */
async function webpOf(page, clip) {
  const devtools = await page.context().newCDPSession(page);
  for (let quality = 90; ; quality -= 5) {
    const { data } = await devtools.send('Page.captureScreenshot', {
      format: 'webp',
      quality,
      clip: { ...clip, scale: 1 },
      captureBeyondViewport: true,
    });
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length <= maxBytes || quality <= 30) {
      process.stdout.write(`${clip.width}×${clip.height}: quality ${quality}, ${bytes.length} bytes\n`);
      return bytes;
    }
  }
}

async function openUsage(page) {
  await page.goto(`${shownUrl}/usage`);
  await page.getByText('Live', { exact: true }).first().waitFor();
  await page.locator('canvas').first().waitFor();
  await page.getByRole('row').nth(5).waitFor();
  await page.evaluate(() => document.fonts.ready);
  await wait(500);
  return null;
}

async function runWizard(page, { name, colorScheme }) {
  await page.goto(`${shownUrl}/orange-id`);
  const wizard = page.locator('[data-machine="wizard"]');
  await wizard
    .getByRole('textbox', { name: 'Project name' })
    .fill(`Acme Game ${name.length}${colorScheme.length}`);
  await wizard.getByRole('button', { name: 'Create New' }).click();
  await wizard.getByRole('textbox', { name: 'Whitelist URL' }).fill('https://game.example.org');
  await wizard.getByRole('button', { name: 'Add URL' }).click();
  await wizard.getByRole('button', { name: 'Create Project' }).click();
  await wizard.getByRole('button', { name: 'Copy curl command' }).waitFor();
  await page.evaluate(() => {
    document.activeElement?.blur();
    document.querySelectorAll('[role=region] [role=listitem], .toast').forEach((toast) => toast.remove());
  });
  await page.evaluate(() => document.fonts.ready);
  await wait(500);
  return null;
}

async function openPanel(page) {
  await page.goto(`${shownUrl}/login`);
  await page.getByRole('button', { name: 'Connect Wallet' }).waitFor();
  await page.evaluate(() => document.fonts.ready);
  return page.locator('.oid-login-panel').boundingBox();
}
