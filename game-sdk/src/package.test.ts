import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  gameBuildCommand,
  gameInstallCommand,
  gameJoinCommand,
  gameSdkPaths,
} from '@orange-id/contract/games.guide';
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';

const root = join(__dirname, '..', '..');
const archive = join(root, 'frontend/dist/sdk/orange-game-sdk.tgz');

let folder: string;
/** A portal that serves nothing but the package. */
let portal: Server;
beforeAll(async () => {
  if (!existsSync(archive))
    throw new Error('The game SDK is not built. Run: npm run build -- contract gameSdk');
  folder = mkdtempSync(join(tmpdir(), 'game-'));
  portal = createServer(({ url }, response) => {
    if (url === gameSdkPaths.package) response.end(readFileSync(archive));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  portal.closeAllConnections();
  portal.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command in the folder and returns what it prints. */
const run = async (command: string, ...args: string[]): Promise<string> =>
  (
    await promisify(execFile)(command, args, {
      cwd: folder,
      encoding: 'utf8',
      timeout: 60_000,
      env: {
        ...process.env,
        PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
        // Nothing listens there.
        npm_config_registry: 'http://127.0.0.1:9',
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_update_notifier: 'false',
        npm_config_cache: join(folder, 'cache'),
      },
    })
  ).stdout;

test('the guide’s command installs the package in an empty folder without a registry, and a typed game uses it', async () => {
  const baseUrl = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`;
  const [command = '', ...args] = gameInstallCommand(baseUrl).split(' ');
  await run(command, ...args);
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
  expect(await run(process.execPath, 'game.mjs')).toBe('function noFrame\n');
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
  await run(tsc, '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', 'game.mts');

  mkdirSync(join(folder, 'src'));
  writeFileSync(
    join(folder, 'src/game.js'),
    "import { createGame } from '@orange-id/game-sdk';\nexport const game = createGame();\n",
  );
  await run('sh', '-c', gameBuildCommand.replace(/^npx /, ''));
  const built = readFileSync(join(folder, 'game.js'), 'utf8');
  expect(built).toContain('GG_GAME_LOAD_FINISHED');
  expect(built.length / built.split('\n').length).toBeGreaterThan(200);
});

test('the guide’s command puts the build file and a game into one minified script that plays', async () => {
  copyFileSync(join(root, 'frontend/dist/sdk/orange-game.js'), join(folder, 'orange-game.js'));
  const lines = Array.from({ length: 50 }, (_, place) => `  show('level ${place}');`);
  writeFileSync(
    join(folder, 'game.js'),
    `const game = OrangeGame.createGame();\nfunction play(show) {\n${lines.join('\n')}\n}\nplay(() => {});\ngame.gameLoaded();\n`,
  );
  await run('sh', '-c', gameJoinCommand.replace('npx ', ''));
  const script = readFileSync(join(folder, 'game.min.js'), 'utf8');
  expect(script.length / script.split('\n').length).toBeGreaterThan(200);
  const sent: { event_type: string }[] = [];
  const parent = { postMessage: (message: { event_type: string }) => sent.push(message) };
  const page = { parent, addEventListener: () => undefined, setTimeout, URL };
  runInNewContext(script, Object.assign(page, { window: page }));
  expect(sent.map(({ event_type: type }) => type)).toEqual(['ORANGE_SDK_HELLO', 'GG_GAME_LOAD_FINISHED']);
});
