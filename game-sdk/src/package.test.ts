import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const archive = join(root, 'frontend/dist/sdk/orange-game-sdk.tgz');

let folder: string;
beforeAll(() => {
  if (!existsSync(archive))
    throw new Error('The game SDK is not built. Run: npm run build -- contract gameSdk');
  folder = mkdtempSync(join(tmpdir(), 'game-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package installs in an empty folder without a registry, and a typed game uses it', () => {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', archive);
  const installed = join(folder, 'node_modules/@orange-id/game-sdk');
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  expect(manifest['dependencies']).toBeUndefined();
  writeFileSync(
    join(folder, 'game.mjs'),
    "import { createGame, GameError } from '@orange-id/game-sdk';\nconsole.log(typeof createGame, new GameError('noFrame', 'x').code);\n",
  );
  expect(run(process.execPath, 'game.mjs')).toBe('function noFrame\n');
  writeFileSync(
    join(folder, 'game.mts'),
    `import { createGame, type GameError } from '@orange-id/game-sdk';
     const game = createGame({ hostOrigin: 'https://play.example.com' });
     export const best: Promise<number> = game.getGameData({ best: 0 }).then((data) => data.best);
     export const problem = (error: GameError): string => error.code;
     // @ts-expect-error a score is a number
     void game.gameOver('7');\n`,
  );
  const tsc = join(root, 'node_modules/.bin/tsc');
  run(tsc, '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', 'game.mts');
});
