/**
 * The long form of the slow-reader test: 10,000 live connections, of which 40 read nothing. The portal and the clients
 * are one process each, and each needs that many file descriptors.
 */
import { execFileSync } from 'node:child_process';
import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode, step, StepError } from './lib/steps.mjs';

const descriptors = 11_000;

requireNode();
const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
if (limit !== 'unlimited' && Number(limit) < descriptors) {
  fail(
    `A process may open ${limit} files here and needs ${descriptors}: run \`ulimit -n ${descriptors}\` first`,
  );
}
try {
  await install();
  await build('contract', 'backend');
  const jest = ['--selectProjects=backend', '--', 'slow.readers'];
  await step('Opening 10,000 live connections', 'jest', jest, { env: { SOCKETS_FORM: 'long' }, loud: true });
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  fail(error.message);
}
