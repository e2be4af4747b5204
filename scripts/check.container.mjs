import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode, step, StepError } from './lib/steps.mjs';

requireNode();
try {
  await install();
  await build('contract');
  await step(
    "Building and running the image's steps (a few minutes)",
    'jest',
    ['--selectProjects=containers'],
    {
      env: { CHECK_IMAGE: '1' },
      loud: true,
    },
  );
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  fail(error.message);
}
