import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './lib/browser.mjs';
import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode, root, step, StepError } from './lib/steps.mjs';

requireNode();
const results = join(root, '.cache', 'test-results');
const counts = { passed: 0, failed: 0 };

try {
  await install();
  await build('contract', 'backend', 'widget', 'testApp');
  cpSync(join(root, 'frontend/dist/widget'), join(root, '.cache/web-test/widget'), { recursive: true });
  const browser = await findBrowser();
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });

  const failures = [];
  const attempt = (...args) =>
    step(...args).catch((error) => {
      if (!(error instanceof StepError)) throw error;
      failures.push(error.message);
    });
  const jest = ['--json', `--outputFile=${join(results, 'jest.json')}`, '--forceExit=false'];
  await attempt('Testing rules, backend and machines', 'jest', jest, { loud: true });
  await attempt('Testing in the browser', 'playwright', ['test'], {
    loud: true,
    cwd: join(root, 'e2e'),
    env: {
      CHROMIUM_PATH: browser,
      PLAYWRIGHT_JSON_OUTPUT_NAME: join(results, 'playwright.json'),
      PORTAL_E2E_WHOLE: '1',
    },
  });

  count('jest.json', (report) => [
    report.numPassedTests,
    report.numFailedTests + report.numRuntimeErrorTestSuites,
  ]);
  count('playwright.json', ({ stats }) => [stats.expected + stats.flaky, stats.unexpected]);
  for (const line of failures) process.stderr.write(`${line}\n`);
  process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
  process.exitCode = failures.length > 0 || counts.failed > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  fail(error.message);
}

function count(file, read) {
  try {
    const [passed, failed] = read(JSON.parse(readFileSync(join(results, file), 'utf8')));
    counts.passed += passed;
    counts.failed += failed;
  } catch {
    counts.failed += 1;
  }
}
