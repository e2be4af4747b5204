/**
 * The long form of the durability test: 20 kills of the portal, 10 immediate stops of PostgreSQL and 40 lost
 * acknowledgements under 64 callers. What each round sent, answered and stored goes to bench/results/durability.json.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode, root, step, StepError } from './lib/steps.mjs';

requireNode();
const file = join(root, 'bench', 'results', 'durability.json');
const raw = `${file}.part`;
try {
  await install();
  await build('contract', 'backend');
  mkdirSync(join(root, 'bench', 'results'), { recursive: true });
  const jest = ['--selectProjects=backend', '--', 'usage.durability'];
  const env = { DURABILITY_FORM: 'long', DURABILITY_REPORT: raw };
  await step('Killing the portal, its database and their connection', 'jest', jest, { env, loud: true });
  const machine = {
    processors: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${process.platform} ${release()}`,
    node: process.version,
  };
  const rounds = JSON.parse(readFileSync(raw, 'utf8'));
  writeFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), machine, rounds }, null, 1)}\n`);
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  fail(error.message);
} finally {
  rmSync(raw, { force: true });
}
