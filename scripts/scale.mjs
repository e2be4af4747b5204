/**
 * The profile `scale` of docker-compose.yml without Docker: two portals in production mode behind HAProxy with
 * ops/haproxy.cfg, under 200 calls a second and 100 live connections. Restarts one portal after the other. No call may
 * fail, HAProxy repeats none, every live connection comes back, and each portal exits within 10 s after its drain.
 * Needs `haproxy` (Debian: apt-get install haproxy). `--seconds 60` runs longer between the restarts.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode, root, step, StepError } from './lib/steps.mjs';

const callsPerSecond = 200;
const users = 10;
const socketsPerUser = 10;
const drainSeconds = 5;
const exitWithinMs = 10_000;
const { io } = createRequire(join(root, 'backend', 'package.json'))('socket.io-client');
const settings = join(root, 'ops', 'haproxy.cfg');

requireNode();
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } });
const calmMs = Number(values.seconds) * 1000;
if (!(calmMs > 0)) fail('--seconds must be a number above 0; for example --seconds 60');

const folder = mkdtempSync(join(tmpdir(), 'portal-scale-'));
const children = new Set();
let database = null;
try {
  await install();
  await build('contract', 'backend', 'app', 'widget', 'gameSdk');
  await run();
} catch (error) {
  if (!(error instanceof StepError) && error.code !== 'ENOENT') throw error;
  process.exitCode = 1;
  process.stderr.write(
    error.code === 'ENOENT'
      ? `${error.path} is missing; on Debian: apt-get install haproxy\n`
      : `${error.message}\n`,
  );
} finally {
  for (const child of children) child.kill('SIGKILL');
  await database?.stop();
  const { removeDataFolder } = await import('../backend/dist/cluster.folders.js');
  removeDataFolder(join(folder, 'data'));
  rmSync(folder, { recursive: true, force: true });
}

async function run() {
  const { startEmbeddedPostgres } = await import('../backend/dist/embedded.postgres.js');
  database = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
  const [front, a, b] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${front}`;
  const environment = portalEnvironment(url);
  const proxy = { BIND: `127.0.0.1:${front}`, PORTAL_A: `127.0.0.1:${a}`, PORTAL_B: `127.0.0.1:${b}` };
  await step('Checking ops/haproxy.cfg', 'haproxy', ['-c', '-q', '-f', settings], { env: proxy });
  const portals = [await startPortal(a, environment), await startPortal(b, environment)];
  start('haproxy', ['-f', settings], proxy, 'ignore');
  await until('HAProxy finds a portal', () => isOk(`${url}/health/ready`));

  const people = [];
  for (let i = 0; i < users; i++) people.push(await signUp(url, i));
  const sockets = people.flatMap(({ token }) =>
    Array.from({ length: socketsPerUser }, () => open(url, token)),
  );
  await until('all live connections are open', async () => sockets.every(({ socket }) => socket.connected));
  const load = startCalls(
    url,
    people.map(({ key }) => key),
  );
  await pause(calmMs);

  const exits = [];
  for (const [place, port] of [a, b].entries()) {
    process.stdout.write(`Restarting portal ${place === 0 ? 'a' : 'b'} …\n`);
    const stopped = Date.now();
    const old = portals[place];
    old.kill('SIGTERM');
    const [code] = old.exitCode === null ? await once(old, 'exit') : [old.exitCode];
    exits.push({ code, afterDrainMs: Date.now() - stopped - drainSeconds * 1000 });
    portals[place] = await startPortal(port, environment);
    // HAProxy asks every second.
    await pause(Math.max(calmMs, 3_000));
  }
  await until('all live connections are open again', async () =>
    sockets.every(({ socket }) => socket.connected),
  );
  const { sent, failures } = await load.stop();
  for (const { socket } of sockets) socket.disconnect();
  const stored = await callsStored(url, people);

  const cut = sockets.reduce((sum, { cuts }) => sum + cuts.count, 0);
  const slowest = Math.max(0, ...sockets.map(({ cuts }) => cuts.longestMs));
  process.stdout.write(
    `${sent} calls, ${failures.length} failed, ${stored} stored; ${cut} live connections were cut, each came back within ${slowest} ms; ` +
      `exits ${exits.map(({ afterDrainMs }) => `${afterDrainMs} ms`).join(' and ')} after the drain\n`,
  );
  const wrong = [
    failures.length > 0 && `Calls failed: ${[...new Set(failures)].slice(0, 5).join('; ')}`,
    sent < callsPerSecond * (calmMs / 1000) && `Only ${sent} calls were sent`,
    stored !== sent - failures.length &&
      `${sent - failures.length} calls were answered, and ${stored} are stored`,
    cut === 0 && 'No live connection was cut, so the restarts show nothing',
    exits.some(({ code }) => code !== 0) &&
      `A portal exited with ${exits.map(({ code }) => code).join(' and ')}`,
    exits.some(({ afterDrainMs }) => afterDrainMs > exitWithinMs) && 'A portal took too long to exit',
  ].filter(Boolean);
  if (wrong.length > 0) throw new StepError(wrong.join('\n'));
}

/** What docker-compose.yml sets, with limits that one machine can call under. */
function portalEnvironment(url) {
  const { user, host, port, database: name } = database.address;
  return {
    NODE_ENV: 'production',
    PUBLIC_URL: url,
    PORTAL_SECRET: randomBytes(32).toString('hex'),
    DATABASE_URL: `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
    DRAIN_SECONDS: String(drainSeconds),
    TRUST_PROXY: '1',
    // No server listens there: emails wait.
    SMTP_URL: 'smtp://127.0.0.1:9',
    DATA_DIR: join(folder, 'portal'),
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_ADDRESS: '1000000',
    RATE_LIMIT_PER_KEY: '1000000',
    SIGN_IN_LIMIT_PER_ADDRESS: '100000',
    MAIL_LIMIT_PER_CLIENT: '100000',
  };
}

async function startPortal(port, environment) {
  const child = start(
    process.execPath,
    ['--max-semi-space-size=64', 'backend/dist/main.js'],
    { ...environment, PORT: String(port) },
    ['ignore', 'ignore', 'inherit'],
  );
  await until(`the portal on port ${port} is ready`, async () => {
    if (child.exitCode !== null)
      throw new StepError(`The portal on port ${port} ended with ${child.exitCode}`);
    return isOk(`http://127.0.0.1:${port}/health/ready`);
  });
  return child;
}

