import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from './steps.mjs';

/** Imports a module of the built backend. */
export const importBackend = (name) =>
  import(new URL(`../../backend/dist/${name}`, import.meta.url)).catch((error) => {
    process.stderr.write(`The backend must be built first (npm run build): ${error.message}\n`);
    process.exit(1);
  });

/** Writes a generated document; with `--check` only reports whether it is up to date. */
export async function writeGenerated(path, text, command) {
  const file = join(root, path);
  const present = await readFile(file, 'utf8').catch(() => null);
  if (!process.argv.includes('--check')) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } else if (present !== text) {
    process.stderr.write(`${path} is stale. Run: ${command}\n`);
    process.exit(1);
  }
}
