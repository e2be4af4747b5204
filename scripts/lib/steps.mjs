import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const wanted = [20, 19];

/** Exits with one clear line if Node is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > wanted[0] || (major === wanted[0] && minor >= wanted[1])) return;
  fail(
    `Node ${wanted.join('.')} or newer is needed; this is ${process.versions.node}. See https://nodejs.org`,
  );
}

/** Prints one line and exits with code 1. */
export function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/**
 * Runs one long step as a child process. Prints its title first, a progress line every 10 s and the time at the end.
 * The command's output is shown only if it fails, or always with `loud`.
 */
export async function step(title, command, args, { env = {}, loud = false, cwd = root } = {}) {
  const started = Date.now();
  const seconds = () => ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(`• ${title} …\n`);
  const alive = loud
    ? null
    : setInterval(
        () => process.stdout.write(`  ${title}: still running, ${Math.round(seconds())} s\n`),
        10_000,
      );
  const { code, output } = await run(command, args, { env, loud, cwd }).finally(() => clearInterval(alive));
  if (code !== 0) {
    process.stderr.write(output);
    throw new StepError(`${title}: failed with exit code ${code} after ${seconds()} s`);
  }
  process.stdout.write(`  ${title}: done in ${seconds()} s\n`);
}

export class StepError extends Error {}

function run(command, args, { env, loud, cwd }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
        ...env,
      },
      stdio: ['ignore', loud ? 'inherit' : 'pipe', loud ? 'inherit' : 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    // Ending a step also ends its command, so that no install or build continues in the background.
    const forward = (signal) => child.kill(signal);
    process.on('SIGINT', forward).on('SIGTERM', forward);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', forward).off('SIGTERM', forward);
      resolve({ code: code ?? signal, output });
    });
  });
}

/** Hash of the names and contents of files and folders, without `node_modules`, `dist` and tests. */
export function fingerprint(paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (!found) return;
    if (found.isFile()) {
      hash
        .update(`${path}\0`)
        .update(readFileSync(join(root, path)))
        .update('\0');
      return;
    }
    for (const name of readdirSync(join(root, path)).sort()) {
      if (['node_modules', 'dist'].includes(name) || /\.test\.tsx?$/.test(name)) continue;
      visit(`${path}/${name}`);
    }
  };
  for (const path of paths) visit(path);
  return hash.digest('hex');
}

/** The content of a stamp file; null if there is none. */
export function readStamp(file) {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return null;
  }
}

export function writeStamp(file, text) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

const builtFolders = new Set(['node_modules', 'dist', 'test-results', 'playwright-report', 'coverage']);

/** Every file and folder of the repository, without build output and hidden ones, by its path from the root. */
export function pathsOfRepository(folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !builtFolders.has(name) && !name.startsWith('.'))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? [path, ...pathsOfRepository(path)] : [path];
    });
}
