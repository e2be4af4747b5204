import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { acmeProject } from '../../testing/acme.project';
import { json, network } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const { code } = acmeProject;
const at = '2026-01-02T03:04:05.000Z';
const coinRush = { id: 'coin-rush', name: 'Coin Rush', players: 1, plays: 1_234, errors: 0, createdAt: at };
const gamesPath = `/api/projects/${code}/games`;

const open = (games: () => object[]) => {
  network.use(
    http.get('/devportal/v1/user/projects', () => json([acmeProject])),
    http.get('/api/analytics/metrics', () => HttpResponse.text('unused', { status: 503 })),
    http.get(gamesPath, () => json(games())),
  );
  return openPortal('/projects?project=Acme');
};
const section = async () => within(await screen.findByRole('region', { name: /^Games/ }));

test('a project without games says how a game saves, and adds one by its name', async () => {
  const games: object[] = [];
  const sent: unknown[] = [];
  network.use(
    http.post(gamesPath, async ({ request }) => {
      sent.push(await request.json());
      games.push(coinRush);
      return json(coinRush, 201);
    }),
  );
  const { user } = open(() => games);
  const panel = await section();
  expect(await panel.findByRole('link', { name: 'how a game saves' })).toHaveAttribute(
    'href',
    '/games-sdk-integration-guide#data-and-scores',
  );
  await user.click(panel.getByRole('button', { name: 'Add game' }));
  expect(panel.getByText('Enter a name.')).toBeVisible();
  expect(panel.getByLabelText('New game')).toHaveFocus();
  await user.type(panel.getByLabelText('New game'), ' Coin  Rush {Enter}');
  expect(await panel.findByText('1 player · 1,234 plays · 0 refused saves and scores')).toBeVisible();
  expect(sent).toEqual([{ name: 'Coin Rush' }]);
  expect(panel.getByLabelText('New game')).toHaveValue('');
  expect(panel.getByRole('heading')).toHaveTextContent('Games (1)');
});

test('a name that the project already has stays in the field, with the reason', async () => {
  network.use(
    http.post(gamesPath, () =>
      json({ code: 'game.nameTaken', message: 'The project already has a game of this name' }, 409),
    ),
  );
  const { user } = open(() => [coinRush]);
  const panel = await section();
  await user.type(await panel.findByLabelText('New game'), 'Coin Rush{Enter}');
  expect(
    await panel.findByText('Failed to add the game: The project already has a game of this name.'),
  ).toBeVisible();
  expect(panel.getByLabelText('New game')).toHaveValue('Coin Rush');
});

test('the leaderboard shows names only of players who share them, of all time and of today', async () => {
  network.use(
    http.get(`${gamesPath}/coin-rush/leaderboard`, ({ request }) =>
      json({
        scores:
          new URL(request.url).searchParams.get('period') === 'today'
            ? []
            : [
                { rank: 1, name: 'Mira', score: 1900, at },
                { rank: 2, name: null, score: 12.5, at },
              ],
      }),
    ),
  );
  const { user } = open(() => [coinRush]);
  const panel = await section();
  await user.click(await panel.findByRole('button', { name: 'Leaderboard of Coin Rush' }));
  const board = within(await panel.findByRole('region', { name: 'Best scores of Coin Rush' }));
  await waitFor(() => expect(board.getAllByRole('row')).toHaveLength(3));
  const cells = board.getAllByRole('row').map((row) => row.textContent);
  expect(cells[1]).toMatch(/^1Mira1,900/);
  expect(cells[2]).toMatch(/^2Player without a shared name12.5/);
  await user.click(board.getByText('Today (UTC)'));
  expect(await board.findByText('Nobody has played today')).toBeVisible();
});

test('a game is deleted after a confirmation, also if another tab deleted it first', async () => {
  let games = [coinRush];
  network.use(
    http.delete(`${gamesPath}/coin-rush`, () => {
      games = [];
      return json({ code: 'game.notFound', message: 'Gone' }, 404);
    }),
  );
  const { user } = open(() => games);
  const panel = await section();
  await user.click(await panel.findByRole('button', { name: 'Delete Coin Rush' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete game' }));
  expect(dialog.getByText(/with the data and scores of all its players/)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(panel.getByRole('heading')).toHaveTextContent(/^Games$/));
  await waitFor(() => expect(panel.getByRole('heading')).toHaveFocus());
});
