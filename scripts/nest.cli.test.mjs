import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = process.cwd();
const nest = (cwd, ...args) =>
  run(process.execPath, [join(root, 'node_modules/@nestjs/cli/bin/nest.js'), ...args], {
    cwd,
    timeout: 25_000,
  });

let folder;
beforeEach(async () => {
  folder = await mkdtemp(join(root, '.cache/nest-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('nest generate writes a service without a test into its folder, and the module imports it with .js', async () => {
  for (const file of ['nest-cli.json', 'package.json', 'backend/src/app.module.ts']) {
    await cp(join(root, file), join(folder, file));
  }
  const { stdout } = await nest(folder, 'generate', 'service', 'reports');
  expect(stdout.match(/backend\/\S+/g)).toEqual([
    'backend/src/reports/reports.service.ts',
    'backend/src/app.module.ts',
  ]);
  const written = (path) => readFile(join(folder, 'backend/src', path), 'utf8');
  expect(await written('reports/reports.service.ts')).toContain('export class ReportsService {}');
  expect(await written('app.module.ts')).toContain(
    "import { ReportsService } from './reports/reports.service.js';",
  );
});

// Building everything takes 20 s, most of it checking types, which `npm run check` does. One file passes all other steps.
test('nest build writes modules that Node loads, apart from the release build', async () => {
  const { compilerOptions } = JSON.parse(await readFile(join(root, 'tsconfig.nest.json'), 'utf8'));
  // As deep as `backend/dist`, so that the portal finds the pages.
  expect(compilerOptions.outDir).toBe('.nest/backend');
  const only = {
    extends: join(root, 'tsconfig.nest.json'),
    compilerOptions: { outDir: join(folder, 'out'), noCheck: true },
    include: [],
    files: [join(root, 'backend/src/health/metrics.registry.ts')],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(only));
  await nest(root, 'build', '--path', relative(root, join(folder, 'tsconfig.json')));
  const { MetricsRegistry } = await load(join(folder, 'out/health/metrics.registry.js'));
  expect(MetricsRegistry).toBe('function');
});

/** The kinds of the exports of a module, as Node without Jest loads it. */
async function load(file) {
  const script = `const all = await import(process.argv[1]);
    console.log(JSON.stringify(Object.fromEntries(Object.entries(all).map(([name, value]) => [name, typeof value]))));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, file], {
    timeout: 10_000,
  });
  return JSON.parse(stdout);
}
