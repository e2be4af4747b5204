import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, readStamp, root, step, writeStamp } from './steps.mjs';

const contract = ['contract/src', 'contract/tsconfig.json', 'tsconfig.base.json'];
const browser = [...contract, 'frontend/tsconfig.json', 'package-lock.json'];

const app = [
  ...browser,
  'frontend/src',
  'frontend/build',
  'frontend/public',
  'frontend/index.html',
  'frontend/vite.config.ts',
  'frontend/backend.paths.ts',
  // The template project and its types are part of the application.
  'templates',
  'frontend/loader/orange-id.types.ts',
];

/** The parts that are built: from which files, into which folder, and how. */
const parts = {
  contract: {
    title: 'Building the contract',
    from: contract,
    to: 'contract/dist/limits.js',
    command: ['tsc', '-b', 'contract', '--force'],
  },
  backend: {
    title: 'Building the backend',
    from: [
      ...contract,
      'package-lock.json',
      'backend/src',
      'backend/rolldown.config.mjs',
      'backend/tsconfig.json',
    ],
    to: 'backend/dist/main.js',
    command: ['rolldown', '--config', 'rolldown.config.mjs', '--logLevel', 'warn'],
    cwd: 'backend',
  },
  app: {
    title: 'Building the browser application',
    from: app,
    to: 'frontend/dist/app/index.html',
    command: ['vite', 'build', '--logLevel', 'warn'],
    cwd: 'frontend',
  },
  widget: {
    title: 'Building the login widget and its loader',
    from: [
      ...browser,
      'frontend/build/widget.fonts.ts',
      'frontend/configurator',
      'frontend/widget',
      'frontend/loader',
      'frontend/vite.widget.config.ts',
    ],
    to: 'frontend/dist/widget/passport.js',
    command: ['vite', 'build', '--config', 'vite.widget.config.ts', '--logLevel', 'warn'],
    cwd: 'frontend',
  },
  gameSdk: {
    title: 'Building the game SDK',
    from: [
      ...contract,
      'game-sdk/src',
      'game-sdk/playground',
      'game-sdk/README.md',
      'game-sdk/package.json',
      'game-sdk/vite.config.ts',
    ],
    to: 'frontend/dist/sdk/orange-game-sdk.tgz',
    command: ['vite', 'build', '--logLevel', 'warn'],
    cwd: 'game-sdk',
  },
  // The application for tests: the same, with the machine registry (`window.__portal`).
  testApp: {
    title: 'Building the browser application with its machine registry',
    from: app,
    to: '.cache/web-test/app/index.html',
    command: [
      'vite',
      'build',
      '--logLevel',
      'warn',
      '--outDir',
      join(root, '.cache/web-test/app'),
      '--emptyOutDir',
    ],
    cwd: 'frontend',
    env: { VITE_PORTAL_INSPECT: '1' },
  },
};

/** Builds the parts whose files changed since their last build. */
export async function build(...names) {
  for (const name of names) {
    const part = parts[name];
    const now = fingerprint(part.from);
    const stamp = `.cache/build/${name}`;
    if (readStamp(stamp) === now && existsSync(join(root, part.to))) continue;
    const [command, ...args] = part.command;
    await step(part.title, command, args, { env: part.env ?? {}, cwd: join(root, part.cwd ?? '.') });
    writeStamp(stamp, now);
  }
}

/** Builds what browser tests use: the application with its machine registry, and beside it the widget, the game SDK and the playground. */
export async function buildTestWeb() {
  await build('contract', 'backend', 'widget', 'gameSdk', 'testApp');
  for (const name of ['widget', 'sdk', 'playground']) {
    cpSync(join(root, 'frontend/dist', name), join(root, '.cache/web-test', name), { recursive: true });
  }
}
