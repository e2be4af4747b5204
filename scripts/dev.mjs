import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { install } from './lib/install.mjs';
import { build } from './lib/parts.mjs';
import { fail, requireNode, root } from './lib/steps.mjs';

requireNode();
try {
  await install();
  await build('contract', 'backend', 'widget', 'gameSdk');
} catch (error) {
  fail(error.message);
}

const bin = (name) => join(root, 'node_modules', '.bin', name);
const start = (name, command, args, cwd = root, env = {}) => {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  child.on('exit', (code) => {
    if (!ending) stop(`${name} ended with code ${code}`);
  });
  return child;
};

let ending = false;
const children = [
  start('contract', bin('tsc'), ['-b', 'contract', '--watch', '--preserveWatchOutput']),
  start(
    'backend build',
    bin('rolldown'),
    ['--config', 'rolldown.config.mjs', '--watch'],
    join(root, 'backend'),
  ),
  start(
    'backend',
    process.execPath,
    ['--enable-source-maps', '--watch', '--watch-preserve-output', 'backend/dist/main.js'],
    root,
    {
      PUBLIC_URL: 'http://localhost:5173',
    },
  ),
  start('browser application', bin('vite'), ['--port', '5173', '--strictPort'], join(root, 'frontend')),
];

function stop(why) {
  if (ending) return;
  ending = true;
  process.stdout.write(`\n${why}: stopping …\n`);
  for (const child of children) child.kill('SIGTERM');
}
process.on('SIGINT', () => stop('Interrupted'));
process.on('SIGTERM', () => stop('Terminated'));
