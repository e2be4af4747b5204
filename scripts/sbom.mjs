import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { billOfMaterials } from './lib/sbom.mjs';
import { root } from './lib/steps.mjs';

/** Writes the software bill of materials to `.cache/sbom.cdx.json`. */
const file = join(root, '.cache', 'sbom.cdx.json');
const bill = billOfMaterials();
mkdirSync(join(root, '.cache'), { recursive: true });
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
process.stdout.write(`${bill.components.length} components in .cache/sbom.cdx.json\n`);
