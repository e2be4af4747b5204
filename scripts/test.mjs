/**
 * `npm test` runs every test. `npm test -- backend`, `npm test -- keys` and `npm test -- path/to/a.test.ts` run a part,
 * the test files whose path contains a word, or one file. `npm run test:changed` runs the tests that the changes in the
 * working tree and in unpushed commits can affect; with a commit after `--`, the changes since that commit count.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findBrowser } from './lib/browser.mjs';
import { chooseTests, slowestLines, testsOf } from './lib/choose.tests.mjs';
import { install } from './lib/install.mjs';
import { build, buildTestWeb } from './lib/parts.mjs';
import { fail, requireNode, root, step, StepError } from './lib/steps.mjs';

requireNode();
const results = join(root, '.cache', 'test-results');
const counts = { passed: 0, failed: 0 };
const durations = [];
const failures = [];

try {
  const words = process.argv.slice(2);
  const chosen =
    words[0] === '--changed'
      ? testsOf(changedFiles(words[1]))
      : chooseTests(words, words.length > 0 ? knownFiles() : []);
  const runsJest =
    chosen.jest === true || [chosen.projects, chosen.jest, chosen.related].some((list) => list.length > 0);
  const runsBrowser = chosen.browser === true || chosen.browser.length > 0;
  if (!runsJest && !runsBrowser) {
    process.stdout.write('Nothing that changed has a test.\n');
    process.exit(0);
  }

  await install();
  // Checked before the tests, which take minutes, so that a missing browser is reported at once.
  const chromium = runsBrowser ? await findBrowser() : null;
  await build('contract', 'backend', 'gameSdk');
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  if (runsJest) {
    // Jest takes projects or files, not both at once.
    if (chosen.jest === true) await jest();
    if (chosen.projects.length > 0) await jest('--selectProjects', ...chosen.projects);
    if (chosen.jest.length > 0) await jest('--runTestsByPath', ...chosen.jest);
    if (chosen.related.length > 0) await jest('--passWithNoTests', '--findRelatedTests', ...chosen.related);
  }
  if (chromium) await browser(chosen.browser, chromium);

  process.stdout.write(`\nThe slowest tests:\n${slowestLines(durations).join('\n')}\n`);
  for (const line of failures) process.stderr.write(`${line}\n`);
  process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
  process.exitCode = failures.length > 0 || counts.failed > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  fail(error.message);
}

async function jest(...args) {
  const report = join(results, 'jest.json');
  rmSync(report, { force: true });
  const options = ['--json', `--outputFile=${report}`, '--forceExit=false', '--ci'];
  await attempt('Testing rules, pages and backend', 'jest', [...options, ...args]);
  read(report, ({ numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults }) => {
    counts.passed += numPassedTests;
    counts.failed += numFailedTests + numRuntimeErrorTestSuites;
    for (const { name, assertionResults } of testResults) {
      for (const { fullName, duration } of assertionResults) {
        durations.push({ name: `${relative(root, name)} › ${fullName}`, ms: duration ?? 0 });
      }
    }
  });
}

async function browser(files, chromium) {
  await buildTestWeb();
  const report = join(results, 'playwright.json');
  const paths = files === true ? [] : files.map((path) => path.replace(/^e2e\//, ''));
  await attempt('Testing in the browser', 'playwright', ['test', ...paths], {
    cwd: join(root, 'e2e'),
    env: {
      CHROMIUM_PATH: chromium,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      ...(files === true ? { PORTAL_E2E_WHOLE: '1' } : {}),
    },
  });
  read(report, ({ stats, suites }) => {
    counts.passed += stats.expected + stats.flaky;
    counts.failed += stats.unexpected;
    const visit = (suite, file) => {
      for (const { title, tests } of suite.specs ?? []) {
        for (const { results: runs } of tests) {
          durations.push({
            name: `e2e/${file} › ${title}`,
            ms: Math.max(...runs.map(({ duration }) => duration)),
          });
        }
      }
      for (const inner of suite.suites ?? []) visit(inner, file);
    };
    for (const suite of suites) visit(suite, suite.file);
  });
}

/** A step whose failure is reported at the end, after the others have run. */
async function attempt(title, command, args, options) {
  await step(title, command, args, { loud: true, ...options }).catch((error) => {
    if (!(error instanceof StepError)) throw error;
    failures.push(error.message);
  });
}

function read(file, take) {
  try {
    take(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    counts.failed += 1;
  }
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

function linesOf(text) {
  return text.split('\n').filter((line) => line !== '');
}

function knownFiles() {
  return linesOf(git('ls-files', '--cached', '--others', '--exclude-standard'));
}

function changedFiles(commit) {
  const since = commit ?? upstream();
  try {
    const tracked = linesOf(git('diff', '--name-only', '--diff-filter=d', since));
    return [...tracked, ...linesOf(git('ls-files', '--others', '--exclude-standard'))];
  } catch {
    throw new StepError(`git knows no commit '${since}'. Name one, or commit first.`);
  }
}

/** The newest pushed commit, or HEAD if there is none. */
function upstream() {
  try {
    return git('merge-base', 'HEAD', '@{upstream}').trim();
  } catch {
    return 'HEAD';
  }
}
