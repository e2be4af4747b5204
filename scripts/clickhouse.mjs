/**
 * The tests that need a real ClickHouse, in their long form: each stored call is in ClickHouse exactly once after 20
 * kills of the portal that ships, 5 kills of ClickHouse and a restart of every portal under load, and a history of 100
 * million calls is measured. The figures go to bench/results/clickhouse.json. Installs Debian's `clickhouse-server` if
 * there is none; its service is not started.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keep } from '../bench/lib/report.mjs';
import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode, root, step, StepError } from './lib/steps.mjs';

requireNode();
const raw = join(root, 'bench', 'results', 'clickhouse.part.ndjson');
try {
  await install();
  await installServer();
  await build('contract', 'backend');
  mkdirSync(join(root, 'bench', 'results'), { recursive: true });
  rmSync(raw, { force: true });
  const jest = ['--selectProjects=backend', '-w', '1', '--', 'usage/clickhouse'];
  await step('Killing portals and ClickHouse, and reading 100 million calls', 'jest', jest, {
    env: { CLICKHOUSE_FORM: 'long', CLICKHOUSE_REPORT: raw },
    loud: true,
  });
  const lines = readFileSync(raw, 'utf8').trim().split('\n');
  await keep('clickhouse', Object.assign({}, ...lines.map((line) => JSON.parse(line))));
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  fail(error.message);
} finally {
  rmSync(raw, { force: true });
}

async function installServer() {
  const PATH = `${process.env.PATH}:/usr/sbin`;
  if (spawnSync('clickhouse-server', ['--version'], { env: { PATH } }).error === undefined) return;
  // The run level of a rescue system: Debian's packages then start no service.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await step('Reading the lists of packages', 'apt-get', ['update', '-q'], { env });
  const args = ['install', '-q', '-y', '--no-install-recommends', 'clickhouse-server'];
  await step('Installing clickhouse-server', 'apt-get', args, { env });
}
