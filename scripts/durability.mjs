/**
 * The long form of the durability test: 20 kills of the portal, 10 immediate stops of PostgreSQL, 40 lost
 * acknowledgements and 10 full disks under 64 callers, and a community of 100,000 posts. The numbers of calls that each round sent, answered and
 * stored go to bench/results/durability.json.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keep } from '../bench/lib/report.mjs';
import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode, root, step, StepError } from './lib/steps.mjs';

requireNode();
const raw = join(root, 'bench', 'results', 'durability.part.json');
try {
  await install();
  await build('contract', 'backend');
  mkdirSync(join(root, 'bench', 'results'), { recursive: true });
  const jest = ['--selectProjects=backend', '--', 'usage.durability'];
  const env = { DURABILITY_FORM: 'long', DURABILITY_REPORT: raw };
  await step(
    'Reading a community of 100,000 posts',
    'jest',
    ['--selectProjects=backend', '--', 'forum.scale'],
    {
      env: { DURABILITY_FORM: 'long' },
      loud: true,
    },
  );
  await step('Killing the portal, its database and their connection, and filling their disk', 'jest', jest, {
    env,
    loud: true,
  });
  await keep('durability', { rounds: JSON.parse(readFileSync(raw, 'utf8')) });
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  fail(error.message);
} finally {
  rmSync(raw, { force: true });
}
