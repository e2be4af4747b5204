import { createConfig, lint } from '@redocly/openapi-core';
import { fileURLToPath } from 'node:url';

/** Lints docs/openapi.json by the recommended rules of Redocly, and prints each problem with its place. */
const config = await createConfig({
  extends: ['recommended'],
  // Every operation describes its errors in its `default` response.
  rules: { 'operation-4xx-response': 'off' },
});
const file = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));
const problems = await lint({ ref: file, config });
for (const { ruleId, message, location } of problems) {
  process.stderr.write(`docs/openapi.json${location[0]?.pointer ?? ''}: ${message} (${ruleId})\n`);
}
process.exitCode = problems.length > 0 ? 1 : 0;
