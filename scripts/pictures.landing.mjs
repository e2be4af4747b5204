/**
 * Takes the pictures of the landing page: screens of the real portal with an example project and a day of real calls,
 * light and dark, as WebP into frontend/src/features/landing/pictures. Takes only the pictures whose names are given as
 * arguments, or all.
 */
/* global document, localStorage, window */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findBrowser } from './lib/browser.mjs';
import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { requireNode, root } from './lib/steps.mjs';

const landing = join(root, 'frontend/src/features/landing');
const folder = join(landing, 'pictures');
/** Device pixels per CSS pixel, for high-density screens. */
const scale = 2;
const maxBytes = (width) => (width > 640 ? 106_000 : width > 360 ? 70_000 : 25_200);
/** The URL that the browser opens, whatever the port of the portal. */
const openedUrl = 'http://localhost:3000';
/** The URL in the code that the pictures show. */
const shownUrl = 'https://id.example.com';

const screens = {
  usage: { width: 1104, height: 790, take: (page) => openUsage(page) },
  'usage-narrow': { width: 360, height: 640, take: (page) => openUsage(page) },
  projects: { width: 640, height: 640, take: (page) => openProjects(page) },
  'projects-narrow': { width: 360, height: 560, take: (page) => openProjects(page) },
  // The height ends below 'Waiting for your first call...'.
  wizard: { width: 640, height: 786, isNew: true, take: (page) => runWizard(page) },
  'wizard-narrow': { width: 360, height: 640, isNew: true, take: (page) => runWizard(page) },
  users: {
    width: 720,
    height: 652,
    windowWidth: 1104,
    windowHeight: 800,
    take: (page) => openUsers(page, 720),
  },
  'users-narrow': { width: 360, height: 648, windowHeight: 800, take: (page) => openUsers(page, 360) },
  configurator: { width: 960, height: 660, take: (page) => openConfigurator(page) },
  'configurator-narrow': { width: 360, height: 640, take: (page) => openConfigurator(page) },
};

const asked = process.argv.slice(2);
const takes = (name) => asked.length === 0 || asked.includes(name);

requireNode();
await install();
await build('contract', 'backend', 'app', 'widget', 'gameSdk');
const node = await startNode();
const portal = await startPortal(node.url);
try {
  const account = await makeAccount(portal.url);
  const { apiKey, projectId } = await makeProject(portal.url, account, 'Acme Shop', [
    'https://shop.example.org',
    'https://www.example.org',
  ]);
  await makeProject(portal.url, account, 'Acme Game', ['https://game.example.org']);
  await makeProject(portal.url, account, 'Acme Studio', ['https://studio.example.org']);
  await saveLook(portal.url, account, projectId, 'forest');
  if (takes('usage') || takes('usage-narrow')) await makeCalls(portal, apiKey);
  await makeUsers(portal, projectId);
  await takeAll(portal, account);
} finally {
  await portal.stop();
  node.stop();
}

/**
 * Replaces an Ethereum node. It takes as long as a hosted one, mostly 25 to 60 ms and sometimes up to 200, so that the
 * pictures show realistic response times.
 */
