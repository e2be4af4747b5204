import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { templateArchive } from './template.archive';

const run = promisify(execFile);
const root = join(__dirname, '../../..');
const app = { portalUrl: 'https://portal.example.com', projectId: 'orange-k3x9p2m7qa' };

const filesOf = (archive: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(archive)).map(([path, bytes]) => [path, strFromU8(bytes)]));

test('the archive holds every file of the template in one folder, with the values of the project', () => {
  const archive = templateArchive(app);
  const files = filesOf(archive);
  expect(Object.keys(files).sort()).toEqual(
    [
      ...['.env', '.gitignore', 'README.md', 'index.html', 'package.json', 'tsconfig.json', 'vite.config.ts'],
      ...['server/api.mjs', 'server/main.mjs'],
      ...['src/App.tsx', 'src/MembersPage.tsx', 'src/app.css', 'src/main.tsx'],
      ...['src/orange-id.types.ts', 'src/useOrangeId.ts'],
    ]
      .map((path) => `orange-id-app/${path}`)
      .sort(),
  );
  expect(files['orange-id-app/.env']).toBe(
    'VITE_PORTAL_URL=https://portal.example.com\nVITE_PROJECT_ID=orange-k3x9p2m7qa\nAPP_ORIGINS=http://localhost:5173\n',
  );
  expect(archive.length).toBeLessThan(30_000);
});

test.each([
  '',
  'orange-1',
  'orange-k3x9p2m7qa\nAPP_ORIGINS=https://evil.example',
  '"><script>',
  'YOUR_PROJECT_ID',
])('writes no archive for %j, which is no project ID', (projectId) => {
  expect(() => templateArchive({ ...app, projectId })).toThrow('is no project ID');
});

test('the template has the versions that this repository is tested with', () => {
  const read = (path: string) =>
    JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, Record<string, string>>;
  const { dependencies, devDependencies } = read('templates/vite-react/package.json');
  const ours = ['package.json', 'frontend/package.json', 'backend/package.json']
    .map(read)
    .flatMap((manifest) => [manifest['devDependencies'], manifest['dependencies']]);
  const known = Object.assign({}, ...ours) as Record<string, string>;
  const wanted = { ...dependencies, ...devDependencies };
  expect(wanted).toEqual(Object.fromEntries(Object.keys(wanted).map((name) => [name, known[name]])));
});

describe('an unpacked archive', () => {
  let folder: string;
  let unpacked: string;
  beforeAll(() => {
    // Inside the repository, so that the app finds the packages that are installed here.
    mkdirSync(join(root, '.cache'), { recursive: true });
    folder = mkdtempSync(join(root, '.cache', 'template-'));
    for (const [path, text] of Object.entries(filesOf(templateArchive(app)))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    unpacked = join(folder, 'orange-id-app');
    mkdirSync(join(unpacked, 'node_modules', '@vitejs'), { recursive: true });
    const plugin = '@vitejs/plugin-react';
    const installed = ['frontend/node_modules', 'node_modules'].map((place) => join(root, place, plugin));
    symlinkSync(String(installed.find(existsSync)), join(unpacked, 'node_modules', plugin));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const bin = (name: string, ...args: string[]) =>
    run(process.execPath, [join(root, 'node_modules', name), ...args], { cwd: unpacked });

  test('has correct types and builds to a page that loads the portal’s script for the project', async () => {
    await bin('typescript/bin/tsc');
    await bin('vite/bin/vite.js', 'build', '--logLevel', 'warn');
    const page = readFileSync(join(unpacked, 'dist/index.html'), 'utf8');
    expect(page).toContain(
      '<script src="https://portal.example.com/widget/orange-id.js" data-project="orange-k3x9p2m7qa"></script>',
    );
    expect(page).toMatch(/<script type="module"[^>]* src="\/assets\/index-[\w-]+\.js">/);
  }, 60_000);
});
