/**
 * Checks ops/alerts.yml and ops/dashboard.json: `promtool` reads the rules, a Prometheus on loopback scrapes a portal,
 * and each expression must return series. An alert's expression is run without its last comparison, which is false
 * while all is well. Needs `prometheus` and `promtool` (Debian: apt-get install prometheus).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode, root, step, StepError } from './lib/steps.mjs';

const withinMs = 60_000;
const rules = join(root, 'ops', 'alerts.yml');
const comparison = / (?:==|!=|>=?|<=?) [\d.]+$/;

requireNode();
const folder = mkdtempSync(join(tmpdir(), 'portal-alerts-'));
const children = [];
try {
  await step('Checking the rules with promtool', 'promtool', ['check', 'rules', rules]);
  await install();
  await build('contract', 'backend');
  const portal = await startPortal();
  const prometheus = await startPrometheus(new URL(portal).host);
  const { groups } = await ask(prometheus, 'rules');
  const alerts = groups.flatMap(({ rules: ofGroup }) => ofGroup);
  checkDescriptions(alerts.map(({ name }) => name));
  const { panels } = JSON.parse(readFileSync(join(root, 'ops', 'dashboard.json'), 'utf8'));
  const expressions = [
    ...alerts.map(({ name, query }) => [`alert ${name}`, withoutComparison(name, query)]),
    ...panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => [`panel ${title}`, expr.replaceAll('$__rate_interval', '1m')]),
    ),
  ];
  const empty = await emptyAmong(prometheus, expressions, portal);
  if (empty.length > 0) {
    throw new StepError(`No series for:\n${empty.map(([name, text]) => `  ${name}: ${text}`).join('\n')}`);
  }
  process.stdout.write(`${expressions.length} expressions return series\n`);
} catch (error) {
  if (!(error instanceof StepError) && error.code !== 'ENOENT') throw error;
  process.exitCode = 1;
  process.stderr.write(
    error.code === 'ENOENT'
      ? `${error.path} is missing; on Debian: apt-get install prometheus\n`
      : `${error.message}\n`,
  );
} finally {
  for (const child of children.reverse()) {
    if (child.exitCode !== null) continue;
    child.kill();
    await once(child, 'exit');
  }
  const { removeDataFolder } = await import('../backend/dist/cluster.folders.js');
  removeDataFolder(join(folder, 'data'));
  rmSync(folder, { recursive: true, force: true });
}

/** docs/OPERATIONS.md says what to do about each alert, and about no other. */
function checkDescriptions(names) {
  const rows = readFileSync(join(root, 'docs', 'OPERATIONS.md'), 'utf8')
    .split('\n## ')
    .find((section) => section.startsWith('Metrics and alerts'))
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const described = rows.flatMap((row) => row.split('|')[1].match(/\w+/g));
  const missing = names.filter((name) => !described.includes(name));
  const extra = described.filter((name) => !names.includes(name));
  if (missing.length + extra.length === 0) return;
  throw new StepError(
    `docs/OPERATIONS.md lacks the alerts ${missing} and describes ${extra}, which do not exist`,
  );
}

function withoutComparison(name, query) {
  if (!comparison.test(query)) throw new StepError(`The alert ${name} must end with a comparison: ${query}`);
  return query.replace(comparison, '');
}

async function startPortal() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  start(process.execPath, ['backend/dist/main.js'], {
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    // Nothing listens there: what the portal tells about shipping exists, and it lags.
    CLICKHOUSE_URL: `http://portal:none@127.0.0.1:${await freePort()}/portal`,
  });
  await until('the portal is ready', () => isOk(`${url}/health/ready`));
  return url;
}

async function startPrometheus(target) {
  const config = join(folder, 'prometheus.yml');
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [rules],
      scrape_configs: [{ job_name: 'portal', static_configs: [{ targets: [target] }] }],
    }),
  );
  const port = await freePort();
  start('prometheus', [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'tsdb')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ]);
  const url = `http://127.0.0.1:${port}`;
  await until('Prometheus is ready', () => isOk(`${url}/-/ready`));
  return url;
}

function start(command, args, env = {}) {
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  child.on('error', (error) => fail(`${command} can't be started: ${error.message}`));
  children.push(child);
}

/** The expressions that still return nothing after a minute, with some requests to the portal meanwhile. */
async function emptyAmong(prometheus, expressions, portal) {
  let empty = expressions;
  const deadline = Date.now() + withinMs;
  while (empty.length > 0 && Date.now() < deadline) {
    await fetch(`${portal}/api/v1/key`);
    await fetch(`${portal}/api/v1/auth/email/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.com', password: 'not a password' }),
    });
    const found = await Promise.all(
      empty.map(([, query]) => ask(prometheus, `query?query=${encodeURIComponent(query)}`)),
    );
    empty = empty.filter((_, i) => found[i].result.length === 0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return empty;
}

async function ask(prometheus, path) {
  const { status, data, error } = await (await fetch(`${prometheus}/api/v1/${path}`)).json();
  if (status !== 'success') throw new StepError(`Prometheus refuses ${decodeURIComponent(path)}: ${error}`);
  return data;
}

function isOk(url) {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function until(what, condition) {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new StepError(`Waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
