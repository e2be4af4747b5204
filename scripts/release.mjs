import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isVersion, releaseProblems, sectionsOf, withRelease } from './lib/release.mjs';
import { fail, requireNode, root, step } from './lib/steps.mjs';

/**
 * `npm run release -- 0.2.0` writes the version into every file that names it, to be read and committed.
 * `npm run release` then checks what can be checked and writes the tag's notes. Neither tags nor pushes.
 */
const versionFile = 'contract/src/version.ts';
const packages = ['.', 'backend', 'bench', 'contract', 'e2e', 'frontend'].map((folder) =>
  join(folder, 'package.json'),
);

const read = (file) => readFileSync(join(root, file), 'utf8');
const write = (file, text) => writeFileSync(join(root, file), text);
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const versionIn = (file) =>
  file === versionFile ? /'(.+)'/.exec(read(file))?.[1] : JSON.parse(read(file)).version;
const linesOf = (text) => text.split('\n').filter((line) => line !== '');

requireNode();
const [wanted] = process.argv.slice(2);
try {
  await (wanted === undefined ? check() : prepare(wanted));
} catch (error) {
  fail(error.message);
}

async function prepare(version) {
  if (!isVersion(version)) {
    throw new Error(`"${version}" is no version; write three numbers, for example 0.2.0`);
  }
  const before = versionIn('package.json');
  for (const file of packages)
    write(file, read(file).replace(`"version": "${before}"`, `"version": "${version}"`));
  write(versionFile, read(versionFile).replace(`'${before}'`, `'${version}'`));
  write('CHANGELOG.md', withRelease(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10)));
  await step('Writing the version into package-lock.json', 'npm', [
    'install',
    '--package-lock-only',
    '--no-audit',
    '--no-fund',
  ]);
  process.stdout.write(`Read the section ${version} of CHANGELOG.md, commit, then run: npm run release\n`);
}

async function check() {
  const version = versionIn('package.json');
  const tags = linesOf(git('tag', '--list', 'v*', '--merged'));
  const latest = tags.length > 0 ? git('describe', '--tags', '--abbrev=0', '--match', 'v*') : undefined;
  const problems = releaseProblems({
    version,
    versions: Object.fromEntries([...packages, versionFile].map((file) => [file, versionIn(file)])),
    changelog: read('CHANGELOG.md'),
    tags,
    changes:
      latest === undefined
        ? []
        : linesOf(git('diff', '--name-status', '--no-renames', latest)).map((line) => line.split('\t')),
    isClean: git('status', '--porcelain') === '',
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  await step('Running the checks', 'npm', ['run', 'check'], { loud: true });
  const file = join('.cache', `release-${version}.md`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  const notes = sectionsOf(read('CHANGELOG.md')).find((section) => section.version === version);
  write(file, `Version ${version}\n\n${notes.text}\n`);
  process.stdout.write(
    `\nVersion ${version} is ready. When npm test and npm run check:container have passed, tag it:\n` +
      `git tag --annotate --cleanup=verbatim --file ${file} v${version} && git push origin v${version}\n`,
  );
}
