import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './steps.mjs';

/**
 * The packages that the portal runs on and is built with, as a CycloneDX document (JSON). Development packages are
 * included, because with `--omit=dev` npm omits production packages that are also a peer of a development tool, such as
 * zod.
 */
export function billOfMaterials() {
  const text = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const bill = JSON.parse(text);
  // npm names the component after the folder.
  bill.metadata.component.name = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).name;
  return bill;
}
