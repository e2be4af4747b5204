import { fingerprint, readStamp, step, writeStamp } from './steps.mjs';

const stamp = 'node_modules/.orange-installed';
const manifests = ['package.json', 'contract', 'backend', 'frontend', 'e2e'].map((part) =>
  part.endsWith('.json') ? part : `${part}/package.json`,
);

/** Installs the packages of all workspaces unless the installed ones match the lock file. */
export async function install() {
  const now = fingerprint(['package-lock.json', '.npmrc', 'stubs', ...manifests]);
  if (readStamp(stamp) === now) return;
  await step('Installing packages (about a minute on a first run)', 'npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  writeStamp(stamp, fingerprint(['package-lock.json', '.npmrc', 'stubs', ...manifests]));
}

const benchStamp = 'bench/node_modules/.orange-installed';
const benchManifests = ['bench/package.json', 'bench/package-lock.json'];

/** Installs the packages of bench/, separately from the product's. */
export async function installBench() {
  const now = fingerprint(benchManifests);
  if (readStamp(benchStamp) === now) return;
  await step('Installing the servers to compare with', 'npm', [
    'install',
    '--prefix=bench',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  writeStamp(benchStamp, fingerprint(benchManifests));
}
