/**
 * Breaks random lines of the product, one at a time, and runs what should notice, cheapest first (the compiler, the
 * checks of generated documents, the tests that run the line, nearest first, and the linter). Which tests run a line is
 * recorded by one run of all tests, once per commit:
 * `npm run mutants -- --count 10 --seed 3 [--from 4] [--only backend/src/keys] [--browser]`. `--from` continues a run
 * that was stopped. A mutant that nothing notices is printed with its place; with `--browser` the tests in Chromium run
 * as well. A mutant is noticed by a test that passes without it and fails twice with it: a test that failed once may have
 * failed because the machine is busy. The working tree must be clean, and is restored at the end.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findBrowser } from './lib/browser.mjs';
import { coveringTests } from './lib/covering.tests.mjs';
import { mutationsOf, randomBy } from './lib/mutations.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode, root, StepError } from './lib/steps.mjs';

requireNode();
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    browser: { type: 'boolean', default: false },
  },
});
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
if (git('status', '--porcelain') !== '') fail('Commit first: mutants are written into the working tree.');

const isProduct = (path) =>
  /^(contract|backend|frontend|game-sdk)\/(src|widget|loader)\/.*\.tsx?$/.test(path) &&
  !/\.(test|fixtures?)\.tsx?$|\/testing\/|\/migrations\/|\.d\.ts$/.test(path);
const files = git('ls-files')
  .split('\n')
  .filter((path) => isProduct(path) && path.startsWith(values.only));
const mutations = files.flatMap((path) =>
  mutationsOf(readFileSync(join(root, path), 'utf8'), path).map((mutation) => ({ path, ...mutation })),
);
const random = randomBy(Number(values.seed));
const browser = values.browser ? await findBrowser() : null;
const survivors = [];
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isInterrupted = true));

/** The part of the last mutant, whose build may contain it. */
let stale = 'contract';
// Without the built contract nothing compiles, and every mutant would look as if the compiler had noticed it.
await rebuild('contract');
for (const part of ['contract', 'backend', 'frontend']) {
  if (!compiles(part, 'inherit')) fail(`${part} does not compile without a mutant.`);
}
const covering = readCovering();

for (let made = 0; made < Number(values.count) && !isInterrupted; made += 1) {
  const { path, line, what, starts, apply } = mutations[random(mutations.length)];
  if (made + 1 < Number(values.from)) continue;
  const file = join(root, path);
  const original = readFileSync(file, 'utf8');
  const started = Date.now();
  process.stdout.write(`${made + 1}. ${path}:${line} ${what} … `);
  writeFileSync(file, apply());
  const outcome = await notice(path, starts).finally(() => writeFileSync(file, original));
  // A signal that arrives while a command runs is handled only now.
  await setImmediate();
  if (isInterrupted) break;
  const verdict = await confirmed(outcome);
  process.stdout.write(`${verdict}, ${Math.round((Date.now() - started) / 1000)} s\n`);
  if (!verdict.startsWith('noticed')) survivors.push(`${path}:${line} ${what}: ${verdict}`);
}
if (isInterrupted) process.exit(130);
await build('contract', 'backend', 'widget', 'testApp');
process.stdout.write(`\n${survivors.length} of ${values.count} survive\n${survivors.join('\n')}\n`);
process.exitCode = survivors.length > 0 ? 1 : 0;

