/**
 * Breaks random lines of the product, one at a time, and runs the tests that should notice, nearest first:
 * `npm run mutants -- --count 10 --seed 3 [--only backend/src/keys] [--browser]`. A mutant that no test notices is
 * printed with its place; with `--browser` the tests in Chromium are asked as well. The working tree must be clean, and
 * is as it was at the end.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from './lib/browser.mjs';
import { mutationsOf, randomBy } from './lib/mutations.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode, root, StepError } from './lib/steps.mjs';

requireNode();
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    browser: { type: 'boolean', default: false },
  },
});
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
if (git('status', '--porcelain') !== '') fail('Commit first: mutants are written into the working tree.');

const isProduct = (path) =>
  /^(contract|backend|frontend)\/(src|widget)\/.*\.tsx?$/.test(path) &&
  !/\.test\.tsx?$|\/testing\/|\/migrations\/|\.d\.ts$/.test(path);
const files = git('ls-files')
  .split('\n')
  .filter((path) => isProduct(path) && path.startsWith(values.only));
const mutations = files.flatMap((path) =>
  mutationsOf(readFileSync(join(root, path), 'utf8'), path).map((mutation) => ({ path, ...mutation })),
);
const random = randomBy(Number(values.seed));
const browser = values.browser ? await findBrowser() : null;
const survivors = [];

// Without the built contract nothing compiles, and every mutant would pass for one that the compiler notices.
await build('contract', 'backend');
for (const part of ['contract', 'backend', 'frontend']) {
  if (run('tsc', ['-p', part, '--noEmit'])) fail(`${part} does not compile without a mutant.`);
}

for (let made = 0; made < Number(values.count); made += 1) {
  const { path, line, what, apply } = mutations[random(mutations.length)];
  const file = join(root, path);
  const original = readFileSync(file, 'utf8');
  const started = Date.now();
  process.stdout.write(`${made + 1}. ${path}:${line} ${what} … `);
  writeFileSync(file, apply());
  try {
    const killer = await firstToNotice(path);
    const seconds = Math.round((Date.now() - started) / 1000);
    process.stdout.write(killer ? `noticed by ${killer}, ${seconds} s\n` : `SURVIVES, ${seconds} s\n`);
    if (!killer) survivors.push(`${path}:${line} ${what}`);
  } finally {
    writeFileSync(file, original);
  }
}
await build('contract', 'backend', 'widget', 'testApp');
process.stdout.write(`\n${survivors.length} of ${values.count} survive\n${survivors.join('\n')}\n`);
process.exitCode = survivors.length > 0 ? 1 : 0;

/** The layer that notices the mutant in the tree, `null` when none does. */
async function firstToNotice(path) {
  try {
    if (path.startsWith('contract/')) await build('contract');
    else if (run('tsc', ['-p', dirname(path).split('/')[0], '--noEmit'])) return 'the compiler';
    if (path.startsWith('backend/') || path.startsWith('contract/')) await build('backend');
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return 'the build';
  }
  const near = dirname(path);
  const related = path.startsWith('contract/') ? [] : ['--findRelatedTests', path];
  const noticed = firstFailing('--', `${near}/`) ?? firstFailing(...related);
  if (noticed !== null || browser === null) return noticed;
  await build('widget', 'testApp');
  const env = { ...process.env, CHROMIUM_PATH: browser };
  return run('playwright', ['test', '-x'], { cwd: join(root, 'e2e'), env }) ? 'the browser tests' : null;
}

/** The first Jest test that fails, by its name, `null` when all pass. Jest writes no report when it bails out. */
function firstFailing(...args) {
  const { status, stderr } = start('jest', ['--bail', '--passWithNoTests', ...args]);
  if (status === 0) return null;
  return /^ {2}● (?!Console)(.+)$/m.exec(stderr)?.[1] ?? `Jest:\n${stderr.slice(-2000)}`;
}

/** Whether the command fails. */
function run(...command) {
  return start(...command).status !== 0;
}

function start(command, args, { cwd = root, env = process.env } = {}) {
  const bin = join(root, 'node_modules', '.bin', command);
  const stdio = ['ignore', 'ignore', 'pipe'];
  // A mutant may loop for ever: that is noticed as well.
  return spawnSync(bin, args, { cwd, env, stdio, encoding: 'utf8', maxBuffer: 2 ** 30, timeout: 900_000 });
}