async function startNode() {
  let asked = 0;
  const answerOf = ({ id, method }) => {
    const results = { eth_chainId: '0x1', eth_getBalance: '0x14d1120d7b160000', eth_getCode: '0x' };
    return { jsonrpc: '2.0', id, result: results[method] ?? '0x0' };
  };
  const server = createHttpServer(async (request, response) => {
    const question = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const place = (asked++ * 37) % 100;
    await wait(place < 94 ? 25 + (place * 35) / 94 : 110 + (place - 94) * 18);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(question) ? question.map(answerOf) : answerOf(question)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () => server.close().closeAllConnections(),
  };
}

async function startPortal(nodeUrl) {
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-pictures-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const clock = new URL('./lib/late.clock.mjs', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', clock, join(root, 'backend/dist/main.js')], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      PUBLIC_URL: openedUrl,
      DATA_DIR: dataDir,
      ETH_RPC_URL: nodeUrl,
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
    dataDir,
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

async function post(url, path, body, token) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Signs up a developer with a complete profile and returns the tokens. */
async function makeAccount(url) {
  const password = 'correct horse battery';
  const email = `developer-${randomUUID().slice(0, 8)}@example.org`;
  const { token } = await post(url, '/api/v1/auth/email/register', {
    email,
    password,
    passwordConfirm: password,
  });
  await post(url, '/api/v1/user/profile', { displayName: 'Acme Developers' }, token.accessToken);
  return token;
}

function makeProject(url, { accessToken }, projectName, whitelistURL) {
  return post(url, '/devportal/v1/project', { projectName, whitelistURL }, accessToken);
}

/** Saves a preset as the look of the project's login panel. */
async function saveLook(url, { accessToken }, code, presetId) {
  const { appearancePresets } = await import('@orange-id/contract/appearance.presets');
  const { appearance } = appearancePresets.find(({ id }) => id === presetId);
  const answer = await fetch(`${url}/api/projects/${code}/appearance`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ base: 0, appearance, preview: null }),
  });
  if (!answer.ok) throw new Error(`Saving a look: ${answer.status} ${await answer.text()}`);
}

/**
 * People who signed in over the last 90 days, more of them each week, and less on weekends. Nobody shows a name. In the
 * database, because a sign-in counts on the database's day.
 */
async function makeUsers({ dataDir }, code) {
  const { findEmbedded } = await import('../backend/dist/embedded.postgres.js');
  const { Client } = createRequire(join(root, 'backend', 'package.json'))('pg');
  const client = new Client(await findEmbedded(dataDir));
  await client.connect();
  // Shares of a hundred people, by name.
  const pick = (shares) =>
    `(array[${shares.flatMap(([name, share]) => Array(share).fill(`'${name}'`)).join()}])[1 + place % 100]`;
  try {
    await client.query(
      `with people as (
         insert into users (id, issuer, subject, provider)
         select gen_random_uuid(), 'embedded', 'picture ' || n, 'email' from generate_series(1, 640) n
         returning id, substr(subject, 9)::int as n
       ), connected as (
         insert into tenant_connections (id, project_id, user_id, created_at)
         select gen_random_uuid(), p.id, people.id, least(now() - interval '1 minute' * n,
           date_trunc('day', now()) - interval '1 day' * (89 - floor(89 * power(n / 640.0, 0.7))) + interval '7 minutes' * (n % 120))
         from people, projects p where p.code = $1 returning id, project_id, created_at
       ), numbered as (
         select *, row_number() over (order by created_at)::int * 37 as place from connected
       )
       insert into tenant_sign_ins (connection_id, project_id, day, method, platform, region, is_new, calls, last_at)
       select id, project_id, (at at time zone 'UTC')::date,
         ${pick([
           ['google', 41],
           ['email', 28],
           ['wallet', 19],
           ['apple', 12],
         ])},
         ${pick([
           ['Windows', 31],
           ['iPhone', 24],
           ['Android', 21],
           ['macOS', 15],
           ['Linux', 9],
         ])},
         ${pick([
           ['US', 29],
           ['DE', 19],
           ['GB', 14],
           ['IN', 13],
           ['BR', 11],
           ['JP', 8],
           ['ZZ', 6],
         ])},
         again = 0, 1 + place % 3, at
       from numbered, generate_series(0, 89) again,
         lateral (select created_at + interval '1 day' * again + interval '3 minutes' * (place % 50) as at) day
       where at < now() and (again = 0 or (place + again * 29) % 100 < 9 + 4 * sin(again)
         and extract(isodow from at) < 6 + 2 * (place % 2))`,
      [code],
    );
  } finally {
    await client.end();
  }
}

