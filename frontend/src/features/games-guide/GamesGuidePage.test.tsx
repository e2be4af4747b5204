import { expect, jest, test } from '@jest/globals';
import { gamesGuide } from '@orange-id/contract/games.guide';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { json, network } from '../../testing/network';
import { keepProjects } from '../../testing/kept.projects';
import { openPortal } from '../../testing/open.portal';

test('the guide has all sections, with links to each, and describes itself to search engines', async () => {
  openPortal('/games-sdk-integration-guide');
  expect(await screen.findByRole('heading', { name: 'Games SDK Guide', level: 1 })).toBeTruthy();
  const contents = within(screen.getByRole('navigation', { name: 'On this page' })).getAllByRole('link');
  expect(contents.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ...gamesGuide('').map(({ id, title }) => [title, `/games-sdk-integration-guide#${id}`]),
    ['Playground', '/games-sdk-integration-guide#playground'],
    ['Downloads and links', '/games-sdk-integration-guide#downloads'],
  ]);
  expect(document.title).toBe('Games SDK Guide · Orange ID developer portal');
  expect(document.querySelector('meta[name=keywords]')?.getAttribute('content')).toContain('HTML5 game SDK');
});

test('the list of sections opens and closes, for narrow screens, and marks the section in view', async () => {
  const { user } = openPortal('/games-sdk-integration-guide', { as: 'visitor' });
  const contents = within(await screen.findByRole('navigation', { name: 'On this page' }));
  const button = contents.getByRole('button', { name: 'On this page' });
  expect(button).toHaveAttribute('aria-expanded', 'false');
  await user.click(button);
  expect(button).toHaveAttribute('aria-expanded', 'true');
  await user.click(contents.getByRole('link', { name: 'Quit' }));
  expect(button).toHaveAttribute('aria-expanded', 'false');

  const tops: Record<string, number> = { introduction: -900, 'get-started': 100, requirements: 700 };
  jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(0, tops[this.id] ?? 2_000, 500, 400);
  });
  fireEvent.scroll(window);
  const started = contents.getByRole('link', { name: 'How to get started' });
  await waitFor(() => expect(started).toHaveAttribute('aria-current', 'location'));
  tops['requirements'] = 100;
  fireEvent.scroll(window);
  await waitFor(() => expect(started).not.toHaveAttribute('aria-current'));
  expect(contents.getByRole('link', { name: 'Basic SDK requirements' })).toHaveAttribute(
    'aria-current',
    'location',
  );
});

test('each section has a link that searches the community for its title', async () => {
  openPortal('/games-sdk-integration-guide', { as: 'visitor' });
  const quit = within(await screen.findByRole('region', { name: 'Quit' }));
  const link = quit.getByRole('link', { name: 'Search the community for “Quit”' });
  expect(link).toHaveAttribute('href', '/community?q=Quit');
  expect(link).toHaveTextContent('');
});

test('the examples name the key and the game of a signed-in user who has one', async () => {
  keepProjects({ name: 'Snake' });
  const counts = { players: 0, plays: 0, errors: 0, createdAt: '2026-01-31T12:00:00.000Z' };
  network.use(
    http.get('/api/projects/orange-0000000000/games', () =>
      json([{ id: 'nina-snake', name: 'Nina Snake', ...counts }]),
    ),
  );
  openPortal('/games-sdk-integration-guide');
  const board = await screen.findByRole('group', { name: 'live leaderboard' });
  await waitFor(() => expect(board).toHaveTextContent('/api/v1/games/nina-snake/leaderboard'));
  expect(board).not.toHaveTextContent('YOUR_API_KEY');
  expect(board).toHaveTextContent('••••');
});

test('the examples keep their own key and game for a visitor', async () => {
  openPortal('/games-sdk-integration-guide', { as: 'visitor' });
  const board = await screen.findByRole('group', { name: 'live leaderboard' });
  expect(board).toHaveTextContent('/api/v1/games/coin-rush/leaderboard');
  expect(board).toHaveTextContent('YOUR_API_KEY');
});

test('cards lead to the downloads and to the operator’s pages; a card without a target is not shown', async () => {
  openPortal('/games-sdk-integration-guide');
  const cards = within(await screen.findByRole('region', { name: 'Downloads and links' }));
  const links = cards.getAllByRole('link').filter((link) => !link.textContent?.startsWith('#'));
  expect(links.map((link) => [link.querySelector('strong')?.textContent, link.getAttribute('href')])).toEqual(
    [
      ['Download the build file', '/sdk/orange-game.js'],
      ['Download the npm package', '/sdk/orange-game-sdk.tgz'],
      ['Submit your game', 'https://forms.example.com/games'],
      ['See listed games', 'https://games.example.com'],
    ],
  );
});

test('a page view is added to the data layer, without the query', async () => {
  window.dataLayer = [{ event: 'of the operator' }];
  openPortal('/games-sdk-integration-guide?token=secret#install');
  await screen.findByRole('heading', { name: 'Games SDK Guide', level: 1 });
  expect(window.dataLayer).toEqual([
    { event: 'of the operator' },
    {
      event: 'page_view',
      page_path: '/games-sdk-integration-guide',
      page_location: 'http://localhost/games-sdk-integration-guide',
      page_title: 'Games SDK Guide',
    },
  ]);
  delete window.dataLayer;
});

test('the guide plays the sample at a press, and leads to the playground’s own page', async () => {
  const { user } = openPortal('/games-sdk-integration-guide#playground');
  const section = within(await screen.findByRole('region', { name: 'Playground' }));
  expect(section.getByRole('link', { name: 'a page of its own' })).toHaveAttribute(
    'href',
    '/games-sdk-integration-guide/playground',
  );
  expect(screen.queryByTitle('Game')).toBeNull();
  await user.click(section.getByRole('button', { name: 'Play the sample here' }));
  expect(await section.findByTitle('Game')).toHaveAttribute('src', 'http://playground.localhost/run.html');
  expect(section.getByRole('list', { name: 'Checks' })).toBeVisible();
});
