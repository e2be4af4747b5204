import { fingerprint, readStamp, step, StepError, writeStamp } from './steps.mjs';

const stamp = 'node_modules/.orange-installed';
const manifests = ['package.json', 'contract', 'backend', 'frontend', 'game-sdk', 'e2e'].map((part) =>
  part.endsWith('.json') ? part : `${part}/package.json`,
);

/** Installs the packages of all workspaces unless the installed ones match the lock file. */
export async function install() {
  const now = fingerprint(['package-lock.json', '.npmrc', 'stubs', ...manifests]);
  if (readStamp(stamp) === now) return;
  await installPackages('Installing packages (about a minute on a first run)');
  writeStamp(stamp, fingerprint(['package-lock.json', '.npmrc', 'stubs', ...manifests]));
}

/** Installs the packages of bench/, separately from the product's. */
export const installBench = () => installApart('bench', 'Installing the servers to compare with');

/** Installs the packages of published-panel/, separately from the product's. */
export const installPanel = () => installApart('published-panel', 'Installing the published panel');

async function installApart(folder, title) {
  const manifests = [`${folder}/package.json`, `${folder}/package-lock.json`];
  const ofFolder = `${folder}/node_modules/.orange-installed`;
  if (readStamp(ofFolder) === fingerprint(manifests)) return;
  await installPackages(title, `--prefix=${folder}`);
  writeStamp(ofFolder, fingerprint(manifests));
}

/**
 * Trusts what npm's cache says of a package, which saves a fifth of the time. The cache may be older than the lock file
 * and then lack a version, so a failed installation is repeated without it.
 */
async function installPackages(title, ...where) {
  const args = ['install', ...where, '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await step(title, 'npm', [...args, '--prefer-offline']);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    await step(`${title}, again with current package data`, 'npm', [...args, '--prefer-online']);
  }
}
