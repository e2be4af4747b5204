/** Writes docs/CONFIGURATION.md from the built backend; with `--check` only reports whether it is up to date. */
import { importBackend, writeGenerated } from './lib/generated.mjs';

const { configurationText } = await importBackend('environment.text.js');
await writeGenerated('docs/CONFIGURATION.md', configurationText(), 'npm run configuration');