function start(command, args, env, stdio) {
  const child = spawn(command, args, { cwd: root, env: { PATH: process.env.PATH, ...env }, stdio });
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
}

async function signUp(url, i) {
  const password = 'a long enough password';
  const registered = await post(`${url}/api/v1/auth/email/register`, {
    email: `person-${i}@example.com`,
    password,
    passwordConfirm: password,
  });
  const token = registered.token.accessToken;
  const { key } = await post(`${url}/api/keys`, { name: 'Load' }, { authorization: `Bearer ${token}` });
  return { token, key };
}

/** A live connection as a page opens it, which comes back after it was cut. */
function open(url, token) {
  const cuts = { count: 0, longestMs: 0 };
  let cutAt = null;
  const socket = io(url, {
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
    reconnectionDelay: 200,
    reconnectionDelayMax: 1_000,
  });
  socket.on('disconnect', (reason) => {
    cuts.count += 1;
    cutAt = Date.now();
    // A server that stops says goodbye, after which the client waits to be told.
    if (reason === 'io server disconnect') socket.connect();
  });
  socket.on('connect', () => {
    if (cutAt !== null) cuts.longestMs = Math.max(cuts.longestMs, Date.now() - cutAt);
    cutAt = null;
  });
  return { socket, cuts };
}

/** Calls at a fixed rate over connections that are kept, without repeating any. */
function startCalls(url, keys) {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const failures = [];
  const open = new Set();
  let sent = 0;
  const began = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * callsPerSecond;
    while (sent < due) {
      const key = keys[sent % keys.length];
      sent += 1;
      const answer = callOnce(agent, `${url}/api/v1/key`, key).then(
        (status) => status === 200 || failures.push(`status ${status}`),
        (error) => failures.push(`${error.code ?? ''} ${error.message}`),
      );
      open.add(answer);
      void answer.finally(() => open.delete(answer));
    }
  }, 5);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      agent.destroy();
      return { sent, failures };
    },
  };
}

function callOnce(agent, url, key) {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers: { 'x-api-key': key }, timeout: 15_000 }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
      response.on('error', reject);
    })
      .on('timeout', function () {
        this.destroy(new Error('no answer within 15 s'));
      })
      .on('error', reject)
      .end();
  });
}

async function callsStored(url, people) {
  let calls = 0;
  for (const { token } of people) {
    const answer = await fetch(`${url}/api/analytics/metrics`, {
      headers: { authorization: `Bearer ${token}` },
    });
    calls += (await answer.json()).totals.calls;
  }
  return calls;
}

async function post(url, body, headers = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new StepError(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

function isOk(url) {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function until(what, holds) {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new StepError(`Waited 60 s and it did not happen that ${what}`);
    await pause(100);
  }
}

/** A port that is free now. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