/** A day of calls, more by day than by night: most are answered, some refused, some from a site that is not allowed. */
async function makeCalls(portal, apiKey) {
  const everyMs = 5 * 60_000;
  const perDay = (24 * 60 * 60_000) / everyMs;
  for (let span = 1; span <= perDay; span++) {
    await portal.setClockBack((perDay - span) * everyMs);
    const dayTime = (1 - Math.cos((2 * Math.PI * span) / perDay)) / 2;
    const count = Math.round(3 + 10 * dayTime + 2 * Math.sin(span * 0.9));
    const calls = Array.from({ length: count }, (_, index) => (span * 31 + index * 7) % 97);
    await Promise.all(calls.map((chance) => call(portal.url, apiKey, chance)));
  }
}

async function call(url, apiKey, chance) {
  const isWrong = chance < 4;
  const isStrange = chance === 5 || chance === 6;
  const path = isWrong
    ? '/api/v1/wallet/balance?address=0x12'
    : chance % 4 === 0
      ? '/api/v1/key'
      : `/api/v1/wallet/balance?address=0x${String(chance).padStart(40, '0')}`;
  const origin = isStrange
    ? 'https://stranger.example.net'
    : chance % 3 === 0
      ? 'https://www.example.org'
      : 'https://shop.example.org';
  const answer = await fetch(url + path, { headers: { 'x-api-key': apiKey, origin } });
  await answer.arrayBuffer();
}

async function takeAll(portal, owner) {
  const { chromium } = createRequire(join(root, 'e2e', 'package.json'))('@playwright/test');
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      // With these checks, a document that this script fulfils could not connect to this machine: it has no network
      // address.
      '--disable-features=LocalNetworkAccessChecks',
      `--host-resolver-rules=MAP ${new URL(openedUrl).host} 127.0.0.1:${portal.port}`,
    ],
  });
  mkdirSync(folder, { recursive: true });
  try {
    for (const [
      name,
      { take, width, height, windowWidth = width, windowHeight = height, isNew },
    ] of Object.entries(screens)) {
      if (!takes(name)) continue;
      for (const colorScheme of ['light', 'dark']) {
        const context = await browser.newContext({
          viewport: { width: windowWidth, height: windowHeight },
          deviceScaleFactor: scale,
          colorScheme,
          reducedMotion: 'reduce',
          timezoneId: 'UTC',
        });
        await context.addInitScript(store, isNew ? await makeAccount(portal.url) : owner);
        const page = await context.newPage();
        await page.route(openedUrl + '/**', (route) => showAddress(route, portal.url));
        const corner = (await take(page)) ?? { x: 0, y: 0 };
        await page.evaluate(() => document.fonts.ready);
        await wait(500);
        await page
          .getByRole('region', { name: /^Notifications/ })
          .evaluateAll((regions) => regions.forEach((region) => (region.style.display = 'none')));
        writeFileSync(
          join(folder, `${name}-${colorScheme}.webp`),
          await webpOf(page, { ...corner, width, height }, `${name}, ${colorScheme}`),
        );
        await context.close();
      }
    }
  } finally {
    await browser.close();
  }
  const lines = Object.entries(screens).map(
    ([name, { width, height }]) =>
      `  ${name.includes('-') ? `'${name}'` : name}: { width: ${width}, height: ${height} },\n`,
  );
  writeFileSync(
    join(landing, 'picture.sizes.ts'),
    `/** Written by \`npm run pictures:landing\`: what it cut out of the portal's screens, in CSS pixels. */\nexport const pictureSizes = {\n${lines.join('')}} as const;\n`,
  );
}

/** Runs in the page before any of its scripts. */
function store(tokens) {
  localStorage.setItem('accessToken', tokens.accessToken);
  localStorage.setItem('refreshToken', tokens.refreshToken);
  localStorage.setItem('passport-token', JSON.stringify({ state: tokens, version: 0 }));
}