/** Which tests run each place of the product, at this commit. */
function readCovering() {
  const file = join(root, '.cache', 'covering', `${git('rev-parse', 'HEAD').trim()}.json`);
  if (!existsSync(file)) {
    process.stdout.write('Recording which tests run each line …\n');
    const { status } = start(
      'jest',
      [
        ...['--ci', '--coverage', '--coverageProvider=babel', '--coverageReporters=none'],
        '--collectCoverageFrom={contract,backend,frontend,game-sdk}/{src,widget,loader}/**/*.{ts,tsx}',
        `--reporters=${join(root, 'scripts', 'jest', 'covering.reporter.mjs')}`,
      ],
      { env: { ...process.env, COVERING_FILE: file } },
    );
    if (status !== 0) fail('A test fails without a mutant.');
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** What notices the mutant in the tree: `{ by, test }` with the failing test file if there is one, or `null`. */
async function notice(path, starts) {
  const part = path.split('/')[0];
  try {
    await rebuild(part);
    if (part !== 'contract' && !compiles(part)) return { by: 'the compiler' };
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return { by: 'the build' };
  }
  for (const script of ['openapi', 'charts']) {
    if (start('node', [`scripts/${script}.mjs`, '--check']).status !== 0) return { by: `npm run ${script}` };
  }
  const noticed =
    firstFailingOf(coveringTests(covering, path, starts), path) ??
    (start('eslint', [path]).status === 0 ? null : { by: 'the linter' });
  if (noticed !== null) return noticed;
  if (browser === null) return null;
  await build('widget', 'testApp');
  const env = { ...process.env, CHROMIUM_PATH: browser };
  const { status } = start('playwright', ['test', '-x'], { cwd: join(root, 'e2e'), env });
  return status === 0 ? null : { by: 'the browser tests' };
}

/** Builds what may contain the last mutant or a mutant in `part`. */
async function rebuild(part) {
  const parts = [stale, part];
  stale = part;
  if (parts.includes('contract')) await build('contract', 'backend');
  else if (parts.includes('backend')) await build('backend');
}

/** The verdict in words. Runs the failed test again without the mutant. */
async function confirmed(outcome) {
  if (outcome === null) return 'SURVIVES';
  if (outcome.test === undefined) return `noticed by ${outcome.by}`;
  const unclear = (why) => `UNCLEAR: “${outcome.by}” in ${outcome.test} ${why}`;
  if (!outcome.isRepeated) return unclear('fails with it only once');
  await rebuild(stale);
  const { status } = jest('--runTestsByPath', outcome.test);
  return status === 0 ? `noticed by ${outcome.by}` : unclear('fails without it too');
}

/**
 * Runs the tests that run the line, the nearest first. If none does in its own process, the tests of the folder may do
 * so in another one.
 */
function firstFailingOf(tests, path) {
  if (tests === null || tests.length === 0) {
    const failing = firstFailing('--', `${dirname(path)}/`);
    return tests === null ? (failing ?? firstFailing('--findRelatedTests', path)) : failing;
  }
  for (const group of [tests.slice(0, 4), tests.slice(4, 24), tests.slice(24)]) {
    const failing = group.length === 0 ? null : firstFailing('--runTestsByPath', ...group);
    if (failing !== null) return failing;
  }
  return null;
}

/**
 * The first Jest test that fails and whether its file fails again, `null` when all pass. Jest writes no report when it
 * bails out.
 */
function firstFailing(...args) {
  const { status, stderr, error } = jest('--bail', '--passWithNoTests', ...args);
  if (status === 0) return null;
  // A mutant may loop for ever.
  if (error?.code === 'ETIMEDOUT') return { by: 'a test that does not end' };
  const by = /^ {2}● (?!Console)(.+)$/m.exec(stderr)?.[1] ?? `Jest:\n${stderr.slice(-2000)}`;
  const test = /^FAIL (?:\w+ )?(\S+)/m.exec(stderr)?.[1];
  const isRepeated = test === undefined || jest('--runTestsByPath', test).status !== 0;
  return { by, test, isRepeated };
}

/** Runs Jest, and ends it even if a portal that failed to start leaves connections open. */
function jest(...args) {
  return start('jest', ['--ci', '--forceExit', ...args]);
}

function compiles(part, stdout = 'ignore') {
  const state = join(root, '.cache', `mutants.${part}.tsbuildinfo`);
  return (
    start('tsc', ['-p', part, '--noEmit', '--incremental', '--tsBuildInfoFile', state], { stdout }).status ===
    0
  );
}

function start(command, args, { cwd = root, env = process.env, stdout = 'ignore' } = {}) {
  const bin = command === 'node' ? process.execPath : join(root, 'node_modules', '.bin', command);
  const stdio = ['ignore', stdout, 'pipe'];
  return spawnSync(bin, args, { cwd, env, stdio, encoding: 'utf8', maxBuffer: 2 ** 30, timeout: 900_000 });
}
