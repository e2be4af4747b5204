import { mkdir, readFile, writeFile } from 'node:fs/promises';
import * as prettier from 'prettier';

const file = new URL('../docs/openapi.json', import.meta.url);
const built = new URL('../backend/dist/', import.meta.url);
const load = (path) =>
  import(new URL(path, built)).catch((error) => {
    process.stderr.write(`The backend must be built first (npm run build): ${error.message}\n`);
    process.exit(1);
  });

/** Writes docs/openapi.json from the built backend; with `--check` only reports whether it is up to date. */
const { openApiText } = await load('openapi.text.js');
const options = { ...(await prettier.resolveConfig(file)), parser: 'json' };
const text = await prettier.format(await openApiText(), options);
const present = await readFile(file, 'utf8').catch(() => null);

if (!process.argv.includes('--check')) {
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, text);
} else if (present !== text) {
  process.stderr.write('docs/openapi.json is stale. Run: npm run openapi\n');
  process.exit(1);
}
