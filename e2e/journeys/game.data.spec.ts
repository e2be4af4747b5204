import { expect, type APIRequestContext } from '@playwright/test';
import { signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { registerWithProject } from '../fixtures/project';
import { plainGame } from '../fixtures/wire.games';
import { LoginPage } from '../pages/login.page';
import { PlaygroundPage, playgroundPath, withPartitionedStorage } from '../pages/playground.page';

test.use(withPartitionedStorage);

const game = { 'index.html': plainGame };

/** A new owner, with the game Coin Rush in a project; `path` is where it is played, and `call` goes to the game. */
async function registerWithGame(request: APIRequestContext) {
  const owned = await registerWithProject(request);
  const send = async (method: string, path: string, data: object) => {
    const answer = await request.fetch(`/api/projects/${owned.code}/games${path}`, {
      method,
      data,
      headers: { authorization: `Bearer ${owned.account.accessToken}` },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  await send('POST', '', { name: 'Coin Rush' });
  return {
    ...owned,
    path: `${playgroundPath}?${new URLSearchParams({ project: owned.code, game: 'coin-rush' })}`,
    save: (data: object) => send('PUT', '/coin-rush/data', { data, version: 0 }),
    score: (score: number) => send('POST', '/coin-rush/scores', { score }),
  };
}

test('a visitor’s data moves from the browser to the project at sign-in, and survives a reload', async ({
  page,
  request,
}) => {
  const { account, code, path } = await registerWithGame(request);
  const playground = new PlaygroundPage(page);
  const finish = () => playground.game.getByRole('button', { name: 'Finish a round' }).click();
  const kept = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('playground-data:')));

  await page.goto(path);
  await playground.openFiles(game);
  await finish();
  await expect(playground.game.getByText('Best 5')).toBeVisible();
  expect(await kept()).toEqual([`playground-data:${code}/coin-rush`]);

  await playground.signIn.click();
  await new LoginPage(page).login(account.email, account.password);
  await expect(page).toHaveURL(path);
  await playground.play.click();
  await playground.openFiles(game);
  await expect(playground.game.getByText('Best 5')).toBeVisible();
  await expect.poll(kept).toEqual([]);
  await finish();
  await expect(playground.game.getByText('Best 10')).toBeVisible();

  await page.reload();
  await playground.play.click();
  await playground.openFiles(game);
  await expect(playground.game.getByText('Best 10')).toBeVisible();
});

test('saved data appears in another browser of the player, and the project’s leaderboard is live, with names of those who share them', async ({
  page,
  request,
  browser,
}) => {
  const { account, code, projectName, path, save, score } = await registerWithGame(request);
  await save({ best: 40 });
  await score(40);
  await signIn(page, account);
  await page.goto(`/projects?${new URLSearchParams({ project: projectName })}`);
  await page.getByRole('button', { name: 'Leaderboard of Coin Rush' }).click();
  const rows = page.getByRole('region', { name: 'Best scores of Coin Rush' }).getByRole('row');
  await expect(rows).toHaveText([/^Rank/, /^1Player without a shared name40/]);
  await expect(page.locator('[data-machine="realtime"]').first()).toHaveText('Live');

  const other = await (await browser.newContext()).newPage();
  await signIn(other, account);
  const playground = new PlaygroundPage(other);
  await other.goto(path);
  await playground.play.click();
  await playground.openFiles(game);
  await expect(playground.game.getByText('Best 40')).toBeVisible();
  await playground.game.getByRole('button', { name: 'Finish a round' }).click();
  await expect(rows).toHaveText([/^Rank/, /^1Player without a shared name45/]);

  await other.goto(`/api/v1/auth/authorize?tenantId=${code}&prompt=consent`);
  await other.getByRole('button', { name: /^Continue as/ }).click();
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(other.getByRole('heading', { name: 'Saved' })).toBeVisible();
  await score(50);
  await expect(rows).toHaveText([/^Rank/, /^1Acme Developers50/]);
  await page.reload();
  await page.getByRole('button', { name: 'Leaderboard of Coin Rush' }).click();
  await expect(rows).toHaveText([/^Rank/, /^1Acme Developers50/]);
});
