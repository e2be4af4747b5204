/** Writes docs/openapi.json from the built backend; with `--check` only reports whether it is up to date. */
import { join } from 'node:path';
import * as prettier from 'prettier';
import { importBackend, writeGenerated } from './lib/generated.mjs';
import { root } from './lib/steps.mjs';

const path = 'docs/openapi.json';
const { openApiText } = await importBackend('openapi.text.js');
const options = { ...(await prettier.resolveConfig(join(root, path))), parser: 'json' };
await writeGenerated(path, await prettier.format(await openApiText(), options), 'npm run openapi');