/** Encodes at the best quality that is small enough. */
async function webpOf(page, clip, title) {
  const devtools = await page.context().newCDPSession(page);
  for (let quality = 90; ; quality -= 5) {
    const { data } = await devtools.send('Page.captureScreenshot', {
      format: 'webp',
      quality,
      clip: { ...clip, scale },
    });
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length <= maxBytes(clip.width) || quality <= 30) {
      process.stdout.write(`${title}: quality ${quality}, ${bytes.length} bytes\n`);
      return bytes;
    }
  }
}

/** Serves pages in which the portal has the URL that the pictures show. */
async function showAddress(route, portalUrl) {
  if (route.request().resourceType() !== 'document') return route.fallback();
  const response = await route.fetch({ url: route.request().url().replace(openedUrl, portalUrl) });
  const body = await response.text();
  return route.fulfill({
    response,
    body: body.replace(`"publicUrl":"${openedUrl}"`, `"publicUrl":"${shownUrl}"`),
  });
}

async function openUsage(page) {
  await page.goto(`${openedUrl}/usage?compare=off`);
  await page.getByText('Live', { exact: true }).first().waitFor();
  await page.locator('canvas').first().waitFor();
  await page.evaluate(() => document.activeElement.blur());
}

async function openProjects(page) {
  await page.goto(`${openedUrl}/projects?project=Acme+Shop`);
  await page.getByRole('heading', { name: 'Acme Shop', exact: true }).waitFor();
}

/**
 * The card 'Users' alone, in the middle of `width`; resolves to the picture's upper left corner. The page shows the
 * users only if the portal's URL is the opened one.
 */
async function openUsers(page, width) {
  await page.unroute(openedUrl + '/**');
  await page.goto(`${openedUrl}/projects?project=Acme+Shop`);
  const users = page.locator('section[aria-labelledby="users-title"]');
  await users.getByRole('table', { name: 'Growth' }).waitFor({ state: 'attached' });
  await users.locator('canvas').waitFor();
  await users.getByRole('group', { name: 'People' }).getByRole('row').nth(3).waitFor();
  await page.evaluate(() => document.fonts.ready);
  return users.evaluate((section, shown) => {
    // Below the page's header. The browser draws only what is in view; the corner counts from the top of the page.
    window.scrollBy(0, section.getBoundingClientRect().top - 120);
    const { left, right, top } = section.closest('.ant-card').getBoundingClientRect();
    return { x: Math.round((left + right - shown) / 2), y: Math.round(window.scrollY + top - 12) };
  }, width);
}

async function runWizard(page) {
  await page.goto(`${openedUrl}/orange-id`);
  const wizard = page.locator('[data-machine="wizard"]');
  await wizard.getByRole('textbox', { name: 'Project name' }).fill('Acme Game');
  await wizard.getByRole('button', { name: 'Create New' }).click();
  await wizard.getByRole('textbox', { name: 'Allowed URL' }).fill('https://game.example.org');
  await wizard.getByRole('button', { name: 'Add URL' }).click();
  await wizard.getByRole('button', { name: 'Create Project' }).click();
  await wizard.getByRole('button', { name: 'Copy curl command' }).waitFor();
  await page.evaluate(() => document.activeElement.blur());
}

/** The configurator alone, as in full screen. Its page works only if the portal's URL is the opened one. */
async function openConfigurator(page) {
  await page.unroute(openedUrl + '/**');
  await page.goto(`${openedUrl}/customisation?project=Acme+Shop`);
  const frame = page.frameLocator('iframe[title="Widget configurator"]');
  // By keyboard, because a pointer would leave the button's tooltip open.
  await frame.getByRole('button', { name: 'Full screen' }).press('Enter');
  await frame.getByRole('button', { name: 'Leave full screen' }).waitFor();
  await frame.locator('body').evaluate(() => document.activeElement.blur());
}
